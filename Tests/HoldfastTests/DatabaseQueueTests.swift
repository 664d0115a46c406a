import Foundation
import Holdfast
import Testing

@Suite struct DatabaseQueueTests {
  struct Stop: Codable, FetchableRecord, Equatable {
    var sid: Int
    var name: String
    var lat: Double?
  }

  private func makeQueue() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE stop (sid INTEGER PRIMARY KEY, name TEXT NOT NULL, lat REAL);
          INSERT INTO stop VALUES (1, 'Circular Quay', -33.86);
          INSERT INTO stop VALUES (2, 'O''Brien', NULL);
          """)
    }
    return queue
  }

  @Test func recordsAreFetchedByCodable() throws {
    let stops = try makeQueue().read { db in
      try Stop.fetchAll(db, sql: "SELECT * FROM stop ORDER BY sid")
    }
    #expect(
      stops == [
        Stop(sid: 1, name: "Circular Quay", lat: -33.86), Stop(sid: 2, name: "O'Brien", lat: nil),
      ])
  }

  @Test func writesInAReadAreRefused() throws {
    let queue = try makeQueue()
    #expect(throws: DatabaseError.self) {
      try queue.read { db in try db.execute(sql: "DELETE FROM stop") }
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") } == 2)
  }

  @Test func awaitedAccessesReadAndWrite() async throws {
    let queue = try makeQueue()
    try await queue.write { db in
      try db.execute(
        sql: "INSERT INTO stop VALUES (:id, :name, NULL)", arguments: ["id": 3, "name": "Ω"])
    }
    let names = try await queue.read { db in
      try String.fetchSet(db, sql: "SELECT name FROM stop")
    }
    #expect(names == ["Circular Quay", "O'Brien", "Ω"])
  }

  @Test func keptRowsStayWhatTheyWere() throws {
    let rows = try makeQueue().read { db in
      try Row.fetchAll(db, sql: "SELECT sid, name FROM stop ORDER BY sid")
    }
    #expect(rows.map { $0["name"] as String } == ["Circular Quay", "O'Brien"])
    let first = try makeQueue().read { db in
      var kept: [Row] = []
      let cursor = try Row.fetchCursor(db, sql: "SELECT sid, name FROM stop ORDER BY sid")
      while let row = try cursor.next() { kept.append(row) }
      return kept.map { $0["sid"] as Int }
    }
    #expect(first == [1, 2])
  }

  @Test func usingADatabaseOutsideItsAccessTraps() async {
    await #expect(processExitsWith: .failure) {
      let queue = try DatabaseQueue()
      nonisolated(unsafe) var stolen: Database?
      try queue.inSync { db in unsafe stolen = db }
      _ = try unsafe stolen?.tableExists("stop")
    }
  }
}

extension DatabaseQueue {
  fileprivate func inSync(_ body: (Database) throws -> Void) throws {
    try read(body)
  }
}
