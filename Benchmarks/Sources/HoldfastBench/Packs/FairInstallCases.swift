import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// Benchmarks of an installation of a large file, and of the memory that it takes.
struct FairInstallCases {
  private let megabytes: (database: Int, basemap: Int)

  init(isShort: Bool) {
    megabytes = isShort ? (2, 4) : (100, 1000)
  }

  var all: [Case] {
    [
      row(
        "install of a \(megabytes.database) MB database, verified", megabytes.database, "app.sqlite"
      ),
      row(
        "install of a \(megabytes.basemap) MB basemap, verified", megabytes.basemap, FairPack.map),
      memory("memory of an install of \(megabytes.basemap) MB", megabytes.basemap),
    ]
  }

  /// A folder with a pack of one large file.
  private final class Fixture {
    let directory: TemporaryDirectory
    let manifest: PackManifest
    var pack: URL { directory.url.appending(path: "packs/large") }
    private var runs = 0

    init(_ megabytes: Int, _ name: String) throws {
      directory = try TemporaryDirectory()
      let pack = directory.url.appending(path: "packs/large")
      try FileManager.default.createDirectory(at: pack, withIntermediateDirectories: true)
      let url = pack.appending(path: name)
      // 1024 tiles of equal size.
      let size = megabytes * 1_000_000 / 1024
      try FairPack.makeTileset(
        at: url, zoom: 5, sizes: size...size, format: "pbf", start: [0x1F, 0x8B])
      manifest = try FairPack.seal(pack, version: "1.0")
    }

    /// Returns a folder for one run.
    func next() throws -> URL {
      runs += 1
      let folder = directory.url.appending(path: "run-\(runs)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "home"), withIntermediateDirectories: true)
      return folder
    }
  }

  private func row(_ name: String, _ megabytes: Int, _ file: String) -> Case {
    let fixture = Lazy { try Fixture(megabytes, file) }
    return Case(
      name, unit: "ms", bound: .ratio(1.3),
      ours: .milliseconds {
        let folder = try fixture.value.next()
        return {
          let report = try awaiting { try await PackApp(at: folder).install("large") }
          return {
            guard let generation = report.generation else {
              throw BenchmarkError.childFailed(report.reason)
            }
            let digest = try FileDigest(of: generation.url.appending(path: file)).sha256
            try FileManager.default.removeItem(at: folder)
            return digest.proof
          }
        }
      },
      floor: .milliseconds {
        let folder = try fixture.value.next()
        return {
          let digests = try FairFloor.copy(
            [file, PackManifest.fileName], from: fixture.value.pack,
            to: folder.appending(path: "generation"))
          return {
            try FileManager.default.removeItem(at: folder)
            return digests[file]?.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } ?? 0
          }
        }
      })
  }

  private func memory(_ name: String, _ megabytes: Int) -> Case {
    let fixture = Lazy { try Fixture(megabytes, FairPack.map) }
    return Case(
      name, unit: "MiB", bound: .value(16),
      ours: Probe { _ in
        let folder = try fixture.value.next()
        let words = try ChildProcess(.installLargePack, folder.path).words()
        try FileManager.default.removeItem(at: folder)
        guard let bytes = words.first.flatMap(Int.init) else {
          throw BenchmarkError.childFailed("\(words)")
        }
        return Reading(value: bytes.mebibytes, allocations: nil, proof: 0)
      }, floor: nil)
  }
}

extension SHA256Digest {
  /// The first eight bytes.
  fileprivate var proof: UInt64 { UInt64(description.prefix(16), radix: 16) ?? 0 }
}

extension Probe {
  /// Returns a probe of one operation, in milliseconds.
  ///
  /// - Parameter work: The closure that prepares the work, and is not timed. It returns the work,
  ///   which is timed and returns a closure that is not: it proves the work and removes its traces.
  /// - Returns: The probe.
  static func milliseconds(
    _ work: @escaping () throws -> () throws -> () throws -> UInt64
  ) -> Probe {
    Probe { _ in
      let timed = try work()
      let start = Stopwatch.now
      let proof = try timed()
      let time = Stopwatch.now - start
      return Reading(value: time / 1e6, allocations: nil, proof: try proof())
    }
  }
}
