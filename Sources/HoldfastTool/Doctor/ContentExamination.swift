import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastTransit

/// The examination of what is in a database, on a connection to a copy of it.
struct ContentExamination {
  var examination: ContainerExamination
  let file: String
  /// Whether a value may have a path into a container.
  var mayHavePaths = true
  /// Whether the database is one with a write-ahead log, and has none beside it.
  var lacksLog = false

  /// Whether the database has room for a value that is not searched.
  private var mayHaveLongValues = false

  /// The longest value that is searched for paths, in bytes.
  private static let longestValue = ReadingLimit.storedValue.most
  /// The number of columns that one query searches; SQLite limits how deep a condition is.
  private static let columnsPerQuery = 40

  init(examination: ContainerExamination, file: String) {
    self.examination = examination
    self.file = file
  }

  mutating func examine(_ db: Database) throws {
    // First, because it makes what can be read of the schema readable.
    try db.examining { try examineIntegrity($0) }
    mayHaveLongValues =
      try Bool.fetchOne(
        db,
        sql: "SELECT page_count * page_size > ? FROM pragma_page_count, pragma_page_size",
        arguments: [Self.longestValue]) ?? true
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
    )
    if lacksLog, try db.isWithoutSchema() { examination.findings.add(.withoutTables(file)) }
    let virtualTables = try SearchIndexCheck.virtualTables(db)
    let shadows = Set(virtualTables.flatMap(\.indexTables).map(\.foldedDatabaseIdentifier))
    let blobs = try ExternalBlobs(of: file, db)
    for table in tables {
      let name = table.foldedDatabaseIdentifier
      guard !shadows.contains(name), !name.hasPrefix("sqlite_") else { continue }
      do {
        try db.examining { db in
          if mayHavePaths { try searchTable(table, db) }
          if let blobs { try examine(blobs, of: table, db) }
          if let adopted = DownloadTable(named: table) { try examineRecords(adopted, db) }
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A function or a collation that only the app has.
        examination.findings.add(
          .unknownModule(table, error.message ?? error.description, in: file))
      }
    }
    let triggers = Triggers(
      try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL"))
    for table in virtualTables {
      // One of them may have a view without an end.
      do {
        try db.examining { try examineVirtualTable(table, triggers: triggers, $0) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        try examination.bar.console.checkInterruption()
        examination.findings.add(
          .unknownModule(table.name, "an end of the view that is its content", in: file))
      }
    }
  }

  // MARK: - Integrity

  private mutating func examineIntegrity(_ db: Database) throws {
    let integrity = try IntegrityExamination(db, isCopy: true)
    if !integrity.problems.isEmpty {
      examination.findings.add(.damagedDatabase(file, problems: integrity.problems))
    }
    for index in integrity.staleIndexes {
      let isUnique = try db.indexes(on: index.table, in: "main").contains {
        $0.name == index.name && $0.isUnique
      }
      examination.findings.add(.staleIndex(index, isUnique: isUnique, in: file))
    }
    for broken in integrity.brokenConstraints {
      examination.findings.add(.brokenConstraint(broken, in: file))
    }
    for expression in integrity.versionDependent {
      examination.findings.add(.versionDependent(expression, in: file))
    }
    for statement in integrity.unresolvable {
      examination.findings.add(.unresolvable(statement, in: file))
    }
    for violation in integrity.foreignKeys?.violations ?? [] {
      examination.findings.add(.brokenForeignKey(violation, in: file))
    }
    for mismatch in integrity.foreignKeys?.mismatches ?? [] {
      examination.findings.add(.unfollowedForeignKey(mismatch, in: file))
    }
    if let lost = integrity.lostContents {
      examination.findings.add(.damagedTileset(file, problems: [lost.message], count: lost.count))
    }
    for part in integrity.unexamined { examination.findings.add(.notEvaluated(part, in: file)) }
  }

  // MARK: - Full-text tables

  private mutating func examineVirtualTable(
    _ table: SearchIndexCheck.Table, triggers: Triggers, _ db: Database
  ) throws {
    // A timetable is written once, with its index.
    if try db.headerNumber(.applicationID) != TimetableSchema.applicationID,
      let content = ExternalContentTable(name: table.name, sql: table.sql)
    {
      try examine(SearchTriggers(of: content, triggers: triggers), of: content, db)
    }
    switch try SearchIndexCheck.outcome(of: table, db) {
    case .sound: break
    case .stale(let reason, let mending):
      examination.findings.add(.staleSearchIndex(of: table, because: reason, mending, in: file))
    case .unreadable(let reason):
      examination.findings.add(.unreadableTexts(of: table.name, because: reason, in: file))
    case .damaged(let problem):
      examination.findings.add(.damagedDatabase(file, problems: [problem]))
    case .notExamined(let reason):
      examination.findings.add(.unknownModule(table.name, reason, in: file))
    }
  }

  private mutating func examine(
    _ triggers: SearchTriggers, of table: ExternalContentTable, _ db: Database
  ) throws {
    if !triggers.missing.isEmpty {
      examination.findings.add(
        .missingSearchTriggers(
          of: table, triggers.missing, content: try table.contentKind(db), in: file))
    }
    if !triggers.wrong.isEmpty {
      examination.findings.add(.wrongSearchTriggers(of: table, triggers.wrong, in: file))
    }
    if triggers.missesReplace {
      examination.findings.add(.searchTriggersMissReplace(of: table, triggers, in: file))
    }
  }

  // MARK: - Rows

  /// The number by which a row of a table is found.
  private struct Key {
    /// The beginning of a query: `rowid` and a comma, or nothing for a table without one.
    var sql = ""

    init(_ table: String, _ db: Database) throws {
      do {
        _ = try db.makeStatement(sql: "SELECT rowid FROM \(table.quotedDatabaseIdentifier)")
        let names = try String.fetchAll(
          db, sql: "SELECT lower(name) FROM pragma_table_xinfo(?)", arguments: [table])
        if !names.contains("rowid") { sql = "rowid, " }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // It has none.
      }
    }

    /// The index of the first column after it.
    var end: Int { sql.isEmpty ? 0 : 1 }

    /// Returns the row of which a query with ``sql`` has found values; `nil` where it has no number.
    func row(_ row: Row) -> Int64? {
      guard !sql.isEmpty, case .int64(let number) = (row[0] as DatabaseValue).storage else {
        return nil
      }
      return number
    }
  }

  // MARK: - Paths

  private static func columns(of table: String, _ db: Database) throws -> [String] {
    // A virtual generated column is computed, perhaps by a function of the app.
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (0, 3)", arguments: [table])
  }

  private mutating func searchTable(_ table: String, _ db: Database) throws {
    let columns = try Self.columns(of: table, db)
    let key = try Key(table, db)
    for start in stride(from: 0, to: columns.count, by: Self.columnsPerQuery) {
      let part = Array(columns[start...].prefix(Self.columnsPerQuery))
      try search(part, of: table, key, db)
      if mayHaveLongValues { try noteLongBlobs(part, of: table, db) }
    }
  }

  private mutating func search(
    _ columns: [String], of table: String, _ key: Key, _ db: Database
  ) throws {
    let names = columns.map(\.quotedDatabaseIdentifier)
    // A property list in a blob has a text with any non-ASCII letter in UTF-16.
    let conditions = names.map { name in
      """
      (typeof(\(name)) = 'text' \
      AND (instr(\(name), 'ontainers') OR instr(\(name), 'pplications'))) \
      OR (typeof(\(name)) = 'blob' AND length(\(name)) <= \(Self.longestValue) \
      AND (instr(\(name), x'6f6e7461696e657273') OR instr(\(name), x'70706c69636174696f6e73') \
      OR instr(\(name), x'006f006e007400610069006e006500720073') \
      OR instr(\(name), x'00700070006c00690063006100740069006f006e0073')))
      """
    }
    // Long blobs are not even read, and counted apart.
    let values = names.map {
      "CASE WHEN typeof(\($0)) <> 'blob' OR length(\($0)) <= \(Self.longestValue) THEN \($0) END"
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(key.sql)\(values.joined(separator: ", ")) FROM \(table.quotedDatabaseIdentifier) \
        WHERE \(conditions.joined(separator: " OR "))
        """)
    var count = 0
    defer { examination.findings.row = nil }
    while let row = try rows.next() {
      count += 1
      if count.isMultiple(of: 1000) { try examination.bar.console.checkInterruption() }
      examination.findings.row = key.row(row)
      for (index, column) in columns.enumerated() {
        let place = Finding.Place(table: table, column: column)
        let byteCount = try row.withUnsafeData(atIndex: key.end + index) { $0?.count ?? 0 }
        guard byteCount <= Self.longestValue else {
          noteLongValues(1, at: place)
          continue
        }
        switch (row[key.end + index] as DatabaseValue).storage {
        case .string(let text): examination.examineText(text, in: file, at: place)
        case .blob(let bytes): examination.examineBytes(Array(bytes), in: file, at: place)
        case .null, .int64, .double: break
        }
      }
    }
  }

  /// Notes the blobs that are too long to be searched.
  private mutating func noteLongBlobs(
    _ columns: [String], of table: String, _ db: Database
  ) throws {
    let counts = columns.map(\.quotedDatabaseIdentifier).map { name in
      "total(typeof(\(name)) = 'blob' AND length(\(name)) > \(Self.longestValue))"
    }
    let row = try Row.fetchOne(
      db,
      sql: "SELECT \(counts.joined(separator: ", ")) FROM \(table.quotedDatabaseIdentifier)")
    for (index, column) in columns.enumerated() {
      guard let row, case .double(let count) = (row[index] as DatabaseValue).storage, count > 0
      else { continue }
      noteLongValues(Int(count), at: Finding.Place(table: table, column: column))
    }
  }

  private mutating func noteLongValues(_ count: Int, at place: Finding.Place) {
    let file = file
    examination.findings.add(.notExamined, in: file, at: place, count: count) {
      .notExamined(
        file, at: place,
        because: "Only values of up to \(Self.longestValue) bytes are searched for paths.",
        advice: "Look for paths in it with instr() in the sqlite3 shell.")
    }
  }

  // MARK: - Core Data

  private mutating func examine(_ blobs: ExternalBlobs, of table: String, _ db: Database) throws {
    let key = try Key(table, db)
    defer { examination.findings.row = nil }
    for column in try Self.columns(of: table, db) {
      let name = column.quotedDatabaseIdentifier
      let values = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(key.sql)\(name) FROM \(table.quotedDatabaseIdentifier)
          WHERE \(ExternalBlobs.condition(name))
          """)
      while let row = try values.next() {
        guard case .blob(let bytes) = (row[key.end] as DatabaseValue).storage,
          let value = ExternalBlobs.name(Array(bytes))
        else { continue }
        examination.findings.row = key.row(row)
        examination.examineExternalBlob(
          blobs.folder, value, in: file, at: Finding.Place(table: table, column: column))
      }
    }
  }

  // MARK: - Records of downloads

  /// Examines the relative paths of a table with a known form; absolute ones are found in any table.
  private mutating func examineRecords(_ table: DownloadTable, _ db: Database) throws {
    let columns = Set(try Self.columns(of: table.name, db).map(\.foldedDatabaseIdentifier))
    guard columns.contains(table.pathColumn.foldedDatabaseIdentifier) else { return }
    let location =
      columns.contains("storage_location") ? "storage_location" : "NULL"
    let condition = columns.contains("is_downloaded") ? "is_downloaded" : "1"
    let key = try Key(table.name, db)
    defer { examination.findings.row = nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(key.sql)\(table.pathColumn), \(location) FROM \(table.name.quotedDatabaseIdentifier) \
        WHERE \(condition) AND typeof(\(table.pathColumn)) = 'text'
        """)
    let place = Finding.Place(table: table.name, column: table.pathColumn)
    while let row = try rows.next() {
      let start = key.end
      guard case .string(let text) = (row[start] as DatabaseValue).storage else { continue }
      examination.findings.row = key.row(row)
      var location: String?
      if case .string(let text) = (row[start + 1] as DatabaseValue).storage { location = text }
      let candidates = DownloadTable.candidates(for: text, location: location)
      guard !candidates.isEmpty else { continue }
      examination.examineReference(
        text.withoutMiddle(toLength: 120), candidates, in: file, at: place)
    }
  }
}

/// A table in which an app keeps relative paths of files that it downloaded.
struct DownloadTable: Equatable, Sendable {
  var name: String
  var pathColumn: String

  private static let known = [
    DownloadTable(name: "local_audio_file_downloads", pathColumn: "download_path"),
    DownloadTable(name: "local_library_file_downloads", pathColumn: "download_path"),
    DownloadTable(name: "local_cover_cache", pathColumn: "local_cover_url"),
  ]

  private init(name: String, pathColumn: String) {
    (self.name, self.pathColumn) = (name, pathColumn)
  }

  /// Recognizes a table by its name.
  init?(named name: String) {
    let folded = name.foldedDatabaseIdentifier
    guard let table = Self.known.first(where: { $0.name.foldedDatabaseIdentifier == folded }) else {
      return nil
    }
    self.init(name: name, pathColumn: table.pathColumn)
  }

  /// Returns where the file of a stored relative path can be; none for other texts.
  ///
  /// A path without a root was in Caches at first, and in Documents later.
  static func candidates(for text: String, location: String?) -> [RelocatablePath] {
    guard let first = text.utf8.first, first != UInt8(ascii: "/"),
      !text.utf8.starts(with: "file:".utf8)
    else { return [] }
    let tags: [String: StorageRoot] = ["D:": .documents, "C:": .caches]
    let isTagged = tags.keys.contains { text.utf8.starts(with: $0.utf8) }
    let roots: [StorageRoot] =
      switch location {
      case _ where isTagged: [.documents]
      case "documents": [.documents]
      case "caches": [.caches]
      default: [.caches, .documents]
      }
    if text.utf8.starts(with: "@".utf8), let path = RelocatablePath(text) { return [path] }
    return roots.compactMap { root in
      do throws(FileError) {
        return try RelocatablePath(legacy: text, bareRoot: root, tags: tags)
      } catch {
        // Such as the URL of a file on a server.
        return nil
      }
    }
  }
}
