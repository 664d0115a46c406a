import Holdfast
import Testing

/// The article on fast loops shows no Swift that does not compile and run.
@Suite struct FastLoopsTests {
  @Test func everyBlockIsAnExample() throws {
    try Article("FastLoops").expectExamples(count: 4)
  }

  @Test func theLoopsReadWhatWasInserted() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, latitude REAL)")
      try insert([(1, "QUAY", nil), (2, "Toronto", -33), (3, "ANDOVER", 51)], db)
      #expect(try namesInCapitals(db).map { $0["name"] } == ["QUAY", "ANDOVER"])
      #expect(try northernmost(db) == "ANDOVER")
      let sql = "SELECT *, 'a' AS code, 4.5 AS longitude FROM stop WHERE id > 1"
      let landing = try #require(try Landing.fetchOne(db, sql: sql))
      #expect(landing.id == 2 && landing.name == "Toronto" && landing.code == "a")
      #expect(landing.latitude == -33 && landing.longitude == 4.5)
    }
  }
}
