import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct TilesetConversionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ name: String) -> URL { folder.url.appending(path: name) }

  /// A tileset whose tiles repeat, on four zoom levels.
  private func sample() throws -> URL {
    var sample = SampleTileset()
    sample.tiles = []
    for zoom in 0...3 {
      for column in 0..<(1 << zoom) {
        for row in 0..<(1 << zoom) {
          let content =
            SampleTileset.png + [UInt8(zoom), (column + row).isMultiple(of: 3) ? 0 : UInt8(column)]
          sample.tiles.append((zoom, column, row, content.databaseValue))
        }
      }
    }
    sample.metadata = [
      ("name", "Lantern \"Fair\""), ("format", "png"), ("bounds", "-10,-20,30,40"),
      ("center", "1.5,2.5,2"), ("minzoom", "0"), ("maxzoom", "3"), ("attribution", "© fair"),
      ("json", #"{"vector_layers": [], "tilestats": {"n": 1.50}}"#),
    ]
    let url = file("sample.mbtiles")
    try sample.write(to: url)
    return url
  }

  private func convert(
    _ source: URL, _ name: String, _ change: (inout TilesetConversion) -> Void = { _ in }
  ) throws -> (url: URL, report: TilesetConversion.Report) {
    var conversion = TilesetConversion(from: source, to: file(name))
    change(&conversion)
    return (conversion.destination, try conversion.run())
  }

  private func everyTile(_ zooms: ClosedRange<Int>, _ body: (TileCoordinate) throws -> Void) throws
  {
    for zoom in zooms {
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) { try body(TileCoordinate(z: zoom, x: x, y: y)) }
      }
    }
  }

  @Test func `A tileset there and back has the same tiles and metadata`() throws {
    let source = try sample()
    let (archiveURL, report) = try convert(source, "a.pmtiles")
    #expect(report.tileCount == 85 && report.contentCount < 40 && report.losses == [])
    let archive = try PMTilesArchive(at: archiveURL)
    #expect(archive.header.isClustered && archive.header.tileType == .png)
    #expect(archive.header.tileCompression == .none)
    #expect(archive.header.addressedTileCount == 85)
    #expect(archive.header.tileContentCount == UInt64(report.contentCount))
    #expect(archive.header.bounds == GeographicBounds(west: -10, south: -20, east: 30, north: 40))
    #expect(archive.header.firstView == MapCenter(longitude: 1.5, latitude: 2.5, zoom: 2))
    let json = String(decoding: try archive.metadataJSON(), as: UTF8.self)
    #expect(
      json
        == #"{"name":"Lantern \"Fair\"","attribution":"© fair","vector_layers":[],"tilestats":{"n": 1.50}}"#
    )
    let (backURL, back) = try convert(archiveURL, "b.mbtiles")
    #expect(back.tileCount == 85 && back.contentCount == report.contentCount && back.losses == [])
    let (first, last) = (try Tileset(at: source), try Tileset(at: backURL))
    try everyTile(0...4) { coordinate in
      let tile = try first.tile(at: coordinate)
      #expect(try archive.tile(at: coordinate) == tile)
      #expect(try last.tile(at: coordinate) == tile)
      #expect((tile == nil) == (coordinate.z == 4))
    }
    for name in ["name", "attribution", "format", "minzoom", "maxzoom"] {
      #expect(last.metadata[name] == first.metadata[name], "\(name)")
    }
    #expect(
      last.metadata.bounds == first.metadata.bounds && last.metadata.center == first.metadata.center
    )
    #expect(last.metadata["json"] == #"{"vector_layers":[],"tilestats":{"n": 1.50}}"#)
    #expect(try last.check().problems.map(\.message) == first.check().problems.map(\.message))
  }

  @Test func `Equal tilesets become equal files`() throws {
    let source = try sample()
    for ending in ["pmtiles", "mbtiles"] {
      let first = try Data(contentsOf: convert(source, "1.\(ending)").url)
      let second = try Data(contentsOf: convert(source, "2.\(ending)").url)
      #expect(first == second)
    }
    let archive = try convert(source, "3.pmtiles").url
    let again = try convert(convert(archive, "4.mbtiles").url, "5.pmtiles").url
    #expect(try Data(contentsOf: archive) == Data(contentsOf: again))
  }

  @Test func `A part has the tiles of its area and zoom levels`() throws {
    let source = try sample()
    let east = try #require(GeographicBounds(west: 10, south: -80, east: 170, north: 80))
    for ending in ["pmtiles", "mbtiles"] {
      let (url, report) = try convert(source, "part.\(ending)") {
        $0.bounds = east
        $0.zoomLevels = 1...2
      }
      #expect(report.tileCount == 2 + 8)
      let whole = try convert(url, "whole-\(ending).pmtiles").url
      let archive = try PMTilesArchive(at: whole)
      #expect(archive.header.minimumZoom == 1 && archive.header.maximumZoom == 2)
      // What the tileset says, cut to the part.
      #expect(archive.header.bounds == GeographicBounds(west: 10, south: -20, east: 30, north: 40))
      let tileset = try Tileset(at: source)
      try everyTile(0...3) { coordinate in
        let isKept = (1...2).contains(coordinate.z) && coordinate.bounds.east > 10
        let kept = isKept ? try tileset.tile(at: coordinate) : nil
        #expect(try archive.tile(at: coordinate) == kept)
      }
    }
    #expect(throws: MapError.self) {
      try convert(source, "none.pmtiles") { $0.zoomLevels = 20...22 }
    }
    #expect(!FileManager.default.fileExists(atPath: file("none.pmtiles").path))
  }

  @Test func `What a format does not keep is said`() throws {
    var sample = SampleTileset()
    sample.metadata.append(("name", "second"))
    sample.metadata.append(("center", "nowhere"))
    sample.tiles.append((2, 0, 0, .null))
    sample.tiles.append((2, 1, 0, Data().databaseValue))
    sample.sql = """
      INSERT INTO tiles VALUES (1, 5, 0, x'01'), ('abc', 0, 0, x'01'), (1.5, 0, 0, x'01'), (NULL, 0, 0, x'01')
      """
    let url = file("odd.mbtiles")
    try sample.write(to: url)
    let report = try convert(url, "odd.pmtiles").report
    #expect(report.tileCount == 3)
    #expect(report.losses.contains { $0.contains("Of several rows 'name'") })
    #expect(report.losses.contains { $0.contains("The center 'nowhere'") })
    #expect(report.losses.contains("2 tiles without bytes, which draw nothing."))
    #expect(
      report.losses.contains(
        "4 rows whose zoom level, column and row are the place of no tile."))
  }

  @Test func `An archive whose contents do not fit into memory is whole`() throws {
    // Three megabytes of different tiles on two zoom levels, and as many that repeat.
    var sample = SampleTileset(tiles: [])
    var random = SeededRandom()
    let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for zoom in [5, 6] {
      for place in 0..<(1 << (2 * zoom)) where zoom == 5 || place.isMultiple(of: 4) {
        let number = place.isMultiple(of: 2) ? zoom : place
        let bytes = Array(SampleTileset.png) + noise + [UInt8(number & 255), UInt8(number >> 8)]
        sample.tiles.append(
          (zoom, place >> zoom, place & ((1 << zoom) - 1), Data(bytes).databaseValue))
      }
    }
    let source = file("large.mbtiles")
    try sample.changing(["minzoom": "5", "maxzoom": "6", "bounds": "-180,-85.05,180,85.05"])
      .write(to: source)
    let (url, report) = try convert(source, "large.pmtiles")
    #expect(report.tileCount == 2048 && report.contentCount == 513)
    let (archive, tileset) = (try PMTilesArchive(at: url), try Tileset(at: source))
    let header = archive.header
    #expect(header.isClustered && header.tileContentCount == 513)
    #expect(header.tileData.offset == header.metadata.end)
    // Nothing is left between the parts, besides the room for the root directory.
    #expect(
      UInt64(report.byteCount)
        == 16_384 + header.metadata.length + header.tileData.length + header.leafDirectories.length)
    try everyTile(5...6) { coordinate in
      let tile = try tileset.tile(at: coordinate)
      #expect(try archive.tile(at: coordinate) == tile)
    }
    #expect(try archive.check().problems.map(\.message) == [])
    let again = try convert(source, "again.pmtiles").url
    #expect(try Data(contentsOf: again) == Data(contentsOf: url))
    // By way of the other format, and by other rows.
    let back = try convert(url, "back.mbtiles").url
    let third = try convert(back, "third.pmtiles").url
    #expect(try Data(contentsOf: third) == Data(contentsOf: url))
  }

  @Test(arguments: SampleTileset.Layout.allCases)
  func `Of two rows for one tile the last one is kept, in every layout`(
    layout: SampleTileset.Layout
  ) throws {
    var sample = SampleTileset(layout: layout)
    sample.tiles.append((1, 0, 0, (SampleTileset.png + [9]).databaseValue))
    let source = file("twice.mbtiles")
    try sample.write(to: source)
    let (url, report) = try convert(source, "twice.pmtiles")
    #expect(report.tileCount == 3)
    let tile = try PMTilesArchive(at: url).tile(at: TileCoordinate(z: 1, x: 0, y: 1))
    #expect(tile?.data.last == 9)
  }

  @Test func `A number in place of a tile is an error that names it`() throws {
    var sample = SampleTileset()
    sample.tiles.append((1, 1, 0, 7.databaseValue))
    let source = file("number.mbtiles")
    try sample.write(to: source)
    for ending in ["pmtiles", "mbtiles"] {
      let error = #expect(throws: MapError.self) { try convert(source, "other.\(ending)") }
      #expect(error?.code == .damaged)
    }
  }

  /// A tileset with every tile of the zoom levels 0 to 3, of which the metadata says less.
  private func wide(_ changes: [String: String?]) throws -> URL {
    var sample = SampleTileset(tiles: [])
    for zoom in 0...3 {
      for place in 0..<(1 << (2 * zoom)) {
        sample.tiles.append(
          (
            zoom, place >> zoom, place & ((1 << zoom) - 1),
            (SampleTileset.png + [UInt8(zoom)]).databaseValue
          ))
      }
    }
    let url = file("\(UUID()).mbtiles")
    try sample.changing(
      ["bounds": "-180,-85.05,180,85.05", "minzoom": "0", "maxzoom": "3"]
        .merging(changes) { $1 }
    ).write(to: url)
    return url
  }

  @Test func `What a map draws otherwise is said`() throws {
    #expect(try convert(wide([:]), "same.pmtiles").report.changes == [])
    // All but one tile of zoom level 1, and so on.
    let north = try convert(wide(["bounds": "10,10,20,20"]), "north.pmtiles")
    #expect(north.report.changes.count == 1)
    #expect(
      north.report.changes[0].hasPrefix("81 tiles lie outside of the bounds 10.0,10.0,20.0,20.0."))
    let back = try convert(north.url, "back.mbtiles")
    #expect(back.report.changes.count == 1)
    #expect(back.report.changes[0].contains("cuts them off in PMTiles and draws them in MBTiles"))
    // Neither from MBTiles to MBTiles, nor from PMTiles to PMTiles.
    #expect(try convert(north.url, "north2.pmtiles").report.changes == [])
    #expect(try convert(back.url, "back2.mbtiles").report.changes == [])
    let part = try convert(wide([:]), "part.pmtiles") {
      $0.bounds = GeographicBounds(west: 10, south: 10, east: 20, north: 20)
    }
    #expect(part.report.changes == [] && part.report.tileCount < 8)
    let center = try convert(wide(["center": "0,0,9"]), "center.pmtiles").report.changes
    #expect(
      center == [
        "The center 0.0,0.0,9 is not in the area and the zoom levels of the new file, and becomes 0.0,0.0,1."
      ])
    let zooms = try convert(wide(["maxzoom": "2"]), "zooms.pmtiles").report.changes
    #expect(zooms.count == 1 && zooms[0].contains("0 to 3, where the source says 0 to 2"))
    #expect(
      try convert(wide(["maxzoom": "2"]), "z.pmtiles") { $0.zoomLevels = 0...1 }.report.changes
        == [])
  }

  @Test func `A first view that the tileset does not say is where a tile is`() throws {
    var sample = SampleTileset()
    // Two islands far from each other, and the ocean between them.
    let (west, east) = (try TileCoordinate(z: 4, x: 1, y: 8), try TileCoordinate(z: 4, x: 14, y: 8))
    sample.tiles = [west, east].map { ($0.z, $0.x, $0.tileRow, SampleTileset.png.databaseValue) }
    let url = file("islands.mbtiles")
    let changes = ["bounds": "-157,-22,157,0", "center": nil, "minzoom": "4", "maxzoom": "4"]
    try sample.changing(changes).write(to: url)
    for ending in ["pmtiles", "mbtiles"] {
      let (made, report) = try convert(url, "islands2.\(ending)")
      #expect(report.changes == [])
      let center = try #require(
        ending == "pmtiles"
          ? PMTilesArchive(at: made).header.firstView : Tileset(at: made).metadata.center)
      let place = TileCoordinate(containing: center, zoom: center.zoom)
      #expect([west, east].contains(place), "\(center)")
      #expect((-157...157).contains(center.longitude) && (-22...0).contains(center.latitude))
    }
    // One that is said stays, even if nothing is there.
    try sample.changing(changes.merging(["center": "0,-5,4"]) { $1 }).write(to: file("sea.mbtiles"))
    let sea = try convert(file("sea.mbtiles"), "sea.pmtiles").url
    #expect(
      try PMTilesArchive(at: sea).header.firstView == MapCenter(longitude: 0, latitude: -5, zoom: 4)
    )
  }

  @Test func `A tileset without tiles is told from a part without any`() throws {
    var sample = SampleTileset()
    sample.tiles = []
    try sample.write(to: file("empty.mbtiles"))
    let error = #expect(throws: MapError.self) { try convert(file("empty.mbtiles"), "e.pmtiles") }
    #expect(error?.message == "'empty.mbtiles' has no tile, and a PMTiles archive needs one.")
    let part = #expect(throws: MapError.self) {
      try convert(self.sample(), "p.pmtiles") { $0.zoomLevels = 7...8 }
    }
    #expect(part?.message.contains("has no tile that is kept") == true)
    #expect(part?.advice?.contains("zoom levels") == true)
  }

  @Test func `Bounds that nobody said cut off nothing`() throws {
    // The deepest tile alone would be the area.
    var sample = SampleTileset()
    sample.tiles += [(5, 3, 3, (SampleTileset.png + [8]).databaseValue)]
    let url = file("few.mbtiles")
    try sample.changing(["bounds": nil, "center": nil, "maxzoom": "5"]).write(to: url)
    let archive = try PMTilesArchive(at: convert(url, "few.pmtiles").url)
    let world = try TileCoordinate(z: 0, x: 0, y: 0).bounds
    let bounds = try #require(archive.header.bounds)
    #expect(abs(bounds.west - world.west) < 0.001 && abs(bounds.north - world.north) < 0.001)
    #expect(try archive.check().problems.map(\.kind).contains(.outsideBounds) == false)
    // MBTiles says the area of the deepest zoom level.
    let tileset = try Tileset(at: convert(url, "few2.mbtiles").url)
    #expect(try #require(tileset.metadata.bounds).east < 0)
  }

  /// rio-pmtiles writes such an archive, which MapLibre Native refuses.
  @Test(arguments: ["null", "7"])
  func `An attribution that is no text is left out`(value: String) throws {
    let source = file("rio.pmtiles")
    try SampleArchive.pyramid(#"{"name":"r","attribution":\#(value)}"#).write(to: source)
    let before = try PMTilesArchive(at: source).check().problems
    #expect(before.contains { $0.severity == .error && $0.message.contains("attribution") })
    let (url, report) = try convert(source, "r2.pmtiles")
    #expect(report.losses == ["The member 'attribution' of the JSON, which is no text."])
    #expect(try PMTilesArchive(at: url).check().isUsable)
    #expect(try convert(source, "r2.mbtiles").report.losses.count == 1)
  }

  /// pmtiles-convert of PyPI leaves the row as a text.
  @Test func `The layers that an archive has in a text are its layers`() throws {
    let source = file("py.pmtiles")
    let text = #"{\"vector_layers\":[{\"id\":\"places\"}],\"name\":\"other\"}"#
    try SampleArchive.pyramid(#"{"name":"p","json":"\#(text)","antimeridian":[1]}"#)
      .write(to: source)
    #expect(
      try PMTilesArchive(at: source).check().problems.map(\.kind) == [.missingVectorLayers])
    for name in ["p.pmtiles", "p.mbtiles"] {
      let (url, report) = try convert(source, name)
      #expect(report.losses == ["The member 'name' of 'json', which the JSON contains too."])
      if name == "p.pmtiles" {
        #expect(try PMTilesArchive(at: url).check().problems.isEmpty)
      } else {
        let tileset = try Tileset(at: url)
        #expect(try tileset.check().problems.isEmpty && tileset.metadata.name == "p")
        #expect(tileset.metadata["json"]?.contains("antimeridian") == true)
      }
    }
  }

  @Test func `A row that 'json' contains too stays there and back`() throws {
    var sample = SampleTileset()
    let json = #"{"version":"2","name":"p","type":1,"kind":[1],"by":"us","vector_layers":[]}"#
    sample.metadata = [
      ("name", "p"), ("version", "1"), ("type", "overlay"), ("kind", "row"), ("json", json),
    ]
    let source = file("two.mbtiles")
    try sample.write(to: source)
    let (archive, report) = try convert(source, "two.pmtiles")
    #expect(
      report.losses == [
        "The member 'version' of 'json', which a row contains too.",
        "The member 'type' of 'json', which a row contains too.",
        "The row 'kind', which 'json' contains too.",
      ])
    #expect(try PMTilesArchive(at: archive).metadata.version == "1")
    let (url, back) = try convert(archive, "back.mbtiles")
    let metadata = try Tileset(at: url).metadata
    #expect(back.losses == [] && metadata.version == "1" && metadata.type == "overlay")
    #expect(metadata.name == "p" && metadata["by"] == "us")
    #expect(metadata["json"] == #"{"kind":[1],"vector_layers":[]}"#)
  }

  @Test func `Tables of grids without rows are no loss`() throws {
    // mb-util makes them in any case.
    let tables =
      "CREATE TABLE grids (zoom_level integer, tile_column integer, tile_row integer, grid blob)"
    for (name, sql, count) in [
      ("none", tables, 0), ("some", "\(tables); INSERT INTO grids VALUES (0, 0, 0, x'00')", 1),
      ("view", "CREATE VIEW grids AS SELECT * FROM absent", 1),
    ] {
      let url = file("\(name).mbtiles")
      try SampleTileset(sql: sql).write(to: url)
      #expect(try convert(url, "\(name).pmtiles").report.losses.count == count, "\(name)")
    }
  }

  @Test func `Contents that agree in what is looked at first are kept apart`() throws {
    // Long ones that differ in one byte, and short ones.
    var sample = SampleTileset(tiles: [])
    for place in 0..<256 {
      var bytes = Array(SampleTileset.png) + [UInt8](repeating: 0, count: place < 128 ? 4000 : 0)
      if place < 128 {
        bytes[1000 + place % 64 * 17] = 1
      } else {
        bytes = Array(bytes.prefix(1 + place % 7))
      }
      sample.tiles.append((4, place / 16, place % 16, Data(bytes).databaseValue))
    }
    let url = file("alike.mbtiles")
    try sample.changing(["minzoom": "4", "maxzoom": "4"]).write(to: url)
    let (archive, report) = try convert(url, "alike.pmtiles")
    #expect(report.contentCount == 64 + 7)
    let (new, old) = (try PMTilesArchive(at: archive), try Tileset(at: url))
    try everyTile(4...4) { coordinate in
      let tile = try old.tile(at: coordinate)
      #expect(try new.tile(at: coordinate) == tile)
    }
  }

  @Test func `Vector tiles are compressed by gzip`() throws {
    var sample = SampleTileset()
    let layer = Data([0x1A, 3, 0x0A, 1, 0x61])
    sample.metadata = [("name", "v"), ("format", "pbf")]
    sample.tiles = [(0, 0, 0, layer.databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let archive = try PMTilesArchive(at: convert(url, "v.pmtiles").url)
    #expect(archive.header.tileType == .mvt && archive.header.tileCompression == .gzip)
    let tile = try #require(try archive.tile(at: TileCoordinate(z: 0, x: 0, y: 0)))
    #expect(tile.compression == .gzip)
  }

  /// The header of an archive says one compression for all tiles.
  @Test func `Images in gzip are stored without it`() throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", "png")]
    let stored = Data(GzipDeflater.deflate([UInt8](SampleTileset.png)))
    sample.tiles = [(0, 0, 0, stored.databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let archiveURL = try convert(url, "v.pmtiles").url
    let archive = try PMTilesArchive(at: archiveURL)
    #expect(archive.header.tileType == .png && archive.header.tileCompression == .none)
    let place = try TileCoordinate(z: 0, x: 0, y: 0)
    #expect(try archive.tile(at: place)?.data == Data(SampleTileset.png))
  }

  @Test func `What a tile is shows where the header does not say it`() throws {
    let archive = try convert(try sample(), "a.pmtiles").url
    var bytes = try Data(contentsOf: archive)
    // The byte for the type of the tiles.
    bytes[99] = 0
    try bytes.write(to: archive)
    #expect(try PMTilesArchive(at: archive).header.tileType == .unknown)
    let back = try Tileset(at: convert(archive, "b.mbtiles").url)
    #expect(back.metadata.format == "png")
  }

  @Test(arguments: ["avif", "image/avif"])
  func `A format that only an archive knows is kept`(format: String) throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", format)]
    sample.tiles = [(0, 0, 0, Data("no image".utf8).databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let made = try convert(url, "v.pmtiles")
    #expect(try PMTilesArchive(at: made.url).header.tileType == .avif && made.report.losses == [])
  }

  /// The header of an archive has no place for it, and few readers look for it in the metadata.
  @Test func `A projection that no map draws is said, and no area is cut by it`() throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", "png"), ("crs", "EPSG:3413")]
    sample.tiles = [(0, 0, 0, SampleTileset.png.databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let made = try convert(url, "v.pmtiles")
    #expect(made.report.losses.contains { $0.contains("'EPSG:3413'") })
    // The metadata keeps it, on the way back too.
    let back = try convert(made.url, "back.mbtiles")
    #expect(back.report.losses == [])
    #expect(try Tileset(at: back.url).metadata["crs"] == "EPSG:3413")
    for (source, name) in [(url, "part.mbtiles"), (made.url, "part.pmtiles")] {
      let error = #expect(throws: MapError.self) {
        try convert(source, name) {
          $0.bounds = GeographicBounds(west: 1, south: 2, east: 3, north: 4)
        }
      }
      #expect(error?.code == .invalidTileset && error?.message.contains("'EPSG:3413'") == true)
    }
  }

  /// Versions of the engine obey it in an archive, and none does in MBTiles.
  @Test func `How rows of MBTiles are counted is not said of an archive`() throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", "png"), ("scheme", "tms")]
    sample.tiles = [(0, 0, 0, SampleTileset.png.databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let made = try convert(url, "v.pmtiles")
    #expect(made.report.losses.contains { $0.contains("'scheme'") })
    #expect(
      !String(decoding: try PMTilesArchive(at: made.url).metadataJSON(), as: UTF8.self).contains(
        "tms"))
  }

  @Test(arguments: ["application/vnd.maplibre-tile", "application/vnd.maplibre-vector-tile", "mlt"])
  func `MapLibre tiles are stored as such`(format: String) throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", format)]
    // A layer of ten bytes: how it is written, the length of its name, and the name.
    sample.tiles = [(0, 0, 0, Data([10, 1, 1, 0x61, 0, 0, 0, 0, 0, 0, 0]).databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    let made = try convert(url, "v.pmtiles")
    let archive = try PMTilesArchive(at: made.url)
    #expect(archive.header.tileType == .mlt && archive.header.tileCompression == .gzip)
    #expect(made.report.losses == [])
    #expect(!(try archive.check().problems.contains { $0.kind == .wrongFormat }))
  }

  @Test func `A format that neither knows is a loss`() throws {
    var sample = SampleTileset()
    sample.metadata = [("name", "v"), ("format", "gif")]
    sample.tiles = [(0, 0, 0, Data("GIF89a".utf8).databaseValue)]
    let url = file("v.mbtiles")
    try sample.write(to: url)
    #expect(try convert(url, "v.pmtiles").report.losses.contains { $0.contains("'gif'") })
  }

  /// A position lies in one tile of each zoom level, and a line in those that it crosses.
  @Test(
    arguments: [
      ([13.4, 52.5, 13.4, 52.5], 1), ([10, 5, 20, 5], 1), ([45, 10, 45, 20], 2),
      ([-100, 5, 100, 5], 6),
      ([0, 0, 0, 0], 4), ([180, 5, 180, 5], 1),
    ] as [([Double], Int)])
  func `An area without width or height keeps its tiles`(edges: [Double], count: Int) throws {
    let source = try sample()
    let part = try convert(source, "p.mbtiles") {
      $0.bounds = GeographicBounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
      $0.zoomLevels = 3...3
    }
    #expect(part.report.tileCount == count)
  }

  @Test func `Only a tileset is replaced, and only on demand`() throws {
    let source = try sample()
    _ = try convert(source, "r.pmtiles")
    let exists = #expect(throws: MapError.self) { try convert(source, "r.pmtiles") }
    #expect(exists?.code == .unusablePath)
    _ = try convert(source, "r.pmtiles") { $0.replaces = true }
    try Data("my notes".utf8).write(to: file("notes.mbtiles"))
    #expect(throws: MapError.self) {
      try convert(source, "notes.mbtiles") { $0.replaces = true }
    }
    #expect(try Data(contentsOf: file("notes.mbtiles")) == Data("my notes".utf8))
    #expect(throws: MapError.self) { try convert(source, "map.zip") }
    #expect(throws: MapError.self) { try convert(file("absent.mbtiles"), "x.pmtiles") }
  }

  @Test func `A conversion that ends leaves nothing`() throws {
    let source = try sample()
    struct Stop: Error {}
    for ending in ["pmtiles", "mbtiles"] {
      for moment in [0.0, 0.5] {
        #expect(throws: Stop.self) {
          try TilesetConversion(from: source, to: file("s.\(ending)")).run { fraction in
            if fraction >= moment { throw Stop() }
          }
        }
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.filter { $0.contains("s.pmtiles") || $0.contains("s.mbtiles") } == [])
  }

  @Test(
    .enabled(if: SharedMaps.arePresent, SharedMaps.absence),
    arguments: [
      "iburn-2025.mbtiles", "geography-class-webp.mbtiles", "plain_4.mbtiles",
      "world_cities.mbtiles",
    ])
  func `A real tileset keeps its tiles`(_ name: String) throws {
    let source = SharedMaps.tileset(name)
    let archive = try convert(source, "real.pmtiles").url
    let back = try convert(archive, "real.mbtiles").url
    let (first, last) = (try Tileset(at: source), try Tileset(at: back))
    let rows = try first.reader.unsafeRead { db in
      try Row.fetchAll(
        db, sql: "SELECT zoom_level, tile_column, tile_row FROM tiles ORDER BY 1, 2, 3")
    }
    #expect(!rows.isEmpty)
    let reading = try PMTilesArchive(at: archive)
    for row in rows {
      let z: Int = row[0]
      let y: Int = row[2]
      let coordinate = try TileCoordinate(z: z, x: row[1], y: (1 << z) - 1 - y)
      let tile = try first.tile(at: coordinate)
      #expect(try last.tile(at: coordinate) == tile)
      #expect(try reading.tile(at: coordinate) == tile)
    }
  }
}

/// Conversions of archives whose entries stand for many tiles.
@Suite struct OceanConversionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes an archive with an ocean, in which there is an island.
  private func ocean(zoom: Int) throws -> URL {
    let first = TileCoordinate.firstTileID(ofZoom: zoom)
    let (water, land) = ([UInt8](SampleTileset.png) + [1], [UInt8](SampleTileset.png) + [2])
    var sample = SampleArchive()
    (sample.header.tileType, sample.header.tileCompression) = (.png, .none)
    (sample.header.minimumZoom, sample.header.maximumZoom) = (zoom, zoom)
    sample.metadata = "{}"
    let count = UInt32(1) << UInt32(2 * zoom)
    sample.tiles = [
      (first, 100, water), (first + 100, 3, land), (first + 103, count - 103, water),
    ]
    let url = folder.file("ocean-\(zoom).pmtiles")
    try sample.write(to: url)
    return url
  }

  @Test func `An ocean is not read tile by tile`() throws {
    let source = try ocean(zoom: 12)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let report = try SystemCalls.$fault.withValue(trace) {
      try TilesetConversion(from: source, to: folder.file("b.pmtiles")).run()
    }
    #expect(report.tileCount == 1 << 24 && report.contentCount == 2)
    #expect(trace.callsSeen.count < 100, "\(trace.callsSeen.count)")
    #expect(try PMTilesArchive(at: folder.file("b.pmtiles")).header.tileEntryCount == 3)
  }

  @Test func `A part of an ocean has the tiles that it would have one by one`() throws {
    let source = try ocean(zoom: 6)
    let whole = folder.file("whole.mbtiles")
    _ = try TilesetConversion(from: source, to: whole).run()
    var random = SeededRandom()
    for _ in 0..<20 {
      let west = Double.random(in: -179..<179, using: &random)
      let south = Double.random(in: -84..<84, using: &random)
      let bounds = GeographicBounds(
        west: west, south: south, east: .random(in: west...180, using: &random),
        north: .random(in: south...85, using: &random))
      var parts: [Data] = []
      for (name, from) in [("a", source), ("b", whole)] {
        var conversion = TilesetConversion(from: from, to: folder.file("\(name).pmtiles"))
        conversion.bounds = bounds
        conversion.replaces = true
        _ = try conversion.run()
        parts.append(try Data(contentsOf: conversion.destination))
      }
      let archives = try ["a", "b"].map { try PMTilesArchive(at: folder.file("\($0).pmtiles")) }
      #expect(
        archives[0].header.addressedTileCount == archives[1].header.addressedTileCount,
        "\(String(describing: bounds))")
      for _ in 0..<50 {
        let tile = try TileCoordinate(
          z: 6, x: .random(in: 0..<64, using: &random), y: .random(in: 0..<64, using: &random))
        #expect(try archives[0].tile(at: tile) == archives[1].tile(at: tile))
      }
    }
  }
}
