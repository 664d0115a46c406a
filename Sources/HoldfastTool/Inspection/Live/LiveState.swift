import Foundation
import Holdfast
import HoldfastFiles

/// The state of a database at one moment, as the page shows it.
struct LiveState: Sendable {
  var reading: DatabaseReading?
  var diagnosis: DatabaseDiagnosis?
  var locks: [LockTable.Lock] = []
  /// The processes that hold locks and are stopped.
  var stopped: Set<Int32> = []
  var isComplete = true
  /// Why there are no locks; `nil` when they are listed.
  var lockProblem: String?
  var hasHistory = false
  /// All locks, while they are those of now.
  private var table: LockTable?

  init() {}

  /// Reads who holds a lock, which is seen also while a writer keeps all readers out.
  init(locksOn path: FilePath, _ reading: DatabaseReading) {
    self.reading = reading
    readLocks(on: path)
  }

  /// Reads again who holds a lock.
  mutating func readLocks(on path: FilePath) {
    do throws(FileError) {
      let table = try LockTable(ofDatabaseAt: path.url)
      (locks, isComplete) = (Self.withoutPieces(table.locks), table.isComplete)
      stopped = table.stoppedProcesses
      // Those of a copy are listed apart.
      if reading != .copied { self.table = table }
    } catch {
      lockProblem = error.message
    }
  }

  /// Reads what the database says of itself.
  ///
  /// - Throws: `DatabaseError`, with `SQLITE_BUSY` while a writer without a log keeps readers out.
  mutating func readContent(_ queue: DatabaseQueue) throws {
    let table = table
    // In one transaction: each statement outside of one takes locks of its own, between those of the writer.
    let (diagnosis, hasHistory) = try queue.read { db in
      (try DatabaseDiagnosis(db, locks: table), try db.tableExists("holdfast_history"))
    }
    self.table = nil
    (self.diagnosis, self.hasHistory) = (diagnosis, hasHistory)
  }

  /// Keeps what was read of the database at another look.
  mutating func keepContent(of other: LiveState) {
    (diagnosis, hasHistory) = (other.diagnosis, other.hasHistory)
  }

  /// Pieces of one lock that differ in nothing that is shown become one.
  private static func withoutPieces(_ locks: [LockTable.Lock]) -> [LockTable.Lock] {
    var written: Set<LockTable.Lock> = []
    return locks.compactMap { lock in
      var lock = lock
      lock.bytes = 0...0
      return written.insert(lock).inserted ? lock : nil
    }
  }

  /// Whether something has changed that is no event of its own.
  func isOther(than other: LiveState) -> Bool {
    reading != other.reading || diagnosis?.journalMode != other.diagnosis?.journalMode
      || isComplete != other.isComplete || lockProblem != other.lockProblem
      || hasHistory != other.hasHistory
  }

  var lockCells: [Cell] {
    let own = ProcessInfo.processInfo.processIdentifier
    return locks.map { lock in
      var record = OutputRecord(lock: lock)
      let isStopped = lock.processIdentifier.map(stopped.contains) ?? false
      record.fields += [
        .init(key: "own", cell: .bool(lock.processIdentifier == own)),
        .init(key: "stopped", cell: .bool(isStopped)),
      ]
      return .record(record)
    }
  }

  /// Whether other locks are held than at another look, or by processes that have been stopped or go on since.
  func hasOtherLocks(than other: LiveState) -> Bool {
    locks != other.locks || stopped != other.stopped
  }

  /// The state as an event.
  var record: OutputRecord {
    [
      "mode": Cell(reading?.name), "mode_reason": Cell(reading?.reason),
      "journal_mode": Cell(diagnosis?.journalMode), "log_bytes": Cell(diagnosis?.log?.byteCount),
      "log_frames": Cell(diagnosis?.log?.frameCount),
      "checkpointed_frames": Cell(diagnosis?.log?.checkpointedFrameCount),
      "locks": .list(lockCells), "locks_complete": .bool(isComplete),
      "locks_reason": Cell(lockProblem), "oldest_reader": readerCell,
      "has_history": .bool(hasHistory),
    ]
  }

  private var readerCell: Cell {
    diagnosis?.oldestReader.map { .record(OutputRecord($0)) } ?? .null
  }

  /// The log as an event; `nil` when it is as before.
  func logRecord(since other: LiveState) -> OutputRecord? {
    guard
      diagnosis?.log != other.diagnosis?.log
        || diagnosis?.oldestReader != other.diagnosis?.oldestReader
    else { return nil }
    let (now, before) = (diagnosis?.log, other.diagnosis?.log)
    let copied = now?.checkpointedFrameCount ?? 0
    return [
      "log_bytes": Cell(now?.byteCount), "log_frames": Cell(now?.frameCount),
      "checkpointed_frames": Cell(now?.checkpointedFrameCount),
      "checkpoint": .bool(
        copied > 0 && copied != before?.checkpointedFrameCount ?? 0
          || (now?.frameCount ?? 0) < (before?.frameCount ?? 0)),
      "oldest_reader": readerCell,
    ]
  }
}

extension LockTable {
  /// The processes that hold or wait for a lock and are stopped.
  var stoppedProcesses: Set<Int32> {
    Set(locks.compactMap(\.processIdentifier)).filter {
      ProcessIdentity(number: $0, start: nil).isStopped
    }
  }
}
