import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The effects on other processes of one that is killed or stopped at any time.
@Suite(.timeLimit(.minutes(2))) struct EndedProcessTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (number INTEGER, side TEXT, pad BLOB)")
    }
    try pool.close()
  }

  private static func write(_ number: Int, to pool: DatabasePool) throws {
    try pool.blockingWrite { db in
      for side in ["left", "right"] {
        try db.execute(
          sql: "INSERT INTO pair VALUES (?, ?, zeroblob(?))",
          arguments: [number, side, number * 379 % 9000])
      }
    }
  }

  /// A write that returned is present; another one is present completely or not at all.
  @Test(arguments: 0..<8) func aKilledWriterLosesNoCommit(round: Int) async throws {
    let receipts = folder.file("receipts")
    try Data().write(to: receipts)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, receipts = receipts as URL, round = round as Int] in
      let pool = try DatabasePool(path: path)
      let file = try FileHandle(forWritingTo: receipts)
      // Not before the first commit; after that, at a different time in each round.
      try Self.write(0, to: pool)
      try file.write(contentsOf: Data([1]))
      Thread.detachNewThread {
        let end = ContinuousClock.now + .microseconds(round * 1700)
        while ContinuousClock.now < end {}
        kill(getpid(), SIGKILL)
      }
      for number in 1... {
        try Self.write(number, to: pool)
        try file.write(contentsOf: Data([1]))
        if number.isMultiple(of: 7) { try await pool.checkpoint(.truncate) }
      }
    }
    let returned = try Data(contentsOf: receipts).count
    let pool = try DatabasePool(path: path)
    let (pairs, rows, problems) = try await pool.read { db in
      try (
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'") ?? 0,
        Int.fetchOne(db, sql: "SELECT count(*) FROM pair") ?? 0, db.integrityProblems()
      )
    }
    #expect(returned >= 1)
    // One more may have been committed without its receipt.
    #expect(pairs == returned || pairs == returned + 1)
    #expect(rows == 2 * pairs)
    #expect(problems == [])
  }

  /// The system stops a process after its suspension, even in the middle of a transaction.
  @Test func aSuspendedThenStoppedProcessBlocksNoOther() async throws {
    let stops = try Signal(at: folder.file("stops").path)
    let pidFile = folder.file("pid")
    let others = OwnThread { [path] in
      try stops.wait()
      let pid = try #require(Int32(String(contentsOf: pidFile, encoding: .utf8)))
      try StoppedProcess.waitUntilStopped(pid)
      defer { kill(pid, SIGCONT) }
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      let pool = try DatabasePool(path: path, configuration: configuration)
      for number in 0..<50 { try Self.write(number, to: pool) }
      // No reader of an older state blocks it either.
      let frames = try pool.checkpoint(.truncate)
      return frames.walFrameCount
    }
    await #expect(processExitsWith: .success) {
      [path = path as String, stops = stops.path as String, pidFile = pidFile as URL] in
      var configuration = Configuration()
      configuration.allowsSuspension = true
      let pool = try DatabasePool(path: path, configuration: configuration)
      let idles = Gate()
      let goesOn = Gate()
      let writer = OwnThread {
        try pool.write { db in
          try db.execute(sql: "INSERT INTO pair VALUES (-1, 'left', NULL)")
          idles.open()
          goesOn.wait()
        }
      }
      try await onOwnThread { idles.wait() }
      let report = await pool.suspend()
      #expect(report.isFree)
      try Data(String(getpid()).utf8).write(to: pidFile)
      try Signal(at: stops).send()
      StoppedProcess.stopHere()
      goesOn.open()
      await #expect(throws: DatabaseError.self) { try await writer.value }
    }
    // A failed process must not block the other.
    try stops.send()
    #expect(try await others.value == 0)
    let pool = try DatabasePool(path: path)
    let half = try await pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE number = -1")
    }
    #expect(half == 0)
  }
}
