import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// IB-6: the layout of the app of the festival, with fixed names that lead into the generation.
@Suite struct LinkTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  private func store(_ count: LeaseRole.Count = .many) throws -> PackStore {
    try app.store {
      $0.edition = try PackEdition("2025")
      $0.layout = try .fixedMapNames(of: app.pack)
      $0.role = try LeaseRole("org.example.app", count: count)
    }
  }

  private var map: URL {
    app.applicationSupport.appending(path: "iBurn/2025/Map/map.mbtiles")
  }

  private func text(_ url: URL) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: url.path)
  }

  @Test func `The fixed name leads to the current generation`() async throws {
    let store = try store()
    let first = try await store.install(app.pack, from: try app.sample("2025.1").bundled)
    #expect(try text(map) == "\(try #require(first.generation).name)/map.mbtiles")
    #expect(try SamplePack.city(in: map) == "Black Rock")
    let second = try await store.install(
      app.pack, from: try app.sample("2025.2", city: "Gerlach").bundled)
    #expect(try SamplePack.city(in: map) == "Gerlach")
    #expect(second.keptFiles == [])
    _ = try await store.rollback(app.pack)
    #expect(try SamplePack.city(in: map) == "Black Rock")
    // What is handed to another library is the generation's own path.
    #expect(second.url(ofFileAt: "map.mbtiles")?.path.hasSuffix("Map/map.mbtiles") == false)
    // A link that was lost is created again by the next launch.
    try FileManager.default.removeItem(at: map)
    _ = try await store.install(app.pack, from: try app.sample("2025.2").bundled)
    #expect(FileManager.default.fileExists(atPath: map.path))
  }

  @Test func `Styles get their fixed names when they are there`() async throws {
    let store = try store()
    let report = try await store.install(app.pack, from: try app.sample("2025.1").bundled)
    let generation = try #require(report.generation)
    let light = map.deletingLastPathComponent().appending(path: "style-light.json")
    #expect(throws: (any Error).self) { try text(light) }
    let styles = try store.createStylesFolder(of: generation)
    try Data("{}".utf8).write(to: styles.url.appending(path: "style-light.json"))
    #expect(try store.refreshLinks(of: app.pack) == [])
    #expect(try text(light) == "styles/\(generation.name)/style-light.json")
    #expect(try Data(contentsOf: light) == Data("{}".utf8))
    #expect(try FileAttributes(of: styles.url.deletingLastPathComponent()).isExcludedFromBackup)
  }

  /// The app's older version had a copy of its own at the name.
  @Test func `A file of an older version stays while it may be open`() async throws {
    try FileManager.default.createDirectory(
      at: map.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: map)
    let open = try FileHandle(forReadingFrom: map)
    let sample = try app.sample("2025.1")
    let report = try await store(.one).install(app.pack, from: sample.bundled)
    let kept = try #require(report.keptFiles.first)
    #expect(kept.name == "map.mbtiles" && kept.movedTo == nil)
    #expect(kept.digest == (try FileDigest(of: map)))
    #expect(try Data(contentsOf: map) == Data("old".utf8))
    try open.close()
    // Nothing shows that another process of this role has closed it.
    if ProcessNamespace.isPossible == false || !ProcessNamespace.isWholeSystem {
      let other = try await store(.many).install(app.pack, from: sample.bundled)
      #expect(other.keptFiles.first?.movedTo == nil)
    }
    let launch = try await store(.one).install(app.pack, from: sample.bundled)
    let moved = try #require(launch.keptFiles.first?.movedTo)
    #expect(
      try Data(contentsOf: map.deletingLastPathComponent().appending(path: moved))
        == Data("old".utf8))
    #expect(try SamplePack.city(in: map) == "Black Rock")
    #expect(try await store(.one).install(app.pack, from: sample.bundled).keptFiles == [])
  }

  /// An older version of the app, installed once more, has made its copy again.
  @Test func `A file is moved also when the name for it is taken`() async throws {
    let folder = map.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sample = try app.sample("2025.1")
    var moved: Set<String> = []
    for _ in 1...3 {
      try? FileManager.default.removeItem(at: map)
      try Data("old".utf8).write(to: map)
      let report = try await store(.one).install(app.pack, from: sample.bundled)
      #expect(report.unfinished == nil)
      moved.insert(try #require(report.keptFiles.first?.movedTo))
      #expect(try SamplePack.city(in: map) == "Black Rock")
    }
    #expect(moved.count == 3)
    for name in moved {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data("old".utf8))
    }
  }

  @Test func `A link or a folder of the user stays`() async throws {
    let folder = map.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for destination in ["/etc/hosts", "../x", "1-01234567"] {
      try FileManager.default.createSymbolicLink(
        atPath: map.path, withDestinationPath: destination)
      let report = try await store(.one).install(
        app.pack, from: try app.sample("2025.1").bundled)
      #expect(report.keptFiles.map(\.name) == ["map.mbtiles"])
      #expect(try text(map) == destination)
      try FileManager.default.removeItem(at: map)
    }
    try FileManager.default.createDirectory(at: map, withIntermediateDirectories: true)
    let report = try await store(.one).install(app.pack, from: try app.sample("2025.1").bundled)
    #expect(report.keptFiles.map(\.name) == ["map.mbtiles"])
  }

  @Test func `A pack is not installed in the folder of another one`() async throws {
    let other = try PackName("city")
    let store = try app.store { $0.layout.folders = [app.pack: other] }
    let sample = try app.sample("2")
    let manifest = try PackManifest(
      name: other, version: PackVersion("3"), files: sample.manifest.files)
    let first = try await store.install(app.pack, from: try app.sample("1").bundled)
    try manifest.data.write(to: sample.url.appending(path: PackManifest.fileName))
    let report = try await store.install(other, from: sample.bundled)
    #expect((report.failure as? PackError)?.code == .occupied)
    #expect(report.source == .inPlace(sample.bundled, manifest))
    #expect(try store.current(app.pack) == first.generation)
    #expect(try store.installedGenerations(of: app.pack) == [try #require(first.generation)])
  }

  /// An earlier version installed two packs in one folder.
  @Test func `A folder that two packs shared is left to the current one`() async throws {
    let other = try PackName("city")
    let store = try app.store { $0.layout.folders = [other: try PackName("map")] }
    let apart = try app.store { $0.layout.folders = [other: try PackName("apart")] }
    func source(_ version: String) throws -> PackSource {
      let sample = try app.sample(version)
      let manifest = try PackManifest(
        name: other, version: PackVersion(version), files: sample.manifest.files)
      try manifest.data.write(to: sample.url.appending(path: PackManifest.fileName))
      return sample.bundled
    }
    let map = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    var lease = try store.hold(app.pack)
    #expect(lease?.generation == map)
    let city = try #require(try await apart.install(other, from: try source("1")).generation)
    try FileManager.default.moveItem(at: city.url, to: app.folder.appending(path: city.name))
    try CurrentFile(generation: city.name, previous: map.name, sequence: 2)
      .write(to: PackFolder(FilePath(of: app.folder)))

    let rollback = await #expect(throws: PackError.self) { try await store.rollback(other) }
    #expect(rollback?.code == .notFound)
    let switching = await #expect(throws: PackError.self) {
      try await store.switchTo(map.name, of: other)
    }
    #expect(switching?.code == .notFound)
    #expect(try store.current(other)?.name == city.name)
    #expect(try store.installedGenerations(of: other).allSatisfy { $0.manifest.name == other })

    let new = try source("2")
    let early = try await store.install(other, from: new)
    #expect((early.failure as? PackError)?.code == .occupied)
    #expect(early.generation?.name == city.name)
    lease = nil
    let report = try await store.install(other, from: new)
    #expect(report.action == .upgraded(from: city.name))
    #expect(try store.previous(other)?.name == city.name)
    #expect(try !store.installedGenerations(of: other).contains { $0.name == map.name })
    let refused = try await store.install(app.pack, from: try app.sample("2").bundled)
    #expect((refused.failure as? PackError)?.code == .occupied)
  }

  @Test func `Two links cannot have one name`() async throws {
    let name = try PackName("tiles")
    let store = try app.store {
      $0.layout.links[app.pack] = [
        try PackLayout.Link(name, to: .file(try PackPath("map.mbtiles"))),
        try PackLayout.Link(try PackName("Tiles"), to: .file(try PackPath("sprite.png"))),
      ]
    }
    let report = try await store.install(app.pack, from: try app.sample("1").bundled)
    #expect(report.action == .installed)
    #expect((report.unfinished as? PackError)?.code == .invalidName)
    #expect(try !app.names().contains("tiles"))
  }

  @Test func `A link cannot have a name that the store uses`() throws {
    for name in ["current", "Leases", "1-01234567", "styles", "pack.json", "seeded"] {
      #expect(throws: PackError.self) {
        try PackLayout.Link(PackName(name), to: .file(PackPath("map.mbtiles")))
      }
    }
  }
}
