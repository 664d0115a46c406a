#if os(Linux)
  import Foundation
  import Holdfast
  import HoldfastFiles
  import HoldfastPacks
  import HoldfastTestSupport
  import Testing

  /// An upgrade of a pack by several processes, each of which traces itself.
  struct TracedUpgrade: Sendable {
    /// What a process does.
    enum Role: String, CaseIterable, Codable {
      /// Reads the pack, and writes the database of the user.
      case reader
      /// Installs newer packs, switches, rolls back and cleans up, and has databases open too.
      case installer
      /// Reads the pack in the bundle.
      case inPlace
      /// Replaces the bundle, as an update of the app does.
      case system

      /// The signals that the process sends.
      var signals: [Event] {
        switch self {
        case .reader: [.readerIsReady, .readerHasReleased]
        case .installer: [.updateIsDue, .readerMayRelease, .readerMayEnd, .inPlaceMayEnd]
        case .inPlace: [.inPlaceIsReady]
        case .system: [.bundleIsReplaced]
        }
      }
    }

    /// What one process signals to another.
    enum Event: String, CaseIterable {
      case readerIsReady, readerMayRelease, readerHasReleased, readerMayEnd
      case inPlaceIsReady, inPlaceMayEnd
      case updateIsDue, bundleIsReplaced
    }

    let folder: URL
    let app: GuideApp

    init(in folder: URL) throws {
      self.folder = folder
      app = try GuideApp(in: folder)
    }

    func trace(of role: Role) -> URL { folder.appending(path: "\(role.rawValue).trace") }

    func signal(_ event: Event) throws -> Signal {
      try Signal(at: folder.appending(path: event.rawValue).path)
    }

    private func wait(for event: Event) async throws {
      let signal = try signal(event)
      try await onOwnThread { try signal.wait() }
    }

    /// A process waited for another one for too long.
    private struct Late: Error {}

    /// Returns a switch that is on after an event.
    private func end(by event: Event) throws -> Switch {
      let (signal, end) = (try signal(event), Switch())
      _ = OwnThread {
        try signal.wait()
        end.isOn = true
      }
      return end
    }

    /// Ships the first pack, installs it, and keeps two newer ones for downloads.
    func prepare() throws {
      try app.ship(Self.content("2", "Man"))
      try FileManager.default.moveItem(at: app.source.url, to: download("2"))
      try app.ship(Self.content("4", "Esplanade", userVersion: 2))
      try FileManager.default.moveItem(at: app.source.url, to: download("4"))
      try app.install(Self.content("1", "Temple"))
    }

    private func download(_ version: String) -> URL {
      folder.appending(path: "download-\(version)")
    }

    private static func content(
      _ version: String, _ place: String, userVersion: Int32 = 1
    ) -> GuideApp.Content {
      GuideApp.Content(version: version, place: place, userVersion: userVersion, hasMap: true)
    }

    /// Does what a role does, and traces it.
    func perform(_ role: Role) async throws {
      let trace = try SystemCallTrace(of: getpid(), to: trace(of: role), calls: .files)
      defer { trace.end() }
      do {
        switch role {
        case .reader: try await read()
        case .installer: try await install()
        case .inPlace: try await readInPlace()
        case .system: try await replaceBundle()
        }
      } catch {
        // No other process waits for this one.
        for event in role.signals { try signal(event).send() }
        throw error
      }
    }

    private func replaceBundle() async throws {
      try await wait(for: .updateIsDue)
      try app.ship(Self.content("3", "Playa"))
      try signal(.bundleIsReplaced).send()
    }

    private func read() async throws {
      let store = try app.store()
      var places: DatabasePool? = try store.open("places.db", of: app.pack)
      var lease = try store.hold(app.pack)
      // As a library opens it that gets the path.
      let map = try DatabaseQueue(
        readOnlyFileAt: #require(lease?.generation.url(ofFileAt: "map.mbtiles")),
        isNeverModified: true)
      let seeded = try await store.openSeeded("art.sqlite", of: app.pack) { _, _ in }
      let followed = try FollowedDatabase(
        store.source("places.db", of: app.pack), content: GuideApp.place)
      try signal(.readerIsReady).send()
      let (release, end) = (try end(by: .readerMayRelease), try end(by: .readerMayEnd))
      let start = ContinuousClock.now
      repeat {
        if ContinuousClock.now - start > .seconds(60) { throw Late() }
        if let places {
          try #require(await places.read { try GuideApp.place($0) } == "Temple")
          let name = try await map.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM metadata")
          }
          try #require(name == "Temple")
        }
        let newest = try store.open("places.db", of: app.pack)
        try #require(await Self.all.contains(newest.read { try GuideApp.place($0) }))
        try newest.close()
        try #require(await Self.all.contains(followed.read { try GuideApp.place($0) }))
        try await seeded.pool.write { db in
          try db.execute(sql: "INSERT INTO art (name) VALUES ('Reader')")
        }
        if release.isOn, places != nil {
          try map.close()
          (places, lease) = (nil, nil)
          try signal(.readerHasReleased).send()
        }
      } while !end.isOn
      try #require(await followed.read { try GuideApp.place($0) } == "Esplanade")
      try seeded.pool.close()
      try followed.close()
    }

    private static let all = ["Temple", "Man", "Playa", "Esplanade"]

    private func readInPlace() async throws {
      let followed = try FollowedDatabase(
        app.source.database("places.db"), content: GuideApp.place)
      try #require(followed.content == "Temple")
      try signal(.inPlaceIsReady).send()
      let end = try end(by: .inPlaceMayEnd)
      let start = ContinuousClock.now
      repeat {
        if ContinuousClock.now - start > .seconds(60) { throw Late() }
        try #require(
          await ["Temple", "Playa"].contains(followed.read { try GuideApp.place($0) }))
      } while !end.isOn
      try #require(await followed.read { try GuideApp.place($0) } == "Playa")
      try followed.close()
    }

    private func install() async throws {
      let store = try app.store()
      let pack = app.pack
      let first = try #require(try store.current(pack))
      let seeded = try await store.openSeeded("art.sqlite", of: pack) { _, _ in }
      try await wait(for: .readerIsReady)
      try await wait(for: .inPlaceIsReady)
      try await upgrade(store, from: .folder(download("2")))
      _ = await store.clean(pack)
      try signal(.updateIsDue).send()
      try await wait(for: .bundleIsReplaced)
      // A file of the source is open when it is copied.
      let bundled = try await app.source.database("places.db").currentDatabase().open()
      try #require(await bundled.read { try GuideApp.place($0) } == "Playa")
      try await upgrade(store, from: app.source)
      let third = try #require(try store.current(pack)?.name)
      try #require(await store.rollback(pack).failure == nil)
      try #require(try store.current(pack)?.manifest.version.description == "2")
      try #require(await store.switchTo(third, of: pack).failure == nil)
      try await upgrade(store, from: .folder(download("4")))
      let kept = await store.clean(pack)
      try #require(!kept.removed.contains(first.name), "\(kept)")
      let merged = try await store.openSeeded("art.sqlite", of: pack) { db, _ in
        try db.execute(sql: "INSERT INTO art (name) VALUES ('Merged')")
      }
      try #require(merged.origin == .merged(SeedMerge(fromVersion: 1, toVersion: 2)))
      try signal(.readerMayRelease).send()
      try await wait(for: .readerHasReleased)
      let cleaned = await store.clean(pack)
      try #require(cleaned.removed.contains(first.name), "\(cleaned)")
      try bundled.close()
      try merged.pool.close()
      try seeded.pool.close()
      try signal(.readerMayEnd).send()
      try signal(.inPlaceMayEnd).send()
    }

    /// Installs a pack of which this process has the present generation open.
    private func upgrade(_ store: PackStore, from source: PackSource) async throws {
      let first = try store.current(app.pack)
      let present = try store.open("places.db", of: app.pack)
      _ = try await present.read { try GuideApp.place($0) }
      let report = try await store.install(app.pack, from: source)
      try #require(report.failure == nil, "\(report)")
      try #require(try store.current(app.pack)?.name != first?.name)
      _ = try await present.read { try GuideApp.place($0) }
      try present.close()
    }
  }
#endif
