import Synchronization

/// An ordered list of entries to which any thread can append.
public final class Journal<Entry: Sendable>: Sendable {
  private let list = Mutex<[Entry]>([])

  /// Creates an empty journal.
  public init() {}

  /// All entries so far, in order.
  public var entries: [Entry] { list.withLock { $0 } }

  /// Appends an entry.
  ///
  /// - Parameter entry: The entry.
  public func append(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }
}
