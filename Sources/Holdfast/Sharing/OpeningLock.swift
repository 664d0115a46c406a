import HoldfastFiles
import Synchronization

#if canImport(Darwin)
  typealias OpeningClaim = CoordinatedWriting
#else
  typealias OpeningClaim = OpeningLockFile
#endif

/// Lets one process at a time create, migrate or move a database, while others wait with a limit.
///
/// It is held only while the database is opened. A suspension ends it at once, wherever its owner
/// is, and none is taken while the database is suspended.
final class OpeningLock: Sendable {
  private let path: FilePath
  private let suspension: Suspension
  private let isCancelled = Atomic(false)

  // Held while the claim is made or asked for, so that whoever suspends comes before or after.
  private let claim = Mutex<OpeningClaim?>(nil)

  /// Makes a lock that is not taken.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - suspension: Ends the lock when the database is suspended.
  init(of path: FilePath, suspension: Suspension) {
    self.path = path
    self.suspension = suspension
    suspension.add(self)
  }

  /// How taking it ended.
  enum Outcome: Hashable, Sendable {
    case taken, suspended, cancelled
  }

  /// Takes the lock; the thread is held until it is free.
  ///
  /// - Parameter limit: How long is waited at most.
  /// - Returns: Whether it was taken.
  /// - Throws: `SharingError` with `.busy` after the limit; `FileError` when the lock cannot be made.
  func take(within limit: Duration) throws -> Outcome {
    let deadline = ContinuousClock.now + limit
    var pause: UInt32 = 1
    while true {
      if let outcome = try attempt() { return outcome }
      guard ContinuousClock.now < deadline else {
        end()
        throw SharingError.openedElsewhere(
          path, waited: limit, holder: OpeningClaim.holder(for: path))
      }
      // Neither kind of lock has a time limit of its own.
      SystemCalls.sleep(milliseconds: pause)
      pause = min(pause * 2, 16)
    }
  }

  /// One try; `nil` when another one holds the lock.
  private func attempt() throws -> Outcome? {
    try claim.withLock { claim in
      guard suspension.isResumed else { return .suspended }
      guard !isCancelled.load(ordering: .relaxed) else { return .cancelled }
      if claim == nil { claim = OpeningClaim(on: path) }
      return try claim?.isGranted() == true ? .taken : nil
    }
  }

  /// Ends the lock, or the waiting for it.
  ///
  /// - Returns: Whether it was held until now; false when it was lost to a suspension.
  @discardableResult func end() -> Bool {
    claim.withLock { claim in
      defer { claim = nil }
      return claim != nil
    }
  }

  /// Runs the closure if the lock is held; a suspension that would end it waits meanwhile.
  ///
  /// - Parameters:
  ///   - ends: Whether the lock is ended afterwards; it is not when the closure throws.
  ///   - body: Quick work.
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

  /// Whether it is held, or waited for.
  var isHeld: Bool { claim.withLock { $0 != nil } }

  /// Ends the waiting for it, now and from now on.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }
}
