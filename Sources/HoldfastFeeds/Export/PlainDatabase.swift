import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// A timetable as an SQLite database for other tools: a plain table for each file of the feed.
///
/// The tables have GTFS's columns, keys and indexes, and nothing that a reader of SQLite files may lack: no
/// `WITHOUT ROWID`, no generated columns, no views and no virtual tables. Times and dates are texts as
/// GTFS writes them.
struct PlainDatabase {
  /// The `application_id` of such a database: the letters `HFtp`.
  static let applicationID: Int32 = 0x4846_7470

  /// Returns whether a file of this name is to be such a database.
  static func isName(_ url: URL) -> Bool {
    ["sqlite", "sqlite3", "db"].contains(url.pathExtension.lowercased())
  }

  private let output: URL
  private let replaces: Bool

  init(_ output: URL, replaces: Bool) {
    (self.output, self.replaces) = (output, replaces)
  }

  /// Writes the database, which appears under its name when it is complete.
  ///
  /// - Parameters:
  ///   - timetable: The timetable.
  ///   - progress: Called with the fraction done, from 0 to 1.
  /// - Returns: The number of rows of each file, and the size of the database.
  /// - Throws: ``FeedError`` with `.foreignOutput` or `.outputInUse`; `FileError`; `DatabaseError`;
  ///   whatever `progress` throws.
  func write(
    _ timetable: Timetable, progress: @escaping (Double) throws -> Void
  ) throws -> FeedExport {
    try AtomicReplace(at: output).write { staging in
      try checkOutput()
      let rows = try timetable.reader.read { db in try fill(staging, from: db, progress) }
      let size = try staging.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      return FeedExport(rows: rows, bytes: Int64(size))
    } verify: { _ in
      // Examined again, because the export may have taken long.
      try checkOutput()
    }
  }

  /// Refuses an output that exists and is none of these databases, or is used.
  private func checkOutput() throws {
    let path = try FilePath(of: output)
    try path.refuseLink()
    guard try path.exists() else { return }
    guard replaces else { throw FeedError.exportExists(path.name) }
    if let user = try DatabaseUsers.lastingUser(of: path) {
      throw FeedError.exportInUse(path.name, by: "\(user)")
    }
    do {
      let queue = try DatabaseQueue(path: path.text)
      defer { queue.closeIgnoringErrors() }
      let id = try queue.read { db in try db.headerNumber(.applicationID) }
      guard id == Self.applicationID else { throw FeedError.foreignDatabase(path.name) }
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      throw FeedError.foreignDatabase(path.name, error)
    }
  }

  private func fill(
    _ url: URL, from source: Database, _ progress: (Double) throws -> Void
  ) throws -> [String: Int] {
    try TimetableSchema.checkForTrips(source)
    let queue = try DatabaseQueue(
      path: url.path(percentEncoded: false), configuration: .forUnpublishedFile)
    defer { queue.closeIgnoringErrors() }
    let tables = try PlainDatabaseTable.all(source)
    var rows: [String: Int] = [:]
    try queue.write { db in
      try db.setHeaderNumber(.applicationID, to: Self.applicationID)
      let total = Double(max(1, tables.reduce(0) { $0 + $1.rowCount }))
      var done = 0
      let keys = Dictionary(tables.map { ($0.name, $0.key) }, uniquingKeysWith: { one, _ in one })
      for table in tables {
        try table.write(from: source, to: db, referringTo: keys) {
          try progress(Double(done + $0) / total)
        }
        done += table.rowCount
        rows[table.file] = table.rowCount
        try progress(Double(done) / total)
      }
      let names = Set(tables.map { DatabaseIdentifier($0.name) })
      for table in tables { try table.createIndexes(db, besides: names) }
    }
    return rows
  }
}
