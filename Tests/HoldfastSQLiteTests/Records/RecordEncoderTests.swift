import Foundation
import HoldfastSQLite
import Testing

@Suite struct RecordEncoderTests {
  enum Kind: String, Codable { case tram, ferry }
  enum Access: Int, Codable, DatabaseValueConvertible { case unknown, possible }

  struct Point: Codable, Equatable {
    var lon: Double
    var lat: Double
  }

  struct Empty: Codable, Equatable {}

  struct Wrapped: Codable, Equatable {
    var value: Int
    init(_ value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  struct Everything: Codable, FetchableRecord, PersistableRecord, Equatable {
    var bool = true
    var string = "text"
    var double = 1.5
    var float: Float = 0.25
    var int = -1
    var int8: Int8 = -8
    var int16: Int16 = -16
    var int32: Int32 = -32
    var int64 = Int64.min
    var uint: UInt = 1
    var uint8: UInt8 = 8
    var uint16: UInt16 = 16
    var uint32: UInt32 = 32
    var uint64 = UInt64(Int64.max)
    var noBool: Bool?
    var noString: String?
    var noDouble: Double?
    var noFloat: Float?
    var noInt: Int?
    var noInt8: Int8?
    var noInt16: Int16?
    var noInt32: Int32?
    var noInt64: Int64?
    var noUInt: UInt?
    var noUInt8: UInt8?
    var noUInt16: UInt16?
    var noUInt32: UInt32?
    var noUInt64: UInt64?
    var noPoint: Point?
    var someInt: Int? = 7
    var someString: String? = "some"
    var somePoint: Point? = Point(lon: 1, lat: 2)
    var kind = Kind.ferry
    var access: Access? = .possible
    var point = Point(lon: -2, lat: 1.5)
    var list = ["a", "b"]
    var dictionary: [String: Int?] = ["b": 1, "a": nil]
    var empty = Empty()
    var wrapped = Wrapped(9)
    var date = Date(timeIntervalSince1970: 1_714_566_615.125)
    var data = Data([0, 255])
    var uuid = UUID()
    var url: URL? = URL(string: "https://example.org/a%20b")
    var decimal: Decimal = 0.1
  }

  @Test func everyPropertyRoundTrips() throws {
    let record = Everything()
    let dictionary = try record.databaseDictionary
    try Connection.inMemory { db throws in
      let columns = dictionary.keys.sorted().map(\.quotedDatabaseIdentifier)
      try db.execute(sql: "CREATE TABLE everything (\(columns.joined(separator: ", ")))")
      for _ in 0..<2 { try record.insert(db) }
      #expect(try Everything.fetchAll(db) == [record, record])
    }
    #expect(dictionary["bool"] == 1)
    #expect(dictionary["noPoint"] == .null && dictionary["noInt8"] == .null)
    #expect(dictionary["kind"] == "ferry" && dictionary["access"] == 1)
    #expect(dictionary["wrapped"] == 9)
    #expect(dictionary["date"] == "2024-05-01 12:30:15.125")
    #expect(dictionary["data"] == DatabaseValue(storage: .blob(Data([0, 255]))))
    #expect(dictionary["uuid"] == record.uuid.databaseValue)
    #expect(dictionary["decimal"] == "0.1")
  }

  @Test func nestedValuesAreJSONWithSortedKeys() throws {
    let dictionary = try Everything().databaseDictionary
    #expect(dictionary["point"] == #"{"lat":1.5,"lon":-2}"#)
    #expect(dictionary["list"] == #"["a","b"]"#)
    #expect(dictionary["dictionary"] == #"{"a":null,"b":1}"#)
    #expect(dictionary["empty"] == "{}")
    #expect(dictionary["noPoint"] == .null)
  }

  @Test func datesAndDataInJSONAreWrittenAsByGRDB() throws {
    struct Nested: Codable, Equatable {
      var date = Date(timeIntervalSince1970: 1.5)
      var data = Data([1, 2, 3])
    }
    struct Record: Codable, FetchableRecord, EncodableRecord, Equatable { var nested = Nested() }
    let dictionary = try Record().databaseDictionary
    #expect(dictionary["nested"] == #"{"data":"AQID","date":1500}"#)
    #expect(try Record(row: Row(["nested": dictionary["nested"]])) == Record())
  }

  @Test func aSubclassAndItsSuperclassEncodeOneRow() throws {
    class Place: Codable { var name = "Quay" }
    final class Station: Place, EncodableRecord {
      var platforms = 5
      private enum CodingKeys: String, CodingKey { case platforms }

      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(platforms, forKey: .platforms)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(try Station().databaseDictionary == ["name": "Quay", "platforms": 5])
  }

  @Test func aWrapperEncodesItsRecord() throws {
    struct Wrapper: Encodable, EncodableRecord {
      var point = Point(lon: 1, lat: 2)
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(point)
      }
    }
    #expect(try Wrapper().databaseDictionary == ["lon": 1.0, "lat": 2.0])
  }

  @Test func aTypeThatDoesNotEncodeARowIsAnError() throws {
    struct Listed: Encodable, EncodableRecord {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(1)
      }
    }
    struct Single: Encodable, EncodableRecord {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    struct Nested: Encodable, EncodableRecord {
      enum Keys: CodingKey { case a, b }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
        try nested.encode(1, forKey: .b)
      }
    }
    struct Large: Encodable, EncodableRecord { var number = UInt64.max }
    struct Infinite: Encodable, EncodableRecord { var list = [Double.infinity] }
    #expect(throws: EncodingError.self) { try Listed().databaseDictionary }
    #expect(throws: EncodingError.self) { try Single().databaseDictionary }
    #expect(throws: EncodingError.self) { try Nested().databaseDictionary }
    #expect(throws: EncodingError.self) { try Large().databaseDictionary }
    #expect(throws: EncodingError.self) { try Infinite().databaseDictionary }
  }

