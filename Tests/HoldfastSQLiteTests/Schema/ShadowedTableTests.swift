import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Names without a schema, which refer to the first table of that name in `temp`, `main` and the
/// attached databases.
///
/// - SeeAlso: <https://www.sqlite.org/lang_naming.html>
@Suite struct ShadowedTableTests {
  private struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int64
    var name: String
  }

  private let folder: TemporaryDirectory
  private let path: String
  private let connection: Connection
  private let foreign: Connection

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("main.db").path
    connection = try Connection(path)
    foreign = try Connection(path)
    try connection.withAccess { db throws in
      try db.turnOnWriteAheadLog()
      for (number, name) in ["near", "far"].enumerated() {
        try db.execute(
          sql: "ATTACH ? AS \(name)", arguments: [folder.file("\(number).db").path])
      }
      try create("far", "far", db)
    }
  }

  /// Creates a table with one row that names its schema.
  private func create(_ schema: String, _ name: String, _ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE \(schema).item (id INTEGER PRIMARY KEY, name);
        INSERT INTO \(schema).item VALUES (1, '\(name)')
        """)
  }

  private func name(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM item")
  }

  @Test(arguments: [false, true])
  func aCachedStatementReadsTheCurrentlyNamedTable(inTransaction: Bool) throws {
    try connection.withAccess { db throws in
      let kept = try db.makeStatement(sql: "SELECT name FROM item")
      let unused = try ["near", "main", "temp"].map { schema in
        (schema, try db.makeStatement(sql: "SELECT name FROM item WHERE name <> ''"))
      }
      let all = try db.makeStatement(sql: "SELECT * FROM item")
      func expect(_ schema: String) throws {
        for _ in 1...2 {
          #expect(try name(db) == [schema])
          #expect(try String.fetchAll(kept) == [schema])
          #expect(try Row.fetchOne(all)?.count == 2)
          #expect(try Item.find(db, key: 1).name == schema)
          #expect(try Item.fetchAll(db) == [Item(id: 1, name: schema)])
        }
      }
      if inTransaction { try db.beginTransaction() }
      try expect("far")
      for schema in ["near", "main", "temp"] {
        try create(schema, schema, db)
        for (name, statement) in unused where name == schema {
          #expect(try String.fetchAll(statement) == [schema])
        }
        try expect(schema)
      }
      for (schema, next) in [("temp", "main"), ("main", "near"), ("near", "far")] {
        try db.execute(sql: "DROP TABLE \(schema).item")
        try expect(next)
      }
      try db.execute(sql: "ALTER TABLE far.item RENAME TO other")
      #expect(throws: DatabaseError.self) { try name(db) }
      if inTransaction { try db.commit() }
    }
  }

  @Test func aRecordIsStoredInTheCurrentlyNamedTable() throws {
    try connection.withAccess { db throws in
      for (number, schema) in ["far", "near", "main", "temp"].enumerated() {
        if number > 0 { try create(schema, schema, db) }
        let item = Item(id: 2, name: "new")
        try item.insert(db)
        try Item(id: 2, name: "updated").update(db)
        #expect(
          try String.fetchAll(db, sql: "SELECT name FROM \(schema).item ORDER BY id")
            == [schema, "updated"])
        #expect(try item.delete(db))
        #expect(try String.fetchAll(db, sql: "SELECT name FROM \(schema).item") == [schema])
      }
    }
  }

  @Test func aTableCreatedByAnotherConnectionShadows() throws {
    try connection.withAccess { db throws in #expect(try name(db) == ["far"]) }
    try foreign.withAccess { db throws in try create("main", "foreign", db) }
    try connection.withAccess { db throws in
      #expect(try name(db) == ["foreign"])
      try foreign.withAccess { db throws in try db.execute(sql: "DROP TABLE item") }
      #expect(try name(db) == ["far"])
      try foreign.withAccess { db throws in try create("main", "again", db) }
      try db.inTransaction { () throws in
        #expect(try name(db) == ["again"])
        return .commit
      }
    }
  }

  @Test func aRolledBackCreationShadowsNothing() throws {
    try connection.withAccess { db throws in
      #expect(try name(db) == ["far"])
      try db.inTransaction { () throws in
        try create("main", "main", db)
        #expect(try name(db) == ["main"])
        try db.inSavepoint { () throws in
          try create("temp", "temp", db)
          #expect(try name(db) == ["temp"])
          return .rollback
        }
        #expect(try name(db) == ["main"])
        return .rollback
      }
      #expect(try name(db) == ["far"])
    }
  }

  @Test func aDetachedDatabaseShadowsNothing() throws {
    try connection.withAccess { db throws in
      try create("near", "near", db)
      #expect(try name(db) == ["near"])
      try db.execute(sql: "DETACH near")
      #expect(try name(db) == ["far"])
      try db.execute(sql: "ATTACH ? AS near", arguments: [folder.file("0.db").path])
      // It is now the last one.
      #expect(try name(db) == ["far"])
      try create("main", "main", db)
      #expect(try name(db) == ["main"])
    }
  }

  @Test func aShadowingTableIsSeenWithObserversAndAnAuthorizer() throws {
    try connection.withAccess { db throws in
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      db.setAuthorizer { _ in .allow }
      #expect(try name(db) == ["far"])
      let count = try db.makeStatement(sql: "DELETE FROM item")
      try create("main", "main", db)
      #expect(try name(db) == ["main"])
      _ = diary.take()
      try count.execute()
      #expect(diary.take() == ["delete item 1", "will commit", "commit"])
      #expect(try name(db) == [])
    }
  }

  /// The list of the schemas is asked for by the library.
  @Test func aShadowingTableIsSeenWhereTheUserDeniesPragmas() throws {
    try connection.withAccess { db throws in
      db.setAuthorizer { $0.code == .pragma ? .deny : .allow }
      try db.execute(sql: "DETACH near")
      try db.execute(sql: "ATTACH ? AS near", arguments: [folder.file("0.db").path])
      #expect(try name(db) == ["far"])
      try foreign.withAccess { db throws in try create("main", "main", db) }
      #expect(try name(db) == ["main"])
    }
  }

  /// Swift takes the two names for one.
  @Test(
    .disabled(
      if: ConnectionKeys.areUsed, "a file that another connection creates has a salt of its own"))
  func aShadowingTableIsSeenInASchemaWhoseNameReadsLikeAnothers() throws {
    let names = ["\u{e9}", "e\u{301}"]
    try connection.withAccess { db throws in
      try db.execute(sql: "DETACH near; DETACH far")
      for (number, name) in (names + ["far"]).enumerated() {
        try db.execute(
          sql: "ATTACH ? AS \(name)", arguments: [folder.file("like\(number).db").path])
      }
      try create("far", "far", db)
      #expect(try name(db) == ["far"])
      let other = try Connection(folder.file("like1.db").path)
      try other.withAccess { db throws in try create("main", "near", db) }
      #expect(try name(db) == ["near"])
    }
  }

  /// A statement on `main` alone needs none of the others, and takes no lock on them.
  @Test func aStatementOnOneDatabaseIsNotHeldUpByAnother() throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let own = try Connection(path, configuration)
    let holder = try Connection(folder.file("third.db").path, configuration)
    try own.withAccess { db throws in
      try db.execute(
        sql: """
          ATTACH '\(folder.file("third.db").path)' AS third; CREATE TABLE third.t (a);
          ATTACH ':memory:' AS fourth; CREATE TABLE fourth.u (a); CREATE TABLE main.m (a)
          """)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM m") == 0)
      try holder.withAccess { holder throws in
        try holder.inTransaction(.exclusive) { () throws in
          try db.inTransaction(.deferred) { () throws in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM m") == 0)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM u") == 0)
            #expect(throws: DatabaseError.self) {
              try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            }
            return .commit
          }
          return .commit
        }
      }
    }
  }
}
