import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

/// Several threads, processes and suspensions at one store.
@Suite struct InstallConcurrencyTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  /// IB-B12: one of them copies, and all use the copy.
  @Test func `Processes that install at once use one copy`() async throws {
    let sample = try app.sample("1", byteCount: 2_000_000)
    let reports = app.directory.file("reports")
    try FileManager.default.createDirectory(at: reports, withIntermediateDirectories: true)
    await withTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [
              container = app.container as URL, bundle = sample.url as URL,
              report = reports.appending(path: "\(number)") as URL
            ] in
            var configuration = PackStore.Configuration()
            configuration.container = Container(at: container)
            configuration.waitLimit = .seconds(60)
            let store = PackStore(try PackName("iBurn"), configuration: configuration)
            let result = try await store.install(PackName("map"), from: .bundle(bundle))
            try #require(result.failure == nil, "\(String(describing: result.failure))")
            try #require(
              try SamplePack.city(in: result.url(ofFileAt: "map.mbtiles")) == "Black Rock")
            try Data("\(result.action)".utf8).write(to: report)
          }
        }
      }
    }
    let actions = try (1...4).map {
      try String(contentsOf: reports.appending(path: "\($0)"), encoding: .utf8)
    }
    #expect(actions.sorted() == ["installed", "kept", "kept", "kept"])
    #expect(try app.names() == [sample.manifest.generationName, "current", "verified"])
  }

  /// Another process holds the lock for longer than the store waits.
  @Test func `A busy store leads to the present generation and a report`() async throws {
    let store = try app.store { $0.waitLimit = .milliseconds(20) }
    let first = try await store.install(app.pack, from: try app.sample("1").bundled)
    let lock = try FileLock(at: app.folder.appending(path: ".lock"))
    let report = try await store.install(app.pack, from: try app.sample("2").bundled)
    #expect(report.action == .failed)
    #expect((report.failure as? FileError)?.code == .busy)
    #expect(report.generation == first.generation)
    lock.release()
  }

  /// Law 5: a suspension releases the lock in the middle of the copy, and the work is done again.
  @Test func `A suspension releases the lock, and the resume finishes the installation`()
    async throws
  {
    let store = try app.store()
    let sample = try app.sample("1", byteCount: 3_000_000)
    let lockFile = app.folder.appending(path: ".lock")
    let isFree = Mutex<Bool?>(nil)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let probe = try app.sample("1", byteCount: 3_000_000)
    let other = try PackApp()
    _ = try await SystemCalls.$fault.withValue(trace) {
      try await other.store().install(other.pack, from: probe.bundled)
    }
    // The last write of the copy of the largest file.
    let writes = trace.callsSeen.indices.filter { trace.callsSeen[$0] == .write }
    let ordinal = writes[writes.count / 2] + 1
    let fault = SystemFault(
      atCall: ordinal,
      .overtake {
        store.suspend()
        // Another process can take the lock now.
        isFree.withLock { $0 = (try? FileLock(at: lockFile)) != nil }
        Thread.detachNewThread { store.resume() }
      })
    let report = try await SystemCalls.$fault.withValue(fault) {
      try await store.install(app.pack, from: sample.bundled)
    }
    #expect(fault.hasStruck)
    #expect(isFree.withLock { $0 } == true)
    #expect(report.action == .installed)
    #expect(try app.names() == [sample.manifest.generationName, "current", "verified"])
  }

  @Test func `A suspended store takes no lock`() async throws {
    let store = try app.store()
    store.suspend()
    let sample = try app.sample("1")
    let report = try onBlockedThread {
      try store.install(app.pack, from: sample.bundled)
    }
    #expect((report.failure as? PackError)?.code == .suspended)
    #expect(report.source == .inPlace(sample.bundled, sample.manifest))
    #expect(!FileManager.default.fileExists(atPath: app.folder.path + "/.lock"))
    let waiting = Task { try await store.install(app.pack, from: sample.bundled) }
    store.resume()
    #expect(try await waiting.value.action == .installed)
  }

  private func onBlockedThread<Value>(_ body: () throws -> Value) rethrows -> Value {
    try body()
  }

  /// The suspension of a database releases the locks of a store that follows it.
  @Test func `A store follows the suspension of a database`() async throws {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(
      path: app.directory.file("app.db").path, configuration: configuration)
    let store = try app.store()
    store.endLocksOnSuspension(of: pool)
    _ = await pool.suspend()
    let sample = try app.sample("1")
    let report = try onBlockedThread { try store.install(app.pack, from: sample.bundled) }
    #expect((report.failure as? PackError)?.code == .suspended)
    let cancelled = Task { try await store.install(app.pack, from: sample.bundled) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    pool.resume()
    #expect(try await store.install(app.pack, from: sample.bundled).action == .installed)
  }

  @Test func `A store is suspended and resumed with the scheduler`() async throws {
    let store = try app.store { $0.suspendsOnBackgroundTimeExpiration = true }
    let sample = try app.sample("1")
    DatabaseBackgroundScheduler.shared.suspend()
    let report = try onBlockedThread { try store.install(app.pack, from: sample.bundled) }
    #expect((report.failure as? PackError)?.code == .suspended)
    DatabaseBackgroundScheduler.shared.resume()
    #expect(try await store.install(app.pack, from: sample.bundled).action == .installed)
  }

  /// Law 1: reading a file that this process has open through SQLite ends no lock.
  @Test func `An installation from an open database keeps its locks`() async throws {
    let sample = try app.sample("1")
    let store = try app.store()
    let map = sample.url.appending(path: "map.mbtiles")
    var configuration = Configuration()
    configuration.journalMode = .default
    let queue = try DatabaseQueue(path: map.path, configuration: configuration)
    let (isLocked, mayEnd) = (Gate(), Gate())
    let transaction = OwnThread {
      try queue.write { _ in
        isLocked.open()
        mayEnd.wait()
      }
    }
    try await onOwnThread { isLocked.wait() }
    let report = try await store.install(app.pack, from: sample.bundled)
    #expect(report.action == .installed)
    await #expect(processExitsWith: .success) { [map = map as URL] in
      var configuration = Configuration()
      configuration.journalMode = .default
      configuration.busyMode = .immediateError
      let other = try DatabaseQueue(path: map.path, configuration: configuration)
      let error = try #require(throws: DatabaseError.self) {
        try other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
      }
      try #require(error.resultCode == .SQLITE_BUSY)
    }
    mayEnd.open()
    try await transaction.value
  }

  /// A reader that is slow, or a machine that is loaded.
  @Test func `A generation that a clean-up removes while it is read is no damage`() async throws {
    let store = try app.store()
    let samples = try (1...3).map { try app.sample("\($0)") }
    _ = try await store.install(app.pack, from: samples[0].bundled)
    let folder = try store.folder(of: app.pack)
    var names: [String] = []
    let version = try store.reading(currentFileOf: folder) { file in
      if names.isEmpty {
        for sample in samples.dropFirst() {
          let report = try onBlockedThread { try store.install(app.pack, from: sample.bundled) }
          #expect(report.failure == nil)
        }
      }
      names.append(file.generation)
      return try PackManifest(of: folder.generation(file.generation)).version
    }
    #expect(version.map { "\($0)" } == "3" && names.count == 2)
    // What is missing and stays missing is damage.
    #expect(throws: PackError.self) {
      try store.reading(currentFileOf: folder) { _ in
        try PackManifest(of: folder.generation(names[0]))
      }
    }
  }

  /// IB-B7, law 1 and 2 in short: readers in this process during many switches.
  @Test func `Readers see one generation while others are switched`() async throws {
    let store = try app.store()
    let samples = try (1...6).map { try app.sample("\($0)", city: "City \($0)") }
    _ = try await store.install(app.pack, from: samples[0].bundled)
    let isDone = Atomic(false)
    let reader = OwnThread {
      var count = 0
      repeat {
        guard let lease = try store.hold(app.pack) else { throw CancellationError() }
        let city = try SamplePack.city(in: lease.generation.url(ofFileAt: "map.mbtiles"))
        #expect(city == "City \(lease.generation.manifest.version)")
        #expect(lease.problem == nil)
        count += 1
        withExtendedLifetime(lease) {}
      } while !isDone.load(ordering: .acquiring)
      return count
    }
    for sample in samples.dropFirst() {
      let report = try await store.install(app.pack, from: sample.bundled)
      #expect(report.failure == nil)
    }
    isDone.store(true, ordering: .releasing)
    #expect(try await reader.value > 0)
    _ = await store.clean(app.pack)
    #expect(try store.installedGenerations(of: app.pack).count == 2)
  }

  private static let upgradeCount = 12

  /// IB-B7: the short form of the benchmark with a thousand upgrades.
  @Test func `Four processes read whole generations while a pack is upgraded`() async throws {
    let store = try app.store()
    let first = try app.sample("1", city: "City 1")
    _ = try await store.install(app.pack, from: first.bundled)
    let isReading = try Signal(at: app.directory.file("reading").path)
    // The waits for the processes may need all threads of tasks.
    let installer = OwnThread { [app] in
      for _ in 1...4 { try isReading.wait() }
      for version in 2...Self.upgradeCount {
        let sample = try app.sample("\(version)", city: "City \(version)")
        let report = try store.install(app.pack, from: sample.bundled)
        #expect(report.failure == nil)
        #expect(report.generation?.manifest == sample.manifest)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask { [app] in
          await #expect(processExitsWith: .success) {
            [container = app.container as URL, isReading = isReading.path as String] in
            await #expect(throws: Never.self) {
              try await Self.readUpgrades(in: container, Signal(at: isReading))
            }
          }
        }
      }
    }
    try await installer.value
    let report = await store.clean(app.pack)
    #expect(report.problem == nil)
    #expect(try store.installedGenerations(of: app.pack).count == 2)
  }

  /// Opens pools until one has the last version, and reads the first one all the time; each has one
  /// version, which is not older than that of the one before.
  private static func readUpgrades(in container: URL, _ isReading: Signal) async throws {
    let app = try PackApp(container: container)
    let store = try app.store()
    let start = ContinuousClock.now
    var last = 0
    // Also after an error, so that the test does not wait.
    defer { if last == 0 { _ = Result { try isReading.send() } } }
    let first = try store.open("map.mbtiles", of: app.pack)
    while last < upgradeCount {
      try #require(ContinuousClock.now - start < .seconds(60), "version \(last)")
      let pool = try store.open("map.mbtiles", of: app.pack)
      var cities: Set<String> = []
      for _ in 1...5 {
        cities.insert(try await city(in: pool))
        try #require(await city(in: first) == "City 1")
      }
      let version = try #require(
        cities.count == 1 ? cities.first.flatMap { Int($0.dropFirst("City ".count)) } : nil,
        "\(cities)")
      try #require(version >= last)
      if last == 0 { try isReading.send() }
      last = version
      try pool.close()
    }
  }

  /// Reads a pool by a connection that has just opened the file.
  private static func city(in pool: DatabasePool) async throws -> String {
    pool.invalidateReadOnlyConnections()
    return try await pool.read { db in
      try String.fetchOne(db, sql: "SELECT value FROM metadata") ?? "none"
    }
  }
}
