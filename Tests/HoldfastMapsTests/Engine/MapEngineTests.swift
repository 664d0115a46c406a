import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// What a check says of tilesets, and what MapLibre Native draws of them.
///
/// The table is printed: `make test FILTER=MapEngineTests`.
@Suite(.enabled(if: MapEngine.isInstalled, "\(MapEngine.absence)"), .timeLimit(.minutes(5)))
struct MapEngineTests {
  private typealias Bytes = VectorTileBytes

  /// What is expected of a check, and of both versions of the engine.
  private enum Outcome: String {
    /// No problem, and drawn.
    case fine
    /// Warnings, and drawn.
    case drawn
    /// Warnings, and not drawn where it is looked at.
    case blank
    /// An error, and refused or not drawn, by one version at least.
    case broken
    /// An error, and drawn here and now.
    case shippedBroken
  }

  private struct Row {
    var name: String
    var outcome: Outcome
    var sample: SampleTileset
    var job = MapEngine.Job(path: "", type: "vector")
  }

  private static let gzip = CompressedBytes.gzip(Bytes.tile())
  private static let png = CompressedBytes.png(side: 8)

  private static func row(
    _ name: String, _ outcome: Outcome, tile: [UInt8] = gzip, _ changes: [String: String?] = [:],
    sql: String = ""
  ) -> Row {
    var sample = SampleTileset.ofVectorTile(tile, ["bounds": "-180,-85,180,85"])
      .changing(changes)
    sample.sql = sql
    return Row(name: name, outcome: outcome, sample: sample)
  }

  private static func image(
    _ name: String, _ outcome: Outcome, tile: [UInt8] = png, _ changes: [String: String?] = [:]
  ) -> Row {
    var row = row(
      name, outcome, tile: tile, ["format": "png", "json": nil].merging(changes) { $1 })
    row.job.type = "raster"
    return row
  }

  /// All tiles of the first zoom levels, looked at in the south-west.
  private static func pyramid(
    _ name: String, _ outcome: Outcome, tile: [UInt8] = gzip, levels: [Int] = [0, 1, 2],
    _ changes: [String: String?] = [:]
  ) -> Row {
    let isImage = tile == png
    var row = isImage ? image(name, outcome, changes) : row(name, outcome, changes)
    if changes["maxzoom"] == nil { row.sample = row.sample.changing(["maxzoom": "2"]) }
    row.sample.tiles = levels.flatMap { z in
      (0..<(1 << z)).flatMap { x in
        (0..<(1 << z)).map { y in (z, x, y, Data(tile).databaseValue) }
      }
    }
    (row.job.longitude, row.job.latitude, row.job.zoom) = (-90, -40, isImage ? 1 : 2)
    return row
  }

