import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Synchronization

/// A source whose current file is the one that a symbolic link leads to.
final class LinkSource: DatabaseSource {
  /// Keeps a file; its end is noted.
  private final class Lease: Sendable {
    let name: String
    let ended: Journal<String>

    init(_ name: String, _ ended: Journal<String>) {
      self.name = name
      self.ended = ended
    }

    deinit { ended.append(name) }
  }

  /// Whether the code runs in a task of the test: such a value does not reach another thread.
  @TaskLocal static var isInTask = false

  private struct State {
    var lease: Lease?
    var consumers: [AsyncStream<Void>.Continuation] = []
  }

  let directory: TemporaryDirectory

  /// The names of the files that are no longer used, in order.
  let ended = Journal<String>()

  /// For each call of `currentDatabase()`, whether it was made on the thread of a task.
  let callsInTask = Journal<Bool>()

  private let state = Mutex(State())

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var link: String { directory.file("current").path }

  func currentDatabase() throws -> SourcedDatabase {
    callsInTask.append(Self.isInTask)
    let name = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    var previous: Lease?
    defer { withExtendedLifetime(previous) {} }
    let lease = state.withLock { state in
      if let lease = state.lease, lease.name == name { return lease }
      previous = state.lease
      let lease = Lease(name, ended)
      state.lease = lease
      return lease
    }
    return SourcedDatabase(
      url: directory.file(name), generation: name, isNeverModified: true, keeping: lease)
  }

  func switches() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.consumers.append(continuation) }
    return stream
  }

  /// Makes another file the current one, without announcing it.
  func point(to name: String) throws {
    let aside = directory.file("aside-\(UUID().uuidString)").path
    try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: name)
    try SystemCalls.move(aside, to: link)
  }

  /// Announces a switch to all consumers.
  func announce() {
    for consumer in state.withLock({ $0.consumers }) { consumer.yield() }
  }
}
