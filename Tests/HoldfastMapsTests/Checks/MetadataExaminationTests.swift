import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// What a check says of the metadata; MapLibre Native drew the tiles of those with warnings, and ended
/// the app, refused the map or showed less for the others.
@Suite struct MetadataExaminationTests {
  private typealias Case = (TilesetProblem.Kind, TilesetProblem.Severity, SampleTileset)

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func report(
    _ sample: SampleTileset, for style: MapStyle? = nil
  ) throws -> TilesetReport {
    let url = folder.file("fair.mbtiles")
    try? FileManager.default.removeItem(at: url)
    try sample.write(to: url)
    return try Tileset(at: url).check(for: style)
  }

  private static func vector(_ changes: [String: String?]) -> SampleTileset {
    .ofVectorTile(Array(SampleTileset.vector), changes)
  }

  private static func raster(_ changes: [String: String?]) -> SampleTileset {
    SampleTileset().changing(changes)
  }

  private static let mapLibreTile: [UInt8] = [11, 1, 6] + Array("places".utf8) + [0, 0, 0]

  private static func json(_ member: String) -> [String: String?] {
    ["json": #"{"vector_layers":[{"id":"places"}],\#(member)}"#]
  }

  @Test(
    arguments: [
      (.invalidBounds, .error, vector(["bounds": "1,2,3"])),
      (.invalidBounds, .error, vector(["bounds": ""])),
      (.invalidBounds, .error, vector(["bounds": "1,2,3,4,5"])),
      (.invalidBounds, .warning, vector(["bounds": "170,-20,-170,20"])),
      (.invalidBounds, .warning, vector(["bounds": "a,b,c,d"])),
      (.invalidBounds, .warning, vector(["bounds": "-180,-95,180,95"])),
      // The renderer reads the numbers, and other readers nothing.
      (.invalidBounds, .warning, vector(["bounds": "-10,-20,30,40,"])),
      (.invalidBounds, .warning, raster(["bounds": "-10,-20,30E,40N"])),
      (.invalidBounds, .error, raster(["bounds": "170,-20,-170,20"])),
      (.invalidBounds, .error, raster(["bounds": "170,-20,190,20"])),
      (.invalidBounds, .error, raster(["bounds": "-20,30,20,-30"])),
      (.invalidBounds, .error, raster(["bounds": "a,b,c,d"])),
      (.invalidBounds, .warning, raster(["bounds": "-180,-95,180,95"])),
      (.invalidBounds, .warning, raster(["bounds": "-200,-95,200,95"])),
      // Only this name makes the renderer forget the bounds.
      (.invalidBounds, .error, vector(["bounds": "170,-20,-170,20", "format": "mvt"])),
      (.invalidZoom, .warning, vector(["maxzoom": "0.0"])),
      (.invalidZoom, .warning, vector(["maxzoom": " 0"])),
      (.invalidZoom, .error, vector(["maxzoom": ""])),
      (.invalidZoom, .error, vector(["maxzoom": "x"])),
      (.invalidZoom, .error, vector(["maxzoom": "99999999999"])),
      (.invalidZoom, .error, vector(["maxzoom": "300"])),
      (.invalidZoom, .error, vector(["minzoom": "-1"])),
      // Then the zoom levels of the rows count.
      (.invalidZoom, .warning, vector(["minzoom": nil, "maxzoom": "x"])),
      (.wrongZoom, .error, vector(["minzoom": "5", "maxzoom": "2"])),
      (.wrongZoom, .warning, vector(["maxzoom": "3"])),
      (.invalidZoom, .warning, vector(["maxzoom": "3.0"])),
      (.wrongZoom, .error, vector(["minzoom": "3", "maxzoom": "4"])),
      (.wrongZoom, .warning, raster(["maxzoom": "3"])),
      (.wrongZoom, .warning, raster(["maxzoom": "0"])),
      (.invalidScale, .error, vector(["scale": "big"])),
      (.invalidScale, .warning, vector(["scale": "1x"])),
      (.invalidScale, .error, vector(["scale": "inf"])),
      (.invalidBounds, .error, vector(["bounds": "nan,nan,nan,nan"])),
      (
        .invalidMetadata, .error,
        vector(["json": #"{"vector_layers":[{"id":"places"}],"attribution":null}"#])
      ),
      (.wrongFormat, .warning, vector(["format": "png"])),
      (.wrongFormat, .warning, raster(["format": "pbf"])),
      (.wrongFormat, .error, vector(["format": "application/vnd.maplibre-vector-tile"])),
      (.wrongFormat, .error, .ofVectorTile(mapLibreTile)),
      (.otherEncoding, .error, vector(["encoding": "mlt"])),
      (.otherEncoding, .error, vector(json(#""encoding":"mlt""#))),
      (.otherProjection, .warning, vector(["crs": "EPSG:4326"])),
      (.otherProjection, .warning, raster(["crs": "urn:ogc:def:crs:EPSG::3395"])),
      (.otherProjection, .warning, raster(["crs": "http://www.opengis.net/def/crs/EPSG/0/25832"])),
      (.otherProjection, .warning, raster(["crs": "OGC:CRS84"])),
      (.otherProjection, .warning, raster(["crs": "2056"])),
      (.overridingKey, .error, vector(json(#""tiles":["https://tiles.example.org/{z}"]"#))),
      (.overridingKey, .error, vector(json(#""scheme":"tms""#))),
      (.overridingKey, .error, vector(json(#""minzoom":"0""#))),
      (.overridingKey, .error, vector(json(#""bounds":[30,0,-30,1]"#))),
      (.overridingKey, .warning, vector(json(#""bounds":[-1,-2,3,4]"#))),
      (.overridingKey, .error, vector(json(#""bounds":[-1,-2,3,4,"5"]"#))),
      (.overridingKey, .warning, raster(["json": #"{"maxzoom":0}"#])),
      (.overridingKey, .warning, raster(["json": #"{"maxzoom":0.5}"#])),
      (.overridingKey, .error, raster(["json": #"{"maxzoom":255.5}"#])),
      (
        .overridingKey, .warning,
        raster(["attribution": "A", "json": #"{"attribution":"B"}"#])
      ),
      (.missingVectorLayers, .warning, vector(["json": "{"])),
      (.undeclaredLayer, .warning, vector(["json": #"{"vector_layers":[]}"#])),
      (
        .absentLayer, .warning,
        vector(["json": #"{"vector_layers":[{"id":"places"},{"id":"roads"}]}"#])
      ),
    ] as [Case])
  func `A value is weighed by what a renderer does with it`(
    kind: TilesetProblem.Kind, severity: TilesetProblem.Severity, sample: SampleTileset
  ) throws {
    let report = try report(sample)
    let problem = try #require(report.problems.first { $0.kind == kind }, "\(report.problems)")
    #expect(problem.severity == severity, "\(problem)")
    #expect(report.isUsable == (severity == .warning), "\(report.problems)")
  }

  @Test(arguments: [
    vector([:]), raster([:]), vector(["minzoom": nil, "maxzoom": nil]),
    vector(json(#""tilestats":{"layerCount":1}"#)), vector(json(#""minzoom":0,"maxzoom":0"#)),
    vector(json(#""bounds":[-10,-20,30,40]"#)), vector(["center": "10,10,0"]),
    raster(["center": "-100,40,1"]), vector(["format": "PBF"]),
    vector(["format": "application/x-protobuf"]), vector(["scale": "2"]),
    vector(["crs": "EPSG:3857"]), vector(["crs": "epsg:900913"]), vector(["crs": "102100"]),
    vector(["crs": "http://www.opengis.net/def/crs/EPSG/0/3857"]), vector(["crs": ""]),
    vector(["crs": "Web Mercator"]),
    // What `json` says wins.
    vector(json(#""encoding":"mvt""#).merging(["encoding": "mlt"]) { $1 }),
    raster(["attribution": "A", "json": #"{"attribution":"A"}"#]),
  ]) func `A value that the specification allows is no problem`(sample: SampleTileset) throws {
    #expect(try report(sample).problems == [])
  }

  /// One tile at zoom level 3, south of Greenland, or its mirror image.
  private static func tileset(
    row: Int, _ changes: [String: String?], content: Data = SampleTileset.vector
  ) -> SampleTileset {
    var sample = SampleTileset.ofVectorTile(Array(content), changes)
    sample = sample.changing(["minzoom": "3", "maxzoom": "3"])
    sample.tiles = [(3, 2, row, content.databaseValue)]
    return sample
  }

  @Test func `Rows that are counted from the north are recognized`() throws {
    let area: [String: String?] = ["bounds": "-85,45,-50,62"]
    #expect(try report(Self.tileset(row: 5, area)).problems == [])
    let north = try report(Self.tileset(row: 2, area))
    #expect(north.problems.map(\.kind) == [.rowsFromNorth] && north.isUsable)
    #expect(north.problems.first?.message.contains("XYZ") == true)
    let center = try report(Self.tileset(row: 2, ["bounds": nil, "center": "-67,50,3"]))
    #expect(center.problems.map(\.kind) == [.missingBounds, .rowsFromNorth])
    // The bounds of images are obeyed: there is nothing to see.
    let images = try report(
      Self.tileset(row: 2, area, content: SampleTileset.png).changing(["format": "png"]))
    #expect(images.problems.map(\.kind) == [.rowsFromNorth] && !images.isUsable)
  }

  @Test func `Tiles beside the bounds are hidden if they are images`() throws {
    let area: [String: String?] = ["bounds": "100,-10,120,10", "center": "110,0,3"]
    let vectors = try report(Self.tileset(row: 5, area))
    #expect(vectors.problems.map(\.kind) == [.outsideBounds, .emptyCenter] && vectors.isUsable)
    let images = try report(
      Self.tileset(row: 5, area, content: SampleTileset.png).changing(["format": "png"]))
    #expect(images.problems.map(\.kind) == [.outsideBounds, .emptyCenter] && !images.isUsable)
    // Some of them.
    let some = try report(SampleTileset().changing(["bounds": "10,10,20,20"]))
    #expect(some.problems.map(\.kind) == [.outsideBounds] && some.isUsable)
    #expect(some.problems.first?.message.contains("Of 2 tiles, 1") == true)
  }

  @Test func `A zoom level without tiles is a hole, which images fill`() throws {
    var sample = SampleTileset.ofVectorTile()
    sample.tiles += [(2, 0, 0, SampleTileset.vector.databaseValue)]
    let area: [String: String?] = ["maxzoom": "2", "bounds": "-180,-90,180,90"]
    let vectors = try report(sample.changing(area))
    #expect(vectors.problems.map(\.kind) == [.missingZoomLevel] && vectors.isUsable)
    #expect(vectors.problems.first?.message.contains("shows nothing there") == true)
    sample = SampleTileset(tiles: [
      (0, 0, 0, SampleTileset.png.databaseValue), (2, 0, 1, SampleTileset.png.databaseValue),
    ])
    let images = try report(sample.changing(area))
    #expect(images.problems.map(\.kind) == [.missingZoomLevel] && images.isUsable)
  }

  @Test func `A tileset in write-ahead-log mode is refused, as a pack with it is`() throws {
    let url = folder.file("fair.mbtiles")
    try SampleTileset().write(to: url)
    var bytes = try Data(contentsOf: url)
    // The numbers that say it (https://www.sqlite.org/fileformat2.html, section 1.3.3).
    bytes.replaceSubrange(18..<20, with: [2, 2])
    try bytes.write(to: url)
    let report = try Tileset(at: url).check()
    #expect(report.problems.map(\.kind) == [.writeAheadLog] && !report.isUsable)
    #expect(report.tileCount == 3)
  }

  private static func style(_ url: String, _ layers: [(String, String)]) throws -> MapStyle {
    let list = layers.map {
      #"{"id":"\#($0.0)","type":"line","source":"s","source-layer":"\#($0.1)"}"#
    }
    return try MapStyle(
      template: Data(
        """
        {"version":8,"sources":{"s":{"type":"vector","url":"\(url)"},
        "other":{"type":"vector","url":"mbtiles:///other.mbtiles"}},
        "layers":[{"id":"b","type":"background"},\n\(list.joined(separator: ",\n"))]}
        """.utf8))
  }

  @Test func `Each layer that a style draws is in the tiles`() throws {
    let sample = Self.vector(
      ["json": #"{"vector_layers":[{"id":"places"},{"id":"roads"}]}"#])
    for url in ["mbtiles://{{mbtiles_path}}", "mbtiles:///x/y/fair.mbtiles"] {
      let style = try Self.style(url, [("a", "places"), ("b", "roads"), ("c", "place")])
      let report = try report(sample, for: style)
      #expect(
        report.problems.map(\.kind) == [.unknownSourceLayer, .absentLayer, .emptySourceLayer])
      let message = try #require(report.problems.first?.message)
      #expect(message.contains("'c', in line 6") && message.contains("'place'"))
      #expect(message.contains("the tiles have 'places'"))
    }
    // Another tileset's layers say nothing of this one.
    let elsewhere = try Self.style("mbtiles:///x/elsewhere.mbtiles", [("c", "place")])
    #expect(try report(sample, for: elsewhere).isUsable)
  }
}
