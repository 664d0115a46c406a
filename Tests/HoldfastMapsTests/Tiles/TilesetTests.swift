import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct TilesetTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func open(_ sample: SampleTileset, _ name: String = "a.mbtiles") throws -> Tileset {
    let url = folder.file(name)
    try sample.write(to: url)
    return try Tileset(at: url)
  }

  private func tile(_ tileset: Tileset, _ z: Int, _ x: Int, _ y: Int) throws -> Data? {
    try tileset.tile(at: TileCoordinate(z: z, x: x, y: y))?.data
  }

  @Test(arguments: SampleTileset.Layout.allCases)
  func `Every known layout is read, with rows from the north`(
    layout: SampleTileset.Layout
  ) throws {
    let tileset = try open(SampleTileset(layout: layout))
    #expect(try tile(tileset, 0, 0, 0) == SampleTileset.png)
    #expect(try tile(tileset, 1, 0, 1) == SampleTileset.png + [4])
    #expect(try tile(tileset, 1, 1, 0) == SampleTileset.png + [5])
    #expect(try tile(tileset, 1, 0, 0) == nil)
    #expect(try tile(tileset, 9, 3, 3) == nil)
    let schemas: [SampleTileset.Layout: TilesetSchema] = [
      .flat: .flat, .flatWithHash: .flatWithHash, .normalized: .normalized,
      .shallow: .normalized, .otherView: .other,
    ]
    #expect(tileset.schema == schemas[layout])
    #expect(try tileset.check().problems.map(\.kind) == (layout == .otherView ? [.slowLookup] : []))
  }

  @Test func `An awaited read returns the same tile`() async throws {
    let tileset = try open(SampleTileset())
    let tile = try await tileset.tile(at: TileCoordinate(z: 1, x: 1, y: 0))
    #expect(tile?.data == SampleTileset.png + [5] && tile?.format == .png)
    #expect(try await tileset.tile(at: TileCoordinate(z: 2, x: 0, y: 0)) == nil)
  }

  @Test(arguments: SampleTileset.Layout.allCases)
  func `Borrowed bytes are those of the tile`(layout: SampleTileset.Layout) throws {
    struct Stop: Error {}
    var sample = SampleTileset(layout: layout)
    sample.tiles += [
      (2, 0, 0, .null), (2, 1, 0, Data().databaseValue), (2, 2, 0, "text".databaseValue),
      (2, 3, 0, 7.databaseValue),
    ]
    let tileset = try open(sample)
    func borrowed(_ z: Int, _ x: Int, _ y: Int) throws -> Data? {
      try tileset.withTile(at: TileCoordinate(z: z, x: x, y: y)) { bytes in
        guard let bytes else { return nil }
        return Data((0..<bytes.count).map { bytes[$0] })
      }
    }
    for (z, x, y) in [
      (0, 0, 0), (1, 0, 1), (1, 1, 0), (1, 0, 0), (9, 3, 3), (2, 0, 3), (2, 1, 3), (2, 2, 3),
    ] {
      #expect(try borrowed(z, x, y) == tile(tileset, z, x, y), "\(z)/\(x)/\(y)")
    }
    let error = #expect(throws: MapError.self) { try borrowed(2, 3, 3) }
    #expect(error?.code == .damaged)
    #expect(throws: Stop.self) {
      try tileset.withTile(at: TileCoordinate(z: 0, x: 0, y: 0)) { _ in throw Stop() }
    }
    // The statement is ready for the next tile.
    #expect(try borrowed(1, 0, 1) == SampleTileset.png + [4])
  }

  @Test func `A NULL counts as a missing tile, and an empty blob as a tile`() throws {
    let tileset = try open(
      SampleTileset(tiles: [(0, 0, 0, .null), (1, 0, 0, Data().databaseValue)]))
    #expect(try tile(tileset, 0, 0, 0) == nil)
    #expect(try tile(tileset, 1, 0, 1) == Data())
  }

  @Test func `A number in place of a tile is an error that names the tile`() throws {
    let tileset = try open(SampleTileset(tiles: [(1, 0, 1, 7)]))
    let error = #expect(throws: MapError.self) { try tile(tileset, 1, 0, 0) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("1/0/0") == true)
    #expect(error?.message.contains("integer") == true)
  }

  @Test func `A file that is absent, empty, cut off or no database is refused with its reason`()
    throws
  {
    func refusal(_ url: URL) -> MapError? {
      #expect(throws: MapError.self) { try Tileset(at: url) }
    }
    #expect(refusal(folder.file("absent.mbtiles"))?.code == .notFound)
    #expect(refusal(folder.file("no/folder.mbtiles"))?.code == .notFound)
    for content in [Data(), Data("not a database, but long enough for a header".utf8)] {
      let url = folder.file("x.mbtiles")
      try content.write(to: url)
      #expect(refusal(url)?.code == .invalidTileset)
    }
    let whole = folder.file("whole.mbtiles")
    try SampleTileset().write(to: whole)
    let bytes = try Data(contentsOf: whole)
    let part = folder.file("part.mbtiles")
    try bytes.dropLast(100).write(to: part)
    #expect(refusal(part)?.message.contains("cut off") == true)
  }

  @Test(arguments: [
    "DROP TABLE tiles", "DROP TABLE metadata", "ALTER TABLE tiles RENAME COLUMN tile_row TO y",
    "ALTER TABLE metadata RENAME COLUMN value TO v",
    "DROP TABLE tiles; CREATE VIEW tiles AS SELECT * FROM gone",
  ])
  func `A database without the tables of MBTiles is refused by the name of what is missing`(
    sql: String
  ) throws {
    let url = folder.file("a.mbtiles")
    try SampleTileset(sql: sql).write(to: url)
    let error = #expect(throws: MapError.self) { try Tileset(at: url) }
    #expect(error?.code == .invalidTileset)
    let table = sql.contains("metadata") ? "metadata" : "tiles"
    #expect(error?.message.contains("'\(table)'") == true)
    #expect(error?.underlying is DatabaseError)
  }

  @Test func `Reading leaves no file next to the tileset, and a folder may be read-only`() throws {
    let url = folder.file("a.mbtiles")
    try SampleTileset(sql: "").write(to: url)
    let before = try folder.names
    let bytes = try Data(contentsOf: url)
    let tileset = try Tileset(at: url)
    _ = try tileset.check()
    _ = try tileset.coverage()
    try tileset.close()
    #expect(try folder.names == before)
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test func `A path with any characters is opened, and no other file`() throws {
    for name in ["a b.mbtiles", "a?b#c.mbtiles", "%41.mbtiles", "ü.mbtiles", "u\u{308}.mbtiles"] {
      let tileset = try open(SampleTileset(metadata: [("name", name)]), name)
      #expect(tileset.metadata.name.map { Array($0.utf8) } == Array(name.utf8))
    }
  }

  @Test func `Several threads read at once`() async throws {
    let tileset = try open(SampleTileset())
    try await withThrowingTaskGroup(of: Data?.self) { group in
      for _ in 0..<64 {
        group.addTask { try await tileset.tile(at: TileCoordinate(z: 1, x: 1, y: 0))?.data }
      }
      for try await data in group { #expect(data == SampleTileset.png + [5]) }
    }
  }

  @Test func `Several threads look tiles up at once`() throws {
    let tileset = try open(SampleTileset())
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 2000) { number in
      let x = number % 3
      let expected = [SampleTileset.png + [4], SampleTileset.png + [5], nil][x]
      let found = try? tile(tileset, x < 2 ? 1 : 2, x, x == 0 ? 1 : 0)
      if found != expected { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test(arguments: SampleTileset.Layout.allCases)
  func `A file that may be modified gives the same tiles`(layout: SampleTileset.Layout) throws {
    var sample = SampleTileset(layout: layout)
    sample.tiles += [
      (2, 0, 0, .null), (2, 1, 0, Data().databaseValue), (2, 2, 0, "text".databaseValue),
      (2, 3, 0, 7.databaseValue),
    ]
    let tileset = try open(sample)
    let other = try Tileset(at: folder.file("a.mbtiles"), isNeverModified: false)
    for (z, x, y) in [
      (0, 0, 0), (1, 0, 1), (1, 0, 0), (2, 0, 3), (2, 1, 3), (2, 2, 3), (2, 3, 3),
    ] {
      let tiles = [tileset, other].map { tileset in
        Result { try tile(tileset, z, x, y) }
      }
      #expect("\(tiles[0])" == "\(tiles[1])", "\(z)/\(x)/\(y)")
    }
  }

  @Test func `A tile is not read while another one is borrowed by the thread`() async throws {
    try SampleTileset().write(to: folder.file("a.mbtiles"))
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [url = folder.file("a.mbtiles") as URL] in
      try Self.readTwice(url)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("not reentrant"))
  }

  private static func readTwice(_ url: URL) throws {
    let tileset = try Tileset(at: url)
    let place = try TileCoordinate(z: 0, x: 0, y: 0)
    try tileset.withTile(at: place) { _ in _ = try tileset.tile(at: place) }
  }

  @Test func `A closed tileset refuses further reads`() throws {
    let tileset = try open(SampleTileset())
    try tileset.close()
    let error = #expect(throws: DatabaseError.self) { try tile(tileset, 0, 0, 0) }
    #expect(error?.resultCode == .SQLITE_MISUSE)
  }
}
