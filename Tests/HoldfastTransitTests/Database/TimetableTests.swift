import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

@Suite struct TimetableTests {
  let feed: SmallFeed
  let directory: TemporaryDirectory

  init() throws {
    feed = try SmallFeed()
    directory = try TemporaryDirectory()
  }

  private func expectRefusal(_ code: TransitError.Code, at url: URL) throws -> TransitError {
    let names = try directory.names
    let error = try #require(throws: TransitError.self) { try Timetable(at: url) }
    #expect(error.code == code)
    #expect(error.message.contains("'\(url.path(percentEncoded: false))'"))
    #expect(error.path == url.path(percentEncoded: false))
    #expect(error.advice != nil)
    // The error of the opening is kept, if there was one.
    #expect((error.underlying is DatabaseError) == (code == .notFound))
    #expect((error.underlying is SharingError) == (code == .notADatabase))
    #expect(error.description == "\(error.message) \(error.advice ?? "")")
    #expect(try directory.names == names)
    return error
  }

  /// ST-2, ST-B10: an app that ships without its database starts, and reports it.
  @Test func aMissingFileIsReportedAndNotCreated() throws {
    let error = try expectRefusal(.notFound, at: directory.file("missing.db"))
    #expect(error.message.hasPrefix("There is no file"))
    _ = try expectRefusal(.notFound, at: directory.file("no/folder.db"))
  }

  @Test(arguments: ["xy", "a text of some length", String(repeating: "long ", count: 2000)])
  func aTextFileIsNotADatabase(text: String) throws {
    let file = directory.file("text.db")
    try Data(text.utf8).write(to: file)
    _ = try expectRefusal(.notADatabase, at: file)
    #expect(try Data(contentsOf: file) == Data(text.utf8))
  }

  /// SQLite treats a file of at most one byte as a database without tables.
  @Test(arguments: ["", "x"])
  func anEmptyFileIsNotATimetable(text: String) throws {
    let file = directory.file("empty.db")
    try Data(text.utf8).write(to: file)
    _ = try expectRefusal(.notATimetable, at: file)
  }

  @Test func anotherDatabaseIsNotATimetable() throws {
    let file = directory.file("other.db")
    let other = try DatabaseQueue(path: file.path)
    try other.write { db in
      try db.execute(sql: "CREATE TABLE stops (sid INTEGER)")
      try db.setHeaderNumber(.applicationID, to: 7)
    }
    try other.close()
    let error = try expectRefusal(.notATimetable, at: file)
    #expect(error.message.contains("its application_id is 7, expected 1212576884"))
  }

  @Test(arguments: [
    (0 as Int32, TransitError.Code.schemaOlder), (3, .schemaNewer), (-1, .schemaOlder),
  ])
  func anotherSchemaVersionIsReported(version: Int32, code: TransitError.Code) throws {
    let file = directory.file("version.db")
    try FileManager.default.moveItem(
      at: feed.database(of: [.init(id: "Q", name: "Quay")]), to: file)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in try db.setHeaderNumber(.userVersion, to: version) }
    try queue.close()
    let error = try expectRefusal(code, at: file)
    #expect(error.message.contains("version \(version), expected version 2"))
  }

  @Test func aFolderIsNotATimetable() throws {
    #expect(throws: DatabaseError.self) { try Timetable(at: directory.url) }
  }

  @Test(arguments: ["%41 #1?x", "file:x.db", "ä\u{301}ö", "a b;--'\".db", "?mode=memory"])
  func thePathIsNotInterpreted(name: String) throws {
    let file = directory.file(name)
    try FileManager.default.moveItem(
      at: feed.database(of: [.init(id: "Q", name: "Quay")]), to: file)
    let timetable = try Timetable(at: file)
    #expect(try timetable.names(for: "quay") == ["Quay"])
    try timetable.reader.close()
    #expect(try directory.names == [name])
  }

  /// ST-1, ST-3: the file is opened for reading only.
  @Test func openingWritesNothing() throws {
    let file = try feed.database(of: [.init(id: "Q", name: "Quay")])
    let bytes = try Data(contentsOf: file)
    let timetable = try Timetable(at: file)
    let error = #expect(throws: DatabaseError.self) {
      try timetable.reader.unsafeRead { db in try db.execute(sql: "DELETE FROM metadata") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    try timetable.reader.close()
    #expect(try Data(contentsOf: file) == bytes)
  }

  /// ST-B19: as in the bundle of an app.
  @Test func anUnwritableFolderIsAccepted() throws {
    let file = directory.file("harbour.db")
    try FileManager.default.moveItem(
      at: feed.database(of: [.init(id: "Q", name: "Quay")]), to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: directory.url.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
    }
    let timetable = try Timetable(at: file)
    #expect(try timetable.names(for: "quay") == ["Quay"])
    #expect(try directory.names == ["harbour.db"])
  }

  @Test func `Several threads read one timetable at the same time, without locks`() throws {
    let file = try feed.database(of: [.init(id: "Q", name: "Quay")])
    let timetable = try Timetable(at: file)
    let isInside = Gate()
    let isRead = Gate()
    let other = OwnThread {
      try timetable.reader.read { db in
        isInside.open()
        isRead.wait()
        return try Stop.fetchAll(db).count
      }
    }
    isInside.wait()
    #expect(try timetable.reader.read { db in try Stop.fetchAll(db).count } == 1)
    if KernelLock.listsOwnLocks {
      #expect(try LockTable.locksOfThisProcess(onDatabasesAt: [file]) == [])
    }
    isRead.open()
    #expect(try other.blockingValue() == 1)
  }

  @Test func `A database that is cut off is refused`() throws {
    let file = directory.file("cut.db")
    try Data(contentsOf: feed.database(of: [.init(id: "Q", name: "Quay")])).dropLast(4096)
      .write(to: file)
    let error = #expect(throws: SharingError.self) { try Timetable(at: file) }
    #expect(error?.code == .incomplete)
  }

  @Test func twoTimetablesCanBeOpenAtOnce() async throws {
    let one = try feed.database(of: [.init(id: "Q", name: "Quay")])
    let other = try feed.database(of: [.init(id: "C", name: "Central")])
    let timetables = try [Timetable(at: one), Timetable(at: other), Timetable(at: one)]
    var names: [String] = []
    for timetable in timetables {
      names += try await timetable.reader.read { db in
        try Stop.fetchAll(db).map(\.stopName)
      }
    }
    #expect(names == ["Quay", "Central", "Quay"])
    #expect(timetables[0].metadata == timetables[2].metadata)
    #expect(timetables[0].metadata != timetables[1].metadata)
  }
}
