import Foundation
import HoldfastSQLite
import Testing

@Suite struct CodableRowDecoderTests {
  enum Kind: String, Codable { case tram, ferry }
  enum Access: Int, Codable { case unknown, possible }

  struct Point: Codable, Equatable {
    var lat: Double
    var lon: Double
  }

  struct Stop: Codable, FetchableRecord, Equatable {
    var sid: Int64
    var name: String
    var code: String?
    var kind: Kind
    var access: Access?
    var isStation: Bool
    var point: Point?
    var lines: [String]
    var id: UUID
    var bytes: Data
    var weight: Float

    enum CodingKeys: String, CodingKey {
      case sid, name, code, kind, access, point, lines, id, bytes, weight
      case isStation = "is_station"
    }
  }

  static let sql = """
    SELECT 1 AS sid, 'Quay' AS name, NULL AS code, 'ferry' AS kind, 1 AS access, 1 AS is_station,
      '{"lat":1.5,"lon":-2}' AS point, '["T1","F1"]' AS lines,
      '6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F50' AS id, x'0102' AS bytes, 0.5 AS weight
    """

  static let stop = Stop(
    sid: 1, name: "Quay", code: nil, kind: .ferry, access: .possible, isStation: true,
    point: Point(lat: 1.5, lon: -2), lines: ["T1", "F1"],
    id: UUID(uuidString: "6C2F9E0A-0F0B-4B9E-9A51-0C2C1D3E4F50") ?? UUID(), bytes: Data([1, 2]),
    weight: 0.5)

  @Test func aCodableRecordIsDecodedByItsColumns() throws {
    try Connection.inMemory { db in
      #expect(try Stop.fetchOne(db, sql: Self.sql) == Self.stop)
      #expect(try Stop.fetchAll(db, sql: Self.sql) == [Self.stop])
      #expect(try Stop.fetchCursor(db, sql: Self.sql).next() == Self.stop)
      let row = try #require(try Row.fetchOne(db, sql: Self.sql))
      #expect(try Stop(row: row) == Self.stop)
    }
  }

  private struct OneColumn<Value: Codable>: Codable, FetchableRecord {
    var v: Value
  }

  /// Decodes one column, named `v`.
  private func decode<Value: Codable>(
    _ type: Value.Type, _ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>
  ) throws -> Value {
    try OneColumn<Value>(row: Row(columns)).v
  }

  @Test func anOptionalPropertyNeedsNoColumn() throws {
    struct Record: Codable, FetchableRecord, Equatable {
      var a: Int
      var b: Int?
      var c: Kind?
      var d: Point?
    }
    #expect(try Record(row: Row(["a": 1])) == Record(a: 1))
    #expect(try Record(row: Row(["a": 1, "b": nil, "c": nil, "d": nil])) == Record(a: 1))
    #expect(
      try Record(row: Row(["A": 1, "B": 2, "C": "tram", "D": #"{"lat":1,"lon":2}"#]))
        == Record(a: 1, b: 2, c: .tram, d: Point(lat: 1, lon: 2)))
  }

  @Test func anAbsentOrNullColumnOfAnotherPropertyIsAnError() throws {
    let absent = #expect(throws: RowDecodingError.self) { try decode(Int.self, ["w": 1]) }
    #expect(absent?.column == "v" && absent?.storedType == nil)
    let null = #expect(throws: RowDecodingError.self) { try decode(String.self, ["v": nil]) }
    #expect(null?.storedType == "null" && null?.expectedType == "String")
    let json = #expect(throws: RowDecodingError.self) { try decode(Point.self, ["v": nil]) }
    #expect(json?.expectedType == "Point")
    #expect(throws: RowDecodingError.self) { try decode(Kind.self, ["v": nil]) }
    #expect(throws: RowDecodingError.self) { try decode(Access.self, ["v": "x"]) }
  }

  @Test func aMissingColumnIsAnErrorWithTheRowAndTheSQL() throws {
    try Connection.inMemory { db in
      let sql = "SELECT 1 AS sid, 'secret' AS title"
      let error = #expect(throws: RowDecodingError.self) { try Stop.fetchOne(db, sql: sql) }
      #expect(error?.column == "name")
      #expect(error?.storedType == nil)
      #expect(error?.row == "[sid: integer, title: text]")
      #expect(error?.sql == sql)
    }
  }

  @Test func aKeptDecoderKeepsItsRow() throws {
    struct Keeper: Decodable, FetchableRecord {
      enum Keys: CodingKey { case a }
      let decoder: any Decoder

      init(from decoder: any Decoder) { self.decoder = decoder }

      var a: Int {
        get throws { try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .a) }
      }
    }
    try Connection.inMemory { db in
      let keepers = try Keeper.fetchAll(db, sql: "SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a")
      #expect(try keepers.map { try $0.a } == [1, 2])
    }
  }

  @Test func anUnknownRawValueIsAnErrorThatNamesTheColumn() throws {
    let error = #expect(throws: DecodingError.self) { try decode(Kind.self, ["v": "bus"]) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["v"])
  }

  @Test func invalidJSONIsAnError() {
    #expect(throws: DecodingError.self) { try decode(Point.self, ["v": "{"]) }
    #expect(throws: DecodingError.self) { try decode([Int].self, ["v": ""]) }
  }

  @Test func jsonCanBeStoredInABlob() throws {
    #expect(try decode([Int].self, ["v": Data("[1,2]".utf8)]) == [1, 2])
    #expect(try decode([String: Int?].self, ["v": #"{"a":1,"b":null}"#]) == ["a": 1, "b": nil])
  }

  @Test func aSubclassAndItsSuperclassReadOneRow() throws {
    class Place: Codable { var name = "" }
    final class Station: Place, FetchableRecord {
      var platforms = 0
      private enum CodingKeys: String, CodingKey { case platforms }

      required init(from decoder: any Decoder) throws {
        platforms = try decoder.container(keyedBy: CodingKeys.self).decode(
          Int.self, forKey: .platforms)
        try super.init(from: decoder)
      }
    }
    let station = try Station(row: Row(["name": "Quay", "platforms": 5]))
    #expect(station.name == "Quay" && station.platforms == 5)
  }

  @Test func aListIsRefused() {
    struct Listed: Decodable, FetchableRecord {
      init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
    }
    #expect(throws: DecodingError.self) { try Listed(row: Row(["a": 1])) }
  }
}
