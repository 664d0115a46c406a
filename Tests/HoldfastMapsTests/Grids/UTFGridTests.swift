import Foundation
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct UTFGridTests {
  @Test func `Cells name the keys of features, and empty cells none`() throws {
    let grid = try UTFGrid(
      json: Data(##"{"grid":[" !","# "],"keys":["","a","b"],"data":{}}"##.utf8))
    #expect(grid.side == 2)
    #expect(grid.key(column: 0, row: 0) == nil)
    #expect(grid.key(column: 1, row: 0) == "a")
    #expect(grid.key(column: 0, row: 1) == "b")
    #expect(grid.key(column: 2, row: 0) == nil && grid.key(column: 0, row: -1) == nil)
  }

  @Test func `Every number of a key is decoded as the specification encodes it`() throws {
    // Encoding as specified: add 32; from 34 on add 1; from 92 on add 1.
    let count = 300
    let side = 18
    func scalar(_ number: Int) -> Character {
      var code = number + 32
      if code >= 34 { code += 1 }
      if code >= 92 { code += 1 }
      return Character(Unicode.Scalar(UInt32(code))!)
    }
    let rows = (0..<side).map { row in
      String((0..<side).map { scalar((row * side + $0) % count) })
    }
    let keys = (0..<count).map { $0 == 0 ? "" : "key \($0)" }
    let json = try JSONSerialization.data(withJSONObject: ["grid": rows, "keys": keys])
    let grid = try UTFGrid(json: json)
    for row in 0..<side {
      for column in 0..<side {
        let number = (row * side + column) % count
        #expect(grid.key(column: column, row: row) == (number == 0 ? nil : "key \(number)"))
      }
    }
  }

  @Test(arguments: [
    "", "[]", #"{"grid":[" "]}"#, #"{"grid":["  "],"keys":[""]}"#, #"{"grid":["!"],"keys":[""]}"#,
    #"{"grid":["\""],"keys":["","a","b"]}"#, #"{"grid":["\\"],"keys":["","a","b"]}"#,
    #"{"grid":["\t"],"keys":["","a","b"]}"#,
  ])
  func `A grid that contradicts itself is refused`(json: String) {
    let error = #expect(throws: MapError.self) { try UTFGrid(json: Data(json.utf8)) }
    #expect(error?.code == .invalidGrid)
  }

  @Test func `A grid of many empty rows is refused without memory for its square`() {
    let rows = Array(repeating: "\"\"", count: 1_000_000).joined(separator: ",")
    let error = #expect(throws: MapError.self) {
      try UTFGrid(json: Data("{\"grid\":[\(rows)],\"keys\":[\"\"]}".utf8))
    }
    #expect(error?.code == .invalidGrid)
  }

  @Test func `A compressed grid is refused by the name of the compression`() {
    let error = #expect(throws: MapError.self) { try UTFGrid(json: Data([0x78, 0x9C, 0, 0])) }
    #expect(error?.message.contains("zlib") == true)
  }

  @Test func `A tileset's grid has the data of its own features only`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("a.mbtiles")
    let sample = SampleTileset(
      sql: """
        CREATE TABLE grids (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, grid BLOB);
        CREATE TABLE grid_data (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
          key_name TEXT, key_json TEXT);
        INSERT INTO grids VALUES (1, 0, 0, CAST('{"grid":["!"],"keys":["","é"]}' AS BLOB));
        INSERT INTO grid_data VALUES (1, 0, 0, 'é', '{"n":1}'), (1, 0, 0, 'e' || char(769), '{"n":2}'),
          (1, 1, 1, 'x', '{"n":3}'), (1, 0, 0, NULL, '{}');
        """)
    try sample.write(to: url)
    let tileset = try Tileset(at: url)
    let grid = try #require(try tileset.grid(at: TileCoordinate(z: 1, x: 0, y: 1)))
    // Canonically equivalent names are two keys.
    #expect(grid.keys.count == 2)
    #expect(grid.json(forKey: "\u{E9}") == #"{"n":1}"#)
    #expect(grid.json(forKey: "e\u{301}") == #"{"n":2}"#)
    #expect(try UTFGrid(json: grid.data).key(column: 0, row: 0) == "\u{E9}")
    #expect(try tileset.grid(at: TileCoordinate(z: 1, x: 0, y: 0)) == nil)
  }

  @Test func `A tileset without grids has none`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("a.mbtiles")
    try SampleTileset().write(to: url)
    #expect(try Tileset(at: url).grid(at: TileCoordinate(z: 0, x: 0, y: 0)) == nil)
  }
}
