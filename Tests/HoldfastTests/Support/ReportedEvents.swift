import HoldfastFiles
import Synchronization

/// The events logged for one file while a closure runs: other tests run at the same time.
enum ReportedEvents {
  private static let events = Mutex<[LogEvent]>([])
  private static let users = Mutex(0)

  static func collect(about name: String, _ body: () throws -> Void) rethrows -> [LogEvent] {
    users.withLock { users in
      users += 1
      if users == 1 {
        Log.setHandler { event in events.withLock { $0.append(event) } }
      }
    }
    defer {
      users.withLock { users in
        users -= 1
        if users == 0 {
          Log.useSystemHandler()
          events.withLock { $0 = [] }
        }
      }
    }
    try body()
    return events.withLock { $0 }.filter { $0.message.contains("'\(name)'") }
  }
}
