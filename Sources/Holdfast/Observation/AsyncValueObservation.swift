/// The values of an observation, one after the other.
///
/// ```swift
/// for try await stops in observation.values(in: pool) {
///   print(stops.count)
/// }
/// ```
public struct AsyncValueObservation<Element: Sendable>: AsyncSequence, Sendable {
  /// What is kept of values that nobody has asked for yet.
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

  /// Starts to observe.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: bufferingPolicy)
    let cancellable = start(
      { continuation.finish(throwing: $0) }, { _ = continuation.yield($0) })
    // Ends the observation when the task is cancelled, before the iterator goes.
    continuation.onTermination = { [weak cancellable] _ in cancellable?.cancel() }
    return Iterator(base: stream.makeAsyncIterator(), cancellable: cancellable)
  }

  /// Gives the values; the observation ends with it.
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
    /// - Parameter actor: The actor that asks.
    /// - Returns: The value.
    /// - Throws: What ended the observation.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      try await base.next(isolation: actor)
    }
  }
}
