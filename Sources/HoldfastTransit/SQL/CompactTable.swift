import Holdfast

/// A column by which the rows of a virtual table are found without reading all of them.
struct CompactKey {
  /// The column's position.
  var column: Int
  /// The estimated number of rows with one value.
  var rowCount: Int64
  /// The estimated number of rows that are decoded to find them.
  var cost: Int64
  var isUnique = false
  /// The columns by which the rows with one value are sorted.
  var order: [Int] = []
  /// Whether the values are integers, which are passed as texts; otherwise they are texts.
  var isNumber = false
}

/// The rows of a file of the feed in the compact form, decoded one after another.
protocol CompactRows: SendableMetatype {
  /// The name of the file in the feed.
  static var file: String { get }
  /// The columns that have a place of their own, in GTFS's order.
  static var columns: [VirtualTableColumn] { get }
  /// The columns by which rows are found, the best one first.
  static var keys: [CompactKey] { get }
  /// The estimated number of all rows.
  static var rowCount: Int64 { get }

  init()

  /// Starts an iteration.
  ///
  /// - Parameters:
  ///   - key: The index of the key and its value; `nil` for all rows.
  ///   - content: What the connection has decoded.
  ///   - db: The connection.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  mutating func start(
    _ key: (index: Int, value: String)?, _ content: CompactContent, _ db: Database) throws

  /// Moves to the next row, and returns whether there is one.
  mutating func next(_ content: CompactContent, _ db: Database) throws -> Bool

  /// Writes the value of a column that has a place of its own.
  func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent,
    _ db: @autoclosure () throws -> Database) throws

  /// The number of the text with the other columns of the current row.
  var others: Int32 { get }

  /// The other columns of the current row, if they are not one of the shared texts.
  var ownRecord: String? { get }

  /// A number of the current row that no other row has.
  var rowID: Int64 { get }
}

extension CompactRows {
  var ownRecord: String? { nil }
}

/// A file of the feed in the compact form, as a virtual table.
struct CompactTable<Rows: CompactRows>: VirtualTable {
  private let connection: TimetableConnection
  let columns: [VirtualTableColumn]

  /// Creates the table.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - others: The names of the columns without a place of their own, in the order of their values.
  init(_ connection: TimetableConnection, _ others: [String]) {
    self.connection = connection
    columns = Rows.columns + others.map { VirtualTableColumn($0, .text) }
  }

  var name: String { "holdfast_" + TimetableSchema.table(ofFile: Rows.file) }

  func plan(for query: VirtualTableQuery) -> VirtualTablePlan? {
    var plan = VirtualTablePlan()
    plan.estimatedRowCount = Rows.rowCount
    plan.estimatedCost = Double(Rows.rowCount)
    for (index, key) in Rows.keys.enumerated() {
      let constraint = query.constraints.first {
        $0.isUsable && $0.column == key.column && $0.comparison == .equal && $0.isBinary
      }
      guard let constraint else { continue }
      // SQLite compares again: it converts numbers by rules of its own.
      plan.use(constraint)
      plan.number = index + 1
      plan.isUnique = key.isUnique
      plan.estimatedRowCount = key.rowCount
      plan.estimatedCost = Double(key.cost)
      let order = query.ordering.filter { $0.column != key.column }
      plan.isOrdered =
        !query.ordering.isEmpty && order.allSatisfy { !$0.isDescending }
        && order.count <= key.order.count
        && zip(order, key.order).allSatisfy { $0.column == $1 }
      break
    }
    return plan
  }

  func makeCursor() -> CompactCursor<Rows> { CompactCursor(connection) }
}

/// A cursor over the rows of a file in the compact form.
struct CompactCursor<Rows: CompactRows>: VirtualTableCursor {
  private let connection: TimetableConnection
  private var content: CompactContent?
  private var rows = Rows()
  private var isEmpty = false

  init(_ connection: TimetableConnection) {
    self.connection = connection
  }

  mutating func start(
    plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments
  ) throws {
    isEmpty = false
    var key: (Int, String)?
    if plan.number > 0 {
      let isNumber = Rows.keys[plan.number - 1].isNumber
      switch arguments[0].storage {
      case .string(let text) where !isNumber: key = (plan.number - 1, text)
      case .int64(let number) where isNumber: key = (plan.number - 1, "\(number)")
      case .null: isEmpty = true
      // A text may equal a number in several forms, so that SQLite compares all rows.
      default: break
      }
    }
    let db = try connection.db
    do {
      let content = try CompactContent.of(db)
      self.content = content
      if !isEmpty { try rows.start(key, content, db) }
    } catch {
      throw DatabaseError.ofStatement(error)
    }
  }

  mutating func next() throws -> Bool {
    guard !isEmpty, let content else { return false }
    let db = try connection.db
    do { return try rows.next(content, db) } catch { throw DatabaseError.ofStatement(error) }
  }

  func write(column: Int, to cell: borrowing VirtualTableCell) throws {
    guard let content else { return }
    do { try write(column, to: cell, content) } catch { throw DatabaseError.ofStatement(error) }
  }

  private func write(
    _ column: Int, to cell: borrowing VirtualTableCell, _ content: CompactContent
  ) throws {
    guard column >= Rows.columns.count else {
      return try rows.write(column, to: cell, content, try connection.db)
    }
    let values: [String]
    if let record = rows.ownRecord {
      values = OtherValues.values(of: record)
    } else {
      guard rows.others > 0 else { return }
      values = try content.otherValues(rows.others, try connection.db)
    }
    let index = column - Rows.columns.count
    guard index < values.count, !values[index].isEmpty else { return }
    cell.write(values[index])
  }

  var rowID: Int64 { rows.rowID }
}

extension VirtualTableQuery.Constraint {
  /// Whether texts are compared by their bytes.
  fileprivate var isBinary: Bool { DatabaseIdentifier(collation) == "binary" }
}

extension VirtualTableCell {
  /// Writes a text; NULL if there is none.
  func write(_ text: String?) {
    if let text { write(text) } else { writeNull() }
  }

  /// Writes a small number; NULL if there is none.
  func write(_ number: Int16?) {
    if let number { write(Int64(number)) } else { writeNull() }
  }

  /// Writes a date, given as the number `YYYYMMDD`, as GTFS does.
  func write(date number: Int) {
    let digits = String(number)
    write(String(repeating: "0", count: max(0, 8 - digits.count)) + digits)
  }

  /// Writes a time of the service day as GTFS does, past 24 hours too.
  func write(time seconds: Int) {
    guard (0..<360_000).contains(seconds) else {
      return write(ServiceTime(seconds: seconds).description)
    }
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    let digits: [UInt8] = [
      Self.digit(hours / 10), Self.digit(hours % 10), UInt8(ascii: ":"),
      Self.digit(minutes / 10), Self.digit(minutes % 10), UInt8(ascii: ":"),
      Self.digit(seconds / 10), Self.digit(seconds % 10),
    ]
    write(utf8: digits.span)
  }

  private static func digit(_ number: Int) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: number) }
}
