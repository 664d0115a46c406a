import Dispatch
import Synchronization

/// Lets into a connection either the thread of its access, or whoever ends it from outside.
///
/// The access goes in for each run of a statement and comes out in between. A claim is for good: the
/// access, once out, never gets in again. Who is in charge of the connection closes it: the claimant
/// when nobody was inside, and otherwise the access as it comes out, which runs already.
///
/// Only connections that can be suspended have one.
final class ConnectionGate: Sendable {
  /// What a claim found.
  enum Claim: Equatable, Sendable {
    /// Nobody is inside, and nobody comes in any more: the connection is the claimant's.
    case free
    /// The access is inside; it closes the connection when it comes out.
    case occupied
    /// Another claim, or the end of the connection, came first.
    case taken
  }

  private static let inside: UInt8 = 1
  private static let claimed: UInt8 = 2

  private let state = Atomic<UInt8>(0)
  private let closed = DispatchSemaphore(value: 0)

  // Sendable because only the thread that holds the access counts here, and the pool orders one
  // holder before the next.
  private nonisolated(unsafe) var depth = 0

  // MARK: - The access

  /// Goes in; false when the connection was claimed.
  ///
  /// Who is inside may go in once more.
  func enter() -> Bool {
    if unsafe depth == 0 {
      let (isIn, _) = state.compareExchange(
        expected: 0, desired: Self.inside, successOrdering: .acquiring, failureOrdering: .relaxed)
      guard isIn else { return false }
    }
    unsafe depth += 1
    return true
  }

  /// Comes out.
  ///
  /// - Returns: True when the connection was claimed meanwhile: the caller closes it, and then calls
  ///   ``reportClosed()``.
  func leave() -> Bool {
    unsafe depth -= 1
    guard unsafe depth == 0 else { return false }
    let before = state.bitwiseAnd(~Self.inside, ordering: .acquiringAndReleasing).oldValue
    return before & Self.claimed != 0
  }

  /// Lets the claimant go on.
  func reportClosed() {
    closed.signal()
  }

  /// Whether this thread, which holds the access, is inside.
  var isInside: Bool { unsafe depth > 0 }

  // MARK: - The claim

  /// Whether the access, once out, stays out.
  var isClaimed: Bool { state.load(ordering: .acquiring) & Self.claimed != 0 }

  /// Keeps the access out from now on; from any thread.
  func claim() -> Claim {
    let before = state.bitwiseOr(Self.claimed, ordering: .acquiringAndReleasing).oldValue
    if before & Self.claimed != 0 { return .taken }
    return before & Self.inside != 0 ? .occupied : .free
  }

  /// Waits for the access to close the connection, after a claim that found it inside.
  ///
  /// - Returns: Whether it did; otherwise it still does when it comes out.
  func waitUntilClosed(until limit: DispatchTime) -> Bool {
    closed.wait(timeout: limit) == .success
  }
}
