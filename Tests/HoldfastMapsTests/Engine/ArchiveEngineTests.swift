import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

/// What a check says of PMTiles archives, and what MapLibre Native draws of them, whose older version reads none.
///
/// The table is printed: `make test FILTER=ArchiveEngineTests`.
@Suite(.enabled(if: MapEngine.isInstalled, "\(MapEngine.absence)"), .timeLimit(.minutes(5)))
struct ArchiveEngineTests {
  private typealias Bytes = VectorTileBytes

  /// What is expected of a check, and of the engine.
  private enum Outcome: String {
    /// No problem, and drawn.
    case fine
    /// Warnings, and drawn.
    case drawn
    /// Warnings, and not drawn where it is looked at.
    case blank
    /// An error, and refused or not drawn.
    case broken
  }

  private struct Row {
    var name: String
    var outcome: Outcome
    var sample: SampleArchive
    var job = MapEngine.Job(path: "", type: "vector")
  }

  private static let gzip = CompressedBytes.gzip(Bytes.tile())
  private static let png = CompressedBytes.png(side: 8)

  private static func row(
    _ name: String, _ outcome: Outcome, _ change: (inout SampleArchive) -> Void = { _ in }
  ) -> Row {
    var sample = SampleArchive()
    change(&sample)
    return Row(name: name, outcome: outcome, sample: sample)
  }

  private static func tile(_ name: String, _ outcome: Outcome, _ bytes: [UInt8]) -> Row {
    row(name, outcome) { $0.tiles[0].bytes = bytes }
  }

  private static func image(
    _ name: String, _ outcome: Outcome, _ bytes: [UInt8] = png,
    _ compression: PMTilesHeader.Compression = .none
  ) -> Row {
    var row = row(name, outcome) {
      ($0.header.tileType, $0.header.tileCompression) = (.png, compression)
      $0.tiles[0].bytes = bytes
      $0.metadata = "{}"
    }
    row.job.type = "raster"
    return row
  }

  /// All tiles of the first zoom levels, looked at in the south-west.
  private static func pyramid(
    _ name: String, _ outcome: Outcome, _ member: String = "", zoom: Double = 2,
    _ change: (inout SampleArchive) -> Void = { _ in }
  ) -> Row {
    let layers = #""vector_layers":[{"id":"places"}]"#
    let json = member.isEmpty ? "{\(layers)}" : "{\(layers),\(member)}"
    var row = Row(name: name, outcome: outcome, sample: .pyramid(json, change))
    (row.job.longitude, row.job.latitude, row.job.zoom) = (-90, -40, zoom)
    return row
  }

  private static func degrees(_ edges: Int32...) -> [Int32] { edges.map { $0 * 10_000_000 } }

