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

  /// A value with its number in the observation, or the error after the last one.
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

  private struct Calls {
    let onError: @Sendable (any Error) -> Void
    let onChange: @Sendable (Element) -> Void
  }

  private struct State {
    /// The closures of the app; `nil` when the subscription has ended.
    var calls: Calls?
    /// The number of the newest delivery that arrived; no further one once it is the greatest.
    var newest = 0
    /// The newest delivery, while an older one is being received.
    var waiting: Delivery?
    var isReceiving = false
  }

  // What it no longer needs is released outside of the lock, which the end of a value might need.
  private let state: Mutex<State>

  init(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Element) -> Void
  ) {
    state = Mutex(State(calls: Calls(onError: onError, onChange: onChange)))
  }

  /// Calls the subscriber, or lets the thread call it that already does.
  func receive(_ delivery: Delivery) {
    var (next, _) = state.withLock { state -> (next: (Calls, Delivery)?, replaced: Delivery?) in
      guard delivery.number > state.newest, let calls = state.calls else { return (nil, nil) }
      state.newest = delivery.number
      guard !state.isReceiving else {
        let replaced = state.waiting
        state.waiting = delivery
        return (nil, replaced)
      }
      state.isReceiving = true
      return ((calls, delivery), nil)
    }
    while let (calls, delivery) = next {
      switch delivery {
      case .value(let value, number: _): calls.onChange(value)
      case .failure(let error): calls.onError(error)
      }
      next = state.withLock { state in
        state.isReceiving = state.waiting != nil
        guard let waiting = state.waiting.take(), let calls = state.calls else { return nil }
        return (calls, waiting)
      }
    }
  }

  /// Ends the subscription: nothing is received that is not being received already.
  func cancel() {
    _ = state.withLock { state in
      state.newest = .max
      return (state.calls.take(), state.waiting.take())
    }
  }
}
