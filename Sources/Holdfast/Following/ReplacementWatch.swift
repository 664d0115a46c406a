import Foundation
package import HoldfastFiles
import Synchronization

/// The watch of one file that is replaced at each switch, by any process.
///
/// One thread serves all consumers in this process, and ends with the last of them. It opens no
/// file: it waits for the system's events for the folder, and compares the file's status.
package final class ReplacementWatch: Sendable {
  /// The longest time between two looks, and the one where the system reports no events.
  private static let poll = Duration.seconds(1)
  private static let pollWithoutEvents = Duration.milliseconds(100)

  private static let all = Mutex<[FilePath: ReplacementWatch]>([:])

  private struct State {
    var consumers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var lastConsumer: UInt64 = 0
    var isEnded = false
    /// The system's events, once there is a descriptor for them.
    var events: DirectoryEvents?
  }

  private let file: FilePath
  private let state = Mutex(State())

  /// Ends a wait while there is no descriptor for events.
  private let wakening = DispatchSemaphore(value: 0)

  private init(_ file: FilePath) {
    self.file = file
  }

  /// Returns a sequence with an element for each replacement of a file, from now on.
  ///
  /// - Parameter file: The file, which need not exist, nor its folder.
  /// - Returns: A stream, with which the watch of its consumer ends.
  package static func switches(of file: FilePath) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    all.withLock { all in
      let watch = all[file] ?? ReplacementWatch(file)
      if all[file] == nil {
        all[file] = watch
        watch.begin()
      }
      let number = watch.add(continuation)
      continuation.onTermination = { _ in watch.remove(number) }
    }
    return stream
  }

  /// Whether a thread watches a file, for tests.
  package static func isWatched(_ file: FilePath) -> Bool { all.withLock { $0[file] != nil } }

  private func add(_ consumer: AsyncStream<Void>.Continuation) -> UInt64 {
    state.withLock { state in
      state.lastConsumer += 1
      state.consumers[state.lastConsumer] = consumer
      return state.lastConsumer
    }
  }

  private func remove(_ number: UInt64) {
    Self.all.withLock { all in
      let events: DirectoryEvents?? = state.withLock { state in
        state.consumers[number] = nil
        guard state.consumers.isEmpty, !state.isEnded else { return nil }
        state.isEnded = true
        return .some(state.events)
      }
      guard let events else { return }
      all[file] = nil
      if let events { events.wake() } else { wakening.signal() }
    }
  }

  // MARK: - The thread

  private func begin() {
    listen()
    // Before the first consumer is told that nothing is missed.
    let seen = FileStamp(file)
    let thread = Thread { self.run(seen) }
    thread.name = "holdfast.replacements"
    thread.qualityOfService = .utility
    thread.start()
  }

  private func run(_ first: FileStamp?) {
    var seen = first
    while !state.withLock({ $0.isEnded }) {
      let isEventful = wait()
      let found = FileStamp(file)
      if isEventful || found != seen {
        seen = found
        for consumer in state.withLock({ $0.consumers.values }) { consumer.yield() }
      }
    }
  }

  /// Waits for an event or for the next look, and returns whether the file may have been replaced.
  private func wait() -> Bool {
    if let events = state.withLock({ $0.events }) {
      if !events.isWatching { listen() }
      let limit = events.isWatching ? Self.poll : Self.pollWithoutEvents
      switch events.wait(limit, for: .everything) {
      case .files(let names, let touched): return names.union(touched).contains(file.name)
      case .anything: return true
      case .lost:
        listen()
        return true
      case .woken, .quiet: return false
      }
    }
    _ = wakening.wait(timeout: .now() + Self.pollWithoutEvents / .seconds(1))
    listen()
    return false
  }

  /// Watches the folder, if it exists and the system has a descriptor for it.
  private func listen() {
    do throws(Errno) {
      let events: DirectoryEvents
      if let present = state.withLock({ $0.events }) {
        events = present
      } else {
        events = try DirectoryEvents()
        let isEnded = state.withLock { state in
          state.events = events
          return state.isEnded
        }
        // The end was announced by other means.
        if isEnded { events.wake() }
      }
      try events.begin(at: file.directory.text, log: file.text)
    } catch _ {
      // Each look tries again.
    }
  }
}
