import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The article on databases that another library has open shows no Swift that does not compile and
/// run.
@Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
struct BesideGRDBTests {
  private let folder: TemporaryDirectory
  private let url: URL
  private let other: OtherSQLite

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("notes.sqlite")
    other = try OtherSQLite()
  }

  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("BesideGRDB").expectExamples(count: 2)
  }

  #if os(Linux)
    @Test func aWriterIsSeen() throws {
      try other.run("PRAGMA journal_mode = wal", on: url.path)
      #expect(try writers(of: url) == [])
      try other.run("BEGIN IMMEDIATE", on: url.path)
      #expect(try writers(of: url) == ["python3 holds WAL WRITE"])
    }
  #endif

  @Test func whatTheOtherWroteIsInTheHistory() throws {
    let pool = try openNotes(at: url.path, as: "app")
    let token = try pool.read { db in try ChangeHistory.currentToken(db) }
    try pool.write { db in try db.execute(sql: "INSERT INTO note VALUES (1, 'ours')") }
    try other.run("INSERT INTO note VALUES (2, 'theirs')", on: url.path)
    #expect(try foreignChanges(pool, after: token).map { "\($0.kind) \($0.key)" } == ["insert [2]"])
  }
}
