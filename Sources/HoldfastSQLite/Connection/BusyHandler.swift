import Foundation
import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// The behavior when another connection holds a needed lock.
  public enum BusyMode: Sendable {
    /// The statement fails at once with `SQLITE_BUSY`.
    case immediateError

    /// The statement waits for the given number of seconds, then fails with `SQLITE_BUSY`.
    ///
    /// `.infinity` waits without limit.
    case timeout(Double)

    /// The closure decides: it receives the number of tries so far, waits, and returns false to
    /// give up.
    case callback(@Sendable (_ numberOfTries: Int) -> Bool)
  }
}

/// A busy handler, which waits for another connection's lock until the access is interrupted.
///
/// SQLite's own handler sleeps up to 100 milliseconds at a time and `sqlite3_interrupt` does not
/// wake it; this one polls every millisecond.
///
/// SQLite does not ask it between its own attempts to read the index of a write-ahead log. It sleeps after the fifth in
/// a row that another connection thwarts, for microseconds at first, and for a second each time where it is built
/// without `HAVE_USLEEP`.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/busy_handler.html>, `walTryBeginRead` in SQLite's `wal.c`
final class BusyHandler: Sendable {
  private let mode: Database.BusyMode
  private let start = Mutex<ContinuousClock.Instant?>(nil)

  /// Whether the whole access was interrupted, so that no statement in it waits.
  let isAccessInterrupted = Atomic(false)

  private let isImpatient = Atomic(false)

  // An interruption ends the running statement and not the next one: each statement records how
  // many there were when it began.
  private let interruptions = Atomic(0)
  private let interruptionsBefore = Atomic(0)

  // Sendable because only the thread that holds the access sets and calls it.
  private nonisolated(unsafe) var willGiveUp: (() -> Void)?

  // Sendable for the same reason.
  /// Whether a statement has set SQLite's own handler in place of this one.
  nonisolated(unsafe) var isReplaced = false

  init(mode: Database.BusyMode) {
    self.mode = mode
  }

  /// Makes SQLite call the handler.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      connection,
      { context, tries in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        if handler.waits(numberOfTries: Int(tries)) { return 1 }
        unsafe handler.willGiveUp?()
        return 0
      },
      Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a closure, and another one right before a wait in it is given up.
  func run<Value>(beforeGivingUp willGiveUp: @escaping () -> Void, _ body: () -> Value) -> Value {
    unsafe self.willGiveUp = willGiveUp
    defer { unsafe self.willGiveUp = nil }
    return body()
  }

  /// Runs the closure, in which no statement waits for a lock.
  func withoutWaiting(_ body: () -> Void) {
    isImpatient.store(true, ordering: .relaxed)
    body()
    isImpatient.store(false, ordering: .relaxed)
  }

  /// Called when a statement begins.
  func begin() {
    interruptionsBefore.store(interruptions.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// Ends the wait of the running statement; may be called from any thread.
  func interrupt() {
    interruptions.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether the running statement was interrupted, alone or with its access.
  var isInterrupted: Bool {
    isAccessInterrupted.load(ordering: .relaxed)
      || interruptions.load(ordering: .relaxed) != interruptionsBefore.load(ordering: .relaxed)
  }

  /// Waits up to a millisecond and returns true, or returns false when the statement must give up.
  func waits(numberOfTries: Int) -> Bool {
    guard !isInterrupted, !isImpatient.load(ordering: .relaxed) else { return false }
    switch mode {
    case .immediateError:
      return false
    case .callback(let callback):
      return callback(numberOfTries)
    case .timeout(let seconds):
      let now = ContinuousClock.now
      let began = start.withLock { start in
        // Each wait counts its tries from 0.
        if numberOfTries == 0 { start = now }
        return start ?? now
      }
      // Compared as numbers, because a `Duration` cannot hold an infinite one.
      guard (now - began) / .seconds(1) < seconds else { return false }
      Self.sleep()
      return true
    }
  }

  /// Sleeps for the time between two looks at a lock.
  static func sleep() {
    // A SQLite that is built without HAVE_USLEEP sleeps for whole seconds.
    Thread.sleep(forTimeInterval: 0.001)
  }
}
