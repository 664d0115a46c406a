import Dispatch
import Synchronization

/// A gate that admits either the thread of a connection's access, or a claimant that closes it.
///
/// The access enters for each run of a statement and leaves in between. A claim is permanent: after
/// it the access cannot enter again. The claimant closes the connection if the access was outside;
/// otherwise the access closes it as it leaves.
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

  private static let inside: UInt8 = 1
  private static let claimed: UInt8 = 2

  private let state = Atomic<UInt8>(0)
  private let closed = DispatchSemaphore(value: 0)

  // Sendable because only the thread that holds the access uses it, and the pool orders one holder
  // before the next.
  private nonisolated(unsafe) var depth = 0

  // MARK: - The access

  /// Enters the gate; returns false when the connection was claimed.
  ///
  /// Entering is reentrant.
  func enter() -> Bool {
    if unsafe depth == 0 {
      let (isIn, _) = state.compareExchange(
        expected: 0, desired: Self.inside, successOrdering: .acquiring, failureOrdering: .relaxed)
      guard isIn else { return false }
    }
    unsafe depth += 1
    return true
  }

  /// Leaves the gate.
  ///
  /// - Returns: True when the connection was claimed meanwhile: the caller closes it, and then
  ///   calls ``reportClosed()``.
  func leave() -> Bool {
    unsafe depth -= 1
    guard unsafe depth == 0 else { return false }
    let before = state.bitwiseAnd(~Self.inside, ordering: .acquiringAndReleasing).oldValue
    return before & Self.claimed != 0
  }

  /// Wakes the claimant, which waits until the connection is closed.
  func reportClosed() {
    closed.signal()
  }

  /// Whether the current thread, which holds the access, is inside.
  var isInside: Bool { unsafe depth > 0 }

  // MARK: - The claim

  /// Whether the connection was claimed, so that the access cannot enter again.
  var isClaimed: Bool { state.load(ordering: .acquiring) & Self.claimed != 0 }

  /// Claims the connection, so that the access cannot enter; may be called from any thread.
  func claim() -> Claim {
    let before = state.bitwiseOr(Self.claimed, ordering: .acquiringAndReleasing).oldValue
    if before & Self.claimed != 0 { return .alreadyClaimed }
    return before & Self.inside != 0 ? .occupied : .free
  }

  /// Waits for the access to close the connection, after a claim that found it inside.
  ///
  /// - Returns: Whether the access closed it in time; otherwise it does so when it leaves.
  func waitUntilClosed(until limit: DispatchTime) -> Bool {
    closed.wait(timeout: limit) == .success
  }
}
