import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// A store of packs that an earlier version wrote is opened and upgraded by this one.
@Suite struct PackMuseumTests {
  private let directory: TemporaryDirectory
  private let fair: PackName

  init() throws {
    directory = try TemporaryDirectory()
    fair = try PackName("lantern-fair")
  }

  /// The container of an app whose support files are the folder `home/Library/Application Support`.
  private func store(in folder: URL) throws -> PackStore {
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: folder)
    return PackStore(try PackName("fair"), configuration: configuration)
  }

  private func pack(_ version: String) throws -> PackSource {
    let source = PackageFolder.root.appending(path: "Samples/lantern-fair/\(version)")
    let pack = directory.file("pack-\(version)")
    let builder = PackBuilder(try PackDescription(of: source), checks: PackBuilder.mapChecks)
    _ = try builder.build(filesIn: source, to: pack)
    return .folder(pack)
  }

  /// Opens the program, and takes the events from a newer pack.
  private func openProgram(_ store: PackStore) async throws -> SeededDatabase {
    try await store.openSeeded("program.sqlite", of: fair) { db, _ in
      try db.execute(sql: "DELETE FROM event; INSERT INTO event SELECT * FROM seed.event")
    }
  }

  private func notes(_ program: SeededDatabase) async throws -> [String] {
    try await program.pool.read { db in try String.fetchAll(db, sql: "SELECT note FROM favorite") }
  }

  /// Installs the first version, and notes a favorite.
  private func make(at folder: URL) async throws {
    let store = try store(in: folder)
    _ = try await store.install(fair, from: pack("1.0"))
    let program = try await openProgram(store)
    try await program.pool.write { db in
      try db.execute(sql: "INSERT INTO favorite VALUES (2, 'bring a torch')")
    }
    try await program.pool.checkpoint(.truncate)
    try program.pool.close()
    // The mark of a running process, and what SQLite makes again.
    let seeded = try store.url(of: fair).appending(path: "seeded")
    for name in try FileManager.default.contentsOfDirectory(atPath: seeded.path)
    where name != "program.sqlite" {
      try FileManager.default.removeItem(at: seeded.appending(path: name))
    }
  }

  @Test(.enabled(if: Museum.isCollecting, "HOLDFAST_MUSEUM is not set."))
  func aMissingStoreIsMade() async throws {
    let made = directory.file("made")
    try await make(at: made)
    try Museum.collect("packs-1") { url in
      try FileManager.default.copyItem(at: made, to: url)
    }
  }

  @Test(arguments: ["packs-1"])
  func aStoreIsOpenedAndUpgraded(name: String) async throws {
    let store = try store(in: Museum.copy(name, to: directory))
    let old = try #require(try store.current(fair))
    #expect("\(old.manifest.version)" == "1.0")
    #expect(try PackVerification(of: old.url).isWhole)
    let map = try store.open("map.mbtiles", of: fair)
    let count = try await map.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM tiles") }
    #expect(count == 6)
    let before = try await openProgram(store)
    #expect(before.origin == .kept)
    #expect(try await notes(before) == ["bring a torch"])
    try before.pool.close()

    let report = try await store.install(fair, from: pack("1.1"))
    #expect(report.action == .upgraded(from: old.name))
    let after = try await openProgram(store)
    #expect(try await notes(after) == ["bring a torch"])
    let events = try await after.pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM event")
    }
    #expect(events == 4)
    try after.pool.close()

    // The program of 1.0 knows less than what was merged.
    let error = await #expect(throws: PackError.self) { _ = try await store.rollback(fair) }
    #expect(error?.code == .schemaNewer)
    try map.close()
  }
}
