import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport

/// Files of earlier versions, which every later version opens.
///
/// A file is made once for each released schema and never again. `HOLDFAST_MUSEUM=1` makes those that
/// are missing.
enum Museum {
  static let folder = PackageFolder.root.appending(path: "Tests/Museum")

  /// Whether missing files are to be made.
  static let isCollecting = ProcessInfo.processInfo.environment["HOLDFAST_MUSEUM"] != nil

  /// Copies the files whose names begin with a name, so that a test may change them.
  static func copy(_ name: String, to directory: TemporaryDirectory) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for file in names where file.hasPrefix(name) {
      try FileManager.default.copyItem(
        at: folder.appending(path: file), to: directory.file(file))
    }
    return directory.file(name)
  }

  /// Makes a file or a folder that is missing; `make` creates it, and its companions, in a folder.
  ///
  /// What SQLite makes again at each opening is left out.
  static func collect(_ name: String, _ make: (URL) throws -> Void) throws {
    let place = folder.appending(path: name)
    guard !FileManager.default.fileExists(atPath: place.path) else { return }
    let directory = try TemporaryDirectory()
    try make(directory.file(name))
    for file in try directory.names where file.hasPrefix(name) && !file.hasSuffix("-shm") {
      try FileManager.default.copyItem(at: directory.file(file), to: folder.appending(path: file))
    }
  }

  // MARK: - Making

  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
    }
    return migrator
  }()

  /// A database whose `book` table has a history by two authors.
  static func makeHistory(at url: URL) throws {
    func queue(_ author: String) throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.historyAuthor = author
      return try DatabaseQueue(path: url.path, configuration: configuration)
    }
    let app = try queue("app")
    try migrator.migrate(app)
    try app.write { db in
      try ChangeHistory.install(on: db, tables: ["book"])
      try db.execute(sql: "CREATE TABLE note (token TEXT)")
      let token = try ChangeHistory.currentToken(db)
      try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: [token.description])
    }
    try app.write { db in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'caf\u{e9}'), (2, 'cafe\u{301}')")
    }
    try app.close()
    let widget = try queue("widget")
    try widget.write { db in
      try db.execute(sql: "REPLACE INTO book VALUES (3, 'caf\u{e9}')")
      try db.execute(sql: "UPDATE book SET title = 'tea' WHERE id = 2")
    }
    try widget.close()
  }

  /// A shared database, with the write-ahead log that its last process left.
  static func makeShared(at url: URL) throws {
    let pool = try DatabasePool.shared(at: url, migrator: migrator)
    try pool.write { db in try db.execute(sql: "INSERT INTO book VALUES (1, 'one')") }
    try pool.checkpoint(.truncate)
    try pool.write { db in try db.execute(sql: "INSERT INTO book VALUES (2, 'two')") }
    pool.suspend()
  }

  /// The sample feed as a timetable database.
  static func makeTimetable(at url: URL) throws {
    try FeedImporter(feed: PackageFolder.portMerrow, output: url).run()
  }

  /// Imports the sample feed with the numbers of an older database.
  static func importAgain(previous: URL, at url: URL) throws {
    try FeedImporter(feed: PackageFolder.portMerrow, output: url, previous: previous).run()
  }
}
