import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A conversion that cannot end: it leaves the old file and nothing else.
@Suite struct ConversionFaultTests {
  private static let old = Data("PMTiles the old archive".utf8)

  private let directory: TemporaryDirectory
  private let source: URL

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source.pmtiles")
    try Self.writeSource(to: source)
  }

  /// Writes an archive of 341 tiles, each of its own, of half a megabyte together, or of fewer.
  private static func writeSource(to url: URL, count: UInt64 = 341) throws {
    var sample = SampleArchive()
    sample.header.tileType = .png
    sample.header.tileCompression = .none
    sample.header.maximumZoom = 4
    sample.metadata = "{}"
    let padding = [UInt8](repeating: 7, count: 1500)
    sample.tiles = (0..<count).map { number in
      let bytes = [UInt8](SampleTileset.png) + [UInt8(number & 255), UInt8(number >> 8)] + padding
      return (UInt64(number), 1, bytes)
    }
    try sample.write(to: url)
  }

  private func convert(to url: URL, _ progress: (Double) throws -> Void = { _ in }) throws {
    var conversion = TilesetConversion(from: source, to: url)
    conversion.replaces = true
    _ = try conversion.run(progress: progress)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func expectWhole(_ url: URL, _ comment: Comment) throws {
    let report = try TileSources.open(url).check(for: nil)
    #expect(report.tileCount == 341 && report.isUsable, comment)
  }

  @Test(
    .enabled(if: SmallVolume.isPossible, "a small volume cannot be mounted"),
    arguments: ["pmtiles", "mbtiles"])
  func `A full disk keeps the old file, and room lets the next conversion end`(
    ending: String
  ) throws {
    let folder = directory.file("volume")
    let volume = try SmallVolume(at: folder, kilobytes: 300)
    let url = folder.appending(path: "map.\(ending)")
    try Self.old.write(to: url)
    #expect(throws: (any Error).self) { try convert(to: url) }
    #expect(try Data(contentsOf: url) == Self.old)
    #expect(try names(in: folder) == [url.lastPathComponent])
    try volume.grow(toKilobytes: 4000)
    try convert(to: url)
    try expectWhole(url, "\(ending)")
  }

  @Test(arguments: [ENOSPC, EACCES])
  func `A call that fails keeps the old file or makes the new one`(errno: Int32) throws {
    let folder = directory.file("calls")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "map.pmtiles")
    try Self.writeSource(to: source, count: 5)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try Self.old.write(to: url)
    try SystemCalls.$fault.withValue(trace) { try convert(to: url) }
    let count = trace.callsSeen.count
    let new = try Data(contentsOf: url)
    for ordinal in 1...count {
      try Self.old.write(to: url)
      let fault = SystemFault(atCall: ordinal, .fail(Errno(errno)))
      let failure = SystemCalls.$fault.withValue(fault) { () -> (any Error)? in
        do { try convert(to: url) } catch { return error }
        return nil
      }
      let comment: Comment =
        "\(fault.callsSeen[ordinal - 1]) \(ordinal) of \(count): \(String(describing: failure))"
      let found = try Data(contentsOf: url)
      let isDurable = (failure as? FileError)?.code == .notDurable
      // Not compared by the macro, which would look for each difference.
      let isAsExpected = found == (failure == nil || isDurable ? new : Self.old)
      #expect(isAsExpected, comment)
      try convert(to: url)
      let isNew = try Data(contentsOf: url) == new
      let names = try names(in: folder)
      #expect(isNew && names == ["map.pmtiles"], comment)
    }
  }

  @Test(
    .enabled(if: Unprivileged.isPossible, "\(Unprivileged.reason)"),
    arguments: ["pmtiles", "mbtiles"])
  func `A folder that must not be written is an error that names it`(ending: String) async throws {
    let folder = directory.file("locked")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for url in [directory.url, folder] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }
    await #expect(processExitsWith: .success) {
      [source = source as URL, folder = folder as URL, ending = ending as String] in
      Unprivileged.become()
      let url = folder.appending(path: "map.\(ending)")
      let error = #expect(throws: (any Error).self) {
        try TilesetConversion(from: source, to: url).run()
      }
      #expect("\(String(describing: error))".contains("map.\(ending)"))
    }
    #expect(try names(in: folder) == [])
  }

  @Test(arguments: ["pmtiles", "mbtiles"], [0.0, 0.5])
  func `A killed conversion keeps the old file, and the next one cleans up`(
    ending: String, moment: Double
  ) async throws {
    let folder = directory.file("killed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "map.\(ending)")
    try Self.old.write(to: url)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [source = source as URL, url = url as URL, moment = moment as Double] in
      var conversion = TilesetConversion(from: source, to: url)
      conversion.replaces = true
      _ = try conversion.run { fraction in if fraction >= moment { kill(getpid(), SIGKILL) } }
      kill(getpid(), SIGKILL)
    }
    #expect(try Data(contentsOf: url) == Self.old)
    try convert(to: url)
    try expectWhole(url, "\(ending) \(moment)")
    #expect(try names(in: folder) == [url.lastPathComponent])
  }
}
