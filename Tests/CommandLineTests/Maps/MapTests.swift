import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// `holdfast map` on a tileset and a style of its own.
@Suite struct MapTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try MapExample.write(to: directory.url)
  }

  private func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: ["map"] + words, in: directory.url)
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: directory.file("fair.mbtiles").path)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
  }

  @Test func `info shows what a tileset contains, with the names of MBTiles`() throws {
    let result = try run("info", "fair.mbtiles", "--json")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.keys == [
        "file", "name", "description", "attribution", "version", "type", "crs", "format",
        "compression", "minzoom", "maxzoom", "bounds", "center", "vector_layers", "schema",
      ])
    let object = try #require(try result.objects.first)
    #expect(object["name"] as? String == "Fair" && object["format"] as? String == "png")
    #expect(object["minzoom"] as? Int == 0 && object["maxzoom"] as? Int == 1)
    #expect(object["bounds"] as? [Double] == [-10, -20, 30, 40])
    #expect(object["center"] as? [Double] == [10, 10, 0])
    #expect(object["schema"] as? String == "flat")
  }

  /// 16 MiB of metadata took 42 seconds and 5 GB.
  @Test func `metadata with more layers than a map can have is an error`() throws {
    try change(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO metadata
      SELECT 'json', '{"vector_layers":[' || group_concat('{"id":""}') || ']}' FROM n
      """)
    let info = try run("info", "fair.mbtiles", "--json")
    #expect(info.status == 65 && info.errors.contains("layers"))
    let check = try run("check", "fair.mbtiles", "--json")
    #expect(check.status == 1 && check.output.contains("layers"))
  }

  @Test func `tile writes the bytes, with rows from the north`() throws {
    let line = #""$HOLDFAST" map tile fair.mbtiles 1 0 1 > tile.png"#
    let result = try ToolProcess.shell(line, in: directory.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Data(contentsOf: directory.file("tile.png")) == MapExample.png + [0xFF, 0])
    let json = try run("tile", "fair.mbtiles", "1", "0", "1", "--json")
    #expect(try json.objects.first?["bytes"] as? Int == MapExample.png.count + 2)
  }

  @Test func `tile reports a missing tile, and one that cannot exist`() throws {
    let missing = try run("tile", "fair.mbtiles", "1", "0", "0")
    #expect(missing.status == 66 && missing.output.isEmpty)
    #expect(missing.complaint.first?.contains("1/0/0") == true)
    #expect(try run("tile", "fair.mbtiles", "1", "2", "0").status == 65)
    #expect(try run("tile", "fair.mbtiles", "31", "0", "0").status == 64)
    #expect(try run("tile", "absent.mbtiles", "0", "0", "0").status == 66)
  }

  @Test func `check ends with 0 for warnings, and with 1 for what ends a renderer`() throws {
    let good = try run("check", "fair.mbtiles", "--json")
    #expect(good.status == 0)
    let object = try #require(try good.objects.first)
    #expect(object["ok"] as? Bool == true && object["tiles"] as? Int == 2)
    #expect((object["problems"] as? [String])?.isEmpty == true)
    #expect((object["warnings"] as? [String])?.isEmpty == true)

    try change("DELETE FROM metadata WHERE name = 'bounds'")
    let warned = try run("check", "fair.mbtiles", "--json")
    #expect(warned.status == 0)
    #expect(try (warned.objects.first?["warnings"] as? [String])?.count == 1)

    try change("UPDATE metadata SET value = 'four' WHERE name = 'minzoom'")
    let bad = try run("check", "fair.mbtiles")
    #expect(bad.status == 1 && bad.output.contains("'minzoom' is 'four'"))
  }

  @Test func `tile prints the layers of a vector tile as GeoJSON`() throws {
    let layer = VectorTileBytes.layer(
      features: [
        VectorTileBytes.feature(id: 7, tags: [0, 0], type: 1, geometry: [9, 4096, 4096]),
        VectorTileBytes.feature(),
        VectorTileBytes.feature(id: .max, type: 2, geometry: [9, 0, 0, 10, 8192, 0]),
      ], keys: ["kind"], values: [VectorTileBytes.bytes(1, Array("stage".utf8))])
    let tile = CompressedBytes.gzip(VectorTileBytes.tile(layer))
    try change("UPDATE tiles SET tile_data = x'\(HexText.text(tile))' WHERE zoom_level = 1")
    let result = try run("tile", "fair.mbtiles", "1", "0", "1", "--json")
    let object = try #require(try result.objects.first)
    #expect(
      object.keys.sorted() == [
        "bytes", "compression", "format", "layers", "problems", "tile_data", "x", "y", "z",
      ])
    #expect(object["format"] as? String == "pbf" && object["compression"] as? String == "gzip")
    #expect((object["problems"] as? [String]) == [])
    let collection = try #require((object["layers"] as? [[String: Any]])?.first)
    #expect(collection["type"] as? String == "FeatureCollection")
    #expect(collection["name"] as? String == "places" && collection["extent"] as? Int == 4096)
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(features.map { $0["type"] as? String } == ["Feature", "Feature", "Feature"])
    #expect(features[0]["id"] as? Int == 7)
    #expect(result.output.contains(#""id":18446744073709551615,"#))
    #expect(features[0]["properties"] as? [String: String] == ["kind": "stage"])
    let geometries = features.compactMap { $0["geometry"] as? [String: Any] }
    #expect(geometries.map { $0["type"] as? String } == ["Point", "Polygon", "LineString"])
    // The tile 1/0/1 is the quarter in the south-west.
    #expect(geometries[0]["coordinates"] as? [Double] == [-90, -66.51326044])
    let edge = 85.05112878
    #expect(
      geometries[1]["coordinates"] as? [[[Double]]]
        == [[[-180, -edge], [0, -edge], [0, 0], [-180, 0], [-180, -edge]]])
    #expect(geometries[2]["coordinates"] as? [[Double]] == [[-180, 0], [0, 0]])
  }

  @Test func `tile says why a tile has no layers`() throws {
    let html = HexText.text(CompressedBytes.gzip(Array("<html>404</html>".utf8)))
    try change("UPDATE tiles SET tile_data = x'\(html)' WHERE zoom_level = 1")
    let object = try #require(
      try run("tile", "fair.mbtiles", "1", "0", "1", "--json").objects.first)
    #expect(object["layers"] is NSNull && object["format"] is NSNull)
    #expect((object["problems"] as? [String])?.first?.contains("'<html>404</html>'") == true)
    let image = try #require(
      try run("tile", "fair.mbtiles", "0", "0", "0", "--json").objects.first)
    #expect(image["layers"] is NSNull && (image["problems"] as? [String]) == [])
  }

  @Test func `check compares a style with the tiles`() throws {
    let tile = HexText.text(CompressedBytes.gzip(VectorTileBytes.tile()))
    try change(
      """
      UPDATE tiles SET tile_data = x'\(tile)'; UPDATE metadata SET value = 'pbf' WHERE name = 'format';
      INSERT INTO metadata VALUES ('json', '{"vector_layers":[{"id":"places"}]}')
      """)
    #expect(try run("check", "fair.mbtiles").status == 0)
    try Data(
      """
      {"version": 8, "sources": {"s": {"type": "vector", "url": "mbtiles://{{mbtiles_path}}"}},
      "layers": [{"id": "roads", "type": "line", "source": "s", "source-layer": "road"}]}
      """.utf8
    ).write(to: directory.file("roads.json"))
    let result = try run("check", "fair.mbtiles", "--style", "roads.json", "--json")
    #expect(result.status == 1)
    let problems = try #require(try result.objects.first?["problems"] as? [String])
    #expect(problems.count == 1 && problems.first?.contains("'road'") == true)
    #expect(try run("check", "fair.mbtiles", "--style", "absent.json").status == 66)
    #expect(try run("check", "fair.mbtiles", "--style", "fair.mbtiles").status == 65)
  }

  @Test func `check and style refuse a style that reads the tileset as what it is not`() throws {
    func write(_ type: String, _ url: String) throws {
      try Data(
        """
        {"version": 8, "sources": {"s": {"type": "\(type)", "url": "\(url)"}},
        "layers": [{"id": "a", "type": "raster", "source": "s"}]}
        """.utf8
      ).write(to: directory.file("a.json"))
    }
    func results() throws -> (check: ToolProcess.Result, style: ToolProcess.Result) {
      (
        try run("check", "fair.mbtiles", "--style", "a.json"),
        try run("style", "a.json", "out.json", "--tiles", "fair.mbtiles")
      )
    }
    try write("raster", "mbtiles://{{mbtiles_path}}")
    let (sound, written) = try results()
    #expect(sound.status == 0 && written.status == 0, "\(sound.output) \(written.errors)")
    try write("vector", "mbtiles://{{mbtiles_path}}")
    let (check, style) = try results()
    #expect(check.status == 1 && check.output.contains("the tiles are images"), "\(check.output)")
    #expect(style.status == 65 && style.errors.contains("the tiles are images"), "\(style.errors)")
    try write("raster", "file://{{mbtiles_path}}")
    let (otherCheck, otherStyle) = try results()
    #expect(otherCheck.status == 1 && otherCheck.output.contains("not the URL of a tileset"))
    #expect(otherStyle.status == 65 && otherStyle.errors.contains("mbtiles://{{mbtiles_path}}"))
    // By its name, a style has it read as an archive.
    try FileManager.default.moveItem(
      at: directory.file("fair.mbtiles"), to: directory.file("fair.pmtiles"))
    #expect(try run("check", "fair.pmtiles").output.contains("rename it to '.mbtiles'"))
    try write("raster", "pmtiles://file://{{pmtiles_path}}")
    let misnamed = try run("style", "a.json", "out.json", "--tiles", "fair.pmtiles")
    #expect(misnamed.status == 65 && misnamed.errors.contains("'.mbtiles'"), "\(misnamed.errors)")
  }

  @Test func `check and pack build say the same of a tileset in write-ahead-log mode`() throws {
    let queue = try DatabaseQueue(path: directory.file("fair.mbtiles").path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
    let check = try run("check", "fair.mbtiles")
    #expect(check.status == 1 && check.output.contains("write-ahead-log mode"), "\(check.output)")
    let place = try TemporaryDirectory()
    let build = try ToolProcess.run(
      words: ["pack", "build", directory.url.path, "pack", "--version", "1"], in: place.url)
    #expect(build.status != 0 && build.errors.contains("write-ahead-log mode"), "\(build.errors)")
  }

  @Test func `An archive is checked, packed, and drawn by a style as an MBTiles file is`() throws {
    #expect(try run("convert", "fair.mbtiles", "fair.pmtiles").status == 0)
    let check = try run("check", "fair.pmtiles", "--json")
    #expect(check.status == 0, "\(check.errors)")
    let report = try #require(try check.objects.first)
    #expect(report["ok"] as? Bool == true && report["tiles"] as? Int == 2)
    let old = try run("style", "fair.json", "out.json", "--tiles", "fair.pmtiles")
    #expect(
      old.status != 0 && old.errors.contains("pmtiles://file://{{pmtiles_path}}"), "\(old.errors)")
    try Data(
      """
      {"version": 8, "sources": {"s": {"type": "raster", "url": "pmtiles://file://{{pmtiles_path}}"}},
      "layers": [{"id": "a", "type": "raster", "source": "s"}]}
      """.utf8
    ).write(to: directory.file("archive.json"))
    let style = try run("style", "archive.json", "out.json", "--tiles", "fair.pmtiles")
    #expect(style.status == 0, "\(style.errors)")
    let document = try String(contentsOf: directory.file("out.json"), encoding: .utf8)
    #expect(document.contains("pmtiles://file:///") && document.contains("/fair.pmtiles\""))
    let place = try TemporaryDirectory()
    for name in ["archive.json", "fair.pmtiles"] {
      try FileManager.default.copyItem(at: directory.file(name), to: place.file(name))
    }
    let build = try ToolProcess.run(
      words: ["pack", "build", place.url.path, "pack", "--version", "1", "--json"],
      in: directory.url)
    #expect(build.status == 0, "\(build.errors)")
    #expect(
      try build.objects.first?["kinds"] as? [String]
        == ["archive.json: style", "fair.pmtiles: pmtiles"])
    // Half of its tiles.
    let archive = try Data(contentsOf: directory.file("fair.pmtiles"))
    try archive.dropLast(9).write(to: place.file("fair.pmtiles"))
    let broken = try ToolProcess.run(
      words: ["pack", "build", place.url.path, "broken", "--version", "1"], in: directory.url)
    #expect(broken.status != 0 && broken.errors.contains("cut off"), "\(broken.errors)")
    try archive.dropLast(9).write(to: directory.file("cut.pmtiles"))
    #expect(try run("check", "cut.pmtiles").status == 1)
  }

  @Test func `pack build repeats the warnings of check`() throws {
    try change("UPDATE metadata SET value = 'jpg' WHERE name = 'format'")
    let check = try #require(try run("check", "fair.mbtiles", "--json").objects.first)
    let warnings = try #require(check["warnings"] as? [String])
    #expect(!warnings.isEmpty)
    let place = try TemporaryDirectory()
    let build = try ToolProcess.run(
      words: ["pack", "build", directory.url.path, "pack", "--version", "1", "--json"],
      in: place.url)
    #expect(build.status == 0, "\(build.errors)")
    #expect(
      try build.objects.first?["warnings"] as? [String]
        == warnings.map { "'fair.mbtiles': " + $0 })
  }

  @Test func `check of what is no tileset is a finding, and of no file an error`() throws {
    try Data("no database, but long enough to be one".utf8).write(to: directory.file("x.mbtiles"))
    let result = try run("check", "x.mbtiles", "--json")
    #expect(result.status == 1)
    #expect(try result.objects.first?["ok"] as? Bool == false)
    #expect(try run("check", "absent.mbtiles").status == 66)
    #expect(try run("info", "x.mbtiles").status == 65)
    try FileManager.default.createDirectory(
      at: directory.file("folder"), withIntermediateDirectories: false)
    for words in [
      ["info", "folder"], ["check", "folder"], ["tile", "folder", "0", "0", "0"],
      ["style", "fair.json", "style.json", "--tiles", "folder"],
      ["style", "folder", "style.json", "--tiles", "fair.mbtiles"],
    ] {
      let result = try ToolProcess.run(words: ["map"] + words, in: directory.url)
      #expect(result.status == 66)
      #expect(result.complaint.first?.contains("a folder") == true, "\(result.errors)")
    }
  }

  @Test func `style is written once, and again only when it changes`() throws {
    let words = ["fair.json", "style.json", "--tiles", "fair.mbtiles", "--json"]
    func style() throws -> ToolProcess.Result {
      try ToolProcess.run(words: ["map", "style"] + words, in: directory.url)
    }
    let first = try style()
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.objects.first?["written"] as? Bool == true)
    #expect(first.keys == ["output", "bytes", "written", "placeholders", "warnings"])
    let text = try String(contentsOf: directory.file("style.json"), encoding: .utf8)
    let path = directory.file("fair.mbtiles").path(percentEncoded: true)
    #expect(text.contains("\"mbtiles://\(path)\""))
    #expect(try style().objects.first?["written"] as? Bool == false)
    try change("UPDATE metadata SET value = 'x' WHERE name = 'name'")
    #expect(try style().objects.first?["written"] as? Bool == false)
  }

  @Test func `style refuses a template without its value, by line`() throws {
    let result = try run("style", "fair.json", "style.json", "--json")
    #expect(result.status == 65)
    let error = try #require(
      try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any])
    #expect(error["line"] as? Int == 2)
    #expect((error["message"] as? String)?.contains("mbtiles_path") == true)
    #expect(!FileManager.default.fileExists(atPath: directory.file("style.json").path))
  }

  @Test func `The verbs leave the tileset as it is, and nothing next to it`() throws {
    let before = try Data(contentsOf: directory.file("fair.mbtiles"))
    let names = try directory.names
    _ = try run("info", "fair.mbtiles")
    _ = try run("check", "fair.mbtiles")
    _ = try run("tile", "fair.mbtiles", "0", "0", "0", "--json")
    #expect(try Data(contentsOf: directory.file("fair.mbtiles")) == before)
    #expect(try directory.names == names)
  }
}

/// A small tileset and a template, for the examples of the help too.
enum MapExample {
  static let png = Data(CompressedBytes.png(side: 1))

  static func write(to folder: URL) throws {
    let queue = try DatabaseQueue(path: folder.appending(path: "fair.mbtiles").path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          INSERT INTO metadata VALUES ('name', 'Fair'), ('format', 'png'), ('minzoom', '0'),
            ('maxzoom', '1'), ('bounds', '-10,-20,30,40');
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          CREATE INDEX i ON tiles (zoom_level, tile_column, tile_row)
          """)
      try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, ?)", arguments: [png])
      try db.execute(
        sql: "INSERT INTO tiles VALUES (1, 0, 0, ?)", arguments: [png + Data([0xFF, 0])])
    }
    try queue.close()
    try Data(
      """
      {"version": 8, "layers": [], "sources": {
      "fair": {"type": "raster", "url": "mbtiles://{{mbtiles_path}}"}}}

      """.utf8
    ).write(to: folder.appending(path: "fair.json"))
  }
}
