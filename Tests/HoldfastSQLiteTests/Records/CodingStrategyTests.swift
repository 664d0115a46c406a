import Foundation
import HoldfastSQLite
import Testing

@Suite struct CodingStrategyTests {
  private static let date = Date(timeIntervalSince1970: 1_714_566_615.25)

  private struct Dated<Style: DateStyle>: Codable, FetchableRecord, EncodableRecord {
    var v: Date

    static func databaseDateEncodingStrategy(
      for column: String
    ) -> DatabaseDateEncodingStrategy { Style.encoding }

    static func databaseDateDecodingStrategy(
      for column: String
    ) -> DatabaseDateDecodingStrategy { Style.decoding }
  }

  private protocol DateStyle {
    static var encoding: DatabaseDateEncodingStrategy { get }
    static var decoding: DatabaseDateDecodingStrategy { get }
  }

  private func roundTrip<Style: DateStyle>(
    _ style: Style.Type, _ expected: DatabaseValue, _ date: Date = date
  ) throws {
    let value = try #require(try Dated<Style>(v: Self.date).databaseDictionary["v"])
    #expect(value == expected)
    #expect(try Dated<Style>(row: Row(["v": value])).v == date)
    let error = #expect(throws: RowDecodingError.self) {
      try Dated<Style>(row: Row(["v": "nonsense"]))
    }
    #expect(error?.expectedType == "Date" && error?.storedType == "text")
  }

  @Test func datesAreStoredAndReadWithTheirStrategy() throws {
    enum Text: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.deferredToDate
      static let decoding = DatabaseDateDecodingStrategy.deferredToDate
    }
    enum Reference: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.timeIntervalSinceReferenceDate
      static let decoding = DatabaseDateDecodingStrategy.timeIntervalSinceReferenceDate
    }
    enum Unix: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.timeIntervalSince1970
      static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
    }
    enum Seconds: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.secondsSince1970
      static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
    }
    enum Milliseconds: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.millisecondsSince1970
      static let decoding = DatabaseDateDecodingStrategy.millisecondsSince1970
    }
    enum ISO: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.iso8601
      static let decoding = DatabaseDateDecodingStrategy.iso8601
    }
    enum Formatted: DateStyle {
      static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy/MM/dd"
        return formatter
      }
      static var encoding: DatabaseDateEncodingStrategy { .formatted(formatter) }
      static var decoding: DatabaseDateDecodingStrategy { .formatted(formatter) }
    }
    enum Custom: DateStyle {
      static let encoding = DatabaseDateEncodingStrategy.custom {
        Int($0.timeIntervalSince1970) / 60
      }
      static let decoding = DatabaseDateDecodingStrategy.custom { value in
        Int.fromDatabaseValue(value).map { Date(timeIntervalSince1970: Double($0 * 60)) }
      }
    }
    try roundTrip(Text.self, "2024-05-01 12:30:15.250")
    try roundTrip(Reference.self, 736_259_415.25)
    try roundTrip(Unix.self, 1_714_566_615.25)
    try roundTrip(Seconds.self, 1_714_566_615, Date(timeIntervalSince1970: 1_714_566_615))
    try roundTrip(Milliseconds.self, 1_714_566_615_250)
    try roundTrip(ISO.self, "2024-05-01T12:30:15Z", Date(timeIntervalSince1970: 1_714_566_615))
    try roundTrip(Formatted.self, "2024/05/01", Date(timeIntervalSince1970: 1_714_521_600))
    try roundTrip(Custom.self, 28_576_110, Date(timeIntervalSince1970: 1_714_566_600))
  }

  @Test func dataIsStoredAndReadWithItsStrategy() throws {
    struct Record: Codable, FetchableRecord, EncodableRecord {
      var plain: Data
      var text: Data
      var reversed: Data

      static func databaseDataEncodingStrategy(
        for column: String
      ) -> DatabaseDataEncodingStrategy {
        switch column {
        case "text": .text
        case "reversed": .custom { Data($0.reversed()) }
        default: .deferredToData
        }
      }

      static func databaseDataDecodingStrategy(
        for column: String
      ) -> DatabaseDataDecodingStrategy {
        column == "reversed"
          ? .custom { value in Data.fromDatabaseValue(value).map { Data($0.reversed()) } }
          : .deferredToData
      }
    }
    let record = Record(plain: Data("abc".utf8), text: Data("abc".utf8), reversed: Data("abc".utf8))
    let values = try record.databaseDictionary
    #expect(values["plain"] == Data("abc".utf8).databaseValue)
    #expect(values["text"] == "abc")
    #expect(values["reversed"] == Data("cba".utf8).databaseValue)
    let row = Row([
      "plain": values["plain"], "text": values["text"], "reversed": values["reversed"],
    ])
    let back = try Record(row: row)
    #expect(back.plain == record.plain && back.text == record.text)
    #expect(back.reversed == record.reversed)
    #expect(throws: RowDecodingError.self) {
      try Record(row: Row(["plain": "", "text": "", "reversed": 1]))
    }
    var broken = record
    broken.text = Data([0xFF])
    #expect(throws: EncodingError.self) { try broken.databaseDictionary }
  }

  @Test func aUUIDIsStoredWithItsStrategy() throws {
    struct Record: Codable, FetchableRecord, EncodableRecord {
      var blob = UUID()
      var upper = UUID()
      var lower = UUID()

      static func databaseUUIDEncodingStrategy(
        for column: String
      ) -> DatabaseUUIDEncodingStrategy {
        switch column {
        case "upper": .uppercaseString
        case "lower": .lowercaseString
        default: .deferredToUUID
        }
      }
    }
    let record = Record()
    let values = try record.databaseDictionary
    #expect(values["blob"]?.typeName == "blob")
    #expect(values["upper"] == record.upper.uuidString.databaseValue)
    #expect(values["lower"] == record.lower.uuidString.lowercased().databaseValue)
    let back = try Record(
      row: Row(["blob": values["blob"], "upper": values["upper"], "lower": values["lower"]]))
    #expect(back.blob == record.blob && back.upper == record.upper && back.lower == record.lower)
  }

  @Test func columnsCanBeInSnakeCase() throws {
    struct Stop: Codable, FetchableRecord, PersistableRecord, Equatable {
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
        .convertFromSnakeCase
      var id: Int
      var stopName: String
      var wheelchairBoardingHere: Int?
      var _private: Bool
      var nestedValue: [String: Int]
      var changedAt: Date
    }
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (
            id INTEGER PRIMARY KEY, stop_name, wheelchair_boarding_here, _private, nested_value,
            changed_at)
          """)
      let stop = Stop(
        id: 1, stopName: "Quay", wheelchairBoardingHere: 2, _private: true,
        nestedValue: ["innerKey": 1], changedAt: Self.date)
      try stop.insert(db)
      #expect(try Stop.fetchOne(db, key: 1) == stop)
      #expect(
        try String.fetchOne(db, sql: "SELECT nested_value FROM stop") == #"{"innerKey":1}"#)
      let error = #expect(throws: RowDecodingError.self) {
        try Stop.fetchOne(db, sql: "SELECT 1 AS id, NULL AS stop_name")
      }
      #expect(error?.column == "stop_name" && error?.table == "stop")
      // A column spelled like the key also matches.
      struct Loose: Decodable, FetchableRecord {
        static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
          .convertFromSnakeCase
        var stopName: String
        var missingValue: Int?
      }
      #expect(try Loose(row: Row(["stopName": "x"])).stopName == "x")
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test(arguments: [
    "id", "stopName", "oneTwoThree", "myURLPath", "URL", "aURL", "AB", "aBC", "aBCd", "ABc", "a1B",
    "stop_Name", "_aB", "aÉb", "id2", "ID2", "x_", "A", "",
  ])
  func columnNamesFollowJSONEncoder(_ name: String) throws {
    struct Record: Encodable, EncodableRecord {
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      var name: String
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: name))
      }
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let json = try JSONSerialization.jsonObject(with: encoder.encode(Record(name: name)))
    let keys = Set(try #require(json as? [String: Int]).keys)
    #expect(Set(try Record(name: name).databaseDictionary.keys) == keys)
  }

  @Test(arguments: [
    "a_b", "A_B", "_a_b_", "a__b", "aB_cD", "_", "__", "a_", "_a", "stop_NAME", "a_1b", "plain",
  ])
  func keyNamesFollowJSONDecoder(_ name: String) throws {
    struct Record: Decodable, FetchableRecord {
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
        .convertFromSnakeCase
      var keys: [String]
      init(from decoder: any Decoder) throws {
        keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = try decoder.decode(Record.self, from: JSONEncoder().encode([name: 1]))
    try Connection.inMemory { db throws in
      let sql = "SELECT 1 AS " + name.quotedDatabaseIdentifier
      #expect(try Record.fetchOne(db, sql: sql)?.keys == json.keys)
    }
  }

  @Test func columnsCanBeNamedByAClosure() throws {
    struct Record: Codable, FetchableRecord, EncodableRecord, Equatable {
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom {
        "c_" + $0.stringValue
      }
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom {
        Key(stringValue: String($0.dropFirst(2)))
      }
      var name: String
      var code: String?
    }
    let record = Record(name: "Quay", code: nil)
    #expect(try record.databaseDictionary == ["c_name": "Quay", "c_code": nil])
    #expect(try Record(row: Row(["c_code": nil, "c_name": "Quay"])) == record)
  }

  @Test func userInfoIsPassedToTheCoders() throws {
    struct Record: Codable, FetchableRecord, EncodableRecord {
      static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "suffix") }
      static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] {
        key.map { [$0: "!"] } ?? [:]
      }
      static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] {
        key.map { [$0: "?"] } ?? [:]
      }
      enum CodingKeys: CodingKey { case name, list }
      var name: String
      var list = [Part()]

      /// A value in JSON.
      struct Part: Codable {
        var suffix = ""

        init() {}
        init(from decoder: any Decoder) {
          suffix = Record.key.flatMap { decoder.userInfo[$0] as? String } ?? ""
        }
        func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          try container.encode(Record.key.flatMap { encoder.userInfo[$0] as? String } ?? "")
        }
      }

      init(name: String) { self.name = name }

      init(from decoder: any Decoder) throws {
        let suffix = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? ""
        name =
          try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
          + suffix
        list = try decoder.container(keyedBy: CodingKeys.self).decode([Part].self, forKey: .list)
      }

      func encode(to encoder: any Encoder) throws {
        let suffix = Self.key.flatMap { encoder.userInfo[$0] as? String } ?? ""
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name + suffix, forKey: .name)
        try container.encode(list, forKey: .list)
      }
    }
    #expect(try Record(name: "a").databaseDictionary == ["name": "a!", "list": "[\"!\"]"])
    let record = try Record(row: Row(["name": "a", "list": "[0]"]))
    #expect(record.name == "a?" && record.list.map(\.suffix) == ["?"])
  }

  /// A record that decodes itself as one value is the value of the first column, or another record.
  @Test func aRecordCanBeASingleValue() throws {
    struct Name: Codable, FetchableRecord, Equatable {
      var text: String?
      init(_ text: String?) { self.text = text }
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = container.decodeNil() ? nil : try container.decode(String.self)
      }
    }
    enum Kind: Int, Codable, FetchableRecord { case bus = 3 }
    struct Stop: Codable, Equatable { var id: Int; var name: String }
    struct Wrapper: Codable, FetchableRecord, EncodableRecord, Equatable {
      var stop: Stop
      init(_ stop: Stop) { self.stop = stop }
      init(from decoder: any Decoder) throws {
        stop = try decoder.singleValueContainer().decode(Stop.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stop)
      }
    }
    let wrapper = Wrapper(Stop(id: 7, name: "Quay"))
    #expect(try wrapper.databaseDictionary == ["id": 7, "name": "Quay"])
    #expect(try Wrapper(row: ["id": 7, "name": "Quay"]) == wrapper)
    #expect(try Name(row: ["name": "Quay", "other": "x"]) == Name("Quay"))
    #expect(try Name(row: ["name": nil]) == Name(nil))
    #expect(try Name(row: [:]) == Name(nil))
    #expect(try Kind(row: ["kind": 3]) == .bus)
    #expect(throws: RowDecodingError.self) { try Kind(row: ["kind": "x"]) }
    #expect(throws: DecodingError.self) { try Kind(row: [:]) }
    struct Large: Codable, FetchableRecord, EncodableRecord { var number: Int128 }
    #expect(throws: DecodingError.self) { try Large(row: ["number": 1]) }
    struct Maybe: Decodable, FetchableRecord {
      struct Part: Decodable { var id: Int?; var name: String }
      var part: Part?
      init(from decoder: any Decoder) throws {
        part = try decoder.singleValueContainer().decode(Part?.self)
      }
    }
    #expect(try Maybe(row: ["id": nil, "name": "Quay"]).part?.name == "Quay")
    #expect(try Maybe(row: ["id": nil, "name": nil]).part == nil)
  }

  @Test func aWrappedRecordDecodesAndEncodesItself() throws {
    struct Inner: Codable, FetchableRecord, EncodableRecord, Equatable {
      var value: String
      init(_ value: String) { self.value = value }
      init(row: Row) { value = row["stored"] }
      func encode(to container: inout PersistenceContainer) { container["stored"] = value }
    }
    struct Wrapper: Codable, FetchableRecord, PersistableRecord, Equatable {
      enum Keys: CodingKey { case other }
      var inner: Inner
      var maybe: Inner?
      var other: Int

      init(_ inner: Inner, _ other: Int) {
        self.inner = inner
        maybe = inner
        self.other = other
      }

      init(from decoder: any Decoder) throws {
        other = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .other)
        inner = try decoder.singleValueContainer().decode(Inner.self)
        maybe = try decoder.singleValueContainer().decode(Inner?.self)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inner)
        var keyed = encoder.container(keyedBy: Keys.self)
        try keyed.encode(other, forKey: .other)
      }
    }
    let wrappers = [Wrapper(Inner("a"), 1), Wrapper(Inner("b"), 2)]
    #expect(try wrappers[0].databaseDictionary == ["stored": "a", "other": 1])
    #expect(try Wrapper(row: ["value": "x", "stored": "a", "other": 1]) == wrappers[0])
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE wrapper (value, other, stored)")
      for wrapper in wrappers { try wrapper.insert(db) }
      #expect(try Wrapper.fetchAll(db) == wrappers)
    }
  }

  /// A value that is stored as JSON says how.
  @Test func valuesHaveTheirOwnJSONCoders() throws {
    struct Spans: Codable, DatabaseValueConvertible, Equatable {
      var firstDay = Date(timeIntervalSince1970: 1)
      static func databaseJSONEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
      }
      static func databaseJSONDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      }
    }
    #expect(Spans().databaseValue == #"{"first_day":1}"#.databaseValue)
    #expect(Spans.fromDatabaseValue(#"{"first_day":1}"#.databaseValue) == Spans())
  }

  @Test func jsonColumnsUseTheirCoders() throws {
    struct Record: Codable, FetchableRecord, EncodableRecord, Equatable {
      var dates = [Date(timeIntervalSince1970: 0)]
      var other = [Date(timeIntervalSince1970: 0)]

      static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = column == "dates" ? .iso8601 : .secondsSince1970
        return encoder
      }

      static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = column == "dates" ? .iso8601 : .secondsSince1970
        return decoder
      }
    }
    let values = try Record().databaseDictionary
    #expect(values == ["dates": #"["1970-01-01T00:00:00Z"]"#, "other": "[0]"])
    #expect(
      try Record(row: Row(["dates": values["dates"], "other": values["other"]])) == Record())
  }
}
