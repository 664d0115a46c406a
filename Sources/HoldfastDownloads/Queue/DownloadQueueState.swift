/// The downloads that may transfer, and those that wait: events in, admitted downloads out.
///
/// The highest priority first, then the order of arrival. A download that waits only for its host
/// does not hold up downloads from other hosts.
struct DownloadQueueState {
  typealias Key = DownloadKey

  private struct Waiting {
    var key: Key
    var host: String
    var priority: DownloadPriority
  }

  private let limit: Int
  private let hostLimit: Int
  private var waiting: [Waiting] = []
  private var running: [Key: String] = [:]

  /// - Parameters:
  ///   - limit: The greatest number of transfers.
  ///   - hostLimit: The greatest number of transfers from one host.
  init(limit: Int, hostLimit: Int) {
    self.limit = max(1, limit)
    self.hostLimit = max(1, hostLimit)
  }

  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }

  /// Adds a download and returns those that may begin.
  mutating func enqueue(_ key: Key, host: String, priority: DownloadPriority) -> [Key] {
    guard running[key] == nil, !waiting.contains(where: { $0.key == key }) else { return [] }
    let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
    waiting.insert(Waiting(key: key, host: host, priority: priority), at: place)
    return admit()
  }

  /// Removes a download, which waits or transfers, and returns those that may begin.
  mutating func leave(_ key: Key) -> [Key] {
    waiting.removeAll { $0.key == key }
    running[key] = nil
    return admit()
  }

  private mutating func admit() -> [Key] {
    var admitted: [Key] = []
    var index = waiting.startIndex
    while index < waiting.endIndex, running.count < limit {
      let next = waiting[index]
      if running.values.count(where: { $0 == next.host }) < hostLimit {
        running[next.key] = next.host
        admitted.append(next.key)
        waiting.remove(at: index)
      } else {
        index += 1
      }
    }
    return admitted
  }
}
