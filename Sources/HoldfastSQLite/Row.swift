internal import CSQLite

/// One row of a result: values by position or by column name.
///
/// A row that is read while its statement stands on it costs no copy. A row that is kept, because
/// it was stored or collected in an array, receives its own copy of the values before the
/// statement moves on, so that it stays what it was.
///
/// The subscripts trap when the column does not exist or does not convert, as a wrong index into
/// an array does. For data that the program does not control use
/// ``decode(_:forColumn:)`` or ``decode(_:atIndex:)``, which throw.
@safe
public final class Row {
  var layout: RowLayout
  private let sql: String?
  private var statement: OpaquePointer?
  private var values: [DatabaseValue] = []

  init(statement: OpaquePointer, sql: String, layout: RowLayout? = nil) {
    unsafe self.statement = statement
    self.sql = sql
    self.layout = unsafe layout ?? RowLayout(statement: statement)
  }

  /// Creates a row that stands for itself, such as one a test hands to `init(row:)`.
  ///
  /// - Parameter columns: Names and values, in order.
  public init(_ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>) {
    unsafe statement = nil
    sql = nil
    layout = RowLayout(names: columns.map(\.key))
    values = columns.map { $0.value?.databaseValue ?? .null }
  }

  /// Creates a row with a copy of another one's values.
  init(copying row: Row) {
    layout = row.layout
    sql = row.sql
    unsafe statement = nil
    values = row.databaseValues
  }

  /// Copies the values, because the statement is about to move on.
  func detach() {
    guard unsafe statement != nil else { return }
    values = databaseValues
    unsafe statement = nil
  }

  // MARK: - Shape

  /// The number of columns.
  public var count: Int { layout.names.count }

  /// The columns' names, in order.
  public var columnNames: [String] { layout.names }

  /// All values, in order.
  public var databaseValues: [DatabaseValue] {
    (0..<count).map { databaseValue(at: $0) }
  }

  /// Whether there is a column of that name, whatever its letters' case.
  public func hasColumn(_ name: String) -> Bool {
    layout.index(of: name) != nil
  }

  // MARK: - Values

  /// The stored value at a position.
  public subscript(_ index: Int) -> DatabaseValue {
    guard layout.names.indices.contains(index) else {
      Misuse.trap(Misuse.noColumn(at: index, count: count))
    }
    return databaseValue(at: index)
  }

  /// The value at a position, converted.
  public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    trapping { () throws(RowDecodingError) in try decode(Value.self, atIndex: index) }
  }

  /// The stored value of a column; NULL when there is no such column.
  public subscript(_ name: String) -> DatabaseValue {
    layout.index(of: name).map(databaseValue(at:)) ?? .null
  }

  /// The value of a column, converted; of several columns of that name the first one counts.
  ///
  /// An optional value is `nil` when there is no such column.
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    trapping { () throws(RowDecodingError) in try decode(Value.self, forColumn: name) }
  }

  /// Returns the value at a position, converted.
  ///
  /// - Parameters:
  ///   - type: The expected type.
  ///   - index: The column's position, from 0.
  /// - Returns: The converted value.
  /// - Throws: ``RowDecodingError`` when there is no such column or it does not convert.
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, atIndex index: Int
  ) throws(RowDecodingError) -> Value {
    guard layout.names.indices.contains(index) else {
      throw RowDecodingError(
        column: "\(index)", storedType: nil, expectedType: "\(Value.self)", sql: sql)
    }
    let value =
      if let statement = unsafe statement {
        unsafe Value.fromColumn(Column(statement: statement, index: CInt(index)))
      } else {
        Value.fromDatabaseValue(values[index])
      }
    guard let value else {
      throw RowDecodingError(
        column: layout.names[index], storedType: databaseValue(at: index).typeName,
        expectedType: "\(Value.self)", sql: sql)
    }
    return value
  }

  /// Returns the value of a column, converted; of several of that name the first one counts.
  ///
  /// - Parameters:
  ///   - type: The expected type.
  ///   - name: The column's name, whatever its letters' case.
  /// - Returns: The converted value.
  /// - Throws: ``RowDecodingError`` when the column does not convert, or when there is none of
  ///   that name and the type is not optional.
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, forColumn name: String
  ) throws(RowDecodingError) -> Value {
    guard let index = layout.index(of: name) else {
      if let value = Value.fromMissingColumn() { return value }
      throw RowDecodingError(
        column: name, storedType: nil, expectedType: "\(Value.self)", sql: sql)
    }
    return try decode(Value.self, atIndex: index)
  }

  private func databaseValue(at index: Int) -> DatabaseValue {
    guard let statement = unsafe statement else { return values[index] }
    return unsafe Column(statement: statement, index: CInt(index)).databaseValue
  }

  private func trapping<Value>(_ body: () throws(RowDecodingError) -> Value) -> Value {
    do {
      return try body()
    } catch {
      Misuse.trap(error.description)
    }
  }
}

extension Row: Equatable {
  /// Two rows are equal when they have equal names and values in the same order.
  public static func == (lhs: Row, rhs: Row) -> Bool {
    lhs.columnNames == rhs.columnNames && lhs.databaseValues == rhs.databaseValues
  }
}

extension Row: CustomStringConvertible {
  /// The names and values, for a debugger or a test's message.
  public var description: String {
    "[" + zip(columnNames, databaseValues).map { "\($0): \($1)" }.joined(separator: ", ") + "]"
  }
}
