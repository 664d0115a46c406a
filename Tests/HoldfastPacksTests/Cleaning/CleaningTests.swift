import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct CleaningTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  @discardableResult
  private func install(_ version: String, _ store: PackStore) async throws -> Generation {
    try #require(
      try await store.install(app.pack, from: try app.sample(version).bundled).generation)
  }

  /// IB-B7: what is in use stays at its path, with its content, until it is not in use.
  @Test func `A generation in use stays until its lease ends`() async throws {
    let store = try app.store()
    let first = try await install("1", store)
    var lease = try store.hold(app.pack)
    let url = try #require(lease?.generation.url(ofFileAt: "map.mbtiles"))
    let content = try Data(contentsOf: url)
    try await install("2", store)
    try await install("3", store)
    #expect(try Data(contentsOf: url) == content)
    #expect(await store.clean(app.pack).removed == [])
    lease = nil
    #expect(await store.clean(app.pack).removed == [first.name])
    #expect(!FileManager.default.fileExists(atPath: url.path))
    _ = lease
  }

  @Test func `A generation with an open file stays without a lease`() async throws {
    let store = try app.store()
    let first = try await install("1", store)
    let open = try FileHandle(
      forReadingFrom: try #require(first.url(ofFileAt: "styles/light.json")))
    try await install("2", store)
    try await install("3", store)
    #expect(
      await store.clean(app.pack).kept.contains(
        CleaningReport.Kept(name: first.name, reason: .openHere)))
    try open.close()
    #expect(await store.clean(app.pack).removed == [first.name])
  }

  @Test func `Files of the app and of the user stay`() async throws {
    let store = try app.store()
    try await install("1", store)
    let seeded = app.folder.appending(path: "seeded")
    try FileManager.default.createDirectory(at: seeded, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: seeded.appending(path: "camps.sqlite"))
    for name in ["notes.txt", ".hidden", "1-zzzzzzzz", "2025.1-0123456"] {
      try Data("mine".utf8).write(to: app.folder.appending(path: name))
    }
    try await install("2", store)
    try await install("3", store)
    let report = await store.clean(app.pack)
    for name in ["notes.txt", ".hidden", "1-zzzzzzzz", "2025.1-0123456"] {
      #expect(report.kept.contains(CleaningReport.Kept(name: name, reason: .foreign)))
      #expect(try Data(contentsOf: app.folder.appending(path: name)) == Data("mine".utf8))
    }
    #expect(
      try Data(contentsOf: seeded.appending(path: "camps.sqlite")) == Data("mine".utf8))
  }

  @Test func `Symbolic links in a generation are not followed`() async throws {
    let store = try app.store()
    let first = try await install("1", store)
    let outside = app.directory.file("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: outside.appending(path: "notes.txt"))
    try FileManager.default.createSymbolicLink(
      at: first.url.appending(path: "link"), withDestinationURL: outside)
    try await install("2", store)
    try await install("3", store)
    #expect(!FileManager.default.fileExists(atPath: first.url.path))
    #expect(try Data(contentsOf: outside.appending(path: "notes.txt")) == Data("mine".utf8))
  }

  @Test func `A clean-up returns while another process holds the lock`() async throws {
    let store = try app.store { $0.waitLimit = .milliseconds(20) }
    try await install("1", store)
    let lock = try FileLock(at: app.folder.appending(path: ".lock"))
    let report = await store.clean(app.pack)
    #expect(report.problem != nil)
    lock.release()
    #expect(await store.clean(app.pack).problem == nil)
    #expect(await store.clean(try PackName("none")) == CleaningReport())
  }

  /// Law 5: the files of a pack may be many, and so may the descriptors of a process.
  @Test func `A suspension does not wait while files are examined`() async throws {
    let store = try app.store()
    try await install("1", store)
    let lease = try store.hold(app.pack)
    try await install("2", store)
    try await install("3", store)
    await #expect(processExitsWith: .success) { [container = app.container as URL] in
      let app = try PackApp(container: container)
      let store = try app.store()
      // A closure that had the app would keep its folder, maybe until the process ends.
      let lockFile = app.folder.appending(path: ".lock")
      let trace = SystemFault(atCall: .max, .fail(.inputOutput))
      _ = await SystemCalls.$fault.withValue(trace) { await store.clean(app.pack) }
      let examining: Set<SystemCalls.Name> = [.readdir, .lstat, .listDescriptors]
      let ordinals = trace.callsSeen.indices.filter { examining.contains(trace.callsSeen[$0]) }
      try #require(trace.callsSeen.contains(.listDescriptors))
      for ordinal in ordinals {
        let isFree = Mutex(false)
        // On the thread of the clean-up, which would wait for itself.
        let fault = SystemFault(
          atCall: ordinal + 1,
          .overtake {
            store.suspend()
            isFree.withLock {
              $0 = (try? FileLock(at: lockFile)) != nil
            }
          })
        _ = await SystemCalls.$fault.withValue(fault) { await store.clean(app.pack) }
        store.resume()
        try #require(fault.hasStruck && isFree.withLock { $0 }, "call \(ordinal + 1)")
      }
    }
    withExtendedLifetime(lease) {}
  }

  @Test(.enabled(if: Unprivileged.isPossible, "\(Unprivileged.reason)"))
  func `A clean-up without permission says what it kept`() async throws {
    let store = try app.store()
    let first = try await install("1", store)
    let lease = try store.hold(app.pack)
    try await install("2", store)
    try await install("3", store)
    withExtendedLifetime(lease) {}
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: app.directory.url.path)
    await #expect(processExitsWith: .success) { [container = app.container as URL] in
      Unprivileged.become()
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: container)
      let store = PackStore(try PackName("iBurn"), configuration: configuration)
      let report = await store.clean(try PackName("map"))
      try #require(report.problem?.contains("permission") == true)
    }
    #expect(FileManager.default.fileExists(atPath: first.url.path))
  }

  /// IB-10, IB-B6: an edition has its own folder; older ones go by policy, the user's data never.
  @Test func `Older editions stay or go as the store says`() async throws {
    var urls: [String: URL] = [:]
    for year in ["2022", "2023", "2024", "2025"] {
      let store = try app.store { $0.edition = try PackEdition(year) }
      let sample = try app.sample("\(year).1", edition: year)
      let generation = try #require(
        try await store.install(app.pack, from: sample.bundled).generation)
      urls[year] = generation.url
      let seeded = try store.url(of: app.pack).appending(path: "seeded")
      if year == "2022" {
        try FileManager.default.createDirectory(at: seeded, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: seeded.appending(path: "camps.sqlite"))
      }
    }
    let folder = app.applicationSupport.appending(path: "iBurn")
    let exists = { (year: String) in
      FileManager.default.fileExists(atPath: urls[year]?.path ?? "")
    }
    let present = try PackEdition("2024")
    let keeping = try app.store { $0.edition = present }
    #expect(await keeping.cleanEditions().removed == [])
    #expect(["2022", "2023", "2024", "2025"].allSatisfy(exists))

    let held = try app.store { $0.edition = try PackEdition("2023") }
    var lease = try held.hold(app.pack)
    let store = try app.store {
      $0.edition = present
      $0.editionPolicy = .keepNewest(0)
    }
    let report = await store.cleanEditions()
    #expect(report.problem == nil)
    #expect(exists("2023") && exists("2024") && exists("2025") && !exists("2022"))
    #expect(
      report.kept.contains { $0.name.hasPrefix("2023/map/") })
    #expect(
      report.kept.contains(CleaningReport.Kept(name: "2022/map/seeded", reason: .seeded)))
    #expect(
      try Data(contentsOf: folder.appending(path: "2022/map/seeded/camps.sqlite"))
        == Data("mine".utf8))
    #expect(try held.current(app.pack) == lease?.generation)
    lease = nil
    #expect(await store.cleanEditions().problem == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "2023").path))
    _ = lease
  }
}
