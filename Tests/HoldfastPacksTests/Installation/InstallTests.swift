import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The installation of packs, step by step as an app meets it over the years.
@Suite struct InstallTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  /// IB-1: the folders are created, and the copy is what is used.
  @Test func `The first installation copies the pack into the container`() async throws {
    let sample = try app.sample("2025.1")
    let store = try app.store()
    #expect(try store.current(app.pack) == nil)
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .installed)
    let generation = try #require(report.generation)
    #expect(generation.name == sample.manifest.generationName)
    #expect(try store.current(app.pack) == generation)
    let url = try #require(report.url(ofFileAt: "map.mbtiles"))
    #expect(url.path == app.folder.path + "/\(generation.name)/map.mbtiles")
    for file in sample.manifest.files {
      #expect(try FileDigest(of: generation.url(of: file)) == file.content)
    }
    #expect(try SamplePack.city(in: url) == "Black Rock")
    #expect(try app.names() == [generation.name, "current", "verified"])
  }

  /// IB-2: a launch reads a few small files and writes none.
  @Test func `A launch with the same pack writes nothing`() async throws {
    let sample = try app.sample("2025.1")
    let store = try app.store()
    let first = try await store.install(app.pack, from: sample.bundled)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let report = try await SystemCalls.$fault.withValue(trace) {
      try await store.install(app.pack, from: sample.bundled)
    }
    #expect(report.action == .kept)
    #expect(report.generation == first.generation)
    let changing: Set<SystemCalls.Name> = [
      .write, .fsync, .rename, .renameat2, .unlink, .mkdir, .setxattr, .removexattr, .flock,
      .symlink,
    ]
    #expect(changing.isDisjoint(with: trace.callsSeen), "\(trace.callsSeen)")
    #expect(trace.callsSeen.count < 60, "\(trace.callsSeen)")
    #expect(trace.callsSeen.filter { $0 == .open }.count <= 5, "\(trace.callsSeen)")
  }

  /// A process was killed between the switch and the end of its lock.
  @Test func `A launch removes the lock of a killed process, and no other one`() async throws {
    let sample = try app.sample("2025.1")
    let store = try app.store()
    _ = try await store.install(app.pack, from: sample.bundled)
    let names = try app.names()
    let lock = app.folder.appending(path: ".lock")
    try Data().write(to: lock)
    #expect(try await store.install(app.pack, from: sample.bundled).action == .kept)
    #expect(try app.names() == names)
    do {
      let held = try FileLock(at: lock)
      #expect(try await store.install(app.pack, from: sample.bundled).action == .kept)
      #expect(FileManager.default.fileExists(atPath: lock.path(percentEncoded: false)))
      held.release()
    }
    try Data([1]).write(to: lock)
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .kept && report.unfinished == nil)
    #expect(try Data(contentsOf: lock) == Data([1]))
  }

  /// IB-B1: a corrected map arrives, with a new version and without one.
  @Test func `A corrected pack takes the place of the installed one`() async throws {
    let store = try app.store()
    let first = try await store.install(app.pack, from: try app.sample("2025.1").bundled)
    let newer = try await store.install(
      app.pack, from: try app.sample("2025.2", city: "Gerlach").bundled)
    #expect(newer.action == .upgraded(from: try #require(first.generation).name))
    #expect(try SamplePack.city(in: newer.url(ofFileAt: "map.mbtiles")) == "Gerlach")
    #expect(try store.previous(app.pack) == first.generation)
    let corrected = try await store.install(
      app.pack, from: try app.sample("2025.2", city: "Empire").bundled)
    #expect(corrected.action == .upgraded(from: try #require(newer.generation).name))
    #expect(try SamplePack.city(in: corrected.url(ofFileAt: "map.mbtiles")) == "Empire")
    // The newest previous one is kept, the first is removed.
    #expect(
      try store.installedGenerations(of: app.pack).map(\.name).sorted()
        == [try #require(newer.generation).name, try #require(corrected.generation).name].sorted())
  }

  @Test func `A lower version is refused unless the app allows it`() async throws {
    let store = try app.store()
    let newer = try await store.install(app.pack, from: try app.sample("2025.10").bundled)
    let older = try app.sample("2025.9", city: "Gerlach")
    let refused = try await store.install(app.pack, from: older.bundled)
    #expect(refused.action == .refused)
    #expect(refused.generation == newer.generation)
    #expect((refused.failure as? PackError)?.code == .downgrade)
    let allowing = try app.store { $0.allowsDowngrades = true }
    let report = try await allowing.install(app.pack, from: older.bundled)
    #expect(report.action == .downgraded(from: try #require(newer.generation).name))
  }

  /// IB-13: what was downloaded is preferred to the bundle's, until that is newer.
  @Test func `A downloaded pack is preferred to one of the bundle`() async throws {
    let store = try app.store()
    let bundled = try app.sample("2025.1")
    _ = try await store.install(app.pack, from: bundled.bundled)
    let downloaded = try await store.install(
      app.pack, from: try app.sample("2025.1", city: "Gerlach").downloaded)
    #expect(downloaded.generation?.origin == .folder)
    let launch = try await store.install(app.pack, from: bundled.bundled)
    #expect(launch.action == .kept)
    #expect(launch.generation == downloaded.generation)
    #expect(launch.reason.contains("downloaded"))
    let newer = try await store.install(app.pack, from: try app.sample("2025.2").bundled)
    #expect(newer.generation?.origin == .bundle)
    #expect(newer.action == .upgraded(from: try #require(downloaded.generation).name))
  }

  /// IB-B2: a file that was cut short or damaged is not installed, and an installed one is replaced.
  @Test func `A damaged pack is refused`() async throws {
    let store = try app.store()
    let sample = try app.sample("2025.1")
    try SamplePack.damage(sample.url.appending(path: "map.mbtiles"))
    let error = await #expect(throws: FileError.self) {
      try await store.install(app.pack, from: sample.bundled)
    }
    #expect(error?.code == .digestMismatch)
    #expect(try app.names() == [])
    // With an earlier generation, that is used.
    let good = try await store.install(app.pack, from: try app.sample("2025.0").bundled)
    try Data("short".utf8).write(to: sample.url.appending(path: "map.mbtiles"))
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .failed)
    #expect(report.generation == good.generation)
    #expect((report.failure as? FileError)?.code == .digestMismatch)
    #expect(try app.names() == [try #require(good.generation).name, "current", "verified"])
  }

  /// IB-B21: what ended an installation does not hold up the next one.
  @Test func `After an installation that was cancelled or failed the next one runs`() async throws {
    let store = try app.store()
    let (good, bad) = (try app.sample("2025.1"), try app.sample("2025.2"))
    try SamplePack.damage(bad.url.appending(path: "map.mbtiles"))
    for _ in 0..<3 {
      let cancelled = Task { [app] in
        while !Task.isCancelled { await Task.yield() }
        return try await store.install(app.pack, from: good.bundled)
      }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      await #expect(throws: FileError.self) {
        try await store.install(app.pack, from: bad.bundled)
      }
    }
    #expect(try await store.install(app.pack, from: good.bundled).action == .installed)
  }

  @Test func `A pack with a log of a database next to a file is refused`() async throws {
    let store = try app.store()
    let sample = try app.sample("2025.1")
    try Data("log".utf8).write(to: sample.url.appending(path: "map.mbtiles-wal"))
    let error = await #expect(throws: PackError.self) {
      try await store.install(app.pack, from: sample.bundled)
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("map.mbtiles-wal") == true)
  }

  /// IB-B2, law 2: the damaged files stay as they are, because a process may have them open.
  @Test func `A damaged generation is repaired in a new folder`() async throws {
    let store = try app.store()
    let sample = try app.sample("2025.1")
    let first = try #require(try await store.install(app.pack, from: sample.bundled).generation)
    let damaged = try #require(first.url(ofFileAt: "map.mbtiles"))
    try SamplePack.damage(damaged)
    let content = try Data(contentsOf: damaged)
    let lease = try #require(try store.hold(app.pack))

    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .repaired(from: first.name))
    #expect(report.generation?.name == first.name + ".2")
    #expect(try SamplePack.city(in: report.url(ofFileAt: "map.mbtiles")) == "Black Rock")
    #expect(try Data(contentsOf: damaged) == content)
    #expect(
      report.cleaning?.kept.contains {
        $0.name == first.name
          && $0.reason
            == .leased(role: "org.example.app", process: ProcessInfo.processInfo.processIdentifier)
      } == true)
    withExtendedLifetime(lease) {}
    // A damaged generation is not what a rollback returns to.
    #expect(try store.previous(app.pack) == nil)
  }

  @Test func `A generation without its manifest or a file is repaired`() async throws {
    let store = try app.store()
    let sample = try app.sample("2025.1")
    for name in [PackManifest.fileName, "sprite.png"] {
      let present = try #require(
        try await store.install(app.pack, from: sample.bundled).generation)
      try FileManager.default.removeItem(at: present.url.appending(path: name))
      let report = try await store.install(app.pack, from: sample.bundled)
      #expect(report.action == .repaired(from: present.name))
      #expect(try SamplePack.city(in: report.url(ofFileAt: "map.mbtiles")) == "Black Rock")
    }
  }

  /// It used to be replaced, and the generation before was cleaned away.
  @Test func `A damaged file that names the current generation is rebuilt with the way back`()
    async throws
  {
    let store = try app.store()
    let first = try await store.install(app.pack, from: try app.sample("2025.1").bundled)
    let sample = try app.sample("2025.2", city: "Gerlach")
    let second = try await store.install(app.pack, from: sample.bundled)
    let current = app.folder.appending(path: "current")
    for text in ["", "{", "{\"format\": 1, \"generation\": \"../../x\", \"sequence\": 1}"] {
      try Data(text.utf8).write(to: current)
      #expect(throws: PackError.self) { try store.current(app.pack) }
      let report = try await store.install(app.pack, from: sample.bundled)
      #expect(report.action == .installed)
      #expect(report.generation == second.generation)
      for words in ["unreadable", "a rollback returns to '\(first.generation?.name ?? "")'"] {
        #expect(report.reason.contains(words), "\(report.reason)")
      }
      #expect(try store.previous(app.pack) == first.generation)
    }
    #expect(try await store.rollback(app.pack).generation == first.generation)
  }

  @Test func `A file or link that is not the store's is not replaced`() async throws {
    let sample = try app.sample("2025.1")
    let current = app.folder.appending(path: "current")
    try FileManager.default.createDirectory(at: app.folder, withIntermediateDirectories: true)
    let own = Data("releases/5".utf8)
    try own.write(to: current)
    func expectRefusal() async throws {
      let report = try await app.store().install(app.pack, from: sample.bundled)
      #expect((report.failure as? PackError)?.code == .occupied)
      #expect(report.source == .inPlace(sample.bundled, sample.manifest))
    }
    try await expectRefusal()
    #expect(try Data(contentsOf: current) == own)
    try FileManager.default.removeItem(at: current)
    _ = try await app.store().install(app.pack, from: sample.bundled)
    try FileManager.default.removeItem(at: current)
    try FileManager.default.createSymbolicLink(
      atPath: current.path, withDestinationPath: "releases/5")
    try await expectRefusal()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: current.path) == "releases/5")
  }

  @Test func `A file of a later version of the package is left`() async throws {
    let store = try app.store()
    let sample = try app.sample("2025.1")
    _ = try await store.install(app.pack, from: sample.bundled)
    let current = app.folder.appending(path: "current")
    let text = Data("{\"format\": 2, \"generations\": []}".utf8)
    try text.write(to: current)
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect((report.failure as? PackError)?.code == .newerFormat)
    #expect(report.source == .inPlace(sample.bundled, sample.manifest))
    #expect(try Data(contentsOf: current) == text)
    #expect(await store.clean(app.pack).removed == [])
  }

  @Test func `A folder with another pack or another edition is refused`() async throws {
    let store = try app.store { $0.edition = try PackEdition("2025") }
    let other = await #expect(throws: PackError.self) {
      try await store.install(PackName("other"), from: try app.sample("1").bundled)
    }
    #expect(other?.code == .unsuitable)
    let edition = await #expect(throws: PackError.self) {
      try await store.install(app.pack, from: try app.sample("1", edition: "2024").bundled)
    }
    #expect(edition?.code == .unsuitable)
  }

  @Test func `Names that differ in letter case are one pack`() async throws {
    let store = try app.store()
    let first = try await store.install(PackName("MAP"), from: try app.sample("1").bundled)
    #expect(try store.current(PackName("Map")) == first.generation)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: app.applicationSupport.appending(path: "iBurn").path) == ["map"])
  }

  /// A user's file has the name that the generation would get.
  @Test func `A file with the name of a generation stays`() async throws {
    let store = try app.store()
    let sample = try app.sample("1")
    try FileManager.default.createDirectory(at: app.folder, withIntermediateDirectories: true)
    let file = app.folder.appending(path: sample.manifest.generationName)
    try Data("mine".utf8).write(to: file)
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.generation?.name == sample.manifest.generationName + ".2")
    for version in ["2", "3"] {
      _ = try await store.install(app.pack, from: try app.sample(version).bundled)
    }
    #expect(
      await store.clean(app.pack).kept.contains {
        $0.name == file.lastPathComponent && $0.reason == .foreign
      })
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
  }

  /// Files that a volume may or may not find under each other's names.
  @Test func `A volume that ignores letter case and normalization has the same packs`() async throws
  {
    let store = try app.store()
    let sample = try app.sample("1")
    let fault = SystemFault(atCall: 1, .foldNames)
    let report = try await SystemCalls.$fault.withValue(fault) {
      _ = try await store.install(app.pack, from: sample.bundled)
      _ = try await store.install(app.pack, from: try app.sample("2", city: "Gerlach").bundled)
      return try await store.rollback(app.pack)
    }
    #expect(try SamplePack.city(in: report.url(ofFileAt: "map.mbtiles")) == "Black Rock")
    #expect(try store.installedGenerations(of: app.pack).count == 2)
  }

  @Test func `A relative URL is found after the process has changed its folder`() async throws {
    let sample = try app.sample("1")
    await #expect(processExitsWith: .success) {
      [bundle = sample.url as URL, container = app.container as URL] in
      let files = FileManager.default
      try #require(files.changeCurrentDirectoryPath(bundle.deletingLastPathComponent().path))
      let source = PackSource.bundle(URL(filePath: bundle.lastPathComponent))
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: container)
      let store = PackStore(try PackName("iBurn"), configuration: configuration)
      try #require(files.changeCurrentDirectoryPath("/"))
      let report = try await store.install(PackName("map"), from: source)
      try #require(report.action == .installed)
    }
  }

  /// A process may have ended between the creation of a folder and its sync.
  @Test func `A folder that another process has created is made durable before it is used`()
    async throws
  {
    try FileManager.default.createDirectory(at: app.folder, withIntermediateDirectories: true)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try await SystemCalls.$fault.withValue(trace) {
      try await app.store().install(app.pack, from: try app.sample("1").bundled)
    }
    let sync = try #require(trace.callsSeen.firstIndex(of: .fsync))
    #expect(sync < (try #require(trace.callsSeen.firstIndex(of: .flock))))
    // Nothing is written where it may not last.
    let other = try PackApp()
    try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
    let fault = SystemFault(atCall: sync + 1, .fail(.inputOutput))
    let sample = try other.sample("1")
    let report = try await SystemCalls.$fault.withValue(fault) {
      try await other.store().install(other.pack, from: sample.bundled)
    }
    #expect((report.failure as? FileError)?.code == .inputOutput)
    #expect(try other.names() == [])
  }

  @Test func `The store works after the container has moved`() async throws {
    let sample = try app.sample("2025.1")
    _ = try await app.store().install(app.pack, from: sample.bundled)
    let moved = app.directory.file("moved")
    try FileManager.default.moveItem(at: app.container, to: moved)
    let store = try app.store { $0.container = Container(at: moved) }
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .kept)
    #expect(report.url(ofFileAt: "map.mbtiles")?.path.hasPrefix(moved.path) == true)
    // Law 4: no file says where the container was.
    let old = app.container.path
    for name in ["current", "verified"] {
      let text = try String(
        contentsOf: try store.url(of: app.pack).appending(path: name), encoding: .utf8)
      #expect(!text.contains(old) && !text.contains("Library"))
    }
  }
}
