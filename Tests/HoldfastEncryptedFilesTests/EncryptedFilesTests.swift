#if SQLCipher
  import Foundation
  import HoldfastFiles
  import HoldfastPacks
  import HoldfastTestSupport
  import HoldfastTransit
  import Testing

  @testable import Holdfast

  /// Encrypted databases in packs, databases that begin as a copy of a pack's, and timetables.
  @Suite(.disabled(if: ConnectionKeys.areUsed, "the tests give keys themselves"))
  struct EncryptedFilesTests {
    private let folder: TemporaryDirectory
    private let key = EncryptionKey.raw(Data(1...32))

    init() throws { folder = try TemporaryDirectory() }

    private func configuration(_ key: EncryptionKey? = nil) -> Configuration {
      var configuration = Configuration()
      configuration.prepareDatabase { [key = key ?? self.key] db in try db.useKey(key) }
      return configuration
    }

    /// What is given instead of the key, and what the errors say of it.
    private var otherKeys: [(Configuration, DatabaseError.EncryptionFault)] {
      [(Configuration(), .missingKey), (configuration(.raw(Data(2...33))), .wrongKey)]
    }

    private func make(
      _ name: String, _ sql: String, _ configuration: Configuration = .init()
    ) throws {
      let queue = try DatabaseQueue(path: folder.file(name).path, configuration: configuration)
      try queue.write { db in try db.execute(sql: sql) }
      try queue.close()
    }

    private static func names(_ db: Database) throws -> [String] {
      try String.fetchAll(db, sql: "SELECT name FROM art ORDER BY rowid")
    }

    private func store(_ configuration: Configuration? = nil) throws -> PackStore {
      var own = PackStore.Configuration()
      own.container = Container(at: folder.file("container"))
      own.seeded = configuration ?? self.configuration()
      return PackStore(try PackName("Festival"), configuration: own)
    }

    /// Builds a pack with a seed, and with an encrypted database next to it.
    private func build(version: Int, _ art: String) throws {
      let folder = self.folder.file("files")
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let sql = "CREATE TABLE art (name TEXT UNIQUE); INSERT INTO art VALUES ('\(art)')"
      try make("files/art.db", "\(sql); PRAGMA user_version = \(version)")
      try make("files/secret.db", sql, configuration())
      var description = PackDescription(
        name: try PackName("guide"), version: try PackVersion("\(version)"))
      description.storages = [try PackPath("art.db"): .seeded]
      let built = self.folder.file("guide-\(version)")
      let refused = #expect(throws: PackError.self) {
        try PackBuilder(description).build(filesIn: folder, to: built)
      }
      #expect(refused?.advice?.contains("'plain' file, also if it is encrypted") == true)
      description.kinds = [try PackPath("secret.db"): .plain]
      _ = try PackBuilder(description).build(filesIn: folder, to: built)
    }

    private func install(version: Int, _ store: PackStore) throws {
      let report = try store.install(
        PackName("guide"), from: .bundle(folder.file("guide-\(version)")))
      if let failure = report.failure { throw failure }
    }

    @Test func aPackContainsAnEncryptedDatabase() throws {
      let (store, guide) = (try store(), try PackName("guide"))
      try build(version: 1, "Compass")
      try install(version: 1, store)
      for source in [
        try store.source("secret.db", of: guide).currentDatabase(),
        try PackSource.bundle(folder.file("guide-1")).database("secret.db").currentDatabase(),
      ] {
        let pool = try source.open(configuration: configuration())
        #expect(try pool.read(Self.names) == ["Compass"])
        try pool.close()
      }
      for (other, fault) in otherKeys {
        let error = #expect(throws: SharingError.self) {
          try store.open("secret.db", of: guide, configuration: other)
        }
        #expect((error?.underlying as? DatabaseError)?.encryptionFault == fault)
      }
    }

    /// Opens the database of the user, and returns how it came to its state, and its rows.
    private func art(
      _ store: PackStore, _ configuration: Configuration? = nil
    ) throws -> (origin: SeededDatabase.Origin, names: [String]) {
      let carryOver = SeedCarryOver(from: folder.file("old.db")) { db in
        try db.execute(sql: "INSERT INTO art SELECT name FROM previous.own")
      }
      let seeded = try store.openSeeded(
        "art.db", of: PackName("guide"), configuration: configuration, carryingOver: carryOver
      ) { db, _ in try db.execute(sql: "INSERT OR IGNORE INTO art SELECT name FROM seed.art") }
      defer { #expect(throws: Never.self) { try seeded.pool.close() } }
      return (seeded.origin, try seeded.pool.read(Self.names))
    }

    @Test func aSeededDatabaseIsEncryptedFromTheBeginning() async throws {
      let (store, guide) = (try store(), try PackName("guide"))
      try build(version: 1, "Compass")
      try install(version: 1, store)
      try make("old.db", "CREATE TABLE own (name); INSERT INTO own VALUES ('Mine')")
      #expect(try art(store) == (.carriedOver, ["Compass", "Mine"]))
      let file = try store.url(ofSeeded: "art.db", of: guide)
      #expect(try Data(contentsOf: file).range(of: Data("Compass".utf8)) == nil)
      for (other, fault) in otherKeys {
        let error = #expect(throws: SharingError.self) { try art(store, other) }
        #expect((error?.underlying as? DatabaseError)?.encryptionFault == fault)
      }
      try build(version: 2, "Lantern")
      try install(version: 2, store)
      let merge = SeedMerge(fromVersion: 1, toVersion: 2)
      #expect(try art(store) == (.merged(merge), ["Compass", "Mine", "Lantern"]))
      // The user's database is compared with its seed before an older one becomes current.
      let newer = await #expect(throws: PackError.self) { try await store.rollback(guide) }
      #expect(newer?.code == .schemaNewer)
      for (other, fault) in otherKeys {
        let other = try self.store(other)
        let refused = await #expect(throws: PackError.self) { try await other.rollback(guide) }
        #expect((refused?.underlying as? DatabaseError)?.encryptionFault == fault)
        #expect(refused?.advice?.contains("PackStore.Configuration.seeded") == true)
      }
      let names = try FileManager.default.contentsOfDirectory(
        atPath: file.deletingLastPathComponent().path)
      #expect(names.allSatisfy { $0.hasPrefix("art.db") }, "nothing is left of the copy")
    }

    @Test func aTimetableIsOpenedAndFollowedWithItsKey() throws {
      let copy = folder.file("plain.db")
      try FileManager.default.copyItem(
        at: URL(filePath: #filePath).appending(path: "../../Museum/timetable-2.db").standardized,
        to: copy)
      // A name of 8 digits, as an import gives it.
      let file = folder.file("1f0c4a5e.db")
      let writer = try DatabaseQueue(path: copy.path)
      try writer.exportContent(to: file.path, key: key)
      try writer.close()
      try Data(#"{"database":"1f0c4a5e.db","format":1}"#.utf8).write(to: folder.file("current"))
      var readOnly = configuration()
      readOnly.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
      for timetable in [
        try Timetable(at: file, configuration: readOnly),
        try Timetable(following: folder.url, configuration: readOnly),
      ] {
        let counts = try timetable.reader.read { db in
          try Int.fetchAll(
            db, sql: "SELECT count(*) FROM stops UNION ALL SELECT count(*) FROM gtfs_trips")
        }
        #expect(counts.allSatisfy { $0 > 0 })
      }
      for (other, fault) in otherKeys {
        for open: () throws -> Timetable in [
          { try Timetable(at: file, configuration: other) },
          { try Timetable(following: folder.url, configuration: other) },
        ] {
          let error = #expect(throws: TransitError.self) { try open() }
          #expect(error?.code == .notADatabase)
          let cause = (error?.underlying as? SharingError)?.underlying as? DatabaseError
          #expect(cause?.encryptionFault == fault)
          #expect(error?.message.contains(fault == .wrongKey ? "The key is not" : "no key") == true)
        }
      }
    }
  }
#endif
