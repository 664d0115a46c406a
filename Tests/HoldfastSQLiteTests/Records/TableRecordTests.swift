import HoldfastSQLite
import Testing

@Suite struct TableRecordTests {
  struct Player: TableRecord {}
  struct PostalAddress: TableRecord {}
  struct HTTPRequest: TableRecord {}
  struct TOEFL: TableRecord {}
  struct X: TableRecord {}
  struct IPv6Address: TableRecord {}
  struct Box<T>: TableRecord {}

  @Test func theTableIsNamedAfterTheType() {
    #expect(Player.databaseTableName == "player")
    #expect(PostalAddress.databaseTableName == "postalAddress")
    #expect(HTTPRequest.databaseTableName == "httpRequest")
    #expect(TOEFL.databaseTableName == "toefl")
    #expect(X.databaseTableName == "x")
    #expect(IPv6Address.databaseTableName == "iPv6Address")
    #expect(Box<Int>.databaseTableName == "box")
  }

  struct Stop: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable {
    var id: Int64
    var name: String
    var code: String?
  }

  struct StopName: Codable, FetchableRecord, TableRecord, Equatable {
    static let databaseTableName = "stop"
    static let databaseSelection: [any SQLSelectable] = [
      SQL("name"), SQL("upper(name) AS loud"),
    ]
    var name: String
    var loud: String
  }

  struct Seat: Codable, FetchableRecord, PersistableRecord, Hashable {
    var row: Int
    var letter: String
    var guest: String?
  }

  static let stops = [
    Stop(id: 1, name: "Quay", code: "Q"), Stop(id: 2, name: "Wharf"),
    Stop(id: 3, name: "Pier", code: "P"),
  ]

