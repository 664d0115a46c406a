internal import CSQLite

/// A limit of the steps of SQLite's virtual machine, for statements on files that others wrote: a
/// view may have rows without end.
///
/// ```swift
/// let limit = StepLimit(1_000_000, on: db)
/// defer { limit.end() }
/// ```
///
/// After that many steps of all statements together, each further one ends with `SQLITE_INTERRUPT`,
/// and ``isReached`` is true.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/progress_handler.html>
package final class StepLimit {
  /// How many steps SQLite makes between two calls; a limit is rounded up to a multiple of it.
  private static let interval = 1000

  // The handle keeps this object, so it must not be kept in turn.
  private unowned let handle: ConnectionHandle
  private var remaining: Int

  /// Whether the statements made all of the steps.
  package var isReached: Bool { remaining <= 0 }

  /// Limits the steps of a connection until ``end()``; one limit at a time.
  ///
  /// - Parameters:
  ///   - count: The number of steps.
  ///   - db: The connection, in its access.
  package init(_ count: Int, on db: Database) {
    handle = db.handle
    remaining = (count - 1) / Self.interval + 1
    handle.ifPresent {
      handle.stepLimit = self
      unsafe sqlite3_progress_handler(
        handle.pointer, CInt(Self.interval),
        { context in
          guard let context = unsafe context else { return 0 }
          let limit = unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue()
          limit.remaining -= 1
          return limit.isReached ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// Removes the limit.
  package func end() {
    handle.ifPresent {
      unsafe sqlite3_progress_handler(handle.pointer, 0, nil, nil)
      // A connection that a suspension closes keeps it, because SQLite may still call it.
      handle.stepLimit = nil
    }
  }
}

extension Database {
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
