import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The article on databases that another library has open shows no Swift that does not compile and
/// run.
@Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
struct BesideGRDBTests {
  private let folder: TemporaryDirectory
  private let url: URL
  private let other: OtherSQLite

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("notes.sqlite")
    other = try OtherSQLite()
  }

  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("BesideGRDB").expectExamples(count: 6)
  }

  #if os(Linux)
    @Test func aWriterIsSeen() throws {
      try other.run("PRAGMA journal_mode = wal", on: url.path)
      #expect(try writers(of: url) == [])
      try other.run("BEGIN IMMEDIATE", on: url.path)
      #expect(try writers(of: url) == ["python3 holds WAL WRITE"])
    }
  #endif

  @Test func whatTheOtherWroteIsInTheHistory() throws {
    let pool = try openNotes(at: url.path, as: "app")
    let token = try pool.read { db in try ChangeHistory.currentToken(db) }
    try pool.write { db in try db.execute(sql: "INSERT INTO note VALUES (1, 'ours')") }
    try other.run("INSERT INTO note VALUES (2, 'theirs')", on: url.path)
    #expect(try foreignChanges(pool, after: token).map { "\($0.kind) \($0.key)" } == ["insert [2]"])
  }

  @Test(.timeLimit(.minutes(1))) func grdbIsNotifiedOfTheCommitsOfOthersOnly() async throws {
    let pool = try openNotes(at: url.path, as: "app")
    let grdb = try GRDB.DatabaseQueue(path: url.path)
    let (path, url) = (url.path, url)
    let task = Task { try await notifyObservations(of: grdb, at: url) }
    @Sendable func notifications() -> Int { grdb.calls.entries.count { $0 == "notify" } }
    // What was committed before may have been missed.
    await until { notifications() == 1 }
    try await pool.write { db in try db.execute(sql: "INSERT INTO note VALUES (1, 'ours')") }
    await until { notifications() == 2 }
    try other.run("INSERT INTO note VALUES (2, 'theirs')", on: path)
    await until { notifications() == 3 }
    let before = grdb.calls.entries.count
    try await grdb.execute("INSERT INTO note VALUES (3, 'by GRDB')")
    await until { grdb.calls.entries.count > before }
    #expect(notifications() == 3)
    #expect(!grdb.calls.entries.contains("notify too early"))
    task.cancel()
    _ = await task.result
  }

  @Test func grdbLeavesCheckpointsToHoldfast() async throws {
    let grdb = try openWithoutCheckpoints(url)
    try await grdb.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = wal; CREATE TABLE note (data)")
    }
    for _ in 1...1100 { try await grdb.execute("INSERT INTO note VALUES (zeroblob(4000))") }
    let log = url.path + "-wal"
    func frameCount() throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) / 4120
    }
    #expect(try frameCount() > 2000)
    try await checkpoint(url)
    // The next commit restarts the log.
    try await grdb.execute("INSERT INTO note VALUES (1)")
    let state = try await Database.checkpoint(databaseAt: url)
    #expect(state.walFrameCount < 10)
    #expect(state.checkpointedFrameCount == state.walFrameCount)
  }

  @Test func grdbIsSuspendedAndResumedToo() {
    let center = NotificationCenter()
    let posted = Journal<String>()
    let grdb = [GRDB.Database.suspendNotification, GRDB.Database.resumeNotification].map { name in
      center.addObserver(forName: name, object: nil, queue: nil) { posted.append($0.name.rawValue) }
    }
    let ours = suspendGRDBToo(center)
    center.post(name: DatabaseBackgroundScheduler.databaseWillSuspendNotification, object: nil)
    center.post(name: DatabaseBackgroundScheduler.databaseDidResumeNotification, object: nil)
    #expect(posted.entries == ["GRDB.Database.Suspend", "GRDB.Database.Resume"])
    (grdb + ours).forEach(center.removeObserver)
  }

  @Test func grdbReadsAPack() async throws {
    let sources = folder.file("sources")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let places = try DatabaseQueue(path: sources.appending(path: "places.db").path)
    try await places.write { db in try db.execute(sql: "CREATE TABLE place (id INTEGER)") }
    try places.close()
    let description = PackDescription(name: try PackName("guide"), version: try PackVersion("1.0"))
    let pack = folder.file("pack")
    _ = try PackBuilder(description).build(filesIn: sources, to: pack)
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: folder.file("home"))
    let store = PackStore(try PackName("guides"), configuration: configuration)
    #expect(try openGuide(in: store) == nil)
    _ = try await store.install(PackName("guide"), from: .folder(pack))
    let (grdb, lease) = try #require(try openGuide(in: store))
    let count = try await grdb.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM place")
    }
    withExtendedLifetime(lease) { #expect(count == 0) }
  }
}
