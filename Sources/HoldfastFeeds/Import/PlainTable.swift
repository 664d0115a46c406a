import Holdfast
import HoldfastTransit

/// The table of texts that a file of the feed becomes.
///
/// Rows are written as they are read, so that the size of the file does not matter. The rows and the
/// columns of a file that GTFS defines are sorted at the end. Other files keep their order, which may
/// mean something.
struct PlainTable {
  /// The name of the table that holds the rows until they are sorted.
  private static let staging = "rows_of_file"

  let name: String
  /// The number of rows that were written.
  private(set) var rows = 0
  private let columns: PlainColumns
  private var isUsed: [Bool]
  private let insertion: Statement

  /// Creates the table.
  ///
  /// - Parameters:
  ///   - name: The name of the table, which no other one has.
  ///   - columns: The columns, of which there is at least one.
  ///   - db: The connection, inside a transaction.
  /// - Throws: `DatabaseError` when the disk is full.
  init(_ name: String, _ columns: PlainColumns, _ db: Database) throws {
    self.name = name
    self.columns = columns
    // An export leaves out what is blank in a file that GTFS defines, so it is left out here too.
    isUsed = columns.columns.indices.map { $0 < columns.known || columns.keepsBlankColumns }
    let names = isUsed.indices.map { "c\($0)" }
    try db.execute(sql: "CREATE TABLE \(Self.staging) (\(names.joined(separator: ", ")))")
    let values = names.map { _ in "?" }.joined(separator: ", ")
    insertion = try db.makeStatement(sql: "INSERT INTO \(Self.staging) VALUES (\(values))")
  }

  mutating func add(_ parser: RowParser) throws {
    var values: [DatabaseValue] = []
    values.reserveCapacity(isUsed.count)
    var isBlank = true
    for (position, column) in columns.columns.enumerated() {
      let text = parser.text(column)
      values.append(text?.databaseValue ?? .null)
      guard text != nil else { continue }
      isBlank = false
      isUsed[position] = true
    }
    // Only columns without a name have a value.
    if isBlank { return }
    try insertion.execute(arguments: StatementArguments(values))
    rows += 1
  }

  /// Completes the table after the last row.
  func finish(_ db: Database) throws {
    let kept = isUsed.indices.filter { isUsed[$0] }
    let definitions = kept.map {
      "\(columns.columns[$0].name.quotedDatabaseIdentifier) TEXT"
    }.joined(separator: ", ")
    let names = kept.map { "c\($0)" }.joined(separator: ", ")
    try db.execute(
      sql: """
        CREATE TABLE \(name.quotedDatabaseIdentifier) (\(definitions));
        INSERT INTO \(name.quotedDatabaseIdentifier)
          SELECT \(names) FROM \(Self.staging) ORDER BY \(columns.keepsOrder ? "rowid" : names);
        DROP TABLE \(Self.staging);
        """)
  }
}

/// The columns of a file that is kept as a table of texts.
struct PlainColumns {
  /// The columns: GTFS's own in GTFS's order, whether the file has them or not, then the others.
  let columns: [FeedColumn]
  /// The number of GTFS's own columns.
  let known: Int
  /// Whether rows keep the order of the file.
  let keepsOrder: Bool
  /// Whether columns without any value are kept: in a file that GTFS does not define.
  let keepsBlankColumns: Bool

  /// Finds the columns of a file, and reports the flaws of its header.
  init(_ header: inout FeedHeader, of file: String) {
    let names = TimetableSchema.plainFiles[file]
    let found = (names ?? []).map { header.column($0) }
    var others = header.others()
    if names != nil { others.sort { ExactText($0.name) < ExactText($1.name) } }
    columns = found + others
    known = found.count
    // The first row of feed_info.txt describes the feed, if there are several.
    keepsOrder = names == nil || file == FeedInfoTable.file
    keepsBlankColumns = names == nil
    FlexDraft.examine(header)
    header.close(refusesDuplicates: false)
  }
}

extension FeedReading {
  /// Writes the files that are kept as tables of texts into a timetable database.
  ///
  /// - Parameter db: The connection, inside a transaction.
  /// - Returns: The number of rows in each table, by the name of its file.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; `DatabaseError` with SQLite's code;
  ///   whatever the progress throws.
  func writePlainTables(_ db: Database) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    var names = Set(try TimetableSchema.reservedTables(db).map(\.foldedDatabaseIdentifier))
    try readPlainFiles { file, rows in
      guard var header = rows.header else { return }
      let columns = PlainColumns(&header, of: file.name)
      let name = TimetableSchema.table(ofFile: file.name)
      guard names.insert(name.foldedDatabaseIdentifier).inserted else {
        report.add(.sameTableName(name).at(file.name))
        while try rows.next() {}
        return
      }
      if columns.columns.isEmpty {
        while try rows.next() {}
        return
      }
      var table = try PlainTable(name, columns, db)
      let transfers = file.name == TransferRowRules.file ? TransferRowRules(header) : nil
      while try rows.next() {
        for field in transfers?.missing(rows.parser.record) ?? [] {
          report.add(
            .blankValue(.blankValue).at(file.name, line: rows.parser.line, field: field))
        }
        try table.add(rows.parser)
      }
      try table.finish(db)
      counts[file.name] = table.rows
    }
    try TimetableSchema.indexFiles(db)
    return counts
  }
}