  @Test func anEncodingErrorStoresNothing() throws {
    struct Broken: Encodable, PersistableRecord { var id = 1, list = [Double.nan] }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE broken (id, list)")
      #expect(throws: EncodingError.self) { try Broken().insert(db) }
      #expect(try Broken.fetchCount(db) == 0)
      var fine = Broken()
      fine.list = [1]
      try fine.insert(db)
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM broken") == Row(["id": 1, "list": "[1]"]))
    }
  }

  // MARK: - Consecutive records

  /// A record that omits some keys and encodes the others in any order.
  struct Selective: Encodable, PersistableRecord {
    static let databaseTableName = "stop"
    var keys: [Keys]
    var values: [Keys: String]
    enum Keys: String, CodingKey { case id, name, code }

    init(_ pairs: KeyValuePairs<Keys, String>) {
      keys = pairs.map(\.key)
      values = Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) })
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      for key in keys { try container.encodeIfPresent(values[key], forKey: key) }
    }
  }

  @Test func aRecordWithFewerKeysKeepsNoValueOfThePreviousOne() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE stop (id TEXT, name TEXT DEFAULT 'no name', code TEXT DEFAULT 'no code')"
      )
      try Selective([.id: "1", .name: "Quay", .code: "Q"]).insert(db)
      try Selective([.id: "2", .name: "Wharf"]).insert(db)
      try Selective([.id: "3"]).insert(db)
      try Selective([.id: "4", .code: "P"]).insert(db)
      try Selective([.code: "B", .id: "5", .name: "Bay"]).insert(db)
      try Selective([.id: "6", .name: "Pier", .code: "P"]).insert(db)
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM stop").map {
        $0.databaseValues.map(String.fromDatabaseValue)
      }
      #expect(
        rows == [
          ["1", "Quay", "Q"], ["2", "Wharf", "no code"], ["3", "no name", "no code"],
          ["4", "no name", "P"], ["5", "Bay", "B"], ["6", "Pier", "P"],
        ])
    }
  }

  @Test func aKeyThatIsEncodedTwiceHasItsLastValue() throws {
    struct Twice: Encodable, PersistableRecord {
      static let databaseTableName = "stop"
      var names: [String]
      enum Keys: CodingKey { case name, code }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        for name in names { try container.encode(name, forKey: .name) }
        try container.encode("x", forKey: .code)
      }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (name, code)")
      for names in [["a"], ["b", "c"], ["d"], ["e", "f", "g"]] {
        try Twice(names: names).insert(db)
      }
      #expect(try String.fetchAll(db, sql: "SELECT name FROM stop") == ["a", "c", "d", "g"])
      #expect(try String.fetchSet(db, sql: "SELECT code FROM stop") == ["x"])
    }
  }

  @Test func aRecordCanStoreAnotherOfItsTypeWhileItIsEncoded() throws {
    struct Chain: PersistableRecord {
      static let databaseTableName = "stop"
      var id: Int
      var db: Database
      var next: Int?

      func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        if let next { try Chain(id: next, db: db).insert(db) }
        container["next"] = next
      }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (id, next)")
      for id in [1, 3] { try Chain(id: id, db: db, next: id + 1).insert(db) }
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM stop ORDER BY id") == [
          Row(["id": 1, "next": 2]), Row(["id": 2, "next": nil]), Row(["id": 3, "next": 4]),
          Row(["id": 4, "next": nil]),
        ])
    }
  }

  @Test func aPartlyEncodedRecordLeavesNoValueForTheNext() throws {
    struct Broken: Encodable, PersistableRecord {
      static let databaseTableName = "stop"
      var id: Int
      var weight: Double
      var list: [Double] { [weight] }
      enum CodingKeys: CodingKey { case id, name, list }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode("name \(id)", forKey: .name)
        try container.encode(list, forKey: .list)
      }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (id, name, list)")
      try Broken(id: 1, weight: 1).insert(db)
      #expect(throws: EncodingError.self) { try Broken(id: 2, weight: .nan).insert(db) }
      try Broken(id: 3, weight: 3).insert(db)
      #expect(
        try String.fetchAll(db, sql: "SELECT id || name || list FROM stop") == [
          "1name 1[1]", "3name 3[3]",
        ])
    }
  }

  @Test func whatIsKeptOfAnEncoderIsReplacedAndGoesWithItsOwner() throws {
    final class Keeper {
      var container: KeyedEncodingContainer<Keys>?
      weak var encoder: AnyObject?
    }
    enum Keys: CodingKey { case id }
    struct Kept: Encodable, PersistableRecord {
      static let databaseTableName = "stop"
      var id: Int
      var keeper: Keeper

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        keeper.container = container
        keeper.encoder = encoder as AnyObject
      }
    }
    let keepers = (1...3).map { _ in Keeper() }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop (id)")
      for (number, keeper) in keepers.enumerated() {
        try Kept(id: number, keeper: keeper).insert(db)
        // It writes to no record any more.
        try keepers[0].container?.encode(9, forKey: .id)
      }
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM stop") == [0, 1, 2])
    }
    #expect(keepers.allSatisfy { $0.encoder != nil })
    #expect(Set(keepers.map { $0.encoder.map(ObjectIdentifier.init) }).count == 3)
    for keeper in keepers { keeper.container = nil }
    #expect(keepers.allSatisfy { $0.encoder == nil })
  }

  @Test func aPropertyThatEncodesNothingHasNoColumn() throws {
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
    struct Record: Encodable, EncodableRecord {
      var id = 1
      var silent = Silent()
    }
    #expect(try Record().databaseDictionary == ["id": 1.databaseValue])
  }

  // MARK: - Codable values

  struct Tags: Codable, DatabaseValueConvertible, Equatable { var names: [String], at: Date? }
  struct Level: Codable, DatabaseValueConvertible, Equatable {
    var value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test func aCodableValueCanBeStoredAlone() throws {
    let tags = Tags(names: ["b", "a"], at: Date(timeIntervalSince1970: 2))
    try Connection.inMemory { db throws in
      #expect(
        try String.fetchOne(db, sql: "SELECT ?", arguments: [tags])
          == #"{"at":2000,"names":["b","a"]}"#)
      #expect(try Tags.fetchOne(db, sql: "SELECT ?", arguments: [tags]) == tags)
      #expect(Level(value: 5).databaseValue == 5)
      #expect(try Level.fetchOne(db, sql: "SELECT 5") == Level(value: 5))
      #expect(throws: RowDecodingError.self) { try Level.fetchAll(db, sql: "SELECT 'x'") }
      #expect(throws: RowDecodingError.self) { try Tags.fetchAll(db, sql: "SELECT '{'") }
      #expect(Access.possible.databaseValue == 1)
      #expect(try Access.fetchOne(db, sql: "SELECT 1") == .possible)
    }
  }
}
