import Dispatch
import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

/// The tables that this process repairs now: a second repair of a table waits for the first one.
enum RepairGate {
  private struct Key: Hashable {
    var database: String
    var table: DatabaseIdentifier
  }

  private struct Entry {
    let semaphore = DispatchSemaphore(value: 1)
    var users = 0
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// Calls a closure while no other repair of the same table runs in this process.
  ///
  /// - Throws: ``LedgerError`` with `.repairRunning` when the budget ends first;
  ///   `CancellationError`; whatever `body` throws.
  static func pass<Value>(_ run: RepairRun, _ body: () throws -> Value) throws -> Value {
    let key = key(of: run.ledger)
    let semaphore = entries.withLock { entries in
      entries[key, default: Entry()].users += 1
      return entries[key, default: Entry()].semaphore
    }
    defer {
      entries.withLock { entries in
        entries[key]?.users -= 1
        if entries[key]?.users == 0 { entries[key] = nil }
      }
    }
    while semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      _ = try run.isOver()
      if run.isLate { throw LedgerError.repairRunning(in: run.ledger.table.name) }
    }
    defer { semaphore.signal() }
    return try body()
  }

  private static func key(of ledger: FileLedger) -> Key {
    let table = DatabaseIdentifier(ledger.table.name)
    guard let path = ledger.writer.path else {
      return Key(database: "\(ObjectIdentifier(ledger.writer))", table: table)
    }
    // Two spellings of a path that cannot be resolved still meet at the owner of the stored repair.
    let real = (try? FilePath(FilePath.absolute(path)).resolved())?.text
    return Key(database: real ?? path, table: table)
  }
}
