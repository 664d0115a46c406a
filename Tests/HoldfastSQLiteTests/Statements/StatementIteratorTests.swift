#if os(Linux)
  import Foundation
  import HoldfastSQLite
  import Testing

  @Suite struct StatementIteratorTests {
    /// SQLite copies a text that does not end with a NUL, each time with all of its remainder.
    @Test func aLongTextIsNotCopiedForEachStatement() async {
      await #expect(processExitsWith: .success) {
        try Connection.inMemory { db in
          try db.execute(sql: "CREATE TABLE t (n INTEGER); DELETE FROM t")
          let comment = "/*" + String(repeating: "x", count: 1_000_000) + "*/"
          let text = String(repeating: "INSERT INTO t VALUES (1) \(comment);", count: 16)
          let before = try peakKilobytes()
          try db.execute(sql: text)
          let growth = try peakKilobytes() - before
          #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 16)
          // The bytes of the text once, and some copies of one statement.
          #expect((8_000...24_000).contains(growth), "\(growth) kB")
        }
      }
    }
  }

  /// Returns the peak memory of this process in kilobytes.
  private func peakKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
  }
#endif
