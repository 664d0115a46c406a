import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Verbs that read change no byte and leave no file behind.
@Suite struct ReadingLeavesNoTraceTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      // Shared memory is not content: readers mark in it what they read.
      for name in try place.directory.names where !name.hasSuffix("-shm") {
        files[name] = try Data(contentsOf: place.directory.file(name))
      }
      return files
    }
  }

  @Test(arguments: [
    ["transit", "search", "harbour.db", "circ"], ["transit", "stops", "harbour.db"],
    ["transit", "routes", "harbour.db"], ["db", "check", "harbour.db"],
    ["db", "query", "harbour.db", "SELECT * FROM stops"],
  ])
  func aTimetableStaysAsItIs(words: [String]) throws {
    let before = try files
    #expect(try ToolProcess.run(words: words, in: place.folder).status == 0)
    #expect(try files == before)
  }

  private func makeLog() throws -> DatabasePool {
    let path = place.directory.file("log.db").path(percentEncoded: false)
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
    }
    return pool
  }

  @Test(arguments: [["db", "check", "log.db"], ["db", "query", "log.db", "SELECT n FROM t"]])
  func aLogAtRestStaysAtRest(words: [String]) throws {
    try makeLog().close()
    let names = try place.directory.names
    try #require(names == ["harbour.db", "log.db"])
    let before = try files
    #expect(try ToolProcess.run(words: words, in: place.folder).status == 0)
    #expect(try place.directory.names == names)
    #expect(try files == before)
  }

  @Test(arguments: [["db", "check", "log.db"], ["db", "query", "log.db", "SELECT n FROM t"]])
  func aLogInUseIsReadAndLeftAlone(words: [String]) throws {
    let pool = try makeLog()
    defer { pool.close() }
    let names = try place.directory.names
    let before = try files
    // A transaction that is open in another process must not be in the way.
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      let read = try ToolProcess.run(words: words, in: place.folder)
      #expect(read.status == 0)
      if words.count == 4 { #expect(read.output == "n\n1\n") }
      #expect(try place.directory.names == names)
      #expect(try files["log.db"] == before["log.db"])
      try db.execute(sql: "DELETE FROM t WHERE n = 2")
    }
  }

  @Test func aLogLeftByAProcessThatDiedIsReadAndKept() async throws {
    let path = place.directory.file("log.db").path(percentEncoded: false)
    await #expect(processExitsWith: .exitCode(9)) { [path = path as String] in
      let pool = try DatabasePool(path: path)
      try await pool.write { db in
        try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
      }
      _exit(9)
    }
    let before = try files
    try #require(before["log.db-wal"]?.isEmpty == false)
    let read = try place.run("db", "query", "log.db", "SELECT n FROM t")
    #expect(read.output == "n\n1\n")
    #expect(try files == before)
  }

  @Test func anExclusiveLockIsReportedAsBusy() throws {
    let queue = try DatabaseQueue(
      path: place.directory.file("locked.db").path(percentEncoded: false))
    defer { queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); BEGIN EXCLUSIVE")
      let refused = try place.run("db", "query", "locked.db", "SELECT n FROM t", "--json")
      #expect(refused.status == 69)
      #expect(refused.errors.contains(#""error":"unavailable""#))
      #expect(refused.errors.contains("'locked.db' is locked by another process."))
      try db.execute(sql: "COMMIT")
    }
  }
}
