import HoldfastSQLite
import Testing

@Suite struct PersistenceCallbackTests {
  final class Log {
    var calls: [String] = []
  }

  struct Record: MutablePersistableRecord {
    var id: Int64?
    var name = ""
    var log = Log()
    var skipping = ""

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["name"] = name
    }

    mutating func willInsert(_ db: Database) throws {
      log.calls.append("willInsert")
      name += "?"
    }

    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
      log.calls.append("aroundInsert")
      if skipping != "insert" { _ = try insert() }
      log.calls.append("aroundInserted")
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
      log.calls.append("didInsert")
      id = inserted.rowID
    }

    func willUpdate(_ db: Database, columns: Set<String>) throws {
      log.calls.append("willUpdate \(columns.sorted())")
    }

    func aroundUpdate(
      _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {
      log.calls.append("aroundUpdate")
      if skipping != "update" { _ = try update() }
    }

    func didUpdate(_ updated: PersistenceSuccess) { log.calls.append("didUpdate") }
    func willSave(_ db: Database) throws { log.calls.append("willSave") }

    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
      log.calls.append("aroundSave")
      if skipping != "save" { _ = try save() }
      log.calls.append("aroundSaved")
    }

    func didSave(_ saved: PersistenceSuccess) { log.calls.append("didSave") }
    func willDelete(_ db: Database) throws { log.calls.append("willDelete") }

    func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
      log.calls.append("aroundDelete")
      if skipping != "delete" { _ = try delete() }
    }

    func didDelete(deleted: Bool) { log.calls.append("didDelete \(deleted)") }
  }

  private func withTable(_ body: (Database, inout Record) throws -> Void) throws -> [String] {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE record (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
      var record = Record()
      try body(db, &record)
      return record.log.calls
    }
  }

  private static let insertion = [
    "willSave", "aroundSave", "willInsert", "aroundInsert", "aroundInserted", "didInsert",
    "aroundSaved", "didSave",
  ]

  @Test func anInsertionCallsTheCallbacksInOrder() throws {
    let calls = try withTable { db, record in
      try record.insert(db)
      #expect(record.id == 1 && record.name == "?")
      #expect(try String.fetchOne(db, sql: "SELECT name FROM record") == "?")
    }
    #expect(calls == Self.insertion)
  }

  @Test func anUpdateCallsTheCallbacksInOrder() throws {
    let calls = try withTable { db, record in
      try db.execute(sql: "INSERT INTO record VALUES (1, 'a')")
      record.id = 1
      try record.update(db)
      try record.update(db, columns: ["name"])
    }
    #expect(
      calls == [
        "willSave", "aroundSave", #"willUpdate ["id", "name"]"#, "aroundUpdate", "didUpdate",
        "aroundSaved", "didSave",
        "willSave", "aroundSave", #"willUpdate ["name"]"#, "aroundUpdate", "didUpdate",
        "aroundSaved", "didSave",
      ])
  }

  @Test func savingTriesTheUpdateFirst() throws {
    let calls = try withTable { db, record in
      record.id = 1
      try record.save(db)
    }
    #expect(
      calls == [
        "willSave", "aroundSave", #"willUpdate ["id", "name"]"#, "aroundUpdate", "willInsert",
        "aroundInsert", "aroundInserted", "didInsert", "aroundSaved", "didSave",
      ])
    let withoutKey = try withTable { db, record in try record.save(db) }
    #expect(withoutKey == Self.insertion)
  }

  /// The missing record is not the record that is saved.
  @Test func aRecordThatACallbackMissesFailsTheSave() throws {
    struct Other: Codable, PersistableRecord { var id: Int }
    struct Parent: Codable, PersistableRecord {
      var id: Int
      func willUpdate(_ db: Database, columns: Set<String>) throws { try Other(id: 7).update(db) }
    }
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE other (id INTEGER PRIMARY KEY); CREATE TABLE parent (id INTEGER PRIMARY KEY)
          """)
      let error = #expect(throws: RecordError.self) { try Parent(id: 1).save(db) }
      #expect(error?.description == "Key not found in table other: [id:7]")
      #expect(try Parent.fetchCount(db) == 0)
    }
  }

  @Test func anUpsertCallsTheCallbacksOfAnInsertion() throws {
    let calls = try withTable { db, record in try record.upsert(db) }
    #expect(calls == Self.insertion)
  }

  @Test func aDeletionReportsWhetherARowExisted() throws {
    let calls = try withTable { db, record in
      record.id = 1
      try record.delete(db)
      try db.execute(sql: "INSERT INTO record VALUES (1, 'a')")
      try record.delete(db)
    }
    #expect(
      calls == [
        "willDelete", "aroundDelete", "didDelete false",
        "willDelete", "aroundDelete", "didDelete true",
      ])
  }

  @Test func aFailureCallsNoDidCallback() throws {
    let calls = try withTable { db, record in
      try db.execute(sql: "INSERT INTO record VALUES (1, '?')")
      #expect(throws: DatabaseError.self) { try record.insert(db) }
      #expect(record.id == nil)
    }
    #expect(calls == ["willSave", "aroundSave", "willInsert", "aroundInsert"])
  }

  @Test func anIgnoredInsertionCallsNoDidCallback() throws {
    let calls = try withTable { db, record in
      try db.execute(sql: "INSERT INTO record VALUES (7, '?')")
      try record.insert(db, onConflict: .ignore)
      #expect(record.id == nil)
    }
    #expect(
      calls == [
        "willSave", "aroundSave", "willInsert", "aroundInsert", "aroundInserted", "aroundSaved",
      ])
  }

  @Test(arguments: ["insert", "save", "update", "delete"])
  func anAroundCallbackThatDoesNotCallItsClosureIsAnError(_ skipped: String) throws {
    _ = try withTable { db, record in
      record.skipping = skipped
      record.id = skipped == "insert" || skipped == "save" ? nil : 1
      let error = try databaseError {
        switch skipped {
        case "update": try record.update(db)
        case "delete": try record.delete(db)
        default: try record.insert(db)
        }
      }
      #expect(error.resultCode == .SQLITE_MISUSE)
      let name = "around" + skipped.prefix(1).uppercased() + skipped.dropFirst()
      #expect(error.message?.contains("`Record.\(name)` persistence callback") == true)
    }
  }

  @Test func aClassCanBeStored() throws {
    final class Node: Encodable, PersistableRecord {
      var id: Int64?
      enum CodingKeys: CodingKey { case id }
      func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE node (id INTEGER PRIMARY KEY)")
      let node = Node()
      try node.insert(db)
      #expect(node.id == 1)
      try node.save(db)
      try node.upsert(db)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM node") == [1])
    }
  }
}
