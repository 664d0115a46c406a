import Dispatch
import Synchronization

/// A gate that admits either the thread of a connection's access, or a claimant that closes it.
///
/// The access enters for each run of a statement and leaves in between. A claim is permanent: after
/// it the access cannot enter again. The claimant closes the connection if the access was outside;
/// otherwise the access closes it as it leaves.
///
/// The access writes that it is inside and then reads whether there is a claim; the claimant does the reverse. So at
/// least one of them sees the other, provided that neither reads before its write is visible. A cursor enters and
/// leaves for each row, and a claim comes once: where the system has it, the claimant's ``ProcessBarrier`` holds for
/// both.
///
/// Only connections that can be suspended have a gate.
final class ConnectionGate: Sendable {
  /// The result of a claim.
  enum Claim: Equatable, Sendable {
    /// The access is outside and cannot enter again: the claimant closes the connection.
    case free
    /// The access is inside; it closes the connection when it leaves.
    case occupied
    /// Another claim, or closing the connection, came first.
    case alreadyClaimed
  }

  // Only the access writes this, and only claimants the next.
  private let isOccupied = Atomic(false)
  private let claimed = Atomic(false)

  /// Whether the access or the claimant closes the connection, whichever was first.
  private let isClosing = Atomic(false)

  private let hasProcessBarrier: Bool
  private let closed = DispatchSemaphore(value: 0)

  /// Held during a claim; see ``waitForClaim()``.
  private let claiming = Mutex(())

  // Sendable because only the thread that holds the access uses it, and the pool orders one holder
  // before the next.
  private nonisolated(unsafe) var depth = 0

  init(usesProcessBarrier: Bool = true) {
    hasProcessBarrier = usesProcessBarrier && ProcessBarrier.isAvailable
  }

  // MARK: - The access

  /// Enters the gate; returns false when the connection was claimed.
  ///
  /// Entering is reentrant. After false the caller asks ``takesOnClosing()``.
  @inline(__always)
  func enter() -> Bool {
    if unsafe depth == 0 {
      write(isOccupied: true)
      guard !isClaimed else {
        write(isOccupied: false)
        return false
      }
    }
    unsafe depth += 1
    return true
  }

  /// Leaves the gate.
  ///
  /// - Returns: True when the connection was claimed meanwhile: the caller asks ``takesOnClosing()``.
  @inline(__always)
  func leave() -> Bool {
    unsafe depth -= 1
    guard unsafe depth == 0 else { return false }
    write(isOccupied: false)
    return isClaimed
  }

  @inline(__always)
  private func write(isOccupied: Bool) {
    if hasProcessBarrier {
      self.isOccupied.store(isOccupied, ordering: .releasing)
      ProcessBarrier.orderThread()
    } else {
      self.isOccupied.store(isOccupied, ordering: .sequentiallyConsistent)
    }
  }

  /// Returns whether the caller closes the claimed connection, and then calls ``reportClosed()``; true for one caller.
  func takesOnClosing() -> Bool {
    isClosing.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Wakes the claimant, which waits until the connection is closed.
  func reportClosed() {
    closed.signal()
  }

  /// Waits until a claim that the access has seen is complete: the values of its rows are copied.
  func waitForClaim() {
    claiming.withLock { _ in }
  }

  // MARK: - The claim

  /// Whether the connection was claimed, so that the access cannot enter again.
  @inline(__always)
  var isClaimed: Bool { claimed.load(ordering: .sequentiallyConsistent) }

  /// Claims the connection, so that the access cannot enter; may be called from any thread.
  ///
  /// - Parameter copyRows: Copies the values of the rows that the access reads outside, when the caller is the one
  ///   that closes the connection.
  /// - Returns: Who closes the connection.
  func claim(copyRows: () -> Void) -> Claim {
    claiming.withLock { _ in
      guard !claimed.exchange(true, ordering: .sequentiallyConsistent) else {
        return .alreadyClaimed
      }
      if hasProcessBarrier { ProcessBarrier.orderProcess() }
      // An access that is inside closes the connection as it leaves, also if it only came to see the claim.
      guard !isOccupied.load(ordering: .sequentiallyConsistent), takesOnClosing() else {
        return .occupied
      }
      copyRows()
      return .free
    }
  }

  /// Waits for the access to close the connection, after a claim that found it inside.
  ///
  /// - Returns: Whether the access closed it in time; otherwise it does so when it leaves.
  func waitUntilClosed(until limit: DispatchTime) -> Bool {
    closed.wait(timeout: limit) == .success
  }
}
