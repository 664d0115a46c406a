import Dispatch
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

    init(_ store: PackStore, _ pack: PackName) {
      self.store = store
      self.pack = pack
      do throws(FileError) {
        // Before the first look, so that no switch is missed.
        let folder = try store.folder(of: pack)
        switches = PackWatch.switches(of: folder.current).makeAsyncIterator()
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
        guard let current = await current(), last != current.name else { continue }
        last = current.name
        return current
      }
      return nil
    }

    private mutating func isDue(_ actor: isolated (any Actor)?) async -> Bool {
      if isFirst {
        isFirst = false
        return switches != nil
      }
      return await switches?.next(isolation: actor) != nil
    }

    private func current() async -> Generation? {
      let (store, pack) = (store, pack)
      return await withCheckedContinuation { continuation in
        store.queue.async {
          do {
            continuation.resume(returning: try store.current(pack))
          } catch {
            // It is read again at the next switch, which repairs it.
            Log.report(
              .error, .packs,
              "The current generation of '\(pack)' cannot be read: \(Log.kind(of: error))")
            continuation.resume(returning: nil)
          }
        }
      }
    }
  }
}
