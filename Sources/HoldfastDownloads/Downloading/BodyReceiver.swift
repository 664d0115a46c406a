import Foundation
import HoldfastFiles
import Synchronization

/// The receiver of the responses of one attempt, which writes them to its part.
final class BodyReceiver: ResponseReceiver {
  private struct State {
    var request = ContentRequest(bytes: nil, ifRange: nil)
    var entry: JournalEntry
    var verdict: ResponseVerdict?
    var failure: DownloadError?
    /// The number of bytes at the last checkpoint.
    var checkpoint: Int64 = 0
    /// The number of bytes up to which the volume has space, for content without a length.
    var spaceEnd: Int64 = 0
  }

  /// The end of an exchange that is not a failure of the download.
  enum End {
    case received
    case startOver(ResponseVerdict.Reason)
    case retry(DownloadError, after: Duration?)
  }

  /// Without a digest, only bytes that are durable are used after the process ended; so many are
  /// lost at most.
  private static let checkpointLength: Int64 = 32 * 1024 * 1024

  /// The amount of content without a length that is received before the free space is asked for
  /// again.
  private static let spaceLength: Int64 = 256 * 1024

  let part: PartWriter
  private let download: Download
  private let downloader: Downloader
  private let state: Mutex<State>

  init(
    _ download: Download, _ part: PartWriter, _ entry: JournalEntry, in downloader: Downloader
  ) {
    self.download = download
    self.downloader = downloader
    self.part = part
    state = Mutex(State(entry: entry, checkpoint: entry.syncedByteCount))
  }

  var isComplete: Bool { download.retryState.withState { $0.content.isComplete } }

  var entry: JournalEntry { state.withLock { $0.entry } }

  private var folder: DownloadFolder { downloader.folder }

  /// Prepares for the response to a request.
  func begin(_ request: ContentRequest) {
    state.withLock { state in
      state.request = request
      state.verdict = nil
      state.failure = nil
    }
  }

  // MARK: Called by the session

  func receive(_ head: ResponseHead) -> Bool {
    attempt {
      let request = state.withLock { $0.request }
      let verdict = download.retryState.withState { $0.content.verdict(on: head, to: request) }
      state.withLock { $0.verdict = verdict }
      guard case .accept(let body) = verdict else { return false }
      try accept(body)
      return !body.isEmpty
    }
  }

  private func accept(_ body: ResponseVerdict.Body) throws(DownloadError) {
    if try part.byteCount != body.start { try part.clear() }
    try refuseFullVolume(for: body)
    let isNew = state.withLock { state in
      let before = state.entry
      state.entry.validator = body.validator
      state.entry.total = body.total
      if body.start == 0 { state.entry.syncedByteCount = 0 }
      state.checkpoint = state.entry.syncedByteCount
      state.spaceEnd = 0
      return state.entry != before
    }
    if isNew { try folder.write(entry, for: download.key, isDurable: false) }
    download.retryState.withState { $0.content.begin(body) }
    download.setReceived(body.start, of: body.total)
  }

  private func refuseFullVolume(for body: ResponseVerdict.Body) throws(DownloadError) {
    guard let total = body.total else { return }
    try refuseFullVolume(for: total - body.start)
  }

  /// Throws when content whose end is unknown would fill the volume.
  private func refuseFullVolume(upTo count: Int64) throws(DownloadError) {
    let isDue = state.withLock { state in
      guard count > state.spaceEnd else { return false }
      state.spaceEnd = count + Self.spaceLength
      return true
    }
    // What is collected is on the volume soon.
    if isDue { try refuseFullVolume(for: count - part.writtenByteCount) }
  }

  private func refuseFullVolume(for needed: Int64) throws(DownloadError) {
    let free: Int64
    do throws(Errno) {
      free = try SystemCalls.freeSpace(at: folder.path.text)
    } catch {
      throw .file("examined", folder.path, error)
    }
    let reserve = downloader.configuration.freeSpaceReserve
    // The reserve is kept only from downloads that take space.
    if needed > 0, needed > free - reserve {
      throw .noSpace(needed: needed, free: free, reserve: reserve)
    }
  }

  func receive(_ bytes: Data) -> Bool {
    attempt {
      guard case .accept(let body)? = state.withLock({ $0.verdict }) else { return false }
      let count = try part.byteCount + Int64(bytes.count)
      if let end = body.end, count > end { throw DownloadError.tooLong(end) }
      if body.total == nil { try refuseFullVolume(upTo: count) }
      try part.append(bytes)
      let isDue = state.withLock { state in
        state.entry.expectedSHA256 == nil && count - state.checkpoint >= Self.checkpointLength
      }
      if isDue { _ = try checkpoint() }
      download.setReceived(count, of: body.total)
      return true
    }
  }

  private func attempt(_ body: () throws -> Bool) -> Bool {
    do {
      return try downloader.withFault(body)
    } catch {
      let failure = error as? DownloadError ?? .network(error)
      state.withLock { $0.failure = failure }
      return false
    }
  }

  // MARK: Called by the attempt

  /// Decides what the end of an exchange means.
  ///
  /// - Parameter error: The transport's error, if it had one.
  /// - Returns: The next step.
  /// - Throws: `DownloadError` when the download fails.
  func end(_ error: (any Error)?) throws -> End {
    let (verdict, failure) = state.withLock { ($0.verdict, $0.failure) }
    if let failure { throw failure }
    if let refusal = error as? DownloadError { throw refusal }
    switch verdict {
    case nil:
      let failure = error.map { DownloadError.network($0) } ?? .notHTTP()
      guard failure.isTransient else { throw failure }
      return .retry(failure, after: nil)
    case .refuse(let refusal)?: throw refusal
    case .startOver(let reason)?: return .startOver(reason)
    case .retry(let failure, let delay)?: return .retry(failure, after: delay)
    case .accept(let body)?:
      let received = try part.flush()
      // An explanation that was not read is no failure.
      let isWhole = error == nil || body.isEmpty
      let flaw = download.retryState.withState { state in
        state.content.end(body, at: received, isWhole: isWhole)
      }
      if let flaw {
        guard flaw.isTransient else { throw flaw }
        return .retry(flaw, after: nil)
      }
      if isWhole { return .received }
      return .retry(.network(error ?? URLError(.networkConnectionLost)), after: nil)
    }
  }

  /// Drops what was received.
  func startOver(because reason: ResponseVerdict.Reason) throws {
    try download.retryState.withState { state in try state.content.startOver(because: reason) }
    try part.clear()
    state.withLock { state in
      state.entry.validator = nil
      state.entry.total = nil
      state.entry.syncedByteCount = 0
      state.checkpoint = 0
    }
    download.setReceived(0, of: nil)
  }

  /// Makes what was received durable and writes to the journal how much that is.
  ///
  /// - Returns: Whether there is anything.
  func checkpoint() throws(DownloadError) -> Bool {
    let count = try part.sync()
    guard count > 0 else { return false }
    state.withLock { state in
      state.entry.syncedByteCount = count
      state.checkpoint = count
    }
    try folder.write(entry, for: download.key, isDurable: false)
    return true
  }
}
