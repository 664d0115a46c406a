#if canImport(Darwin)
  import Dispatch
  import Foundation
  import HoldfastFiles
  import Synchronization

  /// A claim to open a database, which Apple's file coordination grants to one process at a time.
  ///
  /// A lock file would also serve, but the system terminates an app that is suspended while it
  /// holds one in a shared container.
  final class CoordinatedWriting: Sendable {
    private enum State {
      case waiting, granted, ended
      case refused(NSError)
    }

    // Sendable because one thread coordinates, and `cancel()` is allowed from any other.
    private struct Coordinator: @unchecked Sendable {
      let coordinator = NSFileCoordinator(filePresenter: nil)
    }

    private let coordinator = Coordinator()
    private let state: Shared

    /// The state that the claim shares with the thread that waits for it.
    private final class Shared: Sendable {
      let state = Mutex(State.waiting)
      let isEnded = DispatchSemaphore(value: 0)
    }

    /// Requests the claim, and waits for it on a separate thread.
    init(on path: FilePath) {
      let shared = Shared()
      state = shared
      let coordinator = self.coordinator
      let url = path.url
      Thread.detachNewThread {
        var refusal: NSError?
        coordinator.coordinator.coordinate(
          writingItemAt: url, options: .forMerging, error: &refusal
        ) { _ in
          let isWanted = shared.state.withLock { state in
            guard case .waiting = state else { return false }
            state = .granted
            return true
          }
          // The claim lasts as long as this closure.
          if isWanted { shared.isEnded.wait() }
        }
        if let refusal { shared.state.withLock { $0 = .refused(refusal) } }
      }
    }

    deinit {
      let before = state.state.withLock { state in
        defer { state = .ended }
        return state
      }
      switch before {
      case .granted: state.isEnded.signal()
      case .waiting: coordinator.coordinator.cancel()
      case .refused, .ended: break
      }
    }

    /// Whether the claim was granted.
    func isGranted() throws -> Bool {
      switch state.state.withLock({ $0 }) {
      case .granted: return true
      case .waiting, .ended: return false
      case .refused(let error): throw error
      }
    }

    /// The process that holds the claim; always `nil`, because the system does not report it.
    static func holder(for path: FilePath) -> Int32? { nil }
  }
#endif
