/// A table whose rows Swift code computes, and which SQL reads like any other table.
///
/// It is available under its name in every statement of the connections to which it was added,
/// without a CREATE statement: the file does not contain it. It is read-only.
///
/// ```swift
/// struct Countdown: VirtualTable {
///   let name = "countdown"
///   let columns = [VirtualTableColumn("value", .integer)]
///   func makeCursor() -> CountdownCursor { CountdownCursor() }
/// }
/// configuration.prepareDatabase { db in try db.add(virtualTable: Countdown()) }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/vtab.html>
public protocol VirtualTable: Sendable {
  /// The type of cursor that iterates over the rows.
  associatedtype Cursor: VirtualTableCursor

  /// The name in SQL, which is case-insensitive.
  var name: String { get }

  /// The columns, in order; at least one.
  var columns: [VirtualTableColumn] { get }

  /// Returns a plan for finding the rows of a query.
  ///
  /// It is called when a statement is prepared, often several times with different usable
  /// constraints; SQLite chooses the cheapest plan. The default plan scans all rows.
  ///
  /// - Parameter query: The query.
  /// - Returns: The plan, or `nil` when the table requires a constraint that is not usable in this
  ///   query.
  /// - Throws: Any error; preparing the statement fails with it.
  func plan(for query: VirtualTableQuery) throws -> VirtualTablePlan?

  /// Creates a cursor, which one statement at a time uses.
  ///
  /// - Returns: A cursor that is not started.
  /// - Throws: Any error; the statement fails with it.
  func makeCursor() throws -> Cursor
}

extension VirtualTable {
  /// Returns a plan that scans all rows; SQLite filters them.
  public func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
    VirtualTablePlan()
  }
}

/// A cursor over the rows of a virtual table.
///
/// The calls for each row allocate no memory unless the implementation does; SQLite itself copies
/// text and blobs.
public protocol VirtualTableCursor {
  /// Starts an iteration, before its first row; a cursor may be started several times.
  ///
  /// - Parameters:
  ///   - plan: The plan that SQLite chose among the plans that ``VirtualTable/plan(for:)``
  ///     returned.
  ///   - arguments: The values of the constraints that the plan uses, in the order of the calls of
  ///     ``VirtualTablePlan/use(_:isChecked:)``.
  /// - Throws: Any error; the statement fails with it.
  mutating func start(
    plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments) throws

  /// Moves to the next row, or to the first row after a start.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: Any error; the statement fails with it.
  mutating func next() throws -> Bool

  /// Writes the value of a column of the current row.
  ///
  /// - Parameters:
  ///   - column: The column's position, from 0.
  ///   - cell: The destination of the value, which is NULL if no value is written.
  /// - Throws: Any error; the statement fails with it.
  func write(column: Int, to cell: borrowing VirtualTableCell) throws

  /// The rowid of the current row, unique in the table.
  var rowID: Int64 { get }
}

/// A column of a virtual table.
public struct VirtualTableColumn: Hashable, Sendable {
  /// The declared type of a column.
  public enum DeclaredType: String, Sendable {
    /// Whole numbers.
    case integer = "INTEGER"
    /// Numbers with a fraction.
    case real = "REAL"
    /// Text.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
  }

  /// The column's name.
  public var name: String

  /// The declared type, which determines how values are compared with the column; `nil` for none.
  public var type: DeclaredType?

  /// Whether `SELECT *` omits the column.
  ///
  /// A hidden column is a parameter in SQL: the first argument in `countdown(10)` is a constraint
  /// `= 10` on the first hidden column.
  public var isHidden: Bool

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - type: The declared type.
  ///   - isHidden: Whether `SELECT *` omits it.
  public init(_ name: String, _ type: DeclaredType? = nil, isHidden: Bool = false) {
    self.name = name
    self.type = type
    self.isHidden = isHidden
  }

  var declaration: String {
    [name.quotedDatabaseIdentifier, type?.rawValue, isHidden ? "HIDDEN" : nil]
      .compactMap(\.self).joined(separator: " ")
  }
}
