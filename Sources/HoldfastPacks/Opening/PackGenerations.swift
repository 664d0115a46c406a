import Dispatch
import Holdfast
import HoldfastFiles

/// The generations of a pack that become current; see ``PackStore/generations(of:)``.
public struct PackGenerations: AsyncSequence, Sendable {
  private let store: PackStore
  private let pack: PackName

  init(_ store: PackStore, _ pack: PackName) {
    self.store = store
    self.pack = pack
  }

  /// Starts to watch the pack.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store, pack)
  }

  /// An iterator over the generations; the watch ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    private let store: PackStore
    private let pack: PackName
    private var switches: AsyncStream<Void>.Iterator?
    private var isFirst = true
    private var last: String?

    /// The pause after which a generation that could not be read is read again, for example because
    /// the device was locked or no descriptor was free.
    private static let pauses = Duration.milliseconds(125)...Duration.seconds(1)
    private var pause: Duration?

    init(_ store: PackStore, _ pack: PackName) {
      self.store = store
      self.pack = pack
      do throws(FileError) {
        // Before the first look, so that no switch is missed.
        let folder = try store.folder(of: pack)
        switches = ReplacementWatch.switches(of: folder.current).makeAsyncIterator()
      } catch {
        Log.report(.error, .packs, "The pack '\(pack)' is not watched: \(error.code)")
      }
    }

    /// Waits for the next generation.
    ///
    /// - Parameter actor: The actor on which the call is made.
    /// - Returns: The current generation, if it is not the one that was returned last; `nil` if the
    ///   task was cancelled, or the container has no folder for the pack.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Generation? {
      while await isDue(actor) {
        switch await current() {
        case .success(let current):
          pause = nil
          guard let current, last != current.name else { continue }
          last = current.name
          return current
        case .failure:
          // No switch may follow: what was missed must not be lost.
          pause = Swift.min(pause.map { $0 * 2 } ?? Self.pauses.lowerBound, Self.pauses.upperBound)
        }
      }
      return nil
    }

    private mutating func isDue(_ actor: isolated (any Actor)?) async -> Bool {
      if let pause {
        do {
          try await Task.sleep(for: pause)
          return true
        } catch _ {
          // The task was cancelled, which ends the sequence.
          return false
        }
      }
      if isFirst {
        isFirst = false
        return switches != nil
      }
      return await switches?.next(isolation: actor) != nil
    }

    private func current() async -> Result<Generation?, any Error> {
      let (store, pack) = (store, pack)
      // Values of the task are not seen on other threads.
      let fault = SystemCalls.fault
      return await withCheckedContinuation { continuation in
        store.queue.async {
          let result = Result {
            try SystemCalls.$fault.withValue(fault) { try store.current(pack) }
          }
          if case .failure(let error) = result {
            Log.report(
              .error, .packs,
              "The current generation of '\(pack)' cannot be read: \(Log.kind(of: error))")
          }
          continuation.resume(returning: result)
        }
      }
    }
  }
}
