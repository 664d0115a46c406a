import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct AuthorizedActionTests {
  @Test func anAuthorizerDecidesWhatStatementsMayDo() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
      let early = try db.makeStatement(sql: "DELETE FROM t")
      let asked = Journal<AuthorizedAction>()
      db.setAuthorizer { action in
        asked.append(action)
        switch action.code {
        case .delete: return .deny
        case .read where action.second == "b": return .ignore
        default: return .allow
        }
      }
      #expect(try databaseError { try early.execute() }.resultCode == .SQLITE_AUTH)
      let row = try Row.fetchOne(db, sql: "SELECT a, b FROM t")
      #expect(row?.databaseValues == [1, nil])
      #expect(
        asked.entries.contains(
          AuthorizedAction(code: .read, first: "t", second: "a", databaseName: "main")))
      db.setAuthorizer(nil)
      try db.execute(sql: "DELETE FROM t")
    }
  }

  @Test func observersAndAnAuthorizerWorkTogether() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a)")
      let asked = Journal<AuthorizedAction.Code>()
      db.setAuthorizer { action in
        asked.append(action.code)
        return .allow
      }
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      try db.execute(sql: "INSERT INTO t VALUES (1), (2); DELETE FROM t")
      #expect(
        diary.take() == [
          "insert t 1", "insert t 2", "will commit", "commit",
          "delete t 1", "delete t 2", "will commit", "commit",
        ])
      #expect(asked.entries.contains(.insert) && asked.entries.contains(.delete))
      #expect(try db.makeStatement(sql: "SELECT a FROM t").databaseRegion.description == "t(a)")
      db.setAuthorizer(nil)
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
    }
  }

  @Test func anAuthorizerCanBeSetByAPreparation() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.setAuthorizer { $0.code == .attach ? .deny : .allow }
    }
    try Connection(nil, configuration).withAccess { db throws in
      let error = try databaseError { try db.execute(sql: "ATTACH ':memory:' AS other") }
      #expect(error.resultCode == .SQLITE_AUTH)
    }
  }
}
