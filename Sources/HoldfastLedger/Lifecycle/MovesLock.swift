import Holdfast
import HoldfastFiles
import Synchronization

/// The lock of all moves of a database's files, which a suspension of the database releases at once.
///
/// Without it another process may take a move that is under way for an interrupted one, and end it;
/// a move that has lost the lock begins again.
final class MovesLock: SuspendableLock {
  private struct State: ~Copyable {
    var file: FileLock?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Takes the lock, blocking the thread until it is free.
  ///
  /// - Parameters:
  ///   - path: The lock's own file.
  ///   - writer: The database, whose suspension releases the lock.
  ///   - limit: The longest time to wait.
  /// - Throws: `FileError` with `.busy` after the limit, or when the lock cannot be created;
  ///   `DatabaseError` while the database is suspended.
  init(_ path: FilePath, of writer: any DatabaseWriter, waitingUpTo limit: Duration) throws {
    var wait = LockWait(upTo: limit)
    writer.endOnSuspension(self)
    // After that: a suspension that came before refuses this access, a later one ends the lock.
    try writer.read { _ in }
    while try !attempt(path) {
      guard wait.pause() else { throw FileError.busy(path, waited: limit) }
      try writer.read { _ in }
    }
  }

  /// Tries once to take the lock; returns false when another holder has it.
  ///
  /// A lock that a suspension has ended meanwhile is not taken: its owner begins again.
  private func attempt(_ path: FilePath) throws -> Bool {
    try state.withLock { state in
      if state.isEnded { return true }
      do throws(FileError) {
        state.file = try FileLock(path, guarding: nil, waitingUpTo: .zero)
      } catch {
        if error.code == .busy { return false }
        throw error
      }
      return true
    }
  }

  /// Whether the lock is held; false when a suspension has released it.
  var isHeld: Bool { state.withLock { $0.file != nil } }

  @discardableResult func end() -> Bool {
    state.withLock { state in
      defer {
        state.file = nil
        state.isEnded = true
      }
      return state.file != nil
    }
  }
}
