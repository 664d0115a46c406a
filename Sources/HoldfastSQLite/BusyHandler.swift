internal import CSQLite
import Synchronization

extension Database {
  /// What happens when another connection holds a needed lock.
  public enum BusyMode: Sendable {
    /// The statement fails at once with `SQLITE_BUSY`.
    case immediateError

    /// The statement waits for so many seconds, then fails with `SQLITE_BUSY`.
    case timeout(Double)

    /// The closure decides: it is given the number of tries so far, waits as it likes, and
    /// returns false to give up.
    case callback(@Sendable (_ numberOfTries: Int) -> Bool)
  }
}

/// Waits for a lock of another connection, and stops waiting when the access is interrupted.
///
/// SQLite's own handler sleeps up to 100 milliseconds at a time and `sqlite3_interrupt` does not
/// wake it; this one looks every millisecond.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/busy_handler.html>
final class BusyHandler: Sendable {
  private let mode: Database.BusyMode
  private let start = Mutex<ContinuousClock.Instant?>(nil)
  let isInterrupted = Atomic(false)

  init(mode: Database.BusyMode) {
    self.mode = mode
  }

  /// Waits a little, or says that waiting is over.
  func waits(numberOfTries: Int) -> Bool {
    guard !isInterrupted.load(ordering: .relaxed) else { return false }
    switch mode {
    case .immediateError:
      return false
    case .callback(let callback):
      return callback(numberOfTries)
    case .timeout(let seconds):
      let now = ContinuousClock.now
      let began = start.withLock { start in
        // A wait that begins counts its tries from 0.
        if numberOfTries == 0 { start = now }
        return start ?? now
      }
      guard now - began < .seconds(seconds) else { return false }
      sqlite3_sleep(1)
      return true
    }
  }
}
