import Synchronization

/// A fault injected at one system call, so that tests can exercise failures, crashes and
/// interleavings.
///
/// It applies during a closure: `SystemCalls.$fault.withValue(SystemFault(…)) { … }`.
package final class SystemFault: Sendable {
  package enum Effect: Sendable {
    /// The call is not made and fails with this number.
    case fail(Errno)
    /// Like `fail`, for this call and all later ones.
    case failFromHere(Errno)
    /// The process ends with this status instead of making the call; nothing is flushed.
    case exit(status: Int32)
    /// The closure runs before the call is made, as if another process had been faster.
    case overtake(@Sendable () -> Void)
  }

  private let ordinal: Int
  private let effect: Effect
  private let calls = Mutex<[SystemCalls.Name]>([])

  /// - Parameters:
  ///   - ordinal: The number of the affected call; the first one is 1.
  ///   - effect: The effect at that call.
  package init(atCall ordinal: Int, _ effect: Effect) {
    self.ordinal = ordinal
    self.effect = effect
  }

  /// The calls requested so far, including the affected one.
  package var callsSeen: [SystemCalls.Name] {
    calls.withLock { $0 }
  }

  /// Whether the affected call has been reached.
  package var hasStruck: Bool {
    callsSeen.count >= ordinal
  }

  /// Counts one call and returns the error that it must fail with, if any.
  func strike(_ name: SystemCalls.Name) -> Errno? {
    let reached = calls.withLock { calls in
      calls.append(name)
      return calls.count
    }
    switch effect {
    case .fail(let errno): return reached == ordinal ? errno : nil
    case .failFromHere(let errno): return reached >= ordinal ? errno : nil
    case .exit(let status):
      if reached == ordinal { SystemCalls.exitImmediately(status: status) }
      return nil
    case .overtake(let happening):
      if reached == ordinal { happening() }
      return nil
    }
  }
}
