import HoldfastFiles
import Synchronization

#if canImport(Darwin)
  typealias OpeningClaim = CoordinatedWriting
#else
  typealias OpeningClaim = OpeningLockFile
#endif

/// A lock that lets one process at a time create, migrate or move a database.
///
/// Other processes wait, up to a limit. The lock is held only while the database is opened. A
/// suspension releases it at once, whatever its owner is doing, and it is not taken while the
/// database is suspended.
final class OpeningLock: SuspendableLock {
  private let path: FilePath
  private let suspension: Suspension
  private let isCancelled = Atomic(false)

  // Locked while the claim is made or requested, so that a suspension happens before or after.
  private let claim = Mutex<OpeningClaim?>(nil)

  /// Creates a lock without taking it.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - suspension: The suspension that releases the lock when the database is suspended.
  init(of path: FilePath, suspension: Suspension) {
    self.path = path
    self.suspension = suspension
    suspension.add(self)
  }

  /// The outcome of taking the lock.
  enum Outcome: Hashable, Sendable {
    case acquired, suspended, cancelled
  }

  /// Takes the lock, blocking the thread until it is free.
  ///
  /// - Parameter limit: The longest time to wait.
  /// - Returns: Whether it was taken.
  /// - Throws: `SharingError` with `.busy` after the limit; `FileError` when the lock cannot be
  ///   created.
  func acquire(within limit: Duration) throws -> Outcome {
    var wait = LockWait(upTo: limit)
    while true {
      if let outcome = try attempt() { return outcome }
      guard wait.pause() else {
        end()
        throw SharingError.openedElsewhere(
          path, waited: limit, holder: OpeningClaim.holder(for: path))
      }
    }
  }

  /// Tries once to take the lock; `nil` when another process holds it.
  private func attempt() throws -> Outcome? {
    try claim.withLock { claim in
      guard suspension.isResumed else { return .suspended }
      guard !isCancelled.load(ordering: .relaxed) else { return .cancelled }
      if claim == nil { claim = OpeningClaim(on: path) }
      return try claim?.isGranted() == true ? .acquired : nil
    }
  }

  /// Releases the lock, or stops waiting for it.
  ///
  /// - Returns: Whether it was held until now; false when a suspension has released it.
  @discardableResult func end() -> Bool {
    claim.withLock { claim in
      defer { claim = nil }
      return claim != nil
    }
  }

  /// Runs the closure if the lock is held; a suspension waits until the closure has returned.
  ///
  /// - Parameters:
  ///   - ends: Whether the lock is released afterwards; it is not when the closure throws.
  ///   - body: The closure, which must return quickly.
  /// - Returns: Whether the lock was held; otherwise the closure was not run.
  /// - Throws: Whatever `body` throws.
  func whileHeld(thenEnding ends: Bool = false, _ body: () throws -> Void) rethrows -> Bool {
    try claim.withLock { claim in
      guard claim != nil else { return false }
      try body()
      if ends { claim = nil }
      return true
    }
  }

  /// Whether the lock is held or being waited for.
  var isHeld: Bool { claim.withLock { $0 != nil } }

  /// Cancels the current wait for the lock and all later ones.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }
}
