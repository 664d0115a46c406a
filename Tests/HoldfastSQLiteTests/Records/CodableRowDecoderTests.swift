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

  /// A key that is neither a column nor a scope stands for the row itself, once.
  @Test func aNestedRecordIsDecodedFromAFlatRow() throws {
    struct Team: Codable, FetchableRecord, Equatable { var name: String }
    struct Size: Codable, Equatable { var width: Int; var height: Int? }
    struct Outer: Decodable, FetchableRecord, Equatable {
      var team: Team
      var sizes: [Size]?
      var score: Int
    }
    struct Plain: Decodable, FetchableRecord, Equatable { var size: Size; var kind: Kind }
    struct Deep: Decodable, FetchableRecord, Equatable {
      struct Part: Decodable, Equatable { var size: Size; var name: String }
      var part: Part
    }
    class Base: Decodable { var team: Team }
    final class Sub: Base, FetchableRecord {
      var size: Size
      enum Keys: CodingKey { case size }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        #expect(try container.decodeNil(forKey: .size))
        size = try container.decode(Size.self, forKey: .size)
        try super.init(from: container.superDecoder())
      }
    }
    struct Two: Decodable, FetchableRecord { var team: Team; var size: Size }
    struct Dated: Decodable, FetchableRecord { var date: Date }
    struct Listed: Decodable, FetchableRecord { var list: [Int] }
    struct Sorted: Decodable, FetchableRecord { var sort: Kind }
    try Connection.inMemory { db throws in
      let sql =
        "SELECT 'Reds' AS name, 3 AS score, 7 AS width, 'tram' AS kind UNION ALL SELECT 'Blues', 4, 8, 'tram'"
      let (reds, blues) = (Team(name: "Reds"), Team(name: "Blues"))
      #expect(
        try Outer.fetchAll(db, sql: sql) == [
          Outer(team: reds, score: 3), Outer(team: blues, score: 4),
        ])
      #expect(
        try Plain.fetchAll(db, sql: sql)
          == [7, 8].map {
            Plain(size: Size(width: $0), kind: .tram)
          })
      #expect(
        try Deep.fetchAll(db, sql: sql) == [
          Deep(part: Deep.Part(size: Size(width: 7), name: "Reds")),
          Deep(part: Deep.Part(size: Size(width: 8), name: "Blues")),
        ])
      let rows = try Row.fetchAll(db, sql: sql)
      #expect(try rows.map { try Outer(row: $0).team } == [reds, blues])
      #expect(try Sub.fetchAll(db, sql: sql).map(\.team) == [reds, blues])
      #expect(try Sub.fetchAll(db, sql: sql).map(\.size.width) == [7, 8])

      // A scope may have only NULL, or no column: its value is a part of the record nevertheless.
      struct Both: Decodable, FetchableRecord, Equatable {
        struct Parts: Decodable, Equatable { var width: Int?; var height: Int? }
        var parts: Parts
        var team: Team
      }
      let parts = ScopeAdapter(["parts": EmptyRowAdapter()])
      let both = try Both.fetchOne(db, sql: sql, adapter: parts)
      #expect(both == Both(parts: Both.Parts(), team: reds))

      // Of two keys no one can tell which is meant.
      let two = #expect(throws: DecodingError.self) { try Two.fetchOne(db, sql: sql) }
      guard case .keyNotFound(let key, let context) = two else {
        Issue.record("\(String(describing: two))")
        return
      }
      #expect(key.stringValue == "size")
      #expect(context.debugDescription.hasPrefix("No such key: size or team"))

      // A single value and a list have a column.
      let date = #expect(throws: RowDecodingError.self) { try Dated.fetchOne(db, sql: sql) }
      #expect(date?.column == "date" && date?.storedType == nil)
      let list = #expect(throws: RowDecodingError.self) { try Listed.fetchOne(db, sql: sql) }
      #expect(list?.column == "list")
      let sort = #expect(throws: RowDecodingError.self) { try Sorted.fetchOne(db, sql: sql) }
      #expect(sort?.column == "sort" && sort?.expectedType == "Kind")
    }
  }

  @Test func theCodingPathHasTheKeysOfScopes() throws {
    struct Twig: Decodable {
      let paths: [[String]]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tree.CodingKeys.self)
        paths = [decoder.codingPath, container.codingPath].map { $0.map(\.stringValue) }
      }
    }
    struct Branch: Decodable {
      let paths: [[String]]
      let twig: Twig

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tree.CodingKeys.self)
        twig = try container.decode(Twig.self, forKey: .twig)
        paths = [decoder.codingPath, container.codingPath].map { $0.map(\.stringValue) }
      }
    }
    struct Tree: Decodable, FetchableRecord {
      enum CodingKeys: CodingKey { case branch, twig }
      let path: [String]
      let branch: Branch
      let twig: Twig

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        branch = try container.decode(Branch.self, forKey: .branch)
        twig = try container.decode(Twig.self, forKey: .twig)
        path = decoder.codingPath.map(\.stringValue)
      }
    }
    let twig = SuffixRowAdapter(fromIndex: 1)
    let adapter = ScopeAdapter(["branch": ScopeAdapter(["twig": twig]), "twig": twig])
    try Connection.inMemory { db throws in
      let trees = try Tree.fetchAll(db, sql: "VALUES (1, 2), (3, 4)", adapter: adapter)
      #expect(trees.map(\.path) == [[], []])
      for tree in trees {
        #expect(tree.branch.paths == [["branch"], ["branch"]])
        #expect(tree.branch.twig.paths == [["branch", "twig"], ["branch", "twig"]])
        #expect(tree.twig.paths == [["twig"], ["twig"]])
      }
    }
  }

  @Test func aListIsRefused() {
    struct Listed: Decodable, FetchableRecord {
      init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
    }
    #expect(throws: DecodingError.self) { try Listed(row: Row(["a": 1])) }
  }
}
