import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct TilesetFollowingTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ name: String, _ byte: UInt8) throws -> URL {
    let url = folder.file(name)
    let tile = (SampleTileset.png + [byte]).databaseValue
    try SampleTileset(metadata: [("name", name)], tiles: [(0, 0, 0, tile)]).write(to: url)
    return url
  }

  private func byte(_ tileset: Tileset) throws -> UInt8? {
    try tileset.tile(at: TileCoordinate(z: 0, x: 0, y: 0))?.data.last
  }

  @Test func `The next tile comes from the generation that is current`() async throws {
    let source = SwitchedSource(try write("1.mbtiles", 1))
    let tileset = try await Tileset(following: source)
    #expect(try byte(tileset) == 1 && tileset.metadata.name == "1.mbtiles")
    source.point(to: try write("2.mbtiles", 2))
    #expect(try byte(tileset) == 2 && tileset.metadata.name == "2.mbtiles")
    #expect(try await tileset.tileJSON(tiles: []).name == "2.mbtiles")
    source.point(to: try write("3.mbtiles", 3))
    let tile = try await tileset.tile(at: TileCoordinate(z: 0, x: 0, y: 0))
    #expect(tile?.data.last == 3)
    #expect(try await tileset.check().tileCount == 1)
    #expect(tileset.followingProblem == nil)
  }

  @Test func `An awaited opening and an awaited question block no thread of a task`() async throws {
    let source = SwitchedSource(try write("1.mbtiles", 1))
    try await SwitchedSource.$isInTask.withValue(true) {
      let tileset = try await Tileset(following: source)
      let database = try await source.currentDatabase()
      #expect(tileset.metadata.name == database.generation)
    }
    #expect(source.callsInTask == [false, false])
    // As a call of the blocking form is seen.
    try SwitchedSource.$isInTask.withValue(true) { _ = try Self.blockingDatabase(of: source) }
    #expect(source.callsInTask.last == true)
  }

  private static func blockingDatabase(of source: SwitchedSource) throws -> SourcedDatabase {
    try source.currentDatabase()
  }

  @Test func `The first read of a longer generation has the steps that its length needs`()
    async throws
  {
    let long = folder.file("long.mbtiles")
    try SampleTileset(
      tiles: [],
      sql: """
        WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 65535)
        INSERT INTO tiles SELECT 8, x & 255, x >> 8, x'89504E470D0A1A0A' FROM c;
        UPDATE metadata SET value = '8' WHERE name IN ('minzoom', 'maxzoom')
        """
    ).write(to: long)
    for isAwaited in [false, true] {
      let source = SwitchedSource(try write("short \(isAwaited).mbtiles", 1))
      let tileset = try await Tileset(following: source)
      // Not announced, so that nothing has opened it before the read.
      source.point(to: long, isAnnounced: false)
      let report = try isAwaited ? await tileset.check() : Self.check(tileset)
      #expect(report.tileCount == 65_536)
    }
  }

  private static func check(_ tileset: Tileset) throws -> TilesetReport { try tileset.check() }

  private typealias Access = @Sendable (Database) throws -> String
  private typealias Form =
    @Sendable (FollowedDatabase<String>, @escaping Access) async throws -> String

  /// Runs an access in one of the forms that a reader has.
  private static let forms: [(name: String, run: Form)] = [
    ("read", { database, access in try await onOwnThread { try database.read(access) } }),
    ("read, awaited", { database, access in try await database.read { try access($0) } }),
    (
      "asyncRead",
      { database, access in
        try await withCheckedThrowingContinuation { continuation in
          database.asyncRead { db in
            continuation.resume(with: Result { try access(try db.get()) })
          }
        }
      }
    ),
    (
      "unsafeRead",
      { database, access in try await onOwnThread { try database.unsafeRead(access) } }
    ),
    (
      "unsafeRead, awaited",
      { database, access in try await database.unsafeRead { try access($0) } }
    ),
    (
      "unsafeRead with the content",
      { database, access in
        try await database.unsafeRead { db, content in
          #expect(content == "first")
          return try access(db)
        }
      }
    ),
    (
      "unsafeReentrantRead",
      { database, access in try await onOwnThread { try database.unsafeReentrantRead(access) } }
    ),
  ]

  /// What looks for the generations in use, such as an access inside of another one, finds it.
  @Test func `An access keeps its generation while another one is opened, in each form`()
    async throws
  {
    let (first, second) = (try write("first", 1), try write("second", 2))
    for form in Self.forms {
      let source = SwitchedSource(first)
      let database = try FollowedDatabase(source) { db in try TilesetFollowingTests.name(db) }
      let generation = try await form.run(database) { _ in
        source.point(to: second, isAnnounced: false)
        let opened = try OwnThread { try database.current().generation }.blockingValue()
        #expect(opened == "second", "\(form.name)")
        return try database.current().generation
      }
      #expect(generation == "first", "\(form.name)")
    }
  }

  private static func name(_ db: Database) throws -> String {
    try String.fetchOne(db, sql: "SELECT value FROM metadata WHERE name = 'name'") ?? ""
  }

  @Test func `A generation that is no tileset is not switched to`() throws {
    let source = SwitchedSource(try write("1.mbtiles", 1))
    let tileset = try Tileset(following: source)
    let other = folder.file("no.mbtiles")
    try SampleTileset(sql: "DROP TABLE metadata").write(to: other)
    source.point(to: other)
    #expect(try byte(tileset) == 1)
    #expect((tileset.followingProblem as? MapError)?.code == .invalidTileset)
    source.point(to: try write("2.mbtiles", 2))
    #expect(try byte(tileset) == 2)
    #expect(tileset.followingProblem == nil)
  }

  private static func open(_ url: URL) throws -> Tileset {
    try Tileset(following: SwitchedSource(url))
  }

  @Test func `A source without a tileset is refused with its reason`() async throws {
    let url = folder.file("no.mbtiles")
    try Data("no database".utf8).write(to: url)
    let blocking = #expect(throws: MapError.self) { try Self.open(url) }
    let awaited = await #expect(throws: MapError.self) {
      try await Tileset(following: SwitchedSource(url))
    }
    for error in [blocking, awaited] {
      #expect(error?.code == .invalidTileset && error?.message.contains("no.mbtiles") == true)
    }
  }
}
