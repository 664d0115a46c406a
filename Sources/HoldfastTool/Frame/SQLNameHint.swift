import Holdfast

/// A hint for a name in a statement that SQLite does not find, or finds twice.
enum SQLNameHint: Equatable {
  /// The tables and views that are meant, or have the column; the best one first.
  case tables([String])
  /// The column with its table.
  case column(String)

  /// The largest number of tables that are named.
  private static let most = 8

  /// A table or view of the connection.
  struct Table: Equatable {
    var name: String
    var columns: [String]
  }

  /// Returns the hint for an error of SQLite; `nil` if no name is its cause, or nothing is similar.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - db: The connection.
  /// - Throws: `DatabaseError` when the database cannot be read.
  init?(_ error: DatabaseError, in db: Database) throws {
    guard let message = error.message else { return nil }
    try self.init(message, tables: { try Self.tables(in: db) })
  }

  /// Returns the hint for a message of SQLite.
  init?(_ message: String, tables: () throws -> [Table]) rethrows {
    func name(after start: String) -> String? {
      guard message.hasPrefix(start) else { return nil }
      return String(message.dropFirst(start.count))
    }
    func column(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? "" }
    if let found = name(after: "no such column: ").map(column) {
      let names = Self.tables(with: found, among: try tables())
      guard !names.isEmpty else { return nil }
      self = .tables(Array(names.prefix(Self.most)))
    } else if let found = name(after: "ambiguous column name: ").map(column) {
      guard let table = Self.tables(with: found, among: try tables()).first else { return nil }
      self = .column("\(table).\(found)")
    } else if let found = name(after: "no such table: ") {
      guard let table = Self.table(like: found, among: try tables()) else { return nil }
      self = .tables([table])
    } else {
      return nil
    }
  }

  private static func tables(in db: Database) throws -> [Table] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT schema.name, info.name
        FROM (
          SELECT type, name FROM sqlite_schema UNION SELECT type, name FROM sqlite_temp_schema
        ) AS schema, pragma_table_xinfo(schema.name) AS info
        WHERE schema.type IN ('table', 'view') AND info.hidden <> 1
        ORDER BY schema.name
        """)
    var tables: [Table] = []
    for row in rows {
      let (name, column): (String, String) = (
        try row.decode(atIndex: 0), try row.decode(atIndex: 1)
      )
      if tables.last?.name != name { tables.append(Table(name: name, columns: [])) }
      tables[tables.count - 1].columns.append(column)
    }
    return tables
  }

  /// Returns the tables with a column, the best one first.
  static func tables(with column: String, among tables: [Table]) -> [String] {
    let wanted = DatabaseIdentifier(column)
    return sorted(
      tables.filter { $0.columns.contains { DatabaseIdentifier($0) == wanted } }.map(\.name),
      all: tables, for: column)
  }

  /// Returns the table with the most similar name.
  ///
  /// The name of a file is also the name of its table.
  private static func table(like name: String, among tables: [Table]) -> String? {
    var word = name.lowercased()
    if word.hasSuffix(".txt") { word.removeLast(4) }
    for start in ["main.", "temp."] where word.hasPrefix(start) { word.removeFirst(start.count) }
    let names = sorted(tables.map(\.name), all: tables, for: word)
    if let same = names.first(where: { DatabaseIdentifier($0) == DatabaseIdentifier(word) }) {
      return same
    }
    return Suggestion.nearest(to: word, among: names)
  }

  /// Sorts the names of tables for a column.
  ///
  /// The files of a feed come first, under their plain names; of these the one whose rows the column
  /// describes: `stops` for `stop_name`, `routes` for `route_color`.
  private static func sorted(_ names: [String], all: [Table], for column: String) -> [String] {
    let known = Set(all.map { DatabaseIdentifier($0.name) })
    func rank(_ name: String) -> (Int, Int) {
      let lowercased = name.lowercased()
      let kind =
        lowercased.hasPrefix("gtfs_")
        ? 1 : known.contains(DatabaseIdentifier("gtfs_\(name)")) ? 0 : 2
      let singular = lowercased.hasSuffix("s") ? String(lowercased.dropLast()) : lowercased
      let isOwner = column.lowercased().hasPrefix("\(singular)_")
      return (kind, isOwner ? 0 : 1)
    }
    return names.sorted { one, other in
      let (first, second) = (rank(one), rank(other))
      return first == second ? one < other : first < second
    }
  }
}
