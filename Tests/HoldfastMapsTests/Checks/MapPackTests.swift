import Foundation
import HoldfastPacks
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

/// Packs of tilesets and styles that are built, or refused with what is missing.
@Suite struct MapPackTests {
  private typealias Bytes = VectorTileBytes

  private let directory: TemporaryDirectory
  private let source: URL

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    try writeTiles(["Stage"])
  }

  /// Writes a tileset of points with names.
  private func writeTiles(_ names: [String], _ file: String = "map.mbtiles") throws {
    let features = names.indices.map {
      Bytes.feature(tags: [0, UInt64($0)], type: 1, geometry: [9, 4096, 4096])
    }
    let layer = Bytes.layer(
      features: features, keys: ["name"], values: names.map { Bytes.bytes(1, Array($0.utf8)) })
    let url = source.appending(path: file)
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try SampleTileset.ofVectorTile(CompressedBytes.gzip(Bytes.tile(layer))).write(to: url)
  }

  private func writeStyle(
    _ layout: String = #""text-field": "{name}", "text-font": ["Sans"]"#, member: String = "",
    root: String = #""glyphs": "asset://Map/glyphs/{fontstack}/{range}.pbf","#,
    url: String = "mbtiles://{{mbtiles_path}}", sourceLayer: String = "places",
    to name: String = "style-light.json"
  ) throws {
    try Data(
      """
      {"version": 8, \(root)
      "sources": {"s": {"type": "vector", "url": "\(url)"}},
      "layers": [{"id": "names", "type": "symbol", "source": "s", "source-layer": "\(sourceLayer)",
        \(member) "layout": {\(layout)}}]}
      """.utf8
    ).write(to: source.appending(path: name))
  }

  /// Writes a file of a sprite or of glyphs, or other bytes in its place.
  private func write(_ path: String, _ bytes: Data? = nil) throws {
    let url = source.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let index = #"{"dot": {"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 1}}"#
    let first = UInt64(url.lastPathComponent.prefix { $0 != "-" })
    if bytes == nil, path.hasSuffix(".pbf"), let first {
      let fonts = url.deletingLastPathComponent()
      return try SampleGlyphs.write(
        first, fonts.lastPathComponent, to: fonts.deletingLastPathComponent())
    }
    let sound = [".json": Data(index.utf8), ".png": SampleTileset.png]
    try (bytes ?? sound.first { path.hasSuffix($0.key) }?.value ?? Data()).write(to: url)
  }

  /// Returns the warnings of the pack.
  private func build() throws -> [String] {
    var builder = PackBuilder(
      PackDescription(name: try PackName("map"), version: try PackVersion("1")),
      packCheck: PackBuilder.mapPackCheck)
    builder.replacesPack = true
    return try builder.build(filesIn: source, to: directory.file("pack")).warnings
  }

  private func refusal() throws -> String {
    let error = try #require(throws: PackError.self) { try build() }
    #expect(error.code == .unsuitable && error.advice != nil)
    return error.message
  }

  @Test func `A range of glyphs that a label needs is missed, and found`() throws {
    try writeStyle()
    try write("glyphs/Sans/0-255.pbf")
    #expect(try build() == [])
    try writeTiles(["Stage", "Σκηνή"])
    let message = try refusal()
    #expect(message.contains("glyphs/Sans/768-1023.pbf (for 'Σκηνή' of the layer 'names')"))
    #expect(message.contains("style-light.json"))
    // Not written: filtered, or at other zoom levels, or not at all.
    try writeStyle(member: #""filter": ["==", "name", "Stage"],"#)
    #expect(try build() == [])
    try writeStyle(#""visibility": "none", "text-field": "{name}""#)
    #expect(try build() == [])
    try writeStyle()
    try write("glyphs/Sans/768-1023.pbf")
    #expect(try build() == [])
  }

  /// Bytes of a content that were read at one zoom level, where the label is not drawn.
  @Test func `A label is looked for at each zoom level of a content that an archive has once`()
    throws
  {
    let layer = Bytes.layer(
      features: [Bytes.feature(tags: [0, 0], type: 1, geometry: [9, 4096, 4096])], keys: ["name"],
      values: [Bytes.bytes(1, Array("Σκηνή".utf8))])
    let tile = CompressedBytes.gzip(Bytes.tile(layer))
    let url = source.appending(path: "map.pmtiles")
    try writeStyle(member: #""minzoom": 1.5,"#, url: "pmtiles://file://{{pmtiles_path}}")
    try write("glyphs/Sans/0-255.pbf")
    // Two entries at different zoom levels; and one whose tiles lie at all of them.
    for tiles in [[(0, 1, tile), (5, 1, tile)], [(0, 6, tile)]] as [[SampleArchive.Tiles]] {
      var sample = SampleArchive.pyramid()
      sample.tiles = tiles
      try sample.write(to: url)
      #expect(try refusal().contains("Sans/768-1023.pbf (for 'Σκηνή' of the layer 'names')"))
    }
  }

  @Test func `A font, an upper case and a text of the style are missed`() throws {
    try write("glyphs/Sans/0-255.pbf")
    try writeStyle(#""text-field": "{name}", "text-font": ["Sans", "Other"]"#)
    #expect(try refusal().contains("glyphs/Sans,Other/0-255.pbf"))
    try writeStyle(#""text-field": "{name}""#)
    #expect(try refusal().contains("glyphs/Open Sans Regular,Arial Unicode MS Regular/0-255.pbf"))
    try writeStyle(#""text-field": "→ {name}", "text-font": ["Sans"]"#)
    #expect(try refusal().contains("glyphs/Sans/8448-8703.pbf"))
    try writeTiles(["ÿ"])
    try writeStyle()
    #expect(try build() == [])
    try writeStyle(
      #""text-field": "{name}", "text-font": ["Sans"], "text-transform": "uppercase""#)
    #expect(try refusal().contains("glyphs/Sans/256-511.pbf"))
  }

  @Test func `Without glyphs in the pack the app's bundle must have them`() throws {
    try writeStyle()
    let warnings = try build()
    #expect(warnings.count == 1)
    #expect(
      warnings[0].contains("app's bundle") && warnings[0].contains("Map/glyphs/Sans/0-255.pbf"))
    // In Native labels without 'glyphs' are an error of the whole picture.
    try writeStyle(root: "")
    #expect(try refusal().contains("no 'glyphs'"))
    try writeTiles([""])
    #expect(try build() == [])
  }

  @Test func `What only iOS draws without glyphs is a warning`() throws {
    try writeTiles(["中文"])
    try writeStyle()
    try write("glyphs/Sans/0-255.pbf")
    let warnings = try build()
    #expect(warnings.count == 1 && warnings[0].contains("19968-20223.pbf"), "\(warnings)")
  }

  @Test func `A sprite of which a file is absent is refused`() throws {
    try writeStyle(#""icon-image": "dot""#, root: #""sprite": "asset://Map/sprites","#)
    #expect(try build().first?.contains("Map/sprites@2x.png") == true)
    for name in ["sprites.json", "sprites.png", "sprites@2x.json"] { try write(name) }
    #expect(try refusal().contains("sprites@2x.png"))
    try write("sprites@2x.png")
    #expect(try build() == [])
    // An image that the sprite has not is not drawn, unless the app adds it.
    let json = source.appending(path: "sprites.json")
    try Data(#"{"tent": {"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 1}}"#.utf8)
      .write(to: json)
    let warnings = try build()
    #expect(warnings.count == 1 && warnings[0].contains("no image 'dot'"), "\(warnings)")
    try Data(#"{"dot": {"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 1}}"#.utf8)
      .write(to: json)
    #expect(try build() == [])
    // An iPhone takes the other index.
    try Data("{}".utf8).write(to: source.appending(path: "sprites@2x.json"))
    #expect(try build().first?.contains("no image 'dot' in sprites@2x.json") == true)
  }

  /// MapLibre Native leaves out an image of which the place is none, with a line in its log.
  @Test(arguments: [
    (#"{"x": 1, "y": 0, "width": 1, "height": 1}"#, "its place is not in the image"),
    (#"{"x": 0, "y": 0, "width": 0.5, "height": 1}"#, "its 'width' is no whole number"),
    (#"{"x": 0, "y": 0, "width": 1025, "height": 1}"#, "it has 1025 × 1 pixels"),
    (#"{"x": 0, "y": 0, "width": 1}"#, "it has 1 × 0 pixels"),
    (#"{"x": 0, "y": 0, "width": 1, "height": 1, "pixelRatio": 0}"#, "its 'pixelRatio'"),
  ]) func `An image of a sprite that is not in it is named`(entry: String, words: String) throws {
    try writeStyle(#""icon-image": "dot""#, root: #""sprite": "asset://Map/sprites","#)
    for name in ["sprites.json", "sprites.png", "sprites@2x.json", "sprites@2x.png"] {
      try write(name)
    }
    #expect(try build() == [])
    try write("sprites@2x.json", Data(#"{"dot": \#(entry)}"#.utf8))
    let warnings = try build()
    #expect(
      warnings.count == 1 && warnings[0].contains("'dot' in sprites@2x.json (\(words)"),
      "\(warnings)")
  }

  @Test(arguments: [
    (#""{name}-11""#, true), (#"["image", ["concat", ["get", "name"], "-11"]]"#, true),
    (#"["match", ["get", "name"], "Stage", "dot", "tent"]"#, false),
    (#"["match", ["get", "name"], "Gate", "dot", "tent"]"#, true),
    (#"["step", ["zoom"], "dot", 9, "tent"]"#, true),
    (#"["coalesce", ["image", "tent"], ["image", "dot"]]"#, false),
    (#"{"stops": [[0, "dot"], [9, "tent"]]}"#, true), (#""{nothing}""#, false),
  ]) func `An image that is named by attributes is looked for in the sprite`(
    value: String, isMissing: Bool
  ) throws {
    for name in ["sprites.json", "sprites.png", "sprites@2x.json", "sprites@2x.png"] {
      try write(name)
    }
    try writeStyle(#""icon-image": \#(value)"#, root: #""sprite": "asset://Map/sprites","#)
    let name = value.contains("-11") ? "Stage-11" : "tent"
    let warnings = try build()
    #expect(warnings.contains { $0.contains("no image '\(name)':") } == isMissing, "\(warnings)")
  }

  @Test func `Images of a style without a sprite are named`() throws {
    try writeStyle(#""icon-image": "dot""#, root: "")
    #expect(try build().first?.contains("no 'sprite', and draws the images 'dot'") == true)
    try writeStyle(#""icon-image": "dot", "visibility": "none""#, root: "")
    #expect(try build() == [])
  }

  @Test func `A file of glyphs that a label reads, and that is none, is refused`() throws {
    try writeStyle()
    try SampleGlyphs.write(0, "Sans", to: source.appending(path: "glyphs"))
    #expect(try build() == [])
    let path = "glyphs/Sans/0-255.pbf"
    let glyphs = try Data(contentsOf: source.appending(path: path))
    for (bytes, words) in [
      (Data("<html>404</html>".utf8), "it has no glyphs"), (glyphs.dropLast(2), "it breaks off"),
      (Data(CompressedBytes.gzip(Array(glyphs))), "it is compressed by gzip"),
    ] {
      try write(path, bytes)
      #expect(try refusal().contains("\(path) (for 'Stage' of the layer 'names'): \(words)"))
    }
    // Nobody reads another one.
    try SampleGlyphs.write(0, "Sans", to: source.appending(path: "glyphs"))
    try write("glyphs/Sans/256-511.pbf", Data("<html>".utf8))
    #expect(try build() == [])
  }

  /// The engine draws the label without it.
  @Test func `A character for which a font has no glyph is named`() throws {
    try writeTiles(["Stage Σκηνή\u{200B}\u{A0}"])
    try writeStyle()
    for path in ["0-255", "768-1023", "8192-8447"] { try write("glyphs/Sans/\(path).pbf") }
    #expect(try build() == [])
    // Fonts without a script have such a file.
    try write("glyphs/Sans/768-1023.pbf", Data())
    try write("glyphs/Sans/8192-8447.pbf", Data())
    let warnings = try build()
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains("Σ ή η κ ν in glyphs/Sans/768-1023.pbf. Choose") == true)
    // Not written: not missed.
    try writeStyle(member: #""filter": ["==", "name", "x"],"#)
    #expect(try build() == [])
  }

  @Test func `An image of a sprite or of a source that is none is refused`() throws {
    let plain = #""icon-optional": true"#
    try writeStyle(plain, root: #""sprite": "asset://Map/sprites","#)
    let files = ["sprites.json", "sprites.png", "sprites@2x.json", "sprites@2x.png"]
    for name in files { try write(name) }
    #expect(try build() == [])
    for (bytes, words) in [
      (Data("xx".utf8), "it is no PNG"), (Data(), "it is no PNG"),
      (SampleTileset.png.dropLast(20), "it breaks off"),
    ] {
      try write("sprites@2x.png", bytes)
      #expect(try refusal().contains("sprites@2x.png: \(words)"))
    }
    try Data(
      """
      {"version": 8, "sources": {"i": {"type": "image", "url": "asset://plan.png",
      "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]}},
      "layers": [{"id": "i", "type": "raster", "source": "i"}]}
      """.utf8
    ).write(to: source.appending(path: "style-light.json"))
    #expect(try build().first?.contains("plan.png") == true)
    try write("plan.png", Data("xx".utf8))
    #expect(try refusal().contains("plan.png: it is no PNG"))
    try write("plan.png")
    #expect(try build() == [])
  }

  @Test func `A URL without a scheme is refused, unless nothing reads it`() throws {
    let plain = #""icon-optional": true"#
    let glyphs = #""glyphs": "glyphs/{fontstack}/{range}.pbf","#
    try writeStyle(root: glyphs)
    #expect(try refusal().contains("'glyphs', in line 1, is 'glyphs/{fontstack}/{range}.pbf'"))
    try writeStyle(plain, root: glyphs)
    #expect(try build() == [])
    try writeStyle(plain, root: #""sprite": "sprites","#)
    #expect(try refusal().contains("write 'asset://…'"))
    try writeStyle(plain, root: "", url: "tiles.json")
    #expect(try refusal().contains("'sources.s.url', in line 2, is 'tiles.json'"))
    try writeStyle(plain, root: "", url: "https://example.org/tiles.json")
    #expect(try build() == [])
  }

  /// MapLibre Native reads a tileset by the scheme, and with nothing after the path.
  @Test(arguments: [
    "{{mbtiles_path}}", "file://{{mbtiles_path}}", "MBTILES://{{mbtiles_path}}",
    "mbtiles:///{{mbtiles_path}}", "mbtiles://{{mbtiles_path}}?x=1",
    "mbtiles://{{ mbtiles_path }}/tiles.mbtiles",
  ]) func `The path of a tileset behind another scheme, or before something, is refused`(
    url: String
  ) throws {
    try writeStyle(#""icon-optional": true"#, root: "", url: "mbtiles://{{ mbtiles_path }}")
    #expect(try build() == [])
    try writeStyle(#""icon-optional": true"#, root: "", url: url)
    #expect(try refusal().contains("'\(url)', which is not the URL of a tileset"))
    let style = try MapStyle(
      template: Data(contentsOf: source.appending(path: "style-light.json")))
    let error = #expect(throws: MapError.self) {
      try style.rendered(
        ["mbtiles_path": .file(source.appending(path: "map.mbtiles"))], assets: .bundle)
    }
    #expect(error?.code == .wrongSource && error?.line == 2)
    #expect(error?.advice?.contains("mbtiles://{{mbtiles_path}}") == true)
  }

  @Test func `A source of another type than the tiles is refused where a layer draws it`() throws {
    func write(
      _ type: String, _ layer: String, _ layout: String = "{}", path: String = "mbtiles_path"
    ) throws {
      try Data(
        """
        {"version": 8, "sources": {"s": {"type": "\(type)", "url": "mbtiles://{{\(path)}}"}},
        "layers": [{"id": "a", "type": "\(layer)", "source": "s", "source-layer": "places",
          "layout": \(layout)}]}
        """.utf8
      ).write(to: source.appending(path: "style-light.json"))
    }
    try write("raster", "raster")
    #expect(try refusal().contains("the type 'raster', and the tiles are vector tiles"))
    try write("raster-dem", "hillshade")
    #expect(try refusal().contains("the type 'raster-dem'"))
    try write("raster", "raster", #"{"visibility": "none"}"#)
    #expect(try build() == [])
    // The tiles of another file.
    try write("raster", "raster", path: "satellite_path")
    #expect(try build().count == 1)
    try FileManager.default.removeItem(at: source.appending(path: "map.mbtiles"))
    try SampleTileset().write(to: source.appending(path: "map.mbtiles"))
    try write("raster", "raster")
    _ = try build()
    try write("vector", "fill")
    #expect(try refusal().contains("write the type 'raster'"))
    let style = try MapStyle(
      template: Data(contentsOf: source.appending(path: "style-light.json")))
    let tileset = source.appending(path: "map.mbtiles")
    #expect(throws: MapError.self) { try style.checkTileset(at: tileset, .png) }
    try style.checkTileset(at: tileset, .pbf)
  }

  @Test func `A tileset that is called like one of the other format is refused`() throws {
    let database = source.appending(path: "map.mbtiles")
    let archive = source.appending(path: "map.pmtiles")
    try FileManager.default.moveItem(at: database, to: archive)
    #expect(try refusal().contains("called like a PMTiles archive"))
    let problems = try Tileset(at: archive).check(for: []).problems
    #expect(problems.first { $0.kind == .wrongName }?.severity == .error)
    let style = try MapStyle(template: SampleStyle.template())
    let error = #expect(throws: MapError.self) { try style.checkTileset(at: archive, .pbf) }
    #expect(error?.code == .unusablePath && error?.message.contains("'.mbtiles'") == true)
    try FileManager.default.removeItem(at: archive)
    try SampleArchive.pyramid().write(to: database)
    #expect(
      try PMTilesArchive(at: database).check(for: []).problems.contains { $0.kind == .wrongName })
    #expect(throws: MapError.self) { try style.checkTileset(at: database, .pbf) }
    // Other names say nothing.
    let plain = source.appending(path: "map.tiles")
    try FileManager.default.moveItem(at: database, to: plain)
    #expect(
      !(try PMTilesArchive(at: plain).check(for: []).problems.contains { $0.kind == .wrongName }))
  }

  @Test func `A layer that no tile has, a mistyped placeholder and a fixed path are refused`()
    throws
  {
    let plain = #""icon-optional": true"#
    try writeStyle(plain, root: "", sourceLayer: "place")
    #expect(try refusal().contains("draws the layer 'place', which no tile has"))
    try writeStyle(plain, root: "", url: "mbtiles://{{mbtile_path}}")
    #expect(try refusal().contains("write '{{mbtiles_path}}'"))
    try writeStyle(plain, root: "", url: "mbtiles:///work-of-someone/map.mbtiles")
    #expect(try refusal().contains("a path that no device has"))
    try writeStyle(plain, root: #""glyphs": "file:///work-of-someone/{fontstack}/{range}.pbf","#)
    #expect(try refusal().contains("'glyphs', in line 1"))
    try writeStyle(plain, root: "", url: "pmtiles://file://{{pmtiles_path}}")
    #expect(try refusal().contains("'map.mbtiles' has the other format"))
    try writeStyle(plain, root: #""name": "{{title}}","#)
    #expect(try build().first?.contains("{{title}}") == true)
  }

  @Test func `A layer that cannot draw its source, and a source that is none, are refused`() throws
  {
    func refusals(_ source: String, _ type: String) throws -> [String] {
      let style = try MapStyle(
        template: Data(
          """
          {"version": 8, "sources": {"s": \(source)},
            "layers": [{"id": "l", "type": "\(type)", "source": "s"}]}
          """.utf8))
      return StyleLayerSources(of: style).refusals
    }
    let image = #"{"type": "image", "url": "a", "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]}"#
    #expect(try refusals(image, "raster") == [])
    let unfit = try refusals(image, "line")
    #expect(unfit.count == 1 && unfit[0].contains("'l', in line 2, has the type 'line'"))
    for source in [
      #"{"type": "video", "urls": ["a.mp4"]}"#, #"{"type": "vector", "url": 7}"#, "{}",
      #"{"type": "maps"}"#, #"{"type": "image", "url": "a"}"#,
      #"{"type": "image", "url": "a", "coordinates": [[0, 91], [1, 91], [1, 0], [0, 0]]}"#,
      #"{"type": "raster", "url": "a", "tileSize": "256"}"#,
      #"{"type": "vector", "url": "a", "maxzoom": "14"}"#,
      #"{"type": "vector", "tiles": ["a"], "bounds": [10, 0, -10, 5]}"#,
      #"{"type": "vector", "tiles": ["a"], "attribution": 5}"#,
      #"{"type": "geojson", "data": [1]}"#, #"{"type": "geojson", "data": {"type": "Topology"}}"#,
    ] {
      #expect(try refusals(source, "line").first?.contains("its layers show nothing") == true)
    }
    let sound: [(String, String)] = [
      (#"{"type": "vector", "url": "mbtiles://{{mbtiles_path}}"}"#, "circle"),
      (#"{"type": "vector", "tiles": ["a"]}"#, "fill"),
      (#"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#, "symbol"),
      (#"{"type": "raster", "url": "a", "maxzoom": "5", "attribution": 5}"#, "raster"),
      (#"{"type": "raster-dem", "url": "a"}"#, "hillshade"),
      (#"{"type": "vector", "url": "a"}"#, "of-another-version"),
    ]
    for (source, type) in sound { #expect(try refusals(source, type) == []) }
  }

  @Test func `A file that is called like a style is one`() throws {
    for name in ["style.json", "style-dark.json", "night-style.json"] {
      try Data(#"{"version": 8, "sources": {}}"#.utf8).write(to: source.appending(path: name))
      #expect(try refusal().contains("called like a style"), "\(name)")
      try FileManager.default.removeItem(at: source.appending(path: name))
    }
    try Data("{}".utf8).write(to: source.appending(path: "lifestyle.json"))
    #expect(try build() == [])
  }

  @Test func `A tileset that cannot be drawn is refused with its name`() throws {
    try SampleArchive.pyramid { $0.header.tileCompression = .zstd }
      .write(to: source.appending(path: "sea.pmtiles"))
    #expect(try refusal().contains("'sea.pmtiles' was not packed"))
  }

  @Test func `The texts of GeoJSON count too`() throws {
    let data = """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"t": "Ω"},
      "geometry": {"type": "Point", "coordinates": [0, 0]}}]}
      """
    try Data(
      """
      {"version": 8, "glyphs": "asset://glyphs/{fontstack}/{range}.pbf",
      "sources": {"g": {"type": "geojson", "data": \(data)},
        "f": {"type": "geojson", "data": "asset://places.geojson"}},
      "layers": [
        {"id": "a", "type": "symbol", "source": "g",
          "layout": {"text-field": ["get", "t"], "text-font": ["Sans"]}},
        {"id": "b", "type": "symbol", "source": "f",
          "layout": {"text-field": ["get", "t"], "text-font": ["Bold"]}}]}
      """.utf8
    ).write(to: source.appending(path: "style.json"))
    try Data(data.utf8).write(to: source.appending(path: "places.geojson"))
    try write("glyphs/Sans/0-255.pbf")
    let message = try refusal()
    #expect(message.contains("Sans/768-1023.pbf") && message.contains("Bold/768-1023.pbf"))
  }

  @Test(arguments: [
    #"{"type": "Point", "coordinates": [0, 0]}"#,
    #"{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [0, 0]}]}"#,
    #"{"type": "Feature", "geometry": null, "properties": {}}"#,
  ]) func `A geometry alone is a feature of GeoJSON`(data: String) throws {
    try Data(
      """
      {"version": 8, "glyphs": "asset://glyphs/{fontstack}/{range}.pbf",
      "sources": {"g": {"type": "geojson", "data": \(data)}},
      "layers": [{"id": "a", "type": "symbol", "source": "g",
        "layout": {"text-field": "→", "text-font": ["Sans"]}}]}
      """.utf8
    ).write(to: source.appending(path: "style.json"))
    try write("glyphs/Sans/0-255.pbf")
    #expect(try refusal().contains("Sans/8448-8703.pbf"))
  }

  /// The engine asked for the digits of the number of points.
  @Test(arguments: [
    (#"["get", "point_count_abbreviated"]"#, "", "0-255"), (#""{point_count}""#, "", "0-255"),
    (#"["get", "sum"]"#, "", "0-255"),
    (#"["case", ["has", "point_count"], "→", ""]"#, "", "8448-8703"),
    (#"["step", ["get", "point_count"], "", 3, "→"]"#, "", nil),
    (#"["get", "point_count"]"#, #""filter": [">", ["get", "point_count"], 5],"#, nil),
  ]) func `Labels of clusters need glyphs`(
    field: String, member: String, range: String?
  ) throws {
    func style(_ cluster: String) throws {
      let point =
        #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}}"#
      try Data(
        """
        {"version": 8, "glyphs": "asset://glyphs/{fontstack}/{range}.pbf",
        "sources": {"g": {"type": "geojson", \(cluster)
          "clusterProperties": {"sum": ["+", ["get", "x"]]},
          "data": {"type": "FeatureCollection", "features": [\(point), \(point)]}}},
        "layers": [{"id": "a", "type": "symbol", "source": "g", \(member)
          "layout": {"text-field": \(field), "text-font": ["Sans"]}}]}
        """.utf8
      ).write(to: source.appending(path: "style.json"))
    }
    try write("glyphs/Sans/256-511.pbf")
    try style("")
    #expect(try build() == [])
    try style(#""cluster": true,"#)
    if let range {
      #expect(try refusal().contains("Sans/\(range).pbf"))
    } else {
      #expect(try build() == [])
    }
  }

  @Test func `A layer that no version reads is refused, and one for newer ones is named`() throws {
    try writeStyle(#""icon-optional": "yes""#, root: "")
    #expect(try refusal().contains("leaves out the layer 'names', in line 3"))
    try writeStyle(#""icon-padding": [1, 2]"#, root: "")
    #expect(try build().first?.contains("Only newer versions of MapLibre Native draw") == true)
  }

  @Test func `What MapLibre Native never reads of a style is named`() throws {
    let plain = #""icon-optional": true"#
    try writeStyle(plain, root: #""terrain": {"source": "s"}, "projection": {"type": "globe"},"#)
    let sentence = StyleSentence.unread(["projection", "terrain"])
    #expect(try build() == ["'style-light.json': " + sentence])
    try writeStyle(plain, root: #""projection": {"type": "mercator"}, "imports": [],"#)
    #expect(try build() == [])
    try writeStyle(plain, root: #""imports": [{"id": "a", "url": "asset://b.json"}],"#)
    #expect(try refusal().contains("does not read 'imports'"))
  }

  /// The tiles have the zoom level 0 only.
  @Test(
    arguments: [
      (#""maxzoom": 0"#, nil), (#""minzoom": 0, "maxzoom": 0.5"#, nil), ("", nil),
      (#""maxzoom": 14"#, "shows nothing from 1 on"), (#""minzoom": 1"#, nil),
      (#""minzoom": 1, "maxzoom": 14"#, "shows nothing."),
    ] as [(String, String?)]) func `Zoom levels of a source that no tile has are named`(
      members: String, words: String?
    ) throws
  {
    let rest = members.isEmpty ? "" : ", \(members)"
    try Data(
      """
      {"version": 8, "sources": {"s": {"type": "vector", "url": "mbtiles://{{mbtiles_path}}"\(rest)}},
      "layers": [{"id": "a", "type": "line", "source": "s", "source-layer": "places"}]}
      """.utf8
    ).write(to: source.appending(path: "style.json"))
    guard let words else {
      #expect(try build() == [])
      return
    }
    let message = words.hasSuffix(".") ? try refusal() : try build().joined()
    #expect(message.contains("'s', in line 1") && message.contains(words), "\(message)")
  }

  @Test func `A style for the other format is told from one for both`() throws {
    func formats(_ urls: String...) throws -> [String] {
      let sources = urls.enumerated().map { #""\#($0)": {"type": "vector", "url": "\#($1)"}"# }
      let style = try MapStyle(
        template: Data(
          #"{"version": 8, "layers": [], "sources": {\#(sources.joined(separator: ","))}}"#.utf8))
      return try style.otherFormats(forTilesetAt: source.appending(path: "map.mbtiles"))
    }
    let (own, other) = ("mbtiles://{{mbtiles_path}}", "pmtiles://file://{{pmtiles_path}}")
    #expect(try formats(other).first?.contains("'map.mbtiles' has the other format") == true)
    #expect(try formats(own) == [] && formats(own, other) == [])
  }

  @Test func `An expression that is not evaluated is a warning`() throws {
    try writeStyle(
      #""text-field": ["coalesce", ["feature-state", "x"], "a"], "text-font": ["Sans"]"#)
    try write("glyphs/Sans/0-255.pbf")
    let warnings = try build()
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings[0].contains(#"layer 'names', in line 3, depend on '["feature-state","x"]'"#))
  }

  /// MapLibre Native refuses a map for each of them, and draws nothing of GeoJSON.
  @Test(arguments: [
    (#""sprite": "asset://Map/icons","#, "icons.json", #"{"dot": "#, "index of the sprite"),
    (#""sprite": "asset://Map/icons","#, "icons@2x.json", "[1]", "no JSON object"),
    (
      #""sprite": [{"id": "a", "url": "asset://icons"}],"#, "icons.json", "<html>",
      "index of the sprite to which 'sprite[0].url' refers"
    ),
  ]) func `An index of a sprite that is none is refused`(
    root: String, file: String, content: String, words: String
  ) throws {
    try writeStyle(#""icon-optional": true"#, root: root)
    for name in ["icons.json", "icons.png", "icons@2x.json", "icons@2x.png"] { try write(name) }
    _ = try build()
    try Data(content.utf8).write(to: source.appending(path: file))
    let message = try refusal()
    #expect(message.contains("'\(file)'") && message.contains(words), "\(message)")
  }

  @Test(arguments: [
    ("vector", "url", "[]", "is no TileJSON: it is no JSON object"),
    ("raster", "url", #"{"tilejson": "3.0.0"}"#, "no list 'tiles'"),
    ("vector", "url", #"{"tiles": [1]}"#, "no text"),
    ("vector", "url", #"{"tiles": ["#, "is no TileJSON"),
    ("vector", "url", #"{"tiles": ["mbtiles:///var/map.mbtiles/{z}/{x}/{y}"]}"#, "no device has"),
    ("geojson", "data", #"{"type": "#, "is no GeoJSON"),
    ("geojson", "data", #"{"a": 1}"#, "no 'type'"),
    ("geojson", "data", #"{"type": "Nonsense"}"#, "no type 'Nonsense'"),
  ]) func `A file to which a source refers is what the source takes it for, or is refused`(
    type: String, key: String, content: String, words: String
  ) throws {
    func write(_ content: String?) throws {
      try Data(
        """
        {"version": 8, "sources": {"s": {"type": "\(type)", "\(key)": "asset://Map/extra.json"}},
        "layers": []}
        """.utf8
      ).write(to: source.appending(path: "style.json"))
      try content.map { try Data($0.utf8).write(to: source.appending(path: "extra.json")) }
    }
    try write(nil)
    // What is not there at all must be in the app's bundle.
    #expect(try build().contains { $0.contains("Map/extra.json") })
    try write(
      #"{"type": "FeatureCollection", "features": [], "tiles": ["https://example.org/{z}/{x}/{y}"]}"#
    )
    #expect(try build() == [])
    try write(content)
    let message = try refusal()
    #expect(message.contains("'extra.json'") && message.contains(words), "\(message)")
  }
}
