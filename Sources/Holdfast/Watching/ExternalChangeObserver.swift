import Synchronization

/// Gathers changes for one who takes them at leisure: what was not taken yet becomes one change.
final class ExternalChangeObserver: Sendable {
  private let pending = Mutex<ExternalChange?>(nil)
  private let continuation: AsyncStream<Void>.Continuation

  private init(_ continuation: AsyncStream<Void>.Continuation) {
    self.continuation = continuation
  }

  /// Makes a receiver, and a stream with a tick for the changes that are there to be taken.
  ///
  /// The stream is the taker's alone: when that lets go of it, nobody takes any more.
  static func makeWithTicks() -> (ExternalChangeObserver, AsyncStream<Void>) {
    let (ticks, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return (ExternalChangeObserver(continuation), ticks)
  }

  func tell(_ change: ExternalChange) {
    pending.withLock { $0 = $0?.union(change) ?? change }
    continuation.yield()
  }

  /// Takes what was told since the last time.
  func take() -> ExternalChange? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }

  /// Tells that nothing more comes.
  func finish() {
    continuation.finish()
  }

  /// Calls the closure once, when nobody takes any more or nothing more comes.
  func onEnd(_ end: @escaping @Sendable () -> Void) {
    continuation.onTermination = { _ in end() }
  }
}
