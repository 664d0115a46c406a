import HoldfastSQLite
import Testing

/// Decoders that are reused for several rows, without keeping anything from the previous row.
@Suite struct RowDecoderReuseTests {
  struct Stop: Codable, FetchableRecord, Equatable {
    var id: Int
    var name: String
    var code: String?
  }

  /// A record whose keys have the raw values of those of `Stop` and different names.
  struct Code: Codable, FetchableRecord, Equatable {
    var code: String?
    var id: Int
  }

  static let rows = """
    SELECT 1 AS id, 'Quay' AS name, 'Q' AS code UNION ALL SELECT 2, 'Wharf', NULL \
    UNION ALL SELECT 3, 'Pier', 'P'
    """

  static let stops = [
    Stop(id: 1, name: "Quay", code: "Q"), Stop(id: 2, name: "Wharf"),
    Stop(id: 3, name: "Pier", code: "P"),
  ]

  // MARK: - Rows, statements and types

  @Test func eachRowHasItsOwnValues() throws {
    try Connection.inMemory { db throws in
      for _ in 0..<2 {
        #expect(try Stop.fetchAll(db, sql: Self.rows) == Self.stops)
      }
    }
  }

  @Test func aRowAfterAConversionErrorIsDecoded() throws {
    try Connection.inMemory { db throws in
      let sql = "SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, NULL UNION ALL SELECT 3, 'c'"
      let stops = try Stop.fetchCursor(db, sql: sql)
      #expect(try stops.next() == Stop(id: 1, name: "a"))
      #expect(throws: RowDecodingError.self) { try stops.next() }
      #expect(try stops.next() == Stop(id: 3, name: "c"))
      #expect(try stops.next() == nil)
    }
  }

  @Test func twoTypesReadOneStatement() throws {
    try Connection.inMemory { db throws in
      let statement = try db.makeStatement(sql: Self.rows)
      let codes = Self.stops.map { Code(code: $0.code, id: $0.id) }
      for _ in 0..<2 {
        #expect(try Stop.fetchAll(statement) == Self.stops)
        #expect(try Code.fetchAll(statement) == codes)
      }
      struct Both: FetchableRecord, Equatable {
        var stop: Stop
        var code: Code
        init(row: Row) throws {
          stop = try Stop(row: row)
          code = try Code(row: row)
        }
      }
      let both = try Both.fetchAll(statement)
      #expect(both.map(\.stop) == Self.stops && both.map(\.code) == codes)
    }
  }

  @Test func oneTypeReadsStatementsWithDifferentColumnOrders() throws {
    try Connection.inMemory { db throws in
      let first = try Stop.fetchCursor(db, sql: Self.rows)
      let second = try Stop.fetchCursor(db, sql: "SELECT code, name, id FROM (\(Self.rows))")
      for stop in Self.stops {
        #expect(try first.next() == stop)
        #expect(try second.next() == stop)
      }
    }
  }

