import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastLedger

@Suite struct TableLayoutTests {
  /// With the affinity of a number, SQLite would read all keys of the side table for each row.
  @Test(arguments: ["INTEGER PRIMARY KEY", "INT PRIMARY KEY", "TEXT PRIMARY KEY", "REAL UNIQUE"])
  func aRowIsFoundInTheSideTableByItsKey(type: String) async throws {
    let shelf = try Bookshelf(
      "CREATE TABLE f (id \(type), path TEXT); INSERT INTO f VALUES (1, 'a.m4b')")
    let table = LedgerTable(
      name: "f", idColumns: ["id"], pathColumn: "path",
      dialect: .tagged(["D:": .documents], bareRoot: .caches))
    let ledger = try await shelf.adopted(table)
    let plan = try await shelf.queue.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + LedgerRows(ledger, db).selection)
        .map { try $0.decode(String.self, forColumn: "detail") }
    }
    #expect(plan.contains { $0.contains("(source=? AND key=?)") }, "\(plan)")
  }
}
