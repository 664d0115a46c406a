import Dispatch
import Holdfast
import Synchronization

/// A database that a verb reads, and that is closed also when a signal ends the process: closing removes
/// the files that SQLite keeps next to the database.
final class ReadDatabase: Sendable {
  let queue: DatabaseQueue

  private let ending = Ending()

  private final class Ending: Sendable {
    let hasBegun = Atomic(false)
  }

  /// Opens a database, and closes it before the process ends.
  ///
  /// - Parameters:
  ///   - console: Its interruption ends what is read.
  ///   - open: Opens the database; an interruption waits for it.
  /// - Throws: Whatever `open` throws.
  init(_ console: Console, _ open: () throws -> DatabaseQueue) throws {
    // An interruption meanwhile waits until it is known what there is to close.
    queue = try console.undoing { [ending] in
      let queue = try open()
      console.atEnd {
        ending.hasBegun.store(true, ordering: .sequentiallyConsistent)
        queue.closeSoon()
      }
      return queue
    }
  }

  private var isEnding: Bool { ending.hasBegun.load(ordering: .sequentiallyConsistent) }

  private func close() { queue.closeIgnoringErrors() }

  /// Throws when a signal ends the process, in work that does not run statements of this database.
  ///
  /// - Throws: `CancellationError`.
  func checkInterruption() throws {
    if isEnding { throw CancellationError() }
  }

  /// Reads, and then closes the database.
  ///
  /// After a signal it does not return: the thread that closes the database ends the process.
  ///
  /// - Throws: Whatever `body` throws.
  func read<Value>(_ body: (DatabaseQueue) async throws -> Value) async throws -> Value {
    defer { close() }
    do {
      let value = try await body(queue)
      if !isEnding { return value }
    } catch {
      // A read that a signal ends is no error.
      if !isEnding { throw error }
    }
    try await Task.sleep(for: Self.longestEnd)
    throw CancellationError()
  }

  /// Reads on the caller's thread, and then closes the database.
  ///
  /// After a signal it does not return either.
  ///
  /// - Throws: Whatever `body` throws.
  func readOnThread<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
    defer { close() }
    do {
      let value = try body(queue)
      if !isEnding { return value }
    } catch {
      // As above.
      if !isEnding { throw error }
    }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + (Self.longestEnd / .seconds(1)))
    throw CancellationError()
  }

  /// The time in which the process ends at the latest.
  private static let longestEnd = Duration.seconds(60)
}

extension DatabaseQueue {
  /// Ends what runs on the connection, and closes it.
  ///
  /// SQLite forgets an interruption between two statements, of which one access may have many.
  func closeSoon() {
    let isClosed = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      self.closeIgnoringErrors()
      isClosed.signal()
    }
    repeat { interrupt() } while isClosed.wait(timeout: .now() + .milliseconds(10)) == .timedOut
  }
}
