import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct RecordTests {
  /// A record with a key that the database chooses, as GRDB's documentation shows it.
  class Person: Record, Hashable, Identifiable {
    var id: Int64?
    var name: String?
    var age: Int?
    var calls: [String] = []

    init(id: Int64? = nil, name: String? = nil, age: Int? = nil) {
      (self.id, self.name, self.age) = (id, name, age)
      super.init()
    }

    override class var databaseTableName: String { "person" }

    required init(row: Row) throws {
      id = row["id"]
      name = row["name"]
      age = row["age"]
      try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
      container["ID"] = id
      container["name"] = name
      container["age"] = age
    }

    override func willInsert(_ db: Database) throws {
      name = name ?? "Nobody"
      calls.append("willInsert")
      try super.willInsert(db)
    }

    override func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
      try super.aroundInsert(db, insert: insert)
      calls.append("inserted")
    }

    override func didInsert(_ inserted: InsertionSuccess) {
      super.didInsert(inserted)
      id = inserted.rowID
      calls.append("didInsert")
    }

    override func aroundUpdate(
      _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {
      try super.aroundUpdate(db, columns: columns, update: update)
      calls.append("updated \(columns.sorted().joined(separator: " "))")
    }

    override func didSave(_ saved: PersistenceSuccess) {
      super.didSave(saved)
      calls.append("didSave")
    }

    override func didDelete(deleted: Bool) {
      super.didDelete(deleted: deleted)
      calls.append("didDelete \(deleted)")
    }

    static func == (left: Person, right: Person) -> Bool {
      left.id == right.id && left.name == right.name && left.age == right.age
    }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// A subclass with conflicts, columns and names of its own.
  final class Guest: Person {
    override class var persistenceConflictPolicy: PersistenceConflictPolicy {
      PersistenceConflictPolicy(insert: .replace, update: .replace)
    }

    override class var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
  }

  private func withPeople(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, age INT)")
      try body(db)
    }
  }

  @Test func aRecordIsStoredFoundAndDeleted() throws {
    try withPeople { db throws in
      let ann = Person(name: "Ann", age: 30)
      try ann.insert(db)
      #expect(ann.id == 1 && ann.calls == ["willInsert", "inserted", "didInsert", "didSave"])
      try Person(id: 2).save(db)
      ann.age = 31
      try ann.save(db)
      #expect(ann.calls.suffix(2) == ["updated age id name", "didSave"])
      let found = try Person.find(db, key: 1)
      #expect(found == ann && type(of: found) == Person.self)
      #expect(try Person.fetchAll(db, keys: [1, 2, 3]).map(\.name) == ["Ann", "Nobody"])
      #expect(try Person.filter(id: 2).fetchSet(db).count == 1)
      #expect(try Person.order(Column("name").desc).fetchCursor(db).next()?.id == 2)
      #expect(try Person.fetchOne(db, sql: "SELECT * FROM person WHERE id = 9") == nil)
      #expect(throws: DatabaseError.self) { try Person(id: 1, name: "Bob").insert(db) }
      #expect(throws: RecordError.self) { try Person(id: 9, name: "Bob").update(db) }
      let bob = Person(name: "Ann", age: 7)
      try bob.upsert(db)
      #expect(try bob.id == 1 && Person.find(db, key: 1).age == 7)
      #expect(try bob.exists(db) && bob.delete(db) && !bob.delete(db))
      #expect(bob.calls.suffix(2) == ["didDelete true", "didDelete false"])
      #expect(try Person.fetchCount(db) == 1)
    }
  }

  @Test func aRecordKnowsWhetherItHasChanged() throws {
    try withPeople { db throws in
      let ann = Person(name: "Ann", age: 30)
      #expect(try ann.hasDatabaseChanges && ann.databaseChanges.count == 3)
      try ann.insert(db)
      #expect(try !ann.hasDatabaseChanges && ann.databaseChanges.isEmpty)
      #expect(try !ann.updateChanges(db))
      ann.age = 31
      #expect(try ann.databaseChanges == ["age": 30.databaseValue] && ann.updateChanges(db))
      #expect(ann.calls.suffix(2) == ["updated age", "didSave"] && !ann.hasDatabaseChanges)

      let fetched = try Person.find(db, key: 1)
      #expect(!fetched.hasDatabaseChanges)
      fetched.age = nil
      #expect(try fetched.databaseChanges == ["age": 31.databaseValue])
      fetched.age = 31
      #expect(!fetched.hasDatabaseChanges)

      // What was not fetched is not known.
      let part = try #require(try Person.fetchOne(db, sql: "SELECT id, name FROM person"))
      let unknown: DatabaseValue? = nil
      #expect(try part.databaseChanges == ["age": unknown])
      #expect(try Person(row: ["id": 1, "name": "Ann", "age": 31]).hasDatabaseChanges)

      // Neither are columns stored that an update leaves out.
      (fetched.name, fetched.age) = ("Anna", 40)
      try fetched.update(db, columns: ["NAME"])
      #expect(try fetched.databaseChanges == ["age": 31.databaseValue])
      try fetched.delete(db)
      #expect(fetched.hasDatabaseChanges)
    }
  }

  @Test func anIgnoredInsertionIsStillAChange() throws {
    try withPeople { db throws in
      try Person(id: 1, name: "Ann").insert(db)
      let other = Person(id: 1, name: "Bob")
      try other.insert(db, onConflict: .ignore)
      #expect(other.hasDatabaseChanges && other.calls == ["willInsert", "inserted"])
    }
  }

  @Test func aSubclassIsStoredByItsOwnRules() throws {
    try withPeople { db throws in
      try Person(id: 1, name: "Ann", age: 1).insert(db)
      let records: [Record] = [Guest(id: 2, name: "Ann"), Guest(id: 3, name: "Ann", age: 5)]
      for record in records { try record.insert(db) }
      #expect(try Person.fetchAll(db).map(\.id) == [3])
      let guest = try #require(try Guest.fetchOne(db))
      #expect(guest.age == nil && type(of: guest) == Guest.self)
      try Person(id: 4, name: "Bob").insert(db)
      guest.name = "Bob"
      try (guest as Record).update(db)
      #expect(try Person.fetchAll(db).map(\.id) == [3])
      try (Guest(id: 3, name: "Cid") as Record).save(db)
      #expect(try Guest.fetchOne(db)?.name == "Cid")
    }
  }

  private final class Nameless: Record {}

  @Test func aSubclassWithoutATableTrapsWithAMessage() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in _ = try Nameless.fetchCount(db) }
    }
    expectSentence("`Nameless` does not override `databaseTableName`", in: result)
  }
}
