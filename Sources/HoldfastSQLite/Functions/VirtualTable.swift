/// A table whose rows Swift computes, to be read in SQL like any other.
///
/// It is there in every statement of the connections it was added to, under its name, without a
/// CREATE statement: nothing of it is stored in the file. It cannot be written.
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
  /// What walks over the rows.
  associatedtype Cursor: VirtualTableCursor

  /// The name in SQL, whatever its letters' case.
  var name: String { get }

  /// The columns, in order; at least one.
  var columns: [VirtualTableColumn] { get }

  /// Chooses how the rows for a query are found.
  ///
  /// It is called when a statement is prepared, mostly several times with fewer or more usable
  /// constraints; SQLite takes the cheapest plan. The default walks over all rows.
  ///
  /// - Parameter query: What is asked for.
  /// - Returns: The plan, or `nil` when the table cannot answer without a constraint that is not
  ///   usable in this query.
  /// - Throws: Any error; the statement is not prepared then.
  func plan(for query: VirtualTableQuery) throws -> VirtualTablePlan?

  /// Creates a cursor, which one statement at a time uses.
  ///
  /// - Returns: A cursor that was not started.
  /// - Throws: Any error; the statement fails then.
  func makeCursor() throws -> Cursor
}

extension VirtualTable {
  /// Chooses to walk over all rows, and lets SQLite pick the ones that are asked for.
  public func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
    VirtualTablePlan()
  }
}

/// Walks over the rows of a virtual table.
///
/// None of the calls for a row allocates anything unless the implementation does; SQLite itself
/// copies text and blobs.
public protocol VirtualTableCursor {
  /// Begins a walk, before its first row; a cursor may be started several times.
  ///
  /// - Parameters:
  ///   - plan: The plan that SQLite took, as ``VirtualTable/plan(for:)`` made it.
  ///   - arguments: The values of the constraints that the plan uses, in the order in which it
  ///     named them.
  /// - Throws: Any error; the statement fails with it.
  mutating func start(
    plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments) throws

  /// Moves to the next row, the first one after a start.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: Any error; the statement fails with it.
  mutating func next() throws -> Bool

  /// Writes the value of a column of the row that the cursor is on.
  ///
  /// - Parameters:
  ///   - column: The column's position, from 0.
  ///   - cell: Takes the value; it is NULL unless one is written.
  /// - Throws: Any error; the statement fails with it.
  func write(column: Int, to cell: borrowing VirtualTableCell) throws

  /// The rowid of the row that the cursor is on; no two rows have the same.
  var rowID: Int64 { get }
}

/// A column of a virtual table.
public struct VirtualTableColumn: Hashable, Sendable {
  /// The declared types.
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

  /// The declared type, which decides how values are compared with the column; none when `nil`.
  public var type: DeclaredType?

  /// Whether `SELECT *` leaves the column out.
  ///
  /// A hidden column is a parameter in SQL: the first argument in `countdown(10)` is a constraint
  /// `= 10` on the first hidden column.
  public var isHidden: Bool

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - type: The declared type.
  ///   - isHidden: Whether `SELECT *` leaves it out.
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
