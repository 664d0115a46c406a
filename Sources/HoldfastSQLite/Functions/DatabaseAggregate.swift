/// An aggregate function written in Swift, which computes one value from the rows of a group.
///
/// ```swift
/// struct Longest: DatabaseAggregate {
///   var text: String?
///
///   mutating func step(_ values: [DatabaseValue]) throws {
///     guard let next = String.fromDatabaseValue(values[0]) else { return }
///     if next.count > text?.count ?? -1 { text = next }
///   }
///
///   func finalize() -> (any DatabaseValueConvertible)? { text }
/// }
///
/// let longest = DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self)
/// configuration.prepareDatabase { db in db.add(function: longest) }
/// ```
///
/// There is one aggregate for each group, and for each call in a statement. All its methods are
/// called on the thread that runs the statement. It is released when its group ends, however it
/// ends: on the thread that suspends the database, if that closes the connection. A `deinit` must
/// not rely on the statement's thread.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/create_function.html>
public protocol DatabaseAggregate: SendableMetatype {
  /// Creates the aggregate of a group without rows.
  init()

  /// Adds a row.
  ///
  /// - Parameter values: One value per argument.
  /// - Throws: Any error; the statement fails with it, and no other method is called.
  mutating func step(_ values: [DatabaseValue]) throws

  /// Returns the value of the group, once, after its last row.
  ///
  /// A query without GROUP BY has one group even if it reads no rows. SQLite does not tell the end
  /// of a group from a statement that is interrupted or reset before it: it may ask for a value that
  /// it then ignores. It is not asked after a suspension has closed the connection.
  ///
  /// - Returns: The value; `nil` is NULL.
  /// - Throws: Any error; the statement fails with it.
  func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate function that is also a window function: rows leave it as they have entered it.
///
/// A function with such an aggregate can be used with `OVER` too. SQLite then adds the rows that
/// enter the window's frame, removes those that leave it, and asks for the value at each row.
///
/// ```swift
/// struct Spread: DatabaseWindowAggregate {
///   var values: [Double] = []
///
///   mutating func step(_ values: [DatabaseValue]) {
///     self.values.append(Double.fromDatabaseValue(values[0]) ?? 0)
///   }
///
///   mutating func inverse(_ values: [DatabaseValue]) { self.values.removeFirst() }
///
///   func value() -> (any DatabaseValueConvertible)? {
///     guard let low = values.min(), let high = values.max() else { return nil }
///     return high - low
///   }
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/windowfunctions.html#user_defined_aggregate_window_functions>
public protocol DatabaseWindowAggregate: DatabaseAggregate {
  /// Removes the row that was added first among those that are left.
  ///
  /// - Parameter values: The values with which it was added.
  /// - Throws: Any error; the statement fails with it, and no other method is called.
  mutating func inverse(_ values: [DatabaseValue]) throws

  /// Returns the value of the rows that are in the frame, as often as SQLite needs it.
  ///
  /// - Returns: The value; `nil` is NULL.
  /// - Throws: Any error; the statement fails with it, and no other method is called.
  func value() throws -> (any DatabaseValueConvertible)?
}

extension DatabaseWindowAggregate {
  /// Returns the value of the rows that are left.
  public func finalize() throws -> (any DatabaseValueConvertible)? {
    try value()
  }
}
