import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct SeededDatabaseTests {
  let directory: TemporaryDirectory
  let app: GuideApp

  init() throws {
    directory = try TemporaryDirectory()
    app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
  }

  private static func addArt(_ db: Database, _ merge: SeedMerge) throws {
    try db.execute(
      sql: """
        INSERT INTO art (name) SELECT name FROM seed.art
        WHERE name NOT IN (SELECT name FROM main.art) ORDER BY id
        """)
  }

  private static func open(
    _ app: GuideApp,
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void = Self.addArt
  ) throws -> SeededDatabase {
    try app.store().openSeeded("art.sqlite", of: app.pack, merging: merge)
  }

  /// The art after another start.
  private func art() throws -> [String] {
    let seeded = try Self.open(app)
    let art = try seeded.pool.read(GuideApp.art)
    try seeded.pool.close()
    return art
  }

  private func addOwnArt(_ name: String) throws {
    let seeded = try Self.open(app)
    try seeded.pool.write { db in
      try db.execute(sql: "INSERT INTO art (name) VALUES (?)", arguments: [name])
    }
    try seeded.pool.close()
  }

  private static func version(_ db: Database) throws -> Int32 {
    try db.headerNumber(.userVersion)
  }

  // MARK: First and later starts

  /// IB-15: the seed is imported once.
  ///
  /// IB-B16: it lies in the store, is written through a pool with
  /// a write-ahead log, and is backed up.
  @Test func `The first start copies the seed, later ones keep the user's rows`() throws {
    let first = try Self.open(app)
    #expect(first.origin == .created)
    #expect(first.pool.path == app.art.path)
    #expect(try first.pool.read(GuideApp.art) == ["Compass"])
    try first.pool.write { db in try db.execute(sql: "INSERT INTO art (name) VALUES ('Own')") }
    #expect(
      try first.pool.read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") } == "wal")
    try first.pool.close()

    let second = try Self.open(app)
    #expect(second.origin == .kept)
    #expect(try second.pool.read(GuideApp.art) == ["Compass", "Own"])
    try second.pool.close()
    for url in [app.art, app.art.deletingLastPathComponent(), app.folder] {
      #expect(try !FileAttributes(of: url).isExcludedFromBackup)
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: app.art.deletingLastPathComponent().path)
    #expect(names.allSatisfy { $0.hasPrefix("art.sqlite") })
  }

  @Test func `The awaited form does the same`() async throws {
    let store = try app.store()
    let first = try await store.openSeeded("art.sqlite", of: app.pack, merging: Self.addArt)
    #expect(first.origin == .created)
    try first.pool.close()
    try app.install(.init(version: "2", art: ["Compass", "Whale"], userVersion: 2))
    let second = try await store.openSeeded("art.sqlite", of: app.pack, merging: Self.addArt)
    #expect(second.origin == .merged(SeedMerge(fromVersion: 1, toVersion: 2)))
    #expect(try await second.pool.read { try GuideApp.art($0) } == ["Compass", "Whale"])
  }

  /// A container can be moved when the opening has returned, and keeps no lease file then.
  @Test func `The awaited form has given its seed back when it returns`() async throws {
    let store = try app.store()
    let leases = app.folder.appending(path: "leases").path
    for _ in 1...20 {
      let seeded = try await store.openSeeded("art.sqlite", of: app.pack, merging: Self.addArt)
      #expect(try FileManager.default.contentsOfDirectory(atPath: leases) == [])
      try seeded.pool.close()
    }
  }

  @Test func `The user's migrations are applied to the copy`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("favorites") { db in
      try db.execute(sql: "CREATE TABLE favorite (art INTEGER REFERENCES art)")
    }
    let seeded = try app.store().openSeeded(
      "art.sqlite", of: app.pack, migrator: migrator, merging: Self.addArt)
    #expect(try seeded.pool.read { db in try migrator.appliedMigrations(db) } == ["favorites"])
  }

  /// A database without its file, whose log has the user's last changes, is not papered over.
  @Test func `A log without its database is not combined with the seed`() throws {
    try FileManager.default.createDirectory(
      at: app.art.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("changes".utf8).write(to: URL(filePath: app.art.path + "-wal"))
    let error = #expect(throws: PackError.self) { try Self.open(app) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("'art.sqlite-wal'") == true)
    #expect(!FileManager.default.fileExists(atPath: app.art.path))
  }

  @Test func `What is no seed, or has no seed, is refused`() throws {
    let store = try app.store()
    func code(_ file: String) -> PackError.Code? {
      #expect(throws: PackError.self) {
        try store.openSeeded(file, of: app.pack, merging: Self.addArt)
      }?.code
    }
    #expect(code("places.db") == .unsuitable)
    #expect(code("missing.db") == .notFound)
    #expect(code("../art.sqlite") == .invalidName)
    #expect(code("/etc/passwd") == .invalidName)
  }

  /// The user's data comes before the pack.
  @Test func `A store without a usable pack still opens the user's database`() throws {
    try addOwnArt("Own")
    for name in try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    where name != "seeded" {
      try FileManager.default.removeItem(at: app.folder.appending(path: name))
    }
    let seeded = try Self.open(app)
    #expect(seeded.origin == .keptWithoutSeed)
    #expect(try seeded.pool.read(GuideApp.art) == ["Compass", "Own"])
  }

  // MARK: Merging

  /// IB-B1: existing users get what a newer version ships.
  @Test func `A newer seed is merged once, and the user's rows stay`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", art: ["Compass", "Whale"], userVersion: 2))
    let merged = try Self.open(app)
    #expect(merged.origin == .merged(SeedMerge(fromVersion: 1, toVersion: 2)))
    #expect(try merged.pool.read(GuideApp.art) == ["Compass", "Own", "Whale"])
    #expect(try merged.pool.read(Self.version) == 2)
    try merged.pool.close()
    let again = try Self.open(app) { _, _ in Issue.record("It was merged twice.") }
    #expect(again.origin == .kept)
  }

  @Test func `Other connections see the merge as an external change`() async throws {
    let open = try Self.open(app).pool
    var changes = open.externalChanges.makeAsyncIterator()
    try app.install(.init(version: "2", art: ["Compass", "Whale"], userVersion: 2))
    let url = directory.url
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let app = try GuideApp(in: url)
      let seeded = try app.openArt { db, _ in
        try db.execute(sql: "INSERT INTO art (name) VALUES ('Whale')")
      }
      try seeded.pool.close()
    }
    #expect(await changes.next() != nil)
    #expect(try await open.read { try GuideApp.art($0) } == ["Compass", "Whale"])
  }

  private struct Refusal: Error {}

  @Test func `A merge that fails changes nothing, and is repeated`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", art: ["Compass", "Whale"], userVersion: 2))
    #expect(throws: Refusal.self) {
      try Self.open(app) { db, merge in
        try Self.addArt(db, merge)
        throw Refusal()
      }
    }
    let queue = try DatabaseQueue(path: app.art.path)
    #expect(try queue.read(GuideApp.art) == ["Compass", "Own"])
    #expect(try queue.read(Self.version) == 1)
    try queue.close()
    #expect(try Self.open(app).pool.read(GuideApp.art) == ["Compass", "Own", "Whale"])
  }

  @Test func `The seed cannot be written while it is merged`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", userVersion: 2))
    let error = #expect(throws: DatabaseError.self) {
      try Self.open(app) { db, _ in try db.execute(sql: "DELETE FROM seed.art") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func `A merge without the tables and columns of the seed is refused`() throws {
    try addOwnArt("Own")
    let schema = """
      CREATE TABLE art (id INTEGER PRIMARY KEY, name TEXT NOT NULL, artist TEXT);
      CREATE TABLE camp (id INTEGER PRIMARY KEY);
      """
    try app.install(.init(version: "2", userVersion: 2, schema: schema))
    let message = "which the seed has, is missing"
    func refusal(_ sql: String) -> String? {
      let error = #expect(throws: PackError.self) {
        try Self.open(app) { db, _ in try db.execute(sql: sql) }
      }
      #expect(error?.code == .unsuitable)
      return error?.message
    }
    #expect(refusal("DELETE FROM art")?.contains("column 'artist' of 'art', \(message)") == true)
    #expect(
      refusal("ALTER TABLE art ADD COLUMN Artist TEXT")?.contains("table 'camp', \(message)")
        == true)
    let seeded = try Self.open(app) { db, _ in
      try db.execute(
        sql: "ALTER TABLE art ADD COLUMN Artist TEXT; CREATE TABLE camp (id INTEGER PRIMARY KEY)")
    }
    #expect(try seeded.pool.read(GuideApp.art) == ["Compass", "Own"])
  }

  @Test func `A closure that sets the numbers itself is refused`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", userVersion: 2))
    for sql in ["PRAGMA user_version = 2", "PRAGMA application_id = 5"] {
      let error = #expect(throws: PackError.self) {
        try Self.open(app) { db, _ in try db.execute(sql: sql) }
      }
      #expect(error?.code == .unsuitable)
    }
    #expect(try Self.open(app).origin == .merged(SeedMerge(fromVersion: 1, toVersion: 2)))
  }

  @Test func `A closure that commits by itself is refused, and the next start repeats it`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", art: ["Whale"], userVersion: 2))
    #expect(throws: DatabaseError.self) {
      try Self.open(app) { db, merge in
        try Self.addArt(db, merge)
        try db.execute(sql: "COMMIT")
        try db.execute(sql: "BEGIN")
      }
    }
    #expect(try Self.open(app).pool.read(Self.version) == 2)
  }

  @Test func `A database of another application is refused and left`() throws {
    try FileManager.default.createDirectory(
      at: app.art.deletingLastPathComponent(), withIntermediateDirectories: true)
    let other = try DatabaseQueue(path: app.art.path)
    try other.write { db in
      try db.execute(sql: "CREATE TABLE art (name TEXT); INSERT INTO art VALUES ('Theirs')")
    }
    try other.close()
    let error = #expect(throws: PackError.self) { try Self.open(app) }
    #expect(error?.code == .unsuitable)
    #expect(error?.message.contains("application_id 0") == true)
    let names = try DatabaseQueue(path: app.art.path).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM art")
    }
    #expect(names == ["Theirs"])
  }

  // MARK: Rollback

  @Test func `A rollback below the merged version is refused`() async throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", art: ["Whale"], userVersion: 2))
    let store = try app.store()
    let pack = app.pack
    // Nothing was merged yet.
    _ = try await store.rollback(pack)
    try app.install(.init(version: "3", art: ["Whale"], userVersion: 3))
    _ = try art()

    let error = await #expect(throws: PackError.self) { try await store.rollback(pack) }
    #expect(error?.code == .schemaNewer)
    #expect(error?.message.contains("user_version 3") == true)
    #expect(try store.current(pack)?.manifest.version.description == "3")
    #expect(try art() == ["Compass", "Own", "Whale"])
  }

  /// The user's data comes before the pack: the older seed is left aside, and the report says so.
  @Test func `A database with a newer seed opens without an older one`() throws {
    try app.install(.init(version: "2", userVersion: 2))
    try addOwnArt("Own")
    // A store that was installed again, next to a restored database.
    for name in try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    where name != "seeded" {
      try FileManager.default.removeItem(at: app.folder.appending(path: name))
    }
    let report = try app.store().install(
      app.pack, from: app.ship(.init(version: "1", userVersion: 1)))
    #expect(report.action == .installed)
    #expect(report.olderSeeds == ["art.sqlite"])
    let seeded = try Self.open(app) { _, _ in Issue.record("An older seed was merged.") }
    #expect(seeded.origin == .keptWithoutSeed)
    #expect(try seeded.pool.read(GuideApp.art) == ["Compass", "Own"])
    #expect(try seeded.pool.read(Self.version) == 2)
  }

  /// A downloaded version is damaged, and the bundle has only an older one.
  @Test func `A repair with an older seed keeps the user's database open`() throws {
    let store = try app.store()
    _ = try store.install(
      app.pack, from: .folder(app.ship(.init(version: "2", userVersion: 2)).url))
    try addOwnArt("Own")
    let places = try #require(try store.current(app.pack)?.url(ofFileAt: "places.db"))
    try SamplePack.damage(places)
    let report = try store.install(app.pack, from: app.ship(.init(version: "1", place: "Man")))
    guard case .repaired = report.action else { return #expect(report.action == .failed) }
    #expect(report.olderSeeds == ["art.sqlite"])
    let seeded = try Self.open(app)
    #expect(seeded.origin == .keptWithoutSeed)
    #expect(try seeded.pool.read(GuideApp.art) == ["Compass", "Own"])
  }

  @Test(arguments: ["3", "2"])
  func `An upgrade or a replacement with an older seed is refused`(_ version: String) throws {
    try app.install(.init(version: "2", userVersion: 2))
    try addOwnArt("Own")
    let store = try app.store()
    let present = try store.current(app.pack)
    let source = try app.ship(.init(version: version, place: "Man", userVersion: 1))
    let report = try store.install(app.pack, from: source)
    #expect(report.action == .refused)
    #expect((report.failure as? PackError)?.code == .schemaNewer)
    #expect(try store.current(app.pack) == present)
    #expect(try store.installedGenerations(of: app.pack).count == 2)
    #expect(try Self.open(app).origin == .kept)

    // One that is damaged cannot stay.
    try SamplePack.damage(try #require(present?.url(ofFileAt: "places.db")))
    let repair = try store.install(app.pack, from: source)
    #expect(repair.action == .repaired(from: try #require(present?.name)))
    #expect(repair.olderSeeds == ["art.sqlite"])
  }

  /// A seed that nothing was merged from protects nothing.
  @Test func `An upgrade with an older seed that was not merged is installed`() throws {
    try addOwnArt("Own")
    try app.install(.init(version: "2", userVersion: 2))
    try app.install(.init(version: "3", userVersion: 1))
    #expect(try Self.open(app).origin == .kept)
  }

  @Test func `Clean-up, rollback and repair leave the user's database alone`() async throws {
    try addOwnArt("Own")
    let store = try app.store()
    for version in 2...4 { try app.install(.init(version: "\(version)", place: "P\(version)")) }
    _ = await store.clean(app.pack)
    _ = try await store.rollback(app.pack)
    _ = await store.clean(app.pack)
    #expect(try art() == ["Compass", "Own"])
  }

  // MARK: Editions

  /// IB-B6: the database of last year is not stranded; IB-10: it is left as it is.
  @Test func `The data of the previous edition is carried over at the first start`() throws {
    let pack = app.pack
    let last = try app.store(edition: "2024")
    _ = try last.install(pack, from: app.source)
    let old = try last.openSeeded("art.sqlite", of: pack, merging: Self.addArt).pool
    try old.write { db in
      try db.execute(
        sql: "CREATE TABLE favorite (name TEXT); INSERT INTO favorite VALUES ('Temple')")
    }
    // Still open, with changes in its log.
    let present = try app.store(edition: "2025")
    _ = try present.install(pack, from: app.source)
    let previous = try last.url(ofSeeded: "art.sqlite", of: pack)
    func open() throws -> SeededDatabase {
      try present.openSeeded(
        "art.sqlite", of: pack,
        carryingOver: SeedCarryOver(from: previous) { db in
          try db.execute(sql: "CREATE TABLE favorite AS SELECT * FROM previous.favorite")
        }, merging: Self.addArt)
    }
    let first = try open()
    #expect(first.origin == .carriedOver)
    #expect(
      try first.pool.read { db in try String.fetchAll(db, sql: "SELECT name FROM favorite") }
        == ["Temple"])
    try first.pool.close()
    #expect(try open().origin == .kept)
    #expect(try old.read(GuideApp.art) == ["Compass"])
  }

  @Test func `A carry-over that fails leaves no database behind`() throws {
    let pack = app.pack
    try addOwnArt("Own")
    let present = try app.store(edition: "2025")
    _ = try present.install(pack, from: app.source)
    func open(_ sql: String) throws -> SeededDatabase {
      try present.openSeeded(
        "art.sqlite", of: pack,
        carryingOver: SeedCarryOver(from: app.art) { db in try db.execute(sql: sql) },
        merging: Self.addArt)
    }
    #expect(throws: DatabaseError.self) { try open("INSERT INTO missing VALUES (1)") }
    #expect(throws: DatabaseError.self) { try open("DELETE FROM previous.art") }
    #expect(throws: PackError.self) { try open("DROP TABLE art") }
    #expect(throws: PackError.self) { try open("PRAGMA user_version = 9") }
    let folder = try present.url(ofSeeded: "art.sqlite", of: pack).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { !$0.hasPrefix(".art.sqlite.opening") } == [])
    let seeded = try open("INSERT INTO art (name) SELECT name FROM previous.art WHERE id > 1")
    #expect(try seeded.pool.read(GuideApp.art) == ["Compass", "Own"])
  }

  /// A process may have ended between the creation of the folder and its sync.
  @Test func `The folder of the first content is durable before it is used`() throws {
    try FileManager.default.createDirectory(
      at: app.art.deletingLastPathComponent(), withIntermediateDirectories: true)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let seeded = try SystemCalls.$fault.withValue(trace) { try Self.open(app) }
    #expect(seeded.origin == .created)
    let copy = try #require(trace.callsSeen.firstIndex(of: .clone))
    #expect(trace.callsSeen[..<copy].contains(.fsync))
  }

  @Test func `A first start without a previous edition is an ordinary one`() throws {
    let seeded = try app.store().openSeeded(
      "art.sqlite", of: app.pack,
      carryingOver: SeedCarryOver(from: directory.file("missing.sqlite")) { _ in
        Issue.record("There is nothing to carry over.")
      }, merging: Self.addArt)
    #expect(seeded.origin == .created)
  }
}
