import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit

/// A timetable that was imported from a few files, and is asked in SQL.
struct FeedInSQL {
  let database: URL
  private let directory: TemporaryDirectory

  /// Imports texts by the names of their files.
  init(_ files: [String: String]) throws {
    directory = try TemporaryDirectory()
    database = directory.file("a.db")
    try replace(by: files)
  }

  /// Imports another feed in place of this one, before any test opens the database.
  func replace(by files: [String: String]) throws {
    let folder = directory.file("feed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    var importer = FeedImporter(feed: folder, output: database)
    importer.replacesOutput = true
    try importer.run()
    try FileManager.default.removeItem(at: folder)
  }

  /// Reads on a connection that has the tables of a feed.
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    return try timetable.reader.read(value)
  }

  /// Returns the rows of a statement, each as one text; NULL is a dot.
  static func rows(_ db: Database, _ sql: String) throws -> [String] {
    try Row.fetchAll(db, sql: sql).map { row in
      // The description of a text has SQL's quotation marks.
      row.databaseValues.map { $0.isNull ? "." : String.fromDatabaseValue($0) ?? "\($0)" }
        .joined(separator: "|")
    }
  }
}
