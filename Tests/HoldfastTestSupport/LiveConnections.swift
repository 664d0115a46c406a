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
  // Held while a limit is checked, so that no server ends a connection that was one too many. It has
  // whether a limit was exceeded.
  private let check = Mutex(false)

  /// Creates an empty set.
  public init() {}

  /// The number of connections.
  public var count: Int {
    entries.withLock { $0.descriptors.values.count { !LoopbackSocket.isEnded($0) } }
  }

  /// Blocks the thread until the clients have no more connections than a limit.
  ///
  /// A client may end a connection shortly before it begins another one, and the end may be seen
  /// shortly after the beginning. Servers end none meanwhile.
  ///
  /// - Parameter limit: The limit.
  /// - Returns: Whether there are no more; false after ten seconds, and from then on.
  public func falls(to limit: Int) -> Bool {
    check.withLock { isExceeded in
      let end = ContinuousClock.now + .seconds(10)
      while !isExceeded, count > limit {
        isExceeded = ContinuousClock.now > end
        sched_yield()
      }
      return !isExceeded
    }
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
    check.withLock { _ in
      _ = entries.withLock { $0.descriptors.removeValue(forKey: number) }
    }
  }
}