  @Test func aChangedTableIsReadWithItsNewColumns() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE stop AS " + Self.rows)
      let statement = try db.makeStatement(sql: "SELECT * FROM stop")
      // A run that is not finished passes its row and the decoder to the next one.
      #expect(try Stop.fetchOne(statement) == Self.stops[0])
      try db.execute(sql: "DROP TABLE stop")
      try db.execute(sql: "CREATE TABLE stop AS SELECT code, id, name FROM (\(Self.rows))")
      #expect(try Stop.fetchOne(statement) == Self.stops[0])
    }
  }

  @Test func aRecordCanDecodeItsRowAgain() throws {
    struct Doubled: Decodable, FetchableRecord, Equatable {
      enum CodingKeys: CodingKey { case id, name }
      var ids: [Int]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        ids = [try container.decode(Int.self, forKey: .id)]
        if Nesting.isInside { return }
        try Nesting.$isInside.withValue(true) {
          ids += try unsafe Nesting.row.map { try Doubled(row: $0).ids } ?? []
        }
        ids.append(try container.decode(Int.self, forKey: .id))
      }
    }
    try Connection.inMemory { db throws in
      let rows = try Row.fetchAll(db, sql: Self.rows)
      let found = try rows.map { row in
        unsafe Nesting.row = row
        defer { unsafe Nesting.row = nil }
        return try Doubled(row: row).ids
      }
      #expect(found == [[1, 1, 1], [2, 2, 2], [3, 3, 3]])
    }
  }

  /// The row from which a record is decoded.
  private enum Nesting {
    @TaskLocal static var isInside = false
    // Sendable because one test uses it, on one thread.
    nonisolated(unsafe) static var row: Row?
  }

  // MARK: - Keys

  @Test func aClassAndItsSuperclassHaveSeparateKeys() throws {
    class Place: Decodable {
      let name: String
      let id: Int
    }
    final class Station: Place, FetchableRecord {
      let code: String?
      let again: Int
      private enum CodingKeys: CodingKey { case code, id }

      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decodeIfPresent(String.self, forKey: .code)
        again = try container.decode(Int.self, forKey: .id)
        try super.init(from: container.superDecoder())
      }
    }
    try Connection.inMemory { db throws in
      let stations = try Station.fetchAll(db, sql: Self.rows)
      #expect(stations.map { Stop(id: $0.id, name: $0.name, code: $0.code) } == Self.stops)
      #expect(stations.map(\.again) == [1, 2, 3])
    }
  }

  @Test func keysOtherThanASmallEnumAreLookedUpByName() throws {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Named: Decodable, FetchableRecord {
      var stop: Stop
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        stop = Stop(
          id: try container.decode(Int.self, forKey: Key(stringValue: "id")),
          name: try container.decode(String.self, forKey: Key(stringValue: "name")),
          code: try container.decodeIfPresent(String.self, forKey: Key(stringValue: "code")))
      }
    }
    struct Single: Decodable, FetchableRecord { var id: Int }
    try Connection.inMemory { db throws in
      #expect(try Named.fetchAll(db, sql: Self.rows).map(\.stop) == Self.stops)
      #expect(try Single.fetchAll(db, sql: Self.rows).map(\.id) == [1, 2, 3])
    }
  }

  @Test func anAbsentColumnStaysAbsent() throws {
    try Connection.inMemory { db throws in
      let stops = try Stop.fetchAll(db, sql: "SELECT id, name FROM (\(Self.rows))")
      #expect(stops == Self.stops.map { Stop(id: $0.id, name: $0.name) })
      let codes = try Code.fetchCursor(db, sql: "SELECT code, name FROM (\(Self.rows))")
      for _ in Self.stops {
        let error = #expect(throws: RowDecodingError.self) { try codes.next() }
        #expect(error?.column == "id")
      }
    }
  }

  // MARK: - Kept decoders and containers

  /// A record that reads its row only on request.
  final class Lazy: Decodable, FetchableRecord {
    enum Keys: CodingKey { case id, name, code }
    enum Kept: CaseIterable { case decoder, container, superDecoder, both }

    @TaskLocal static var kept = Kept.decoder
    private let decoder: (any Decoder)?
    private let container: KeyedDecodingContainer<Keys>?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      _ = try container.decode(Int.self, forKey: .id)
      self.container = [.container, .both].contains(Self.kept) ? container : nil
      self.decoder =
        switch Self.kept {
        case .decoder, .both: decoder
        case .superDecoder: try container.superDecoder()
        case .container: nil
        }
    }

    func stop() throws -> Stop? {
      guard let container = try container ?? decoder?.container(keyedBy: Keys.self) else {
        return nil
      }
      return Stop(
        id: try container.decode(Int.self, forKey: .id),
        name: try container.decode(String.self, forKey: .name),
        code: try container.decodeIfPresent(String.self, forKey: .code))
    }

    func takeContainer() throws -> KeyedDecodingContainer<Keys>? {
      try decoder?.container(keyedBy: Keys.self)
    }
  }

  @Test(arguments: Lazy.Kept.allCases)
  func aKeptDecoderReadsItsOwnRow(_ kept: Lazy.Kept) throws {
    let records = try Lazy.$kept.withValue(kept) {
      try Connection.inMemory { db throws in
        let records = try Lazy.fetchAll(db, sql: Self.rows)
        // The statement is used for other records, and then the connection ends.
        #expect(try Stop.fetchAll(db, sql: Self.rows) == Self.stops)
        return records
      }
    }
    #expect(try records.map { try $0.stop() } == Self.stops)
  }

  /// A record with weak references to the coders that it received.
  private struct Witness: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "witness"
    enum CodingKeys: CodingKey { case id }

    final class Coder {
      weak var object: AnyObject?
    }

    var id: Int
    weak var decoder: AnyObject?
    let encoder = Coder()

    init(id: Int) { self.id = id }

    init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      self.decoder = decoder as AnyObject
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      self.encoder.object = encoder as AnyObject
    }
  }

  @Test func oneDecoderAndOneEncoderAreReusedAndReleasedWithTheConnection() throws {
    let stored = (1...3).map(Witness.init)
    let fetched = try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE witness (id INTEGER PRIMARY KEY)")
      for record in stored { try record.insert(db) }
      let fetched = try stored.map { try Witness.find(db, key: $0.id) }
      #expect(fetched[0].decoder != nil && stored[0].encoder.object != nil)
      #expect(fetched.allSatisfy { $0.decoder === fetched[0].decoder })
      #expect(stored.allSatisfy { $0.encoder.object === stored[0].encoder.object })
      return fetched
    }
    #expect(fetched.allSatisfy { $0.decoder == nil })
    #expect(stored.allSatisfy { $0.encoder.object == nil })
  }

  @Test func aSingleColumnDecoderReadsItsOwnRow() throws {
    struct LazyName: Decodable {
      var decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    struct Record: Decodable, FetchableRecord { var name: LazyName }
    let records = try Connection.inMemory { db throws in
      let records = try Record.fetchAll(db, sql: Self.rows)
      #expect(try Stop.fetchAll(db, sql: Self.rows) == Self.stops)
      return records
    }
    let names = try records.map { record in
      try record.name.decoder.singleValueContainer().decode(String.self)
    }
    #expect(names == Self.stops.map(\.name))
  }

  @Test(arguments: Lazy.Kept.allCases)
  func aDecoderGoesWithTheRecordThatKeptIt(_ kept: Lazy.Kept) throws {
    struct Watched: Decodable, FetchableRecord {
      final class Coder { weak var object: AnyObject? }
      var lazy: Lazy
      let coder = Coder()
      init(from decoder: any Decoder) throws {
        lazy = try Lazy(from: decoder)
        coder.object = decoder as AnyObject
      }
    }
    let coders = try Connection.inMemory { db throws in
      let records = try Lazy.$kept.withValue(kept) { try Watched.fetchAll(db, sql: Self.rows) }
      #expect(Set(records.map { $0.coder.object.map(ObjectIdentifier.init) }).count == 3)
      return records.map(\.coder)
    }
    #expect(coders.allSatisfy { $0.object == nil })
  }

  @Test func aContainerOutlivesItsDecoder() throws {
    let containers = try Lazy.$kept.withValue(.decoder) {
      try Connection.inMemory { db throws in
        try Lazy.fetchAll(db, sql: Self.rows).map { try $0.takeContainer() }
      }
    }
    let names = try containers.map { try $0?.decode(String.self, forKey: .name) }
    #expect(names == Self.stops.map(\.name))
  }
}
