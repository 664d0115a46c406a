import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// What an app uses when its pack cannot be installed.
@Suite struct FallbackTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  /// IB-3, IB-B4: the bundle is used, and the report says so and why.
  @Test func `A folder that cannot be created leads to the pack in place`() async throws {
    let sample = try app.sample("2025.1")
    try FileManager.default.createDirectory(
      at: app.applicationSupport, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: app.applicationSupport.appending(path: "iBurn"))
    let report = try await app.store().install(app.pack, from: sample.bundled)
    #expect(report.action == .failed)
    #expect(report.source == .inPlace(sample.bundled, sample.manifest))
    #expect(report.url(ofFileAt: "map.mbtiles")?.path == sample.url.path + "/map.mbtiles")
    #expect((report.failure as? FileError)?.message.contains("'iBurn'") == true)
    #expect(report.reason.contains("in place"))
    #expect(
      try Data(contentsOf: app.applicationSupport.appending(path: "iBurn")) == Data("mine".utf8))
  }

  @Test func `An incomplete pack is not used in place`() async throws {
    let sample = try app.sample("2025.1")
    try FileManager.default.createDirectory(
      at: app.applicationSupport, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: app.applicationSupport.appending(path: "iBurn"))
    try FileManager.default.removeItem(at: sample.url.appending(path: "sprite.png"))
    let error = await #expect(throws: PackError.self) {
      try await app.store().install(app.pack, from: sample.bundled)
    }
    #expect(error?.code == .damaged)
  }

  /// IB-4: without a pack in the bundle the installed one stays; without both there is an error.
  @Test func `A missing pack leaves the installed one`() async throws {
    let store = try app.store()
    let missing = PackSource.bundle(app.directory.file("none"))
    let error = await #expect(throws: PackError.self) {
      try await store.install(app.pack, from: missing)
    }
    #expect(error?.code == .notFound)
    let first = try await store.install(app.pack, from: try app.sample("2025.1").bundled)
    let report = try await store.install(app.pack, from: missing)
    #expect(report.action == .failed)
    #expect(report.generation == first.generation)
    #expect((report.failure as? PackError)?.code == .notFound)
  }

  /// IB-3 on a full disk.
  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func `A full disk keeps the installed generation and leaves nothing`() async throws {
    let volume = try SmallVolume(at: app.directory.file("volume"), kilobytes: 6_000)
    let small = try PackApp(container: volume.url.appending(path: "container"))
    let large = try small.sample("2025.2", byteCount: 8_000_000)
    let report = try await small.store().install(small.pack, from: large.bundled)
    #expect((report.failure as? FileError)?.code == .noSpace)
    #expect(report.source == .inPlace(large.bundled, large.manifest))
    #expect(try small.names() == [])

    let first = try await small.store().install(
      small.pack, from: try small.sample("2025.1").bundled)
    #expect(first.action == .installed)
    let failed = try await small.store().install(small.pack, from: large.bundled)
    #expect(failed.action == .failed)
    #expect(failed.generation == first.generation)
    #expect(failed.reason.contains("stays"))
    #expect(Set(try small.names()) == ["current", "verified", try #require(first.generation).name])

    try volume.grow(toKilobytes: 20_000)
    let done = try await small.store().install(small.pack, from: large.bundled)
    #expect(done.action == .upgraded(from: try #require(first.generation).name))
    withExtendedLifetime(volume) {}
  }

  /// The last bytes are written, and the volume has none for what follows.
  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func `A volume without room for a name keeps the installed generation`() async throws {
    let sample = try app.sample("2025.1")
    for files in 4...24 {
      let volume = try SmallVolume(
        at: app.directory.file("volume-\(files)"), kilobytes: 8_000, files: files)
      let small = try PackApp(container: volume.url.appending(path: "container"))
      let report = try await small.store().install(small.pack, from: sample.bundled)
      if let generation = report.generation {
        for file in generation.manifest.files {
          #expect(try FileDigest(of: generation.url(of: file)) == file.content)
        }
      } else {
        #expect((report.failure as? FileError)?.code == .noSpace, "\(files) files")
      }
      withExtendedLifetime(volume) {}
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, "\(Unprivileged.reason)"))
  func `A store that cannot be written keeps its generation and opens it`() async throws {
    let sample = try app.sample("2025.1")
    _ = try await app.store().install(app.pack, from: sample.bundled)
    let newer = try app.sample("2025.2", city: "Gerlach")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: app.directory.url.path)
    await #expect(processExitsWith: .success) {
      [container = app.container as URL, old = sample.url as URL, newer = newer.url as URL] in
      Unprivileged.become()
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: container)
      let store = PackStore(try PackName("iBurn"), configuration: configuration)
      let pack = try PackName("map")
      let kept = try await store.install(pack, from: .bundle(old))
      try #require(kept.action == .kept)
      let report = try await store.install(pack, from: .bundle(newer))
      try #require(report.action == .failed)
      try #require((report.failure as? FileError)?.code == .accessDenied)
      try #require(try SamplePack.city(in: report.url(ofFileAt: "map.mbtiles")) == "Black Rock")
      let lease = try #require(try store.hold(pack))
      try #require(lease.problem?.code == .accessDenied)
    }
  }

  /// IB-B3: attributes that are not kept do not make the copy useless.
  @Test func `A volume without attributes does not prevent the installation`() async throws {
    let sample = try app.sample("2025.1")
    let store = try app.store()
    let fault = SystemFault(atCall: 1, .refuse([.setxattr: .notSupported]))
    let report = try await SystemCalls.$fault.withValue(fault) {
      try await store.install(app.pack, from: sample.bundled)
    }
    #expect(report.action == .installed)
    #expect(report.exclusions.contains { !$0.isExcluded && $0.problem != nil })
    let launch = try await store.install(app.pack, from: sample.bundled)
    #expect(launch.generation == report.generation)
    #expect(launch.exclusions.allSatisfy { $0.isExcluded && $0.problem == nil })
  }

  /// IB-11, IB-4: the lines of the app of the festival, word for word.
  ///
  /// In a process of its own, because other tests read the log of their process.
  @Test func `The log has the lines of the app`() async {
    await #expect(processExitsWith: .success) {
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "packs" { lines.append(event.message) } }
      let app = try PackApp()
      let sample = try app.sample("2025.1")
      let store = try app.store()
      let report = try await store.install(app.pack, from: sample.bundled)
      let path = try #require(report.url(ofFileAt: "map.mbtiles")).path
      #expect(lines.entries.contains("Successfully copied mbtiles to cache: \(path)"))

      let damaged = try app.sample("2025.2")
      try SamplePack.damage(damaged.url.appending(path: "map.mbtiles"))
      _ = try await store.install(app.pack, from: damaged.bundled)
      #expect(lines.entries.contains { $0.hasPrefix("Error copying mbtiles to cache: ") })

      _ = try await store.install(app.pack, from: .bundle(app.directory.file("none")))
      #expect(lines.entries.contains("Could not find mbtiles in bundle"))

      let other = PackStore(try PackName("blocked"), configuration: try app.configuration())
      try Data().write(to: app.applicationSupport.appending(path: "blocked"))
      _ = try await other.install(app.pack, from: sample.bundled)
      #expect(lines.entries.contains { $0.hasPrefix("Error creating map cache directory: ") })
    }
  }
}
