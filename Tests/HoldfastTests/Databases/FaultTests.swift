import CFaults
import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Transactions in which each allocation or file operation fails in turn.
///
/// Each test needs its own process, because the faults apply to a whole process.
@Suite(.disabled(if: ConnectionKeys.areUsed, "a key is given before the faults are installed"))
struct FaultTests {
  @Test(.timeLimit(.minutes(5))) func aQueueSurvivesFailedAllocations() async {
    await #expect(processExitsWith: .success) {
      try #require(holdfast_put_faults_in_memory())
      try FaultyDatabase { try DatabaseQueue(path: $0, configuration: .unsynced) }.failAtEveryCall()
    }
  }

  @Test(.timeLimit(.minutes(5))) func aPoolSurvivesFailedAllocations() async {
    await #expect(processExitsWith: .success) {
      try #require(holdfast_put_faults_in_memory())
      try FaultyDatabase { try DatabasePool(path: $0, configuration: .unsynced) }.failAtEveryCall()
    }
  }

  @Test(.timeLimit(.minutes(5))) func aQueueSurvivesFailedFileOperations() async {
    await #expect(processExitsWith: .success) {
      try #require(holdfast_put_faults_in_files())
      try FaultyDatabase { try DatabaseQueue(path: $0) }.failAtEveryCall()
    }
  }

  @Test(.timeLimit(.minutes(5))) func aPoolSurvivesFailedFileOperations() async {
    await #expect(processExitsWith: .success) {
      try #require(holdfast_put_faults_in_files())
      try FaultyDatabase { try DatabasePool(path: $0) }.failAtEveryCall()
    }
  }
}

extension Configuration {
  /// A configuration that does not wait for the disk, which is irrelevant to failed allocations.
  fileprivate static var unsynced: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    return configuration
  }
}

/// A database whose transactions are made to fail and which is checked afterwards.
private struct FaultyDatabase<Writer: DatabaseWriter> {
  /// The names before the transaction, long enough to need their own allocations.
  private static var names: [String] {
    (1...8).map { "stop number \($0) " + String(repeating: "~", count: 60) }
  }

  let open: (_ path: String) throws -> Writer

  /// Makes each call fail, alone and with all later ones, until a run meets no fault.
  func failAtEveryCall() throws {
    for lasts in [false, true] {
      var call: Int64 = 1
      var failures = 0
      while true {
        let hasFailed: Bool
        let strikes: Int64
        do {
          (hasFailed, strikes) = try run(failingAt: call, lasts: lasts)
        } catch {
          Issue.record(error, "after call \(call), \(lasts ? "lasting" : "once")")
          return
        }
        if strikes == 0 { break }
        if hasFailed { failures += 1 }
        call += 1
      }
      // A loop without any fault would prove nothing.
      #expect(call > 20, "\(call) calls")
      #expect(failures > 10, "\(failures) of \(call) calls")
    }
  }

  private func run(failingAt call: Int64, lasts: Bool) throws -> (hasFailed: Bool, Int64) {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    let writer = try open(path)
    try writer.write { db in
      try db.execute(
        sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, data BLOB)")
      for name in Self.names {
        try db.execute(
          sql: "INSERT INTO stop (name, data) VALUES (?, ?)",
          arguments: [name, Data(repeating: 7, count: 3000)])
      }
    }
    // Cached pages are not read again.
    try writer.write { db in try db.execute(sql: "PRAGMA shrink_memory") }
    holdfast_arm_fault(call, lasts)
    let outcome = Result { try change(writer) }
    let strikes = holdfast_disarm_fault()

    let what = "call \(call), \(lasts ? "lasting" : "once")"
    var hasFailed = false
    switch outcome {
    case .success(let names):
      // A fault without an error must not have changed what was read.
      #expect(names == Self.names, "\(what)")
    case .failure(let error):
      hasFailed = true
      #expect(strikes > 0, "\(what): \(error)")
      let error = try #require(error as? DatabaseError, "\(what): \(error)")
      let codes: [ResultCode] = [
        .SQLITE_NOMEM, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL,
      ]
      #expect(codes.contains(error.resultCode), "\(what): \(error)")
    }
    // The same connection continues, and another one sees the same state.
    try check(writer, hasFailed: hasFailed, what)
    try writer.close()
    let reopened = try open(path)
    try check(reopened, hasFailed: hasFailed, what)
    try change(reopened)
    try reopened.close()
    return (hasFailed, strikes)
  }

  @discardableResult private func change(_ writer: Writer) throws -> [String] {
    try writer.write { db in
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM stop WHERE data IS NOT 1 ORDER BY id")
      for name in names {
        try db.execute(
          sql: "UPDATE stop SET name = name || '!', data = ? WHERE name = ?",
          arguments: [Data(repeating: 9, count: 5000), name])
      }
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO stop (name) VALUES ('taken back')")
        return .rollback
      }
      try db.execute(sql: "DELETE FROM stop WHERE id % 4 = 0")
      return names
    }
  }

  private func check(_ writer: Writer, hasFailed: Bool, _ what: String) throws {
    try writer.write { db in
      let names = try String.fetchAll(db, sql: "SELECT name FROM stop ORDER BY id")
      let changed = Self.names.enumerated().filter { ($0.offset + 1) % 4 != 0 }
        .map { $0.element + "!" }
      #expect(names == (hasFailed ? Self.names : changed), "\(what)")
      #expect(try db.integrityProblems() == [], "\(what)")
    }
  }
}
