import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// Imports into a folder whose databases are read meanwhile.
@Suite struct FolderImportTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let folder: URL

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    folder = directory.file("timetables")
  }

  /// Writes a feed with these stops in addition to those of the fixture.
  private func feed(_ stops: String...) throws -> URL {
    var fixture = FeedFixture()
    for stop in stops { fixture["stops.txt"] += "\(stop),\(stop),-33.9,151.3,,\n" }
    return try fixture.writeFolder(in: feeds, under: UUID().uuidString)
  }

  @discardableResult
  private func add(_ stops: String...) throws -> TimetableFolder.Update {
    try FolderImport.add(feed(stops.joined(separator: "")), to: folder)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private static func sids(_ db: Database) throws -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: try Stop.fetchAll(db).map { ($0.stopID, $0.sid) })
  }

  private func open() throws -> Timetable { try Timetable(following: folder) }

  private func sids() throws -> [String: Int64] { try open().reader.read(Self.sids) }

  @Test func `An import makes its database the current one, with the numbers of the one before`()
    throws
  {
    let first = try FolderImport.add(feed("Z"), to: folder)
    #expect(first.isSwitched && first.previous == nil)
    #expect(try names == [first.database, "current"].sorted())
    let timetable = try open()
    let numbers = try timetable.reader.read(Self.sids)

    let second = try FolderImport.add(feed("A", "Z"), to: folder)
    #expect(second.isSwitched && second.previous == first.database)
    let newer = try timetable.reader.read(Self.sids)
    #expect(newer.count == numbers.count + 1)
    #expect(newer.filter { $0.key != "A" } == numbers)
    // The file is named after its content.
    let digest = try FileDigest(of: folder.appending(path: second.database)).sha256
    #expect(second.database == "\(digest.description.prefix(8)).db")

    let same = try FolderImport.add(feed("A", "Z"), to: folder)
    #expect(!same.isSwitched && same.database == second.database)
    #expect(same.previous == first.database && same.removed == [])
  }

  @Test func `An older database is removed when no process uses it`() throws {
    let databases = try (1...3).map { try add("S\($0)").database }
    #expect(try !names.contains(databases[0]))
    let timetable = try open()
    #expect(timetable.metadata.feedIdentity != nil)
    let fourth = try add("S4")
    #expect(fourth.removed == [databases[1]])
    // A process that is about to open the file has it already.
    try withExtendedLifetime(TimetableFolder(at: folder).currentDatabase()) {
      try add("S5")
      #expect(try add("S6").kept.contains { $0.name == fourth.database })
    }
    // Another folder's names, as of a copy, mean the same.
    let moved = directory.file("moved")
    try FileManager.default.moveItem(at: folder, to: moved)
    #expect(try Timetable(following: moved).metadata.feedIdentity != nil)
  }

  @Test func `A database that is being read stays, and is removed later`() throws {
    let first = try add("S1").database
    let timetable = try open()
    try timetable.reader.read { db in
      let stops = try Self.sids(db)
      try add("S2")
      let third = try add("S3")
      #expect(third.removed == [])
      #expect(third.kept.map(\.name) == [first])
      #expect(third.kept.first?.reason.contains("(\(getpid())) uses it") == true)
      #expect(try Self.sids(db) == stops)
    }
    #expect(try timetable.reader.read(Self.sids)["S3"] != nil)
    let fourth = try add("S4")
    #expect(fourth.removed.contains(first) && fourth.kept.map(\.name) != [first])
  }

  @Test(.enabled(if: OtherSQLite.isThere && OpenFiles.areKnown))
  func `A database that another library's process has open stays`() throws {
    let first = try add("S1").database
    let other = try OtherSQLite()
    try other.run("SELECT count(*) FROM stops", on: folder.appending(path: first).path)
    try add("S2")
    let third = try add("S3")
    #expect(third.removed == [])
    #expect(
      third.kept.map(\.reason) == ["python3 (\(other.processIdentifier)) uses it"])
    other.kill()
    #expect(try add("S4").removed.contains(first))
  }

  @Test func `A lease of a process that was killed keeps nothing`() async throws {
    let first = try add("S1").database
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as URL] in
      let timetable = try await Timetable(following: folder)
      _ = try await timetable.reader.read { db in try Stop.fetchAll(db) }
      kill(getpid(), SIGKILL)
    }
    let leases = folder.appending(path: "leases")
    #expect(try FileManager.default.contentsOfDirectory(atPath: leases.path).count == 1)
    try add("S2")
    #expect(try add("S3").removed == [first])
    #expect(try FileManager.default.contentsOfDirectory(atPath: leases.path) == [])
  }

  @Test func `A user's files in the folder stay as they are`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let letters = ["letter.txt", "cafebabe.db", "00000000-2.db", "CAFEBABE.db", "notes.db"]
    for name in letters { try Data(name.utf8).write(to: folder.appending(path: name)) }
    for number in 1...3 { try add("S\(number)") }
    let update = try add("S4")
    #expect(update.kept.map(\.name) == ["00000000-2.db", "cafebabe.db"])
    #expect(update.kept.allSatisfy { $0.reason.hasPrefix("its content is not") })
    for name in letters {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data(name.utf8))
    }
  }

  @Test(arguments: [
    ("a letter", TransitError.Code.damaged), ("", .damaged), (#"{"format":1}"#, .damaged),
    (#"{"format":1,"database":"../x.db"}"#, .damaged),
    (#"{"format":2,"file":"x"}"#, .schemaNewer),
    (#"{"format":1,"database":"0f0c4a5e.db"}"#, .notFound),
  ])
  func `A folder whose current file names no database is refused, and stays as it is`(
    text: String, code: TransitError.Code
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let current = folder.appending(path: "current")
    try Data(text.utf8).write(to: current)
    let error = #expect(throws: TransitError.self) { try add("S1") }
    #expect(error?.code == code && error?.advice != nil)
    #expect(try names == ["current"])
    #expect(try Data(contentsOf: current) == Data(text.utf8))
    #expect(throws: (any Error).self) { try open() }
  }

  @Test func `A folder without a current database is not read`() throws {
    #expect(throws: TransitError.self) { try open() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let error = #expect(throws: TransitError.self) { try open() }
    #expect(error?.code == .notFound)
    #expect(try names == [])
  }

  @Test func `A file in place of the folder is refused`() throws {
    try Data("a letter".utf8).write(to: folder)
    #expect(throws: FileError.self) { try add("S1") }
    #expect(try Data(contentsOf: folder) == Data("a letter".utf8))
  }

  @Test func `A second import into the folder at the same time is refused`() throws {
    try add("S1")
    let (feed, rival) = (try feed("S2"), try feed("S3"))
    var refusal: FileError?
    try FeedImporter(feed: feed, into: folder).run { _ in
      guard refusal == nil else { return }
      refusal = #expect(throws: FileError.self) { try FolderImport.add(rival, to: folder) }
    }
    #expect(refusal?.code == .busy)
    #expect(try names.count == 3)
  }

  @Test func `A refused feed leaves the folder as it was`() throws {
    try add("S1")
    let before = try names
    var fixture = FeedFixture()
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\nS,One,1,999\n"
    let bad = try fixture.writeFolder(in: feeds, under: "bad")
    #expect(throws: FeedError.self) { try FolderImport.add(bad, to: folder) }
    #expect(try names == before)
  }

  // MARK: Crashes and full disks

  @Test func `A crash at any step leaves a complete current database`() async throws {
    let first = try add("S1").database
    let feed = try feed("S2")
    let kept = directory.file("kept")
    try FileManager.default.copyItem(at: folder, to: kept)
    func reset() throws {
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: kept, to: folder)
    }
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let second = try SystemCalls.$fault.withValue(trace) {
      try FolderImport.add(feed, to: folder).database
    }
    try reset()
    let calls = trace.callsSeen
    #expect(calls.count > 20)
    var outcomes: Set<String> = []
    // Between two changes, one crash is like another.
    let changes = calls.indices.filter { calls[$0].changesNames }.map { $0 + 1 }
    for ordinal in changes {
      await #expect(processExitsWith: .exitCode(77)) {
        [ordinal = ordinal as Int, feed = feed as URL, folder = folder as URL] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        try SystemCalls.$fault.withValue(fault) { _ = try FolderImport.add(feed, to: folder) }
      }
      let comment: Comment = "crash at \(calls[ordinal - 1]), call \(ordinal)"
      let found = try FolderImport.current(of: folder)
      outcomes.insert(found)
      #expect(try sids()[found == first ? "S1" : "S2"] != nil, comment)
      #expect(try FolderImport.add(feed, to: folder).database == second, comment)
      #expect(try names.filter { $0 != "leases" } == [first, second, "current"].sorted(), comment)
      try reset()
    }
    #expect(outcomes == [first, second], "crashes before and after the switch were met")
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func `A full disk leaves the current database, and no file`() throws {
    let first = try feed("S1")
    let second = try feed("S2")
    let bytes = try FeedImporter(feed: first, output: directory.file("size.db")).run().bytes
    let size = Int(bytes) / 1024
    for room in stride(from: 4, to: size, by: max(4, size / 5)) {
      let volume = try SmallVolume(at: directory.file("volume-\(room)"), kilobytes: size + 8 + room)
      let folder = volume.url.appending(path: "timetables")
      let database = try FolderImport.add(first, to: folder).database
      let error = #expect(throws: (any Error).self) { try FolderImport.add(second, to: folder) }
      #expect(
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
          || (error as? FileError)?.code == .noSpace)
      let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(found == [database, "current"].sorted(), "\(room) kilobytes")
      #expect(try Timetable(following: folder).reader.read(Self.sids)["S1"] != nil)
    }
  }
}

/// Imports into folders.
private enum FolderImport {
  static func add(_ feed: URL, to folder: URL) throws -> TimetableFolder.Update {
    try #require(try FeedImporter(feed: feed, into: folder).run().folder)
  }

  static func current(of folder: URL) throws -> String {
    try TimetableFolder(at: folder).currentDatabase().generation
  }
}

extension SystemCalls.Name {
  /// Whether the call changes the names in a folder, or makes them durable.
  fileprivate var changesNames: Bool {
    [.fsync, .rename, .renameat2, .unlink, .mkdir].contains(self)
  }
}
