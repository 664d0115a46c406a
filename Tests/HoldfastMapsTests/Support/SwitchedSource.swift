import Foundation
import Holdfast
import Synchronization

/// A source whose current file a test chooses.
final class SwitchedSource: DatabaseSource {
  private struct State {
    var url: URL
    var consumers: [AsyncStream<Void>.Continuation] = []
  }

  private let state: Mutex<State>

  init(_ url: URL) { state = Mutex(State(url: url)) }

  func currentDatabase() throws -> SourcedDatabase {
    let url = state.withLock { $0.url }
    return SourcedDatabase(url: url, generation: url.lastPathComponent, isNeverModified: true)
  }

  func switches() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.consumers.append(continuation) }
    return stream
  }

  /// Makes another file the current one, and announces it.
  func point(to url: URL, isAnnounced: Bool = true) {
    let consumers = state.withLock { state in
      state.url = url
      return state.consumers
    }
    guard isAnnounced else { return }
    for consumer in consumers { consumer.yield() }
  }
}
