import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The connections of servers whose replies are not complete and which their clients have not ended.
public final class LiveConnections: Sendable {
  private struct Entries {
    var descriptors: [Int: Int32] = [:]
    var next = 0
  }

  private let entries = Mutex(Entries())

  /// Creates an empty set.
  public init() {}

  /// The number of connections.
  public var count: Int {
    entries.withLock { $0.descriptors.values.count { !LoopbackSocket.isEnded($0) } }
  }

  /// Blocks the thread until there are no more connections than a limit.
  ///
  /// A client may end a connection shortly before it begins another one, and the end may be seen
  /// shortly after the beginning.
  ///
  /// - Parameter limit: The limit.
  /// - Returns: Whether there are no more; false after ten seconds.
  public func falls(to limit: Int) -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while count > limit {
      if ContinuousClock.now > end { return false }
      sched_yield()
    }
    return true
  }

  /// Adds a connection and returns its number.
  func add(_ descriptor: Int32) -> Int {
    entries.withLock { entries in
      entries.next += 1
      entries.descriptors[entries.next] = descriptor
      return entries.next
    }
  }

  /// Removes a connection; called before its descriptor is closed.
  func remove(_ number: Int) {
    _ = entries.withLock { $0.descriptors.removeValue(forKey: number) }
  }
}