  private static var rows: [Row] {
    [
      row("gzip", .fine), pyramid("three zoom levels", .fine),
      row("nothing compressed", .fine) {
        ($0.header.tileCompression, $0.header.internalCompression) = (.none, .none)
        $0.tiles[0].bytes = Bytes.tile()
      },
      image("an image", .fine), image("an image, the header says gzip", .drawn, png, .gzip),
      image("an image in gzip", .broken, CompressedBytes.gzip(png)),
      image("an image, an unknown compression", .broken, png, .unknown),
      tile("not compressed, the header says gzip", .drawn, Bytes.tile()),
      tile("zlib, the header says gzip", .drawn, CompressedBytes.zlib(Bytes.tile())),
      row("gzip, the header says none", .broken) { $0.header.tileCompression = .none },
      row("an unknown compression", .broken) { $0.header.tileCompression = .unknown },
      row("brotli", .broken) { $0.header.tileCompression = .brotli },
      tile("gzip, twice", .broken, CompressedBytes.gzip(gzip)),
      tile("bytes after gzip", .drawn, gzip + [0, 0]),
      tile("gzip that breaks off", .broken, gzip.dropLast(12)),
      tile("HTML in gzip", .broken, CompressedBytes.gzip(Array("<html>404</html>".utf8))),
      row("type png, vector tiles", .drawn) { $0.header.tileType = .png },
      row("type mlt, vector tiles", .broken) { $0.header.tileType = .mlt },
      row("an unknown type", .drawn) { $0.header.tileType = .unknown },
      row("metadata that is broken", .broken) { $0.storedMetadata = [0x1F, 0x8B, 1, 2] },
      row("metadata that is no JSON", .drawn) { $0.metadata = "hello" },
      row("no metadata", .drawn) { $0.storedMetadata = [] },
      pyramid("bounds elsewhere", .blank) { $0.header.edges = degrees(50, 50, 51, 51) },
      pyramid("bounds from east to west", .broken) {
        $0.header.edges = degrees(20, -10, -20, 10)
      },
      pyramid("bounds elsewhere in the metadata", .blank, #""bounds":[50,50,51,51]"#),
      pyramid("bounds of three numbers in the metadata", .broken, #""bounds":[1,2,3]"#),
      pyramid("zoom levels elsewhere in the metadata", .broken, #""minzoom":5,"maxzoom":6"#),
      pyramid("maxzoom 1 in the metadata", .drawn, #""maxzoom":1"#),
      pyramid("maxzoom 5 in the metadata", .blank, #""maxzoom":5"#, zoom: 4),
      pyramid("maxzoom 300 in the metadata", .broken, #""maxzoom":300"#),
      pyramid("maximum zoom 5", .blank, zoom: 4) { $0.header.maximumZoom = 5 },
      pyramid("maximum zoom 1", .drawn) { $0.header.maximumZoom = 1 },
      pyramid("other tiles in the metadata", .broken, #""tiles":["http://127.0.0.1:9/{z}"]"#),
      pyramid("encoding mlt in the metadata", .broken, #""encoding":"mlt""#),
      pyramid("an attribution that is a number", .broken, #""attribution":5"#),
      pyramid("scheme tms in the metadata", .drawn, #""scheme":"tms""#),
      row("counts that are wrong", .drawn) { $0.header.addressedTileCount = 9 },
    ]
  }

  @Test func `A check and the engine agree`() throws {
    let folder = try TemporaryDirectory()
    // Characters that a URL escapes, and what an engine would replace.
    let place = folder.file("a b%20{z}?#ü")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let rows = Self.rows
    var jobs: [MapEngine.Job] = []
    var reports: [TilesetReport] = []
    for (index, row) in rows.enumerated() {
      let url = place.appending(path: "\(index).pmtiles")
      try row.sample.write(to: url)
      reports.append(try PMTilesArchive(at: url).check())
      jobs.append(row.job)
      jobs[index].path = url.path(percentEncoded: false)
    }
    let shares = try MapEngine.inkShares(of: jobs, in: folder.url)
    #expect(shares.count == rows.count)
    for (row, (report, shares)) in zip(rows, zip(reports, shares)) {
      let drawn = shares.map { $0.map { $0 > 0.9 } }
      let verdict = report.isUsable ? report.problems.isEmpty ? "fine" : "warning" : "error"
      let names = drawn.map { $0.map { $0 ? "drawn" : "less" } ?? "refused" }
      print("\(row.name) | \(verdict) | \(names.joined(separator: " | "))")
      let isExpected =
        switch row.outcome {
        case .fine: verdict == "fine" && drawn == [true]
        case .drawn: verdict == "warning" && drawn == [true]
        case .blank: verdict == "warning" && drawn == [false]
        case .broken: verdict == "error" && drawn != [true]
        }
      #expect(isExpected, "\(row.name): \(verdict) \(names) \(report.problems.map(\.message))")
    }
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence))
  func `The engine draws shared tilesets that were converted`() throws {
    let folder = try TemporaryDirectory()
    var jobs: [MapEngine.Job] = []
    for (name, layer) in [("iburn-2025", "streets"), ("geography-class-webp", nil)]
      as [(String, String?)]
    {
      let url = folder.file("\(name).pmtiles")
      _ = try TilesetConversion(from: SharedMaps.tileset("\(name).mbtiles"), to: url).run()
      let archive = try PMTilesArchive(at: url)
      #expect(try archive.check().isUsable, "\(name)")
      let center = try #require(try archive.coverage().center)
      jobs.append(
        MapEngine.Job(
          path: url.path, type: layer == nil ? "raster" : "vector", layer: layer ?? "",
          longitude: center.longitude, latitude: center.latitude, zoom: layer == nil ? 0 : 13))
    }
    for (job, shares) in zip(jobs, try MapEngine.inkShares(of: jobs, in: folder.url)) {
      #expect(shares.allSatisfy { $0.map { $0 > 0.001 } ?? false }, "\(job.path) \(shares)")
    }
  }
}
