import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// The file format that GRDB 7 documents: its values are read, and ours are written identically.
@Suite struct GRDBFormatTests {
  enum Color: Int, Codable { case red = 1, blue }

  struct Address: Codable, Equatable {
    var street: String
    var city: String?
    var since: Date
    var photo: Data
  }

  struct Player: Codable, FetchableRecord, MutablePersistableRecord, Equatable {
    var id: Int64?
    var uuid: UUID
    var name: String
    var isActive: Bool
    var score: Double
    var createdAt: Date
    var birthday: Date?
    var photo: Data
    var website: URL
    var balance: Decimal
    var color: Color
    var address: Address
    var nicknames: [String]
    var settings: [String: Int]

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  private static let schema = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1');
    CREATE TABLE "player" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT, "uuid" BLOB NOT NULL UNIQUE, "name" TEXT NOT NULL,
      "isActive" BOOLEAN NOT NULL, "score" DOUBLE NOT NULL, "createdAt" DATETIME NOT NULL,
      "birthday" DATE, "photo" BLOB NOT NULL, "website" TEXT NOT NULL, "balance" TEXT NOT NULL,
      "color" INTEGER NOT NULL, "address" TEXT NOT NULL, "nicknames" TEXT NOT NULL,
      "settings" TEXT NOT NULL);
    """

  private static let row = """
    INSERT INTO "player" VALUES (
      1, x'6c2f9e0a0f0b4b9e9a510c2c1d3e4f50', 'Arthur', 1, 100.5, '2024-05-01 12:30:15.123',
      '1973-09-18', x'ffd8ff', 'https://example.org/a%20b?c=d', '1234.567890123456789', 2,
      '{"city":"Sydney","photo":"AQID","since":1714566615123,"street":"1 Quay"}', '["Art","King"]',
      '{"a":1,"b":2}');
    """

  private static func player() throws -> Player {
    Player(
      id: 1, uuid: try #require(UUID(uuidString: "6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F50")),
      name: "Arthur", isActive: true, score: 100.5,
      createdAt: Date(timeIntervalSinceReferenceDate: 736_259_415.123),
      birthday: Date(timeIntervalSince1970: 117_158_400), photo: Data([0xFF, 0xD8, 0xFF]),
      website: try #require(URL(string: "https://example.org/a%20b?c=d")),
      balance: try #require(Decimal(string: "1234.567890123456789")), color: .blue,
      address: Address(
        street: "1 Quay", city: "Sydney",
        since: Date(timeIntervalSince1970: 1_714_566_615.123), photo: Data([1, 2, 3])),
      nicknames: ["Art", "King"], settings: ["b": 2, "a": 1])
  }

  @Test func aFileWrittenByGRDBReadsBackEqual() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.appending(path: "grdb.sqlite").path
    try Connection(path).withAccess { try $0.execute(sql: Self.schema + Self.row) }
    try Connection(path, isReadOnly: true).withAccess { db throws in
      #expect(try Player.fetchAll(db) == [Self.player()])
      #expect(try Player.fetchOne(db, key: 1) == Self.player())
      #expect(
        try Player.fetchOne(db, key: ["uuid": Self.player().uuid]) == Self.player())
    }
  }

  @Test func aRecordIsWrittenAsGRDBWritesIt() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema + Self.row)
      var player = try Self.player()
      player.birthday = nil
      try db.execute(sql: "UPDATE player SET birthday = NULL")
      let theirs = try #require(try Row.fetchOne(db, sql: "SELECT * FROM player"))
      try Player.deleteAll(db)
      try player.insert(db)
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM player") == theirs)
    }
  }
}
