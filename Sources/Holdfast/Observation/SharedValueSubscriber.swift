import Synchronization

/// A subscriber of a shared observation, which receives values one at a time and never an older one.
///
/// The latest value, which a new subscriber receives, and the next value of the database may arrive on two
/// threads at once.
final class SharedValueSubscriber<Element: Sendable>: Sendable {
  typealias Start =
    @Sendable (
      _ onError: @escaping @Sendable (any Error) -> Void,
      _ onChange: @escaping @Sendable (Element) -> Void
    ) -> AnyDatabaseCancellable

  /// What is delivered: a value with its number in the observation, or the error after the last one.
  enum Delivery: Sendable {
    case value(Element, number: Int)
    case failure(any Error)

    var number: Int {
      switch self {
      case .value(_, let number): number
      case .failure: .max
      }
    }
  }

  private struct State {
    /// The number of the newest delivery that arrived; no further one once it is the greatest.
    var newest = 0
    /// The newest delivery, while an older one is being received.
    var waiting: Delivery?
    var isReceiving = false
  }

  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Element) -> Void
  private let state = Mutex(State())

  init(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Element) -> Void
  ) {
    (self.onError, self.onChange) = (onError, onChange)
  }

  /// Calls the subscriber, or lets the thread call it that already does.
  func receive(_ delivery: Delivery) {
    var next = state.withLock { state -> Delivery? in
      guard delivery.number > state.newest else { return nil }
      state.newest = delivery.number
      guard !state.isReceiving else {
        state.waiting = delivery
        return nil
      }
      state.isReceiving = true
      return delivery
    }
    while let delivery = next {
      switch delivery {
      case .value(let value, number: _): onChange(value)
      case .failure(let error): onError(error)
      }
      next = state.withLock { state in
        defer { state.waiting = nil }
        state.isReceiving = state.waiting != nil
        return state.waiting
      }
    }
  }

  /// Ends the subscription: nothing is received that is not being received already.
  func cancel() {
    state.withLock { state in
      state.newest = .max
      state.waiting = nil
    }
  }
}
