#if os(Linux)
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct DatabaseDiagnosisTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
      folder = try TemporaryDirectory()
      path = folder.file("t.db").path
    }

    @Test func aLogIsMeasured() throws {
      let pool = try DatabasePool(path: path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
      let diagnosis = try pool.diagnose()
      #expect(diagnosis.journalMode == "wal")
      let log = try #require(diagnosis.log)
      #expect(log.frameCount == 2)
      #expect(log.checkpointedFrameCount == 0)
      // A header of 32 bytes, and one of 24 for each page.
      #expect(log.byteCount == Int64(32 + 2 * (24 + 4096)))
      #expect(diagnosis.sidecars.map(\.name) == ["t.db-wal", "t.db-shm"])
      #expect(diagnosis.readers == [])
      #expect(diagnosis.warnings == [])
      try pool.checkpoint()
      #expect(try pool.diagnose().log?.checkpointedFrameCount == 2)
      try pool.checkpoint(.truncate)
      #expect(try pool.diagnose().log?.byteCount == 0)
    }

    @Test func theOldestReaderIsReported() throws {
      let pool = try DatabasePool(path: path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let others = try [OtherSQLite(), OtherSQLite()]
      for other in others {
        try other.run("BEGIN", on: path)
        try other.run("SELECT * FROM t", on: path)
        try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      }
      let readers = try pool.diagnose().readers
      #expect(readers.map(\.processIdentifier) == others.map(\.processIdentifier))
      #expect(readers.map(\.frame) == [2, 3])
      #expect(try pool.diagnose().oldestReader?.processIdentifier == others[0].processIdentifier)
      // A checkpoint stops at the position of the oldest reader.
      try pool.checkpoint()
      #expect(try pool.diagnose().log?.checkpointedFrameCount == 2)
      try others[0].run("COMMIT", on: path)
      #expect(try pool.diagnose().oldestReader?.processIdentifier == others[1].processIdentifier)
    }

    @Test func aLogThatGrowsBehindAReaderCausesAWarning() throws {
      let pool = try DatabasePool(path: path)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let other = try OtherSQLite()
      try other.run("BEGIN", on: path)
      try other.run("SELECT * FROM t", on: path)
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4096 * 4100))") }
      let warnings = try pool.diagnose().warnings
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("(\(other.processIdentifier))") == true)
      try other.run("COMMIT", on: path)
      #expect(try pool.diagnose().warnings == [])
    }

    @Test func aReaderOfTheLatestStateCausesNoWarning() {
      var diagnosis = DatabaseDiagnosis(
        journalMode: "wal", byteCount: 0, sidecars: [],
        log: .init(byteCount: 0, frameCount: 9000, checkpointedFrameCount: 10),
        readers: [.init(mark: 1, frame: 9000, processIdentifier: 7, processName: nil)])
      #expect(diagnosis.warnings == [])
      diagnosis.readers[0].frame = 8999
      #expect(
        diagnosis.warnings == [
          "8990 frames of the write-ahead log wait for a checkpoint, which cannot pass process 7, "
            + "which still reads the state of frame 8999: end that read."
        ])
      diagnosis.log?.checkpointedFrameCount = 8000
      #expect(diagnosis.warnings == [])
    }

    @Test func aDatabaseWithoutALogReportsNone() async throws {
      let queue = try DatabaseQueue(path: path)
      try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let diagnosis = try await queue.diagnose()
      #expect(diagnosis.journalMode == "delete")
      #expect(diagnosis.log == nil && diagnosis.sidecars == [])
      #expect(diagnosis.byteCount == 8192)
      let memory = try await DatabaseQueue().diagnose()
      #expect(memory.journalMode == "memory")
      #expect(memory.log == nil && memory.byteCount == 0)
    }

    /// Accessing the index would create it, and it would stay.
    @Test func anExclusiveLogIsNotOpened() throws {
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
      }
      let diagnosis = try queue.diagnose()
      #expect(diagnosis.journalMode == "wal")
      #expect(diagnosis.log == nil)
      #expect(try folder.names == ["t.db", "t.db-wal"])
    }
  }
#endif
