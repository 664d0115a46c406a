import Foundation
import Holdfast
import Synchronization

/// A source whose current file a test chooses.
final class SwitchedSource: DatabaseSource {
  /// Whether the code runs in a task of the test: such a value does not reach another thread.
  @TaskLocal static var isInTask = false

  private struct State {
    var url: URL
    var calls: [Bool] = []
    var consumers: [AsyncStream<Void>.Continuation] = []
  }

  private let state: Mutex<State>

  init(_ url: URL) { state = Mutex(State(url: url)) }

  /// For each call of `currentDatabase()`, whether it was made on the thread of a task.
  var callsInTask: [Bool] { state.withLock { $0.calls } }

  func currentDatabase() throws -> SourcedDatabase {
    let url = state.withLock { state in
      state.calls.append(Self.isInTask)
      return state.url
    }
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
