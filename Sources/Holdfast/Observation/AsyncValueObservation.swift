/// The values of an observation, as an asynchronous sequence.
///
/// ```swift
/// for try await stops in observation.values(in: pool) {
///   print(stops.count)
/// }
/// ```
public struct AsyncValueObservation<Element: Sendable>: AsyncSequence, Sendable {
  /// The policy that decides which values are kept until the loop requests them.
  public typealias BufferingPolicy =
    AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy

  typealias Start =
    @Sendable (
      _ onError: @escaping @Sendable (any Error) -> Void,
      _ onChange: @escaping @Sendable (Element) -> Void
    ) -> AnyDatabaseCancellable

  private let bufferingPolicy: BufferingPolicy
  private let start: Start

  init(bufferingPolicy: BufferingPolicy, start: @escaping Start) {
    self.bufferingPolicy = bufferingPolicy
    self.start = start
  }

  /// Starts an observation.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: bufferingPolicy)
    let cancellable = start(
      { continuation.finish(throwing: $0) }, { _ = continuation.yield($0) })
    // Ends the observation when the task is cancelled, before the iterator is destroyed.
    continuation.onTermination = { [weak cancellable] _ in cancellable?.cancel() }
    return Iterator(base: stream.makeAsyncIterator(), cancellable: cancellable)
  }

  /// An iterator over the values of an observation, which ends with the iterator.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncThrowingStream<Element, any Error>.AsyncIterator
    private let cancellable: AnyDatabaseCancellable

    fileprivate init(
      base: AsyncThrowingStream<Element, any Error>.AsyncIterator,
      cancellable: AnyDatabaseCancellable
    ) {
      self.base = base
      self.cancellable = cancellable
    }

    /// Returns the next value, or `nil` when the task was cancelled.
    ///
    /// - Parameter actor: The actor on which the call is made.
    /// - Returns: The value; the call waits until there is one.
    /// - Throws: The error that ended the observation.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      try await base.next(isolation: actor)
    }
  }
}
