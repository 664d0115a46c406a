import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Synchronization
import Testing

@Suite struct TimetableFollowingTests {
  let feed: SmallFeed
  let source: LinkSource

  /// The files `Ash` and `Birch` have one stop with the name of the file; `Ash` is current.
  init() throws {
    feed = try SmallFeed()
    source = try LinkSource()
    for name in ["Ash", "Birch"] {
      let file = try feed.database(of: [.init(id: "S", name: name)])
      try FileManager.default.moveItem(at: file, to: source.directory.file(name))
    }
    try source.point(to: "Ash")
  }

  private static func stop(_ db: Database) throws -> String {
    try Stop.fetchAll(db).map(\.stopName).joined()
  }

  /// ST-8, ST-B20: a newer database takes the place of the one in use.
  @Test func `An access in progress keeps its database, and the next one uses the newest`() throws {
    let timetable = try Timetable(following: source)
    let source = source
    let first = timetable.metadata
    try timetable.reader.read { db in
      #expect(try Self.stop(db) == "Ash")
      try source.point(to: "Birch")
      let other = OwnThread { try timetable.reader.read(Self.stop) }
      #expect(try other.blockingValue() == "Birch")
      #expect(timetable.metadata != first)
      // Still the same file, which the source is still asked to keep.
      #expect(try Self.stop(db) == "Ash")
      #expect(source.ended.entries == [])
    }
    #expect(source.ended.entries == ["Ash"])
    #expect(try timetable.reader.read(Self.stop) == "Birch")
    #expect(timetable.followingProblem == nil)
  }

  @Test func `An awaited access uses the newest database`() async throws {
    let timetable = try await Timetable(following: source)
    #expect(try await timetable.reader.read { try Self.stop($0) } == "Ash")
    try source.point(to: "Birch")
    #expect(try await timetable.reader.unsafeRead { try Self.stop($0) } == "Birch")
    try source.point(to: "Ash")
    let stop = await withCheckedContinuation { continuation in
      timetable.reader.asyncRead { result in
        continuation.resume(returning: Result { try Self.stop(result.get()) })
      }
    }
    #expect(try stop.get() == "Ash")
  }

  /// ST-B11: reading on the main thread blocked the screen.
  @Test func `An awaited opening blocks no thread of a task`() async throws {
    try await LinkSource.$isInTask.withValue(true) {
      let timetable = try await Timetable(following: source)
      #expect(try await timetable.reader.read { try Self.stop($0) } == "Ash")
    }
    #expect(source.callsInTask.entries.count >= 2)
    #expect(!source.callsInTask.entries.contains(true))
  }

  @Test func `A reentrant read stays in the database of the outer one`() throws {
    let timetable = try Timetable(following: source)
    try timetable.reader.read { _ in
      try source.point(to: "Birch")
      #expect(try timetable.reader.unsafeReentrantRead(Self.stop) == "Ash")
    }
    #expect(try timetable.reader.unsafeReentrantRead(Self.stop) == "Birch")
  }

  @Test func `A database that is no longer current is closed soon after the switch`() async throws {
    let timetable = try await Timetable(following: source)
    try source.point(to: "Birch")
    source.announce()
    let source = source
    await until { source.ended.entries == ["Ash"] }
    let ash = source.directory.file("Ash").path
    if OpenFiles.areKnown { #expect(try OpenFiles.beginning(with: ash) == []) }
    #expect(try await timetable.reader.read { try Self.stop($0) } == "Birch")
  }

  @Test(arguments: ["text", "missing", "other.db"])
  func `A switch to what cannot be opened keeps the previous database`(name: String) async throws {
    try Data(repeating: 0x78, count: 4096).write(to: source.directory.file("text"))
    let other = try DatabaseQueue(path: source.directory.file("other.db").path)
    try await other.write { db in try db.execute(sql: "CREATE TABLE stops (sid INTEGER)") }
    try other.close()

    let timetable = try await Timetable(following: source)
    let metadata = timetable.metadata
    try source.point(to: name)
    for _ in 1...3 {
      #expect(try await timetable.reader.read { try Self.stop($0) } == "Ash")
      #expect(timetable.followingProblem != nil)
    }
    #expect(timetable.metadata == metadata)
    #expect(!source.ended.entries.contains("Ash"))

    try source.point(to: "Birch")
    #expect(try await timetable.reader.read { try Self.stop($0) } == "Birch")
    #expect(timetable.followingProblem == nil)
    // A return to the database that is open needs no opening.
    try source.point(to: name)
    #expect(try await timetable.reader.read { try Self.stop($0) } == "Birch")
    try source.point(to: "Birch")
    #expect(try await timetable.reader.read { try Self.stop($0) } == "Birch")
    #expect(timetable.followingProblem == nil)
  }

  @Test func `A source without a readable current file keeps the previous database`() throws {
    let timetable = try Timetable(following: source)
    try FileManager.default.removeItem(at: source.directory.file("current"))
    #expect(try timetable.reader.read(Self.stop) == "Ash")
    #expect(timetable.followingProblem is CocoaError)
  }

  private static func open(_ source: LinkSource) throws -> Timetable {
    try Timetable(following: source)
  }

  @Test func `A first database that is no timetable is refused`() async throws {
    try Data(repeating: 0x78, count: 4096).write(to: source.directory.file("text"))
    try source.point(to: "text")
    let blocking = #expect(throws: TransitError.self) { try Self.open(source) }
    let awaited = await #expect(throws: TransitError.self) {
      try await Timetable(following: source)
    }
    for error in [blocking, awaited] {
      #expect(error?.code == .notADatabase)
      #expect(error?.underlying is SharingError)
      #expect(error?.advice?.contains("an encrypted one needs a build with the trait") == true)
    }
    try FileManager.default.removeItem(at: source.directory.file("current"))
    #expect(throws: CocoaError.self) { try Self.open(source) }
  }

  @Test func `A closed reader refuses accesses and has no file open`() throws {
    let timetable = try Timetable(following: source)
    _ = try timetable.reader.read(Self.stop)
    try timetable.reader.close()
    let error = #expect(throws: DatabaseError.self) { try timetable.reader.read(Self.stop) }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    try source.point(to: "Birch")
    #expect(throws: DatabaseError.self) { try timetable.reader.read(Self.stop) }
    if OpenFiles.areKnown {
      #expect(try OpenFiles.beginning(with: source.directory.url.path) == [])
    }
  }

  @Test func `A timetable that is released gives its database up`() async throws {
    var timetable: Timetable? = try await Timetable(following: source)
    _ = try await timetable?.reader.read { try Self.stop($0) }
    // The source itself keeps the current one.
    try source.point(to: "Birch")
    _ = try await source.currentDatabase()
    #expect(source.ended.entries == [])
    timetable = nil
    let source = source
    await until { source.ended.entries == ["Ash"] }
  }

  @Test func `Nothing is written through a followed reader`() throws {
    let timetable = try Timetable(following: source)
    let error = #expect(throws: DatabaseError.self) {
      try timetable.reader.unsafeRead { db in try db.execute(sql: "DELETE FROM metadata") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }
}
