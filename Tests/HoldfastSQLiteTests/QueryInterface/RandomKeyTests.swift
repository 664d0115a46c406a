import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Keys of every type and strategy find the rows that records with them are stored in.
///
/// `HOLDFAST_CASES=10000` runs more of them.
@Suite struct RandomKeyTests {
  @Test func aKeyOfEachTypeAndStrategyFindsItsRows() throws {
    var random = SeededRandom()
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 100
    try Connection.inMemory { db throws in
      for _ in 0..<count {
        try RandomStrategies.$current.withValue(RandomStrategies(&random)) {
          switch Int.random(in: 0..<10, using: &random) {
          case 0: try check(Int.self, &random, db)
          case 1: try check(String.self, &random, db)
          case 2: try check(Double.self, &random, db)
          case 3: try check(RandomCode.self, &random, db)
          case 4, 5: try check(UUID.self, &random, db)
          case 6, 7: try check(Data.self, &random, db)
          default: try check(Date.self, &random, db)
          }
        }
      }
    }
  }

  private func check<Key: RandomKey>(
    _ type: Key.Type, _ random: inout SeededRandom, _ db: Database
  ) throws {
    typealias Keyed = RandomKeyed<Key>
    let ids = (0..<10).shuffled(using: &random).map(Key.numbered)
    let codes = (0..<10).shuffled(using: &random).map(Key.numbered)
    let records = (0..<Int.random(in: 1...7, using: &random)).map { index in
      Keyed(id: ids[index], code: codes[index], score: Int.random(in: 0...3, using: &random))
    }
    try createTable(for: records, &random, db)
    for record in records { try record.insert(db) }

    let key = Key.numbered(Int.random(in: 0..<10, using: &random))
    let keys = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      Key.numbered(Int.random(in: 0..<10, using: &random))
    }
    let score = Int.random(in: 0...3, using: &random)
    let table = Table<Keyed>("keyed")

    let found = records.filter { $0.id == key }
    let single: [QueryInterfaceRequest<Keyed>] = [
      Keyed.filter(id: key), Keyed.filter(key: key), Keyed.all().filter(key: Key?.some(key)),
      Keyed.filter(key: ["id": key]), Keyed.order(Column("score")).filter(keys: [["ID": key]]),
      table.filter(id: key), table.filter(keys: Set([key])), table.filter(key: ["id": key]),
    ]
    for request in single { try check(request, found, db) }
    let chosen = records.filter { keys.contains($0.id) }
    let several: [QueryInterfaceRequest<Keyed>] = [
      Keyed.filter(ids: keys), Keyed.filter(keys: keys.map { Key?.some($0) } + [nil]),
      Keyed.filter(keys: keys.map { ["id": $0] }), table.filter(ids: keys),
    ]
    for request in several { try check(request, chosen, db) }
    try check(
      Keyed.filter(ids: keys).filter(Column("score") > score).filter(key: key),
      found.filter { $0.score > score && keys.contains($0.id) }, db)
    let second = records.filter { $0.code == key }
    try check(Keyed.filter(key: ["code": key]), second, db)
    try check(
      Keyed.filter(keys: keys.map { ["code": $0, "score": score] }),
      records.filter { keys.contains($0.code) && $0.score == score }, db)
    try checkLookups(key, keys, found, chosen, db)
    #expect(try Keyed.fetchOne(db, key: ["code": key]) == second.first)
  }

  /// Creates a table that can store the records, with random types, keys and indexes.
  private func createTable<Key: RandomKey>(
    for records: [RandomKeyed<Key>], _ random: inout SeededRandom, _ db: Database
  ) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS keyed")
    // An INTEGER PRIMARY KEY stores nothing else.
    let isInteger = try records.allSatisfy { record in
      let key = try record.databaseDictionary["id"]
      return key.flatMap { Int64.fromDatabaseValue($0) } != nil
    }
    let types = ["", " TEXT", " BLOB", " NUMERIC", isInteger ? " INTEGER" : " ANY"]
    let type = types.randomElement(using: &random) ?? ""
    let columns = [
      "id\(type) PRIMARY KEY NOT NULL", "code\(type) UNIQUE", "score INT",
    ].shuffled(using: &random)
    let end = [" WITHOUT ROWID", ""].randomElement(using: &random) ?? ""
    let constraint = ["", ", UNIQUE (score, code)"].randomElement(using: &random) ?? ""
    try db.execute(
      sql: "CREATE TABLE keyed (\(columns.joined(separator: ", "))\(constraint))\(end)")
  }

  private func check<Key: RandomKey>(
    _ request: QueryInterfaceRequest<RandomKeyed<Key>>, _ expected: [RandomKeyed<Key>],
    _ db: Database
  ) throws {
    let sql = try request.makeSQL(db).build(db)
    #expect(try request.fetchSet(db) == Set(expected), "\(sql)")
    #expect(try request.fetchCount(db) == expected.count)
    #expect(try request.isEmpty(db) == expected.isEmpty)
    try db.inSavepoint { () throws in
      #expect(try request.updateAll(db, Column("score").set(to: 9)) == expected.count)
      let changed = RandomKeyed<Key>.filter(Column("score") == 9)
      #expect(try changed.fetchCount(db) == expected.count)
      return .rollback
    }
  }

  private func checkLookups<Key: RandomKey>(
    _ key: Key, _ keys: [Key], _ found: [RandomKeyed<Key>], _ chosen: [RandomKeyed<Key>],
    _ db: Database
  ) throws {
    typealias Keyed = RandomKeyed<Key>
    let record = found.first
    #expect(try Keyed.fetchOne(db, id: key) == record)
    #expect(try Keyed.fetchOne(db, key: Key?.some(key)) == record)
    #expect(try Keyed.fetchOne(db, key: Key?.none) == nil)
    #expect(try Keyed.fetchOne(db, key: ["id": key]) == record)
    #expect(try Keyed.fetchSet(db, ids: keys) == Set(chosen))
    #expect(try Keyed.exists(db, id: key) == (record != nil))
    #expect(try Table<Keyed>("keyed").exists(db, id: key) == (record != nil))
    if let record {
      #expect(try record.exists(db))
      #expect(try Keyed.find(db, id: key) == record)
    } else {
      #expect(throws: RecordError.self) { try Keyed.find(db, id: key) }
    }
    let deletions: [(expected: Int, delete: () throws -> Int)] = [
      (found.count, { try Keyed.deleteOne(db, id: key) ? 1 : 0 }),
      (found.count, { try Keyed.deleteOne(db, key: ["id": key]) ? 1 : 0 }),
      (found.count, { try Table<Keyed>("keyed").deleteOne(db, key: key) ? 1 : 0 }),
      (chosen.count, { try Keyed.deleteAll(db, ids: keys) }),
      (chosen.count, { try Keyed.deleteAll(db, keys: keys.map { ["id": $0] }) }),
    ]
    for (expected, delete) in deletions {
      try db.inSavepoint { () throws in
        let before = try Keyed.fetchCount(db)
        #expect(try delete() == expected)
        #expect(try Keyed.fetchCount(db) == before - expected)
        return .rollback
      }
    }
  }
}
