import CFloor
import Foundation
import HoldfastMaps

/// Benchmarks of work on a whole tileset of a gigabyte: its conversion, and its check.
struct TilesetWorkCases {
  /// The deepest zoom level, and the features of a tile.
  private let size: (deepest: Int64, features: Int64)
  private let isShort: Bool

  init(isShort: Bool) {
    self.isShort = isShort
    // 87,381 tiles of 11 kB.
    size = isShort ? (3, 50) : (8, 250)
  }

  /// A tileset of vector tiles, of which three in ten repeat another one.
  private final class Fixture {
    let directory: TemporaryDirectory
    let url: URL

    init(_ size: (deepest: Int64, features: Int64)) throws {
      directory = try TemporaryDirectory()
      url = directory.file("streets.mbtiles")
      guard unsafe floor_tileset_make(url.path, size.deepest, size.features, 30) else {
        throw BenchmarkError.floor("make a tileset", message: url.path)
      }
    }

    /// Returns the number of bytes of all contents.
    func inflate(threads: Int64) throws -> UInt64 {
      let total = unsafe floor_tileset_inflate(url.path, threads)
      guard total > 0 else { throw BenchmarkError.floor("inflate", message: url.path) }
      return UInt64(total)
    }
  }

  var all: [Case] {
    let size = size
    let fixture = Lazy { try Fixture(size) }
    let name = isShort ? "a small tileset" : "a tileset of 1 GB"
    let package = Self.converter(isShort: isShort)
    return [
      Case(
        "conversion of \(name), against pmtiles of PyPI", unit: "ms",
        bound: .ratio(0.3),
        ours: .milliseconds {
          let target = try fixture.value.directory.file("\(UUID()).pmtiles")
          let conversion = TilesetConversion(from: try fixture.value.url, to: target)
          return {
            let report = try conversion.run()
            return {
              try FileManager.default.removeItem(at: target)
              return UInt64(report.contentCount)
            }
          }
        },
        floor: Self.python(fixture, package), absence: { try Self.absence(of: package) }),
      Case(
        "memory of the conversion of \(name)", unit: "MiB", bound: .value(128),
        ours: Probe { _ in
          let words = try ChildProcess(.convertTileset, fixture.value.url.path).words()
          guard let bytes = words.first.flatMap(Int.init) else {
            throw BenchmarkError.childFailed("\(words)")
          }
          return Reading(value: bytes.mebibytes, allocations: nil, proof: 0)
        }, floor: nil),
      Case(
        "check of \(name), against inflating it by zlib on one thread", unit: "ms",
        bound: .ratio(0.8),
        ours: .milliseconds {
          let tileset = try Tileset(at: fixture.value.url)
          return {
            let report = try awaiting { try await tileset.check() }
            guard report.problems.isEmpty else {
              throw BenchmarkError.childFailed("\(report.problems.map(\.message))")
            }
            return { 0 }
          }
        },
        floor: .milliseconds {
          let tiles = try fixture.value
          return {
            _ = try tiles.inflate(threads: 1)
            return { 0 }
          }
        }),
      // What two threads gain on this machine.
      Case(
        "inflating \(name) by zlib on two threads, against one", unit: "ms", bound: nil,
        ours: .milliseconds {
          let tiles = try fixture.value
          return {
            let total = try tiles.inflate(threads: 2)
            return { total }
          }
        },
        floor: .milliseconds {
          let tiles = try fixture.value
          return {
            let total = try tiles.inflate(threads: 1)
            return { total }
          }
        }),
    ]
  }

  // MARK: - PyPI's converter

  private static func python(_ fixture: Lazy<Fixture>, _ package: Lazy<URL?>) -> Probe {
    Probe { _ in
      let target = try fixture.value.directory.file("\(UUID()).pmtiles")
      let words = try Command.run([
        "python3", "-c", script, package.value?.path ?? "", fixture.value.url.path, target.path,
      ]).split(separator: " ")
      try FileManager.default.removeItem(at: target)
      guard let time = words.first.flatMap({ Double($0) }),
        let count = words.dropFirst().first.flatMap({ UInt64($0) })
      else { throw BenchmarkError.childFailed("\(words)") }
      return Reading(value: time, allocations: nil, proof: count)
    }
  }

  /// Prints the milliseconds and the number of different tiles.
  private static let script = """
    import sys, time
    sys.path.insert(0, sys.argv[1])
    from pmtiles.convert import mbtiles_to_pmtiles
    from pmtiles.reader import MmapSource, Reader
    start = time.monotonic()
    mbtiles_to_pmtiles(sys.argv[2], sys.argv[3], None)
    end = time.monotonic()
    with open(sys.argv[3], "rb") as file:
        count = Reader(MmapSource(file)).header()["tile_contents_count"]
    print((end - start) * 1000, count, "", end="")
    """

  /// The folder with the package, which pip installs once; `nil` where it cannot be had.
  private static func converter(isShort: Bool) -> Lazy<URL?> {
    Lazy {
      let folder = try BenchFolder.url("python-pmtiles")
      if FileManager.default.fileExists(atPath: folder.appending(path: "pmtiles").path) {
        return folder
      }
      if isShort { return nil }
      do {
        try Command.run(
          ["python3", "-m", "pip", "install", "--quiet", "--target", folder.path, "pmtiles==3.8.1"])
      } catch {
        // The case says that it is skipped.
        return nil
      }
      return folder
    }
  }

  private static func absence(of package: Lazy<URL?>) throws -> String? {
    try package.value == nil ? "pip cannot install pmtiles" : nil
  }

  /// Converts a tileset in a process of its own, and prints how much memory that took at most.
  static func convert(_ path: String) throws {
    let url = URL(filePath: path)
    let target = url.deletingLastPathComponent().appending(path: "\(UUID()).pmtiles")
    // Forgets what starting the process took.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = ProcessMemory.resident
    _ = try TilesetConversion(from: url, to: target).run()
    let line = "\(ProcessMemory.peak - before)\n"
    try FileManager.default.removeItem(at: target)
    try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
  }
}
