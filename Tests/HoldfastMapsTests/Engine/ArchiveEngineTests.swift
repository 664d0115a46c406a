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
    var isImage = false
    /// Where it is looked at, and from which zoom level.
    var place = (longitude: 10.0, latitude: 10.0)
    var zoom = 0.0
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
    row.isImage = true
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
    (row.place, row.zoom) = ((-90, -40), zoom)
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
      tile("no bytes", .blank, []), image("no image", .blank, []),
      row("counts that are wrong", .drawn) { $0.header.addressedTileCount = 9 },
    ]
  }

  /// Writes the style of one layer.
  private static func writeStyle(
    for archive: URL, isImage: Bool, layer: String = "places", kind: String = "fill", to url: URL
  ) throws {
    let drawn =
      isImage
      ? #""type": "raster""#
      : #""type": "\#(kind)", "source-layer": "\#(layer)", "paint": {"\#(kind)-color": "red"}"#
    let template = """
      {"version": 8,
      "sources": {"s": {"type": "\(isImage ? "raster" : "vector")", "tileSize": \(isImage ? 256 : 512),
        "url": "pmtiles://file://{{pmtiles_path}}"}},
      "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "a", "source": "s", \(drawn)}]}
      """
    try MapStyle(template: Data(template.utf8))
      .rendered(["pmtiles_path": .file(archive)], assets: .bundle).write(to: url)
  }

  @Test func `A check and the engine agree`() throws {
    let folder = try TemporaryDirectory()
    // Characters that a URL escapes, and what an engine would replace.
    let place = folder.file("a b%20{z}?#ü")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let session = try MapEngineSession()
    for (index, row) in Self.rows.enumerated() {
      let url = place.appending(path: "\(index).pmtiles")
      try row.sample.write(to: url)
      let report = try PMTilesArchive(at: url).check()
      let style = folder.file("\(index).json")
      try Self.writeStyle(for: url, isImage: row.isImage, to: style)
      let picture = try session.picture(
        of: row.name, style, longitude: row.place.longitude, latitude: row.place.latitude,
        zoom: row.zoom)
      let isDrawn = picture.ink > 0.9
      let verdict = report.isUsable ? report.problems.isEmpty ? "fine" : "warning" : "error"
      let name = isDrawn ? "drawn" : picture.refusal == nil ? "less" : "refused"
      print("\(row.name) | \(verdict) | \(name)")
      let isExpected =
        switch row.outcome {
        case .fine: verdict == "fine" && isDrawn
        case .drawn: verdict == "warning" && isDrawn
        case .blank: verdict == "warning" && name == "less"
        case .broken: verdict == "error" && !isDrawn
        }
      #expect(isExpected, "\(row.name): \(verdict) \(picture) \(report.problems.map(\.message))")
    }
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence))
  func `The engine draws shared tilesets that were converted`() throws {
    let folder = try TemporaryDirectory()
    let session = try MapEngineSession()
    for (name, layer) in [("iburn-2025", "streets"), ("geography-class-webp", nil)]
      as [(String, String?)]
    {
      let url = folder.file("\(name).pmtiles")
      _ = try TilesetConversion(from: SharedMaps.tileset("\(name).mbtiles"), to: url).run()
      let archive = try PMTilesArchive(at: url)
      #expect(try archive.check().isUsable, "\(name)")
      let center = try #require(try archive.coverage().center)
      let style = folder.file("\(name).json")
      try Self.writeStyle(
        for: url, isImage: layer == nil, layer: layer ?? "", kind: "line", to: style)
      let picture = try session.picture(
        of: name, style, longitude: center.longitude, latitude: center.latitude,
        zoom: layer == nil ? 0 : 13)
      // A line or a coast is enough: what is refused or absent leaves no ink at all.
      #expect(picture.ink > 0.001, "\(name) \(picture)")
    }
  }
}
