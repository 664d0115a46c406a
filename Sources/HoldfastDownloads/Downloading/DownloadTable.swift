/// The downloads of a downloader that have not ended.
struct DownloadTable: Sendable {
  /// The downloads of each id that have not ended, in the order of their starts.
  ///
  /// The first one alone has the id's files and may be in the queue. The next one begins when it
  /// has ended.
  var chains: [DownloadKey: [Download]] = [:]
  /// The ids whose files are used by something other than a download.
  var reserved: Set<DownloadKey> = []
  var queue: DownloadQueueState
  var isClosed = false

  /// The download of an id that may begin.
  func first(of key: DownloadKey) -> Download? {
    reserved.contains(key) ? nil : chains[key]?.first
  }

  var live: [Download] { chains.values.flatMap(\.self) }

  /// Returns why a download may not be added; `nil` when it may.
  func refusal(of download: Download) -> DownloadError? {
    if isClosed { return .closed(download.id) }
    let isInUse = live.contains { other in
      other.key != download.key && other.request.destination == download.request.destination
    }
    return isInUse ? .destinationInUse(download.request) : nil
  }

  mutating func remove(_ download: Download) {
    chains[download.key]?.removeAll { $0 === download }
    if chains[download.key]?.isEmpty == true { chains[download.key] = nil }
  }
}
