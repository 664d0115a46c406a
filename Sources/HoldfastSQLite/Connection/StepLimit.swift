#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A limit of the steps of SQLite's virtual machine, for statements on files that others wrote: a
/// view may have rows without end.
///
/// ```swift
/// let limit = db.stepLimit
/// limit.begin(1_000_000)
/// defer { limit.end() }
/// ```
///
/// After about that many steps of all statements together, ``isReached`` is true and the statement
/// that runs ends with `SQLITE_INTERRUPT`. A later one ends so when SQLite calls the limit again,
/// which it does not during a short statement.
///
/// SQLite's documentation calls the number of steps between two calls approximate. SQLite counts the
/// steps of each statement apart and over all of its runs: a short statement that runs once is not
/// counted, and one that ran before may be counted with steps of its earlier runs. A limit has one
/// interval more than it needs, so that those do not end a statement early.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/progress_handler.html>
package final class StepLimit {
  /// About how many steps SQLite makes between two calls.
  private static let interval = 1000

  // Unchecked, because only the access that has the connection begins and ends the limit, and SQLite calls it
  // during the statements of that access.
  @exclusivity(unchecked) private var remaining = Int.max
  @exclusivity(unchecked) private var deadline: ContinuousClock.Instant?

  /// Whether the statements made about all of the steps, or the time is over, until the limit ends.
  package var isReached: Bool { unsafe remaining <= 0 }

  fileprivate init() {}

  /// Makes SQLite call the limit until the connection is closed.
  fileprivate func install(on connection: OpaquePointer) {
    unsafe sqlite3_progress_handler(
      connection, CInt(Self.interval),
      { context in
        guard let context = unsafe context else { return 0 }
        let limit = unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue()
        unsafe limit.remaining -= 1
        if let deadline = unsafe limit.deadline, ContinuousClock.now >= deadline {
          unsafe limit.remaining = 0
        }
        return limit.isReached ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Limits the steps of the connection until ``end()``; one limit at a time.
  ///
  /// - Parameters:
  ///   - count: About how many steps.
  ///   - deadline: When they end in any case; `nil` for no limit of time.
  package func begin(_ count: Int, until deadline: ContinuousClock.Instant? = nil) {
    unsafe self.deadline = deadline
    // Rounded up, and one more for the steps that a statement made in its earlier runs.
    unsafe remaining = (count - 1) / Self.interval + 2
  }

  /// Ends the limit.
  package func end() {
    unsafe remaining = Int.max
    unsafe deadline = nil
  }
}

extension Database {
  /// The limit of the connection's steps, which has no effect until it begins.
  ///
  /// It is made when it is first used. To begin and to end it again costs no call of SQLite, so that
  /// each of many short reads can have a limit.
  package var stepLimit: StepLimit {
    if let limit = handle.stepLimit { return limit }
    let limit = StepLimit()
    handle.stepLimit = limit
    handle.ifPresent { unsafe limit.install(on: handle.pointer) }
    return limit
  }

  /// Limits the length of a text, a blob or a row; a longer one ends with `SQLITE_TOOBIG`.
  ///
  /// - Parameter byteCount: The length.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/limit.html>
  package func limitValues(toByteCount byteCount: Int) {
    handle.ifPresent {
      _ = unsafe sqlite3_limit(
        handle.pointer, SQLITE_LIMIT_LENGTH, CInt(clamping: byteCount))
    }
  }
}
