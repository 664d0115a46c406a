import Synchronization

/// What happened, in order, written down by any thread.
public final class Journal<Entry: Sendable>: Sendable {
  private let list = Mutex<[Entry]>([])

  /// Makes an empty journal.
  public init() {}

  /// Everything that was written down so far.
  public var entries: [Entry] { list.withLock { $0 } }

  /// Writes an entry down.
  ///
  /// - Parameter entry: What happened.
  public func append(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }
}
