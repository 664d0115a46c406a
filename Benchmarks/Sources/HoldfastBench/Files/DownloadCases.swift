import Foundation

/// Benchmarks of downloading a large file from nginx on the loopback interface, checked.
struct DownloadCases {
  private let byteCount: Int

  init(isShort: Bool) {
    byteCount = isShort ? 10_000_000 : 1_000_000_000
  }

  var all: [Case] {
    let source = Lazy { [byteCount] in try LargeSource(byteCount: byteCount) }
    return [("tmpfs", true), ("disk", false)].flatMap { name, isInMemory in
      let volumes = TemporaryDirectory.volumes
      let volume = isInMemory ? volumes[volumes.count - 1] : volumes[0]
      let download = LargeDownload(source, in: volume)
      return [
        Case(
          "download of \(byteCount / 1_000_000) MB, checked, to \(name)", unit: "ms",
          bound: .ratio(1.3), ours: download.ours, floor: download.floor),
        Case(
          "peak memory of that, above the process before", unit: "MiB", bound: .value(32),
          ours: download.memory, floor: nil),
      ]
    }
  }
}

/// A file on a server, with its digest.
private final class LargeSource {
  private let server: WebServer
  let digest: String
  let url: URL

  init(byteCount: Int) throws {
    server = try WebServer()
    let file = server.files.appending(path: "large.bin")
    try Command.run(["sh", "-c", "head -c \(byteCount) /dev/urandom > '\(file.path)'"])
    digest = try Self.digest(of: file)
    url = server.url("large.bin")
  }

  static func digest(of file: URL) throws -> String {
    String(try Command.run(["sha256sum", file.path]).prefix(64))
  }
}

/// The download of a file by a process of ours, and by curl and sha256sum.
private final class LargeDownload {
  private let source: Lazy<LargeSource>
  private let volume: URL

  /// The memory that each run took at most above what its process had before, in bytes.
  private var peaks: [Int] = []

  init(_ source: Lazy<LargeSource>, in volume: URL) {
    self.source = source
    self.volume = volume
  }

  private func measure(_ body: (URL, LargeSource) throws -> String) throws -> Reading {
    let folder = try TemporaryDirectory(in: volume)
    let source = try source.value
    try Data(source.url.absoluteString.utf8).write(to: folder.file("url"))
    try Data(source.digest.utf8).write(to: folder.file("sha256"))
    let start = Stopwatch.wallTime
    let digest = try body(folder.url, source)
    let time = (Stopwatch.wallTime - start) / 1e6
    guard digest == source.digest else { throw BenchmarkError.childFailed(digest) }
    return Reading(value: time, allocations: nil, proof: UInt64(digest.prefix(16), radix: 16) ?? 0)
  }

  var ours: Probe {
    Probe { [self] _ in
      try measure { folder, _ in
        let words = try ChildProcess(.downloadLargeFile, folder.path).words()
        guard words.count == 2, let peak = Int(words[1]) else {
          throw BenchmarkError.childFailed(words.joined(separator: " "))
        }
        peaks.append(peak)
        return words[0]
      }
    }
  }

  var floor: Probe {
    Probe { [self] _ in
      try measure { folder, source in
        let file = folder.appending(path: "large.bin")
        try Command.run(["curl", "-s", "-f", "-o", file.path, source.url.absoluteString])
        return try LargeSource.digest(of: file)
      }
    }
  }

  /// The greatest memory of all runs.
  var memory: Probe {
    Probe { [self] _ in
      if peaks.isEmpty { _ = try ours.read(false) }
      return Reading(value: (peaks.max() ?? 0).mebibytes, allocations: nil, proof: 0)
    }
  }
}
