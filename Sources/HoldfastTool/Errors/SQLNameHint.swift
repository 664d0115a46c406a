import Holdfast
import HoldfastTransit

/// A hint for a name in a statement that SQLite does not find, or finds twice.
enum SQLNameHint: Equatable {
  /// The tables and views that are meant, or have the column; the best one first.
  case tables([String])
  /// The column with its table.
  case column(String)
  /// The columns of a feed's table that are meant, after that of its identifier.
  case columns([String], table: String)
  /// The column of a table in the statement with a similar name.
  case similarColumn(String)
  /// The file of GTFS that is meant, and that the feed of the timetable lacks.
  case missingFile(String)

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
    try self.init(message, sql: error.sql ?? "", tables: { try Self.tables(in: db) })
  }

  /// Returns the hint for a message of SQLite about a statement.
  init?(_ message: String, sql: String, tables: () throws -> [Table]) rethrows {
    func name(after start: String) -> String? {
      guard message.hasPrefix(start) else { return nil }
      return String(message.dropFirst(start.count))
    }
    func column(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? "" }
    if let found = name(after: "no such column: ").map(column) {
      let all = try tables()
      let files = Self.files(among: all)
      let names = Self.tables(with: found, among: files.isEmpty ? all : files)
      if !names.isEmpty {
        self = .tables(Array(names.prefix(Self.most)))
      } else if let (table, columns) = Self.columns(like: found, in: sql, among: files) {
        self = .columns(columns, table: table)
      } else if let similar = Self.column(like: found, in: sql, among: all) {
        self = .similarColumn(similar)
      } else {
        return nil
      }
    } else if let found = name(after: "ambiguous column name: ").map(column) {
      guard let table = Self.tables(with: found, among: try tables()).first else { return nil }
      self = .column("\(table).\(found)")
    } else if let found = name(after: "no such table: ") {
      let (all, word) = (try tables(), Self.word(of: found))
      let names = Self.sorted(all.map(\.name), all: all, for: word)
      if let table = Self.table(called: word, among: names) {
        self = .tables([table])
      } else if !Self.files(among: all).isEmpty, let file = Self.plainFile(called: word) {
        self = .missingFile(file)
      } else if let table = Suggestion.nearest(to: word, among: names) {
        self = .tables([table])
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  private static func tables(in db: Database) throws -> [Table] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
        UNION SELECT name FROM sqlite_temp_schema WHERE type IN ('table', 'view') ORDER BY name
        """)
    return try names.map { name in
      do {
        return Table(
          name: name,
          columns: try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", arguments: [name]))
      } catch ResultCode.SQLITE_ERROR {
        // A view of what is not there, or a table of a module that is not.
        return Table(name: name, columns: [])
      }
    }
  }

  /// Returns the tables with a column, the best one first.
  static func tables(with column: String, among tables: [Table]) -> [String] {
    let wanted = DatabaseIdentifier(column)
    return sorted(
      tables.filter { $0.columns.contains { DatabaseIdentifier($0) == wanted } }.map(\.name),
      all: tables, for: column)
  }

  /// Returns the tables that are files of a feed, under their plain names or those of the stored ones.
  private static func files(among tables: [Table]) -> [Table] {
    let known = Set(tables.map { DatabaseIdentifier($0.name) })
    return tables.filter { table in
      table.name.lowercased().hasPrefix("gtfs_")
        || known.contains(DatabaseIdentifier("gtfs_\(table.name)"))
    }
  }

  /// Returns a file's columns whose names have the words of a name in their order, after its identifier:
  /// `stop_id` and `stop_name` of `stops` for `name`, both names of `routes` for `route_name`.
  ///
  /// - Parameters:
  ///   - word: The name that SQLite does not find.
  ///   - sql: The statement; only the files that it reads count.
  ///   - files: The tables of the feed.
  /// - Returns: The table and its columns; `nil` if there is none.
  private static func columns(
    like word: String, in sql: String, among files: [Table]
  ) -> (String, [String])? {
    let words = word.lowercased().split(separator: "_")
    for file in Self.tables(of: sql, among: files) {
      let similar = file.columns.filter { has(words, in: $0) }
      guard !similar.isEmpty else { continue }
      let own = similar.filter { isOwn($0, of: file.name) }
      let key = file.columns.first { isOwn($0, of: file.name) && $0.lowercased().hasSuffix("_id") }
      return (
        file.name,
        [key].compactMap { $0 } + (own.isEmpty ? similar : own).filter { $0 != key }
      )
    }
    return nil
  }

  /// Returns whether the name of a column has words in their order, with others between or around them.
  private static func has(_ words: [Substring], in column: String) -> Bool {
    var rest = column.lowercased().split(separator: "_")[...]
    return words.allSatisfy { word in
      guard let index = rest.firstIndex(of: word) else { return false }
      rest = rest[(index + 1)...]
      return true
    }
  }

  /// Returns the column with the most similar name, of the tables in a statement.
  private static func column(
    like name: String, in sql: String, among tables: [Table]
  ) -> String? {
    Suggestion.nearest(to: name, among: Self.tables(of: sql, among: tables).flatMap(\.columns))
  }

  /// Returns the tables whose names are words of a statement.
  private static func tables(of sql: String, among tables: [Table]) -> [Table] {
    let words = Set(
      sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map {
        DatabaseIdentifier(String($0))
      })
    return tables.filter { words.contains(DatabaseIdentifier($0.name)) }
  }

  /// Returns whether a column describes the rows of a table, as `stop_name` those of `stops`.
  private static func isOwn(_ column: String, of table: String) -> Bool {
    let name = table.lowercased()
    let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
    return column.lowercased().hasPrefix("\(singular)_")
  }

  /// Returns the name of a table without what people write around it: `stops` for `main.stops.txt`.
  private static func word(of name: String) -> String {
    var word = name.lowercased()
    if word.hasSuffix(".txt") { word.removeLast(4) }
    for start in ["main.", "temp."] where word.hasPrefix(start) { word.removeFirst(start.count) }
    return word
  }

  /// Returns the table with a name, or with the same name in the other number: GTFS has `stops`, but `agency`.
  ///
  /// The name of a file is also the name of its table, or what follows `gtfs_` there.
  private static func table(called word: String, among names: [String]) -> String? {
    let other =
      word.hasSuffix("ies")
      ? "\(word.dropLast(3))y" : word.hasSuffix("s") ? String(word.dropLast()) : "\(word)s"
    for own in [word, "gtfs_\(word)", other, "gtfs_\(other)"] {
      if let same = names.first(where: { DatabaseIdentifier($0) == DatabaseIdentifier(own) }) {
        return same
      }
    }
    return nil
  }

  /// Returns the file of GTFS whose table has a name, if a timetable has that table only with the file.
  private static func plainFile(called word: String) -> String? {
    let name = word.hasPrefix("gtfs_") ? String(word.dropFirst(5)) : word
    if name == "locations" { return "locations.geojson" }
    return TimetableSchema.plainFiles["\(name).txt"] == nil ? nil : "\(name).txt"
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
      return (kind, isOwn(column, of: name) ? 0 : 1)
    }
    return names.sorted { one, other in
      let (first, second) = (rank(one), rank(other))
      return first == second ? one < other : first < second
    }
  }
}