  private static var rows: [Row] {
    let split = Array(Bytes.tile())
    let doubled = "INSERT INTO tiles SELECT 0, 0, 0, x'"
    let empty = HexText.text(CompressedBytes.gzip(Bytes.tile(Bytes.layer(features: []))))
    return [
      row("gzip", .fine), image("an image", .fine), pyramid("three zoom levels", .fine),
      row("not compressed", .drawn, tile: Bytes.tile()),
      row("zlib", .broken, tile: CompressedBytes.zlib(Bytes.tile())),
      row("gzip, twice", .broken, tile: CompressedBytes.gzip(gzip)),
      row(
        "two members of gzip", .broken,
        tile: CompressedBytes.gzip(Array(split[..<9])) + CompressedBytes.gzip(Array(split[9...]))),
      row("bytes after gzip", .drawn, tile: gzip + [0, 0]),
      row("gzip that breaks off", .broken, tile: gzip.dropLast(12)),
      row("a wrong checksum", .broken, tile: gzip.dropLast(8) + [1, 2, 3, 4] + gzip.suffix(4)),
      row("HTML in gzip", .broken, tile: CompressedBytes.gzip(Array("<html>404</html>".utf8))),
      row("a MapLibre tile", .broken, tile: [11, 1, 6] + Array("places".utf8) + [0, 0, 0]),
      row("no bytes", .blank, tile: []), image("no image", .broken, tile: []),
      row("NULL", .blank, sql: "UPDATE tiles SET tile_data = NULL"),
      image("an image in gzip", .drawn, tile: CompressedBytes.gzip(png)),
      row("a layer without version", .broken, tile: Bytes.tile(Bytes.layer(version: nil))),
      row("a layer without extent", .broken, tile: Bytes.tile(Bytes.layer(extent: nil))),
      row("an attribute without value", .broken, tile: featureTile(tags: [0, 0])),
      row("a geometry that breaks off", .broken, tile: featureTile(geometry: [9, 0, 0, 82, 2])),
      row("a layer of version 3", .drawn, tile: Bytes.tile(Bytes.layer(version: 3))),
      row("a ring that is open", .drawn, tile: featureTile(geometry: Bytes.square.dropLast())),
      row("bounds across 180°", .drawn, ["bounds": "170,-20,-170,20"]),
      image("bounds across 180°, images", .broken, ["bounds": "170,-20,-170,20"]),
      row("bounds of three numbers", .broken, ["bounds": "1,2,3"]),
      row("bounds nan", .broken, ["bounds": "nan,nan,nan,nan"]),
      row("scale inf", .broken, ["scale": "inf"]),
      row(
        "an attribution that is null", .broken,
        ["json": #"{"vector_layers":[{"id":"places"}],"attribution":null}"#]),
      row(
        "columns of texts", .drawn,
        sql: """
          ALTER TABLE tiles RENAME TO old;
          CREATE TABLE tiles (zoom_level TEXT, tile_column TEXT, tile_row TEXT, tile_data BLOB);
          INSERT INTO tiles SELECT * FROM old; DROP TABLE old
          """),
      row("a polygon of four tiles", .fine, tile: square(side: 16383)),
      row("a polygon that is larger", .broken, tile: square(side: 16384)),
      image("a PNG with a wrong checksum", .broken, tile: png.dropLast() + [0]),
      image("a WebP without pixels", .broken, tile: Array("RIFF\u{c}\0\0\0WEBPABCD\0\0\0\0".utf8)),
      pyramid("bounds elsewhere", .fine, ["bounds": "50,50,51,51"]),
      pyramid("bounds elsewhere, images", .blank, tile: png, ["bounds": "50,50,51,51"]),
      row("another format", .drawn, ["format": "png"]),
      image("another format, images", .drawn, ["format": "pbf"]),
      row("no format", .drawn, ["format": nil]),
      row("maxzoom 3.0", .drawn, ["maxzoom": "3.0"]), row("maxzoom x", .broken, ["maxzoom": "x"]),
      row("no zoom levels", .fine, ["minzoom": nil, "maxzoom": nil]),
      row("scale big", .broken, ["scale": "big"]), row("scale 1x", .drawn, ["scale": "1x"]),
      pyramid("maxzoom too great", .blank, levels: [0, 1], ["maxzoom": "2"]),
      pyramid("maxzoom too small", .drawn, ["maxzoom": "1"]),
      pyramid("a zoom level without tiles", .blank, levels: [0, 1, 3], ["maxzoom": "3"]),
      row(
        "other tiles in json", .broken,
        ["json": #"{"vector_layers":[{"id":"places"}],"tiles":["http://127.0.0.1:9/{z}"]}"#]),
      row(
        "bounds of five in json", .broken,
        ["json": #"{"vector_layers":[{"id":"places"}],"bounds":[-180,-85,180,85,"5"]}"#]),
      // It is read as 0, as the rows say.
      row(
        "a fraction of a zoom level in json", .fine,
        ["json": #"{"vector_layers":[{"id":"places"}],"minzoom":0.5,"maxzoom":0.5}"#]),
      row("two rows, the last is right", .drawn, tile: [], sql: doubled + HexText.text(gzip) + "'"),
      row("two rows, the first is right", .blank, sql: doubled + empty + "'"),
      row(
        "columns of metadata", .drawn,
        sql: """
          ALTER TABLE metadata RENAME TO m;
          CREATE VIEW metadata AS SELECT rowid AS id, name, value FROM m
          """),
      row("write-ahead log", .shippedBroken, sql: ""), northRow,
    ]
  }

  private static func featureTile(
    tags: [UInt64] = [], geometry: [UInt64] = Bytes.square
  ) -> [UInt8] {
    CompressedBytes.gzip(
      Bytes.tile(Bytes.layer(features: [Bytes.feature(tags: tags, geometry: geometry)])))
  }

  private static func square(side: UInt64) -> [UInt8] {
    let (east, west) = (2 * side, 2 * side - 1)
    return featureTile(geometry: [9, 0, 0, 26, east, 0, 0, east, west, 0, 15])
  }

  /// A tile whose row is counted from the north, looked at where the bounds are.
  private static var northRow: Row {
    var row = row(
      "rows from the north", .blank, ["bounds": "-85,45,-50,62", "minzoom": "3", "maxzoom": "3"])
    row.sample.tiles = [(3, 2, 2, Data(gzip).databaseValue)]
    (row.job.longitude, row.job.latitude, row.job.zoom) = (-67, 52, 3)
    return row
  }

  @Test func `A check and the engine agree`() throws {
    let folder = try TemporaryDirectory()
    let rows = Self.rows
    var jobs: [MapEngine.Job] = []
    for (index, row) in rows.enumerated() {
      let url = folder.file("\(index).mbtiles")
      try row.sample.write(to: url)
      if row.outcome == .shippedBroken {
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(18..<20, with: [2, 2])
        try bytes.write(to: url)
      }
      jobs.append(row.job)
      jobs[index].path = url.path
    }
    let reports = try jobs.map { try Self.check($0.path) }
    let shares = try MapEngine.inkShares(of: jobs, in: folder.url)
    #expect(shares.count == rows.count)
    for (index, row) in rows.enumerated() {
      let (report, drawn) = (reports[index], shares[index].map { $0.map { $0 > 0.9 } })
      let verdict = report.isUsable ? report.problems.isEmpty ? "fine" : "warning" : "error"
      let names = drawn.map { $0.map { $0 ? "drawn" : "less" } ?? "refused" }
      print("\(row.name) | \(verdict) | \(names.joined(separator: " | "))")
      let isExpected =
        switch row.outcome {
        case .fine: verdict == "fine" && drawn == [true, true]
        case .drawn: verdict == "warning" && drawn == [true, true]
        case .blank: verdict == "warning" && drawn == [false, false]
        case .broken: verdict == "error" && drawn != [true, true]
        case .shippedBroken: verdict == "error" && drawn == [true, true]
        }
      #expect(isExpected, "\(row.name): \(verdict) \(names) \(report.problems.map(\.message))")
    }
  }

  private static func check(_ path: String) throws -> TilesetReport {
    try Tileset(at: URL(filePath: path)).check()
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence))
  func `Of each shared tileset that is usable, the engine draws what it has`() throws {
    let folder = try TemporaryDirectory()
    var jobs: [MapEngine.Job] = []
    for (name, layer) in [
      ("iburn-2022", "streets"), ("iburn-2024", "streets"), ("iburn-2025", "streets"),
      ("geography-class-png", nil), ("geography-class-jpg", nil), ("geography-class-webp", nil),
      ("plain_1", nil), ("plain_4", nil), ("unindexed", nil), ("one_tile", nil),
    ] as [(String, String?)] {
      let url = SharedMaps.tileset("\(name).mbtiles")
      let tileset = try Tileset(at: url)
      let isUsable = try Self.check(url.path).isUsable
      #expect(isUsable, "\(name)")
      let coverage = try tileset.coverage()
      let center = try #require(coverage.center)
      jobs.append(
        MapEngine.Job(
          path: url.path, type: layer == nil ? "raster" : "vector",
          layer: layer ?? "", longitude: center.longitude, latitude: center.latitude,
          zoom: layer == nil ? 0 : 13))
    }
    for (job, shares) in zip(jobs, try MapEngine.inkShares(of: jobs, in: folder.url)) {
      // A line or a coast is enough: what is refused or absent leaves no ink at all.
      #expect(shares.allSatisfy { $0.map { $0 > 0.001 } ?? false }, "\(job.path) \(shares)")
    }
  }
}
