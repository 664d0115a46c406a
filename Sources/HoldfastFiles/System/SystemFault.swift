import Synchronization

/// Strikes at one system call, so that tests meet every failure, crash and interleaving.
///
/// Bound for the duration of a closure: `SystemCalls.$fault.withValue(SystemFault(…)) { … }`.
package final class SystemFault: Sendable {
  package enum Effect: Sendable {
    /// The call is not made and reports this number.
    case fail(Errno)
    /// Like `fail`, for this call and each one after it.
    case failFromHere(Errno)
    /// The process ends with this status instead of making the call; nothing is flushed.
    case exit(status: Int32)
    /// This happens before the call is made, as if another process had been faster.
    case overtake(@Sendable () -> Void)
  }

  private let ordinal: Int
  private let effect: Effect
  private let calls = Mutex<[SystemCalls.Name]>([])

  /// - Parameters:
  ///   - ordinal: which call is hit, the first one being 1.
  ///   - effect: what happens there.
  package init(atCall ordinal: Int, _ effect: Effect) {
    self.ordinal = ordinal
    self.effect = effect
  }

  /// The calls asked for so far, the one that was hit included.
  package var callsSeen: [SystemCalls.Name] {
    calls.withLock { $0 }
  }

  /// Whether the call that was to be hit has been reached.
  package var hasStruck: Bool {
    callsSeen.count >= ordinal
  }

  /// Counts one call and says whether it must fail.
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
