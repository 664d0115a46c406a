import Foundation
import Holdfast
import HoldfastPacks

/// A campaign of upgrades while other processes read: which read fails, or sees another version than
/// the pool was opened on.
struct SwitchCampaign {
  private static let readerCount = 4

  /// The reads that failed in all processes.
  private(set) var errorCount = 0

  /// The pools that returned two versions.
  private(set) var mixtureCount = 0

  /// The reads that succeeded.
  private(set) var readCount = 0

  /// The generations that are left at the end, besides the current and the previous one.
  private(set) var leftoverCount = 0

  /// Runs a campaign.
  ///
  /// - Parameter count: The number of upgrades.
  /// - Throws: ``BenchmarkError`` and the errors of the library.
  init(count: Int) throws {
    let base = try TemporaryDirectory()
    let folder = base.url.appending(path: "run")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "home"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: base.url.appending(path: "packs"), withIntermediateDirectories: true)
    try Data("1.\(count)".utf8).write(to: folder.appending(path: FairReader.lastName))
    let app = try PackApp(at: folder)
    try Self.install(0, app)
    let readers = try (0..<Self.readerCount).map { _ in
      try ChildProcess(.followFair, folder.path)
    }
    for reader in readers {
      guard try !reader.read(upToCount: 1).isEmpty else {
        throw BenchmarkError.childFailed("a reader ended before it read")
      }
    }
    for number in 1...count { try Self.install(number, app) }
    for reader in readers {
      let numbers = try reader.words().compactMap { Int($0) }
      guard numbers.count == 3 else { throw BenchmarkError.childFailed("\(numbers)") }
      errorCount += numbers[0]
      mixtureCount += numbers[1]
      readCount += numbers[2]
    }
    let report = try awaiting { await app.store.clean(app.pack) }
    if let problem = report.problem { throw BenchmarkError.childFailed(problem) }
    let kept = try [app.store.current(app.pack), app.store.previous(app.pack)]
    leftoverCount =
      try app.store.installedGenerations(of: app.pack).count - kept.compactMap(\.self).count
  }

  /// Makes a version whose map says which one it is, and installs it.
  private static func install(_ number: Int, _ app: PackApp) throws {
    let version = "1.\(number)"
    let source = app.source(version)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    let map = source.appending(path: FairPack.map)
    try FileManager.default.copyItem(
      at: FairPack.sample("1.0").appending(path: FairPack.map), to: map)
    var configuration = Configuration()
    configuration.journalMode = .default
    let queue = try DatabaseQueue(path: map.path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: "UPDATE metadata SET value = ? WHERE name = 'version'", arguments: [version])
    }
    try queue.close()
    try FairPack.seal(source, version: version)
    let report = try awaiting { try await app.install(version) }
    guard "\(report.generation?.manifest.version.description ?? "none")" == version else {
      throw BenchmarkError.childFailed("\(version) was not installed: \(report.reason)")
    }
    try FileManager.default.removeItem(at: source)
  }
}

/// A process that reads a pack while it is upgraded.
enum FairReader {
  /// The name of the file with the last version.
  static let lastName = "last"

  private struct Counts {
    var errors = 0
    var mixtures = 0
    var reads = 0
  }

  /// Reads until the last version is current, and prints the numbers of errors, of pools with two
  /// versions, and of reads.
  static func follow(_ path: String) throws {
    let folder = URL(filePath: path)
    let app = try PackApp(at: folder)
    let last = try String(contentsOf: folder.appending(path: lastName), encoding: .utf8)
    let counts = try awaiting {
      async let end: Void = {
        for await generation in app.store.generations(of: app.pack)
        where "\(generation.manifest.version)" == last {
          return
        }
      }()
      let reading = Task { await read(app) }
      await end
      reading.cancel()
      return await reading.value
    }
    let line = "\n\(counts.errors) \(counts.mixtures) \(counts.reads)\n"
    try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
  }

  private static func read(_ app: PackApp) async -> Counts {
    var counts = Counts()
    while !Task.isCancelled {
      do {
        let pool = try app.store.open(FairPack.map, of: app.pack)
        var versions: Set<String> = []
        for _ in 0..<50 {
          // The campaign ends its task, which is no error of a read.
          let (version, bytes) = try await Task {
            try await pool.read { db in
              try (
                String.fetchOne(db, sql: "SELECT value FROM metadata WHERE name = 'version'"),
                Int.fetchOne(db, sql: "SELECT sum(length(tile_data)) FROM tiles")
              )
            }
          }.value
          versions.insert("\(version ?? "none") \(bytes ?? 0)")
          if counts.reads == 0 { try FileHandle.standardOutput.write(contentsOf: Data("+".utf8)) }
          counts.reads += 1
        }
        if versions.count != 1 { counts.mixtures += 1 }
        try pool.close()
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        counts.errors += 1
      }
    }
    return counts
  }
}