  private func withStops<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code TEXT UNIQUE);
          CREATE TABLE seat ("row" INTEGER, letter TEXT, guest TEXT, PRIMARY KEY ("row", letter));
          INSERT INTO stop VALUES (1, 'Quay', 'Q'), (2, 'Wharf', NULL), (3, 'Pier', 'P');
          INSERT INTO seat VALUES (1, 'A', 'Ann'), (1, 'B', NULL), (2, 'A', 'Bob');
          """)
      return try body(db)
    }
  }

  @Test func allRecordsOfATableCanBeFetched() throws {
    try withStops { db throws in
      #expect(try Stop.fetchAll(db) == Self.stops)
      #expect(try Stop.fetchOne(db) == Self.stops[0])
      #expect(try Stop.fetchSet(db) == Set(Self.stops))
      #expect(try Stop.fetchCursor(db).next() == Self.stops[0])
      #expect(try Stop.fetchCount(db) == 3)
      #expect(try Stop.all().filter(literal: "id > \(1)").fetchCount(db) == 2)
      #expect(try Stop.filter(sql: "id > ?", arguments: [2]).fetchAll(db) == [Self.stops[2]])
      #expect(
        try Stop.filter(literal: "id = 1 OR id = 2").filter(literal: "id = 2").fetchAll(db)
          == [Self.stops[1]])
    }
  }

  @Test func theSelectionIsThatOfTheType() throws {
    try withStops { db throws in
      let quay = StopName(name: "Quay", loud: "QUAY")
      #expect(try StopName.fetchOne(db) == quay)
      #expect(try StopName.fetchOne(db, key: 1) == quay)
      #expect(try StopName.fetchAll(db, keys: [1]) == [quay])
      #expect(try StopName.numberOfSelectedColumns(db) == 2)
      #expect(try Stop.numberOfSelectedColumns(db) == 3)
    }
  }

  @Test func aRecordIsFoundByItsKey() throws {
    try withStops { db throws in
      for _ in 0..<2 {
        #expect(try Stop.fetchOne(db, key: 1) == Self.stops[0])
        #expect(try Stop.fetchOne(db, key: 9) == nil)
        #expect(try Stop.fetchOne(db, key: Int?.none) == nil)
        #expect(try Stop.fetchOne(db, id: 2) == Self.stops[1])
        #expect(try Stop.find(db, key: 3) == Self.stops[2])
        #expect(try Stop.find(db, id: 3) == Self.stops[2])
      }
      #expect(try Stop.fetchAll(db, keys: [3, 1, 9]).map(\.id).sorted() == [1, 3])
      #expect(try Stop.fetchAll(db, ids: [3]).map(\.id) == [3])
      #expect(try Stop.fetchAll(db, keys: [Int]()).isEmpty)
      #expect(try Stop.fetchSet(db, keys: [1, 2]).count == 2)
      #expect(try Stop.fetchSet(db, ids: [1]).count == 1)
      #expect(try Stop.fetchCursor(db, ids: [2]).next() == Self.stops[1])
      #expect(try Stop.fetchCursor(db, keys: [2]).next() == Self.stops[1])
      #expect(try Stop.filter(id: 2).fetchOne(db) == Self.stops[1])
      #expect(try Stop.filter(ids: [2, 3]).fetchCount(db) == 2)
    }
  }

  @Test func aRecordIsFoundByAUniqueKey() throws {
    try withStops { db throws in
      #expect(try Stop.fetchOne(db, key: ["code": "P"]) == Self.stops[2])
      #expect(try Stop.fetchOne(db, key: ["ID": 1]) == Self.stops[0])
      #expect(try Stop.fetchOne(db, key: ["rowid": 1]) == Self.stops[0])
      #expect(try Stop.find(db, key: ["code": "Q"]) == Self.stops[0])
      #expect(try Stop.fetchAll(db, keys: [["code": String?.none]]) == [Self.stops[1]])
      let seat = Seat(row: 1, letter: "B", guest: nil)
      #expect(try Seat.fetchOne(db, key: ["letter": "B", "row": 1]) == seat)
      #expect(
        try Seat.fetchAll(db, keys: [["row": 1, "letter": "B"], ["row": 9, "letter": "A"]])
          == [seat])
      #expect(try Seat.fetchSet(db, keys: [["row": 1, "letter": "B"]]) == [seat])
      #expect(try Seat.fetchCursor(db, keys: [["row": 1, "letter": "B"]]).next() == seat)
      #expect(try Seat.fetchAll(db, keys: [[String: Int]]()).isEmpty)
      #expect(try Seat.exists(db, key: ["row": 2, "letter": "A"]))
    }
  }

  @Test func columnsThatAreNotAUniqueKeyAreRefused() throws {
    try withStops { db throws in
      let error = try databaseError { _ = try Stop.fetchOne(db, key: ["name": "Quay"]) }
      #expect(error.resultCode == .SQLITE_MISUSE)
      #expect(error.message == "table stop has no unique key on column(s) name")
      let part = try databaseError { _ = try Seat.fetchOne(db, key: ["row": 1]) }
      #expect(part.message == "table seat has no unique key on column(s) row")
      let single = try databaseError { _ = try Seat.fetchOne(db, key: 1) }
      #expect(single.message?.contains("single-column primary key") == true)
    }
  }

  @Test func recordsAreDeletedByTheirKeys() throws {
    try withStops { db throws in
      #expect(try Stop.deleteOne(db, key: 1))
      #expect(try !Stop.deleteOne(db, key: 1))
      #expect(try !Stop.deleteOne(db, key: Int?.none))
      #expect(try !Stop.exists(db, key: 1))
      #expect(try Stop.exists(db, id: 2))
      #expect(try Stop.deleteOne(db, key: ["code": "P"]))
      #expect(try Stop.deleteAll(db, keys: [1, 2, 3]) == 1)
      #expect(try Seat.deleteAll(db, keys: [["row": 1, "letter": "A"]]) == 1)
      #expect(try Seat.filter(literal: "guest IS NULL").deleteAll(db) == 1)
      #expect(try Seat.deleteAll(db) == 1)
      #expect(try Seat.fetchCount(db) == 0)
    }
  }

  @Test func aMissingRecordIsAnErrorThatNamesTheKey() throws {
    try withStops { db throws in
      let error = #expect(throws: RecordError.self) { try Stop.find(db, key: 9) }
      #expect(error == .recordNotFound(databaseTableName: "stop", key: ["id": 9]))
      #expect(error?.description == "Key not found in table stop: [id:9]")
      #expect(throws: RecordError.recordNotFound(databaseTableName: "stop", key: ["code": "Z"])) {
        try Stop.find(db, key: ["code": "Z"])
      }
      #expect(Stop.recordNotFound(db, id: 9) as? RecordError == error)
      // A record that only encodes itself has a key too.
      struct Sketch: Encodable, EncodableRecord, TableRecord {
        static let databaseTableName = "stop"
        var id = 9
      }
      #expect(Sketch().recordNotFound(db) as? RecordError == error)
    }
  }

  @Test func recordsOfARecreatedTableAreFoundByItsNewKey() throws {
    try withStops { db throws in
      #expect(try Stop.fetchOne(db, key: 1)?.name == "Quay")
      try db.execute(
        sql: """
          DROP TABLE stop;
          CREATE TABLE stop (id INTEGER, name TEXT, code TEXT PRIMARY KEY);
          INSERT INTO stop VALUES (7, 'Mole', '1');
          """)
      #expect(try Stop.fetchOne(db, key: 1)?.name == "Mole")
      try db.execute(sql: "DROP TABLE stop")
      #expect(
        try databaseError { _ = try Stop.fetchOne(db, key: 1) }.message == "no such table: stop")
    }
  }
}
