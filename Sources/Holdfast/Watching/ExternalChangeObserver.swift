import Synchronization

/// An observer of external changes, which merges pending changes into one.
final class ExternalChangeObserver: Sendable {
  private let pending = Mutex<ExternalChange?>(nil)
  private let continuation: AsyncStream<Void>.Continuation

  private init(_ continuation: AsyncStream<Void>.Continuation) {
    self.continuation = continuation
  }

  /// Creates an observer, and a stream that yields an element when there are changes to take.
  ///
  /// The observer ends with the stream.
  static func makeWithTicks() -> (ExternalChangeObserver, AsyncStream<Void>) {
    let (ticks, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return (ExternalChangeObserver(continuation), ticks)
  }

  func notify(_ change: ExternalChange) {
    pending.withLock { $0 = $0?.union(change) ?? change }
    continuation.yield()
  }

  /// Returns the changes since the last call.
  func take() -> ExternalChange? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }

  /// Ends the stream.
  func finish() {
    continuation.finish()
  }

  /// Calls the closure once, when the stream ends.
  func onEnd(_ end: @escaping @Sendable () -> Void) {
    continuation.onTermination = { _ in end() }
  }
}
