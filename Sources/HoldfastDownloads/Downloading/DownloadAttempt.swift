import Foundation
import HoldfastFiles
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One attempt of a download: from what is there to the recorded file, or to a failure.
struct DownloadAttempt: Sendable {
  private let download: Download
  private let downloader: Downloader

  init(_ download: Download, in downloader: Downloader) {
    self.download = download
    self.downloader = downloader
  }

  private var request: DownloadRequest { download.request }
  private var folder: DownloadFolder { downloader.folder }
  private var key: DownloadKey { download.key }

  private var completion: DownloadFinisher {
    DownloadFinisher(folder: folder, container: downloader.container)
  }

  /// Runs the attempt and reports how it ended.
  func run() async {
    do {
      let file = try await file()
      download.setResult(.success(file))
      downloader.endAttempt(of: download, .finished)
    } catch {
      downloader.endAttempt(of: download, outcome(of: error))
    }
  }

  private func outcome(of error: any Error) -> DownloadMachine.Outcome {
    if Task.isCancelled || error is CancellationError { return .stopped }
    let retry = error as? Retry
    let cause = retry?.error ?? error
    return download.retryState.withState { state -> DownloadMachine.Outcome in
      state.failure = cause
      guard retry?.error.isTransient ?? (error as? DownloadError)?.isTransient ?? false else {
        return .failed(retryAfter: nil)
      }
      // Only progress counts that the next attempt does not repeat.
      let content = state.content
      let isProgress =
        content.received > state.greatestReceived && content.canContinue
        && content.startOvers == state.startOversBefore
      state.failures = isProgress ? 1 : state.failures + 1
      state.greatestReceived = max(state.greatestReceived, content.received)
      return .failed(
        retryAfter: downloader.configuration.retryPolicy.delay(
          after: state.failures, demanded: retry?.delay, random: .random(in: 0..<1)))
    }
  }

  /// A failure with the wait that the server demands.
  private struct Retry: Error {
    var error: DownloadError
    var delay: Duration?
  }

  // MARK: Steps

  private func file() async throws -> DownloadedFile {
    try await installHandedFile()
    if let file = try await verifiedFile() { return try await recorded(file) }
    if let file = try await downloader.onFiles({ try existingFile() }) {
      return try await recorded(file)
    }
    let (part, entry) = try await downloader.onFiles { try openPart() }
    let receiver = BodyReceiver(download, part, entry, in: downloader)
    do {
      while !receiver.isComplete {
        try Task.checkCancellation()
        try await exchange(with: receiver)
      }
    } catch {
      try await keep(receiver, after: error)
    }
    downloader.completeContent(of: download)
    // Not cancelled from here on.
    return try await Task {
      let file = try await downloader.onFiles { try finish(receiver) }
      return try await recorded(file)
    }.value
  }

  /// Makes the system's content the part, when what was there is recorded.
  private func installHandedFile() async throws {
    guard let handed = download.retryState.withState({ $0.handed }) else { return }
    _ = try await downloader.removal.remove(key)
    try await downloader.onFiles { try handed.install() }
    download.retryState.withState { $0.handed = nil }
  }

  /// Looks at the destination before the first transfer.
  private func existingFile() throws -> DownloadedFile? {
    let isExamined = download.retryState.withState { state in
      defer { state.isDestinationExamined = true }
      return state.isDestinationExamined
    }
    let entry = try folder.readEntry(key)
    guard !isExamined, !request.isForced else { return nil }
    let path = try completion.path(of: JournalEntry(request))
    let status: FileStatus
    do throws(Errno) {
      status = try SystemCalls.linkStatus(of: path.text)
    } catch .notFound {
      return nil
    } catch {
      throw DownloadError.file("examined", path, error)
    }
    guard status.kind == .regular else {
      throw DownloadError.destinationOccupied(
        request.destination, "something other than a plain file has this name")
    }
    let expected = request.expectedByteCount
    guard status.byteCount == expected ?? status.byteCount, status.byteCount > 0 || expected == 0
    else {
      throw DownloadError.destinationOccupied(
        request.destination, "a file of \(status.byteCount) bytes has this name")
    }
    var digest: SHA256Digest?
    if let expected = request.expectedSHA256 {
      digest = DownloadFinisher.digest(of: path)?.sha256
      // A database is not read, because SQLite may have it open: there the length decides.
      guard digest != nil || request.expectedByteCount != nil else {
        throw DownloadError.destinationOccupied(
          request.destination, "a file with this name may be in use and was not compared")
      }
      guard digest == nil || digest == expected else {
        throw DownloadError.destinationOccupied(
          request.destination, "a file with another digest has this name")
      }
    }
    try completion.adopt(path, for: JournalEntry(request))
    // What was received for it is of no use any more.
    if entry != nil { try folder.remove(key) }
    return DownloadedFile(
      id: request.id, source: request.url, destination: request.destination,
      byteCount: status.byteCount, sha256: digest, isExisting: true)
  }

  /// Completes what an earlier attempt or process has verified.
  private func verifiedFile() async throws -> DownloadedFile? {
    let published = try await downloader.onFiles { () -> (file: DownloadedFile?, isThere: Bool) in
      guard let entry = try folder.readEntry(key), let verified = entry.verified else {
        return (nil, false)
      }
      guard try isUsable(entry, verified) else { return (nil, true) }
      return (try completion.publish(entry, verified, for: key), true)
    }
    if let file = published.file { return file }
    if published.isThere { _ = try await downloader.removal.remove(key) }
    return nil
  }

  /// Whether complete content is what the request expects.
  private func isUsable(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified
  ) throws -> Bool {
    guard entry.serves(request), entry.destination == request.destination else { return false }
    // Of a forced download, only its own complete content is used.
    return try !request.isForced || verified.replaces && folder.statusOfPart(key) != nil
  }

  /// Opens the part with as many bytes of it as can be used.
  private func openPart() throws -> (PartWriter, JournalEntry) {
    var entry = JournalEntry(request)
    var count: Int64 = 0
    if let earlier = try folder.readEntry(key), earlier.serves(request),
      let status = try folder.statusOfPart(key), status.kind == .regular
    {
      entry.validator = earlier.hasURL(of: request) ? earlier.validator : nil
      entry.total = earlier.total
      entry.syncedByteCount = earlier.syncedByteCount
      // What a power loss may have damaged is used only where a digest proves it.
      count =
        request.expectedSHA256 != nil
        ? status.byteCount : min(status.byteCount, earlier.syncedByteCount)
      if let total = earlier.total, count > total { count = 0 }
    } else {
      try folder.remove(key)
    }
    if count == 0 {
      entry.validator = nil
      entry.total = nil
    }
    try folder.write(entry, for: key, isDurable: false)
    let part = try PartWriter(folder.part(key), keeping: count)
    download.retryState.withState { state in
      state.content.resume(at: count, of: entry.total, validator: entry.validator)
      state.greatestReceived = max(state.greatestReceived, count)
      state.startOversBefore = state.content.startOvers
    }
    download.setReceived(count, of: entry.total)
    return (part, entry)
  }

  private func exchange(with receiver: BodyReceiver) async throws {
    let content = download.retryState.withState { $0.content }
    let next = content.nextRequest(rangeOf: downloader.configuration.rangeLength)
    var fields = URLRequest(url: request.url)
    for (name, value) in request.headers { fields.setValue(value, forHTTPHeaderField: name) }
    for (name, value) in next.headers { fields.setValue(value, forHTTPHeaderField: name) }
    if next.ifRange == nil { fields.setValue(nil, forHTTPHeaderField: "If-Range") }
    if next.bytes == nil { fields.setValue(nil, forHTTPHeaderField: "Range") }
    receiver.begin(next)
    var failure: (any Error)?
    do {
      try await downloader.transport.perform(
        fields, redirectLimit: downloader.configuration.redirectLimit, to: receiver)
    } catch {
      failure = error
    }
    try Task.checkCancellation()
    let ended = failure
    let end = try await downloader.onFiles { try receiver.end(ended) }
    switch end {
    case .received: return
    case .startOver(let reason):
      try await downloader.onFiles { try receiver.startOver(because: reason) }
    case .retry(let error, let delay): throw Retry(error: error, delay: delay)
    }
  }

  /// Keeps what was received before a failure, if it is of use; then throws the failure.
  private func keep(_ receiver: BodyReceiver, after failure: any Error) async throws -> Never {
    let error = (failure as? Retry)?.error ?? failure
    let code = (error as? DownloadError)?.code
    let isUseless =
      switch code {
      case .lengthMismatch?, .emptyBody?, .encoding?: true
      // A server that does not say the length sends no parts of the content either.
      case .noSpace?: download.retryState.withState { $0.content.total == nil }
      default: false
      }
    // Not in the attempt's task, which may be cancelled.
    try await Task {
      try await downloader.onFiles {
        defer { receiver.part.close() }
        do {
          let isKept = isUseless ? false : try receiver.checkpoint()
          if !isKept { try folder.remove(key) }
        } catch {
          // The failure itself is reported; what is not synced is received again.
          Log.report(.notice, .downloads, "a part was not synced: \(Log.kind(of: error))")
        }
      }
    }.value
    if isUseless, code == .noSpace, var full = error as? DownloadError {
      full.advice = "Free some space and start the download again; it begins at the first byte."
      throw full
    }
    throw failure
  }

  private func finish(_ receiver: BodyReceiver) throws -> DownloadedFile {
    defer { receiver.part.close() }
    let entry: JournalEntry
    do throws(DownloadError) {
      entry = try completion.verify(
        receiver.part, receiver.entry, for: key, replaces: request.isForced)
    } catch {
      guard error.code == .digestMismatch || error.code == .lengthMismatch else { throw error }
      // Bytes of two versions, or damaged ones of an earlier process, are fetched once more.
      try folder.remove(key)
      let startsOver = download.retryState.withState { state in
        // It is the first time, so that it throws nothing.
        state.content.isJoined && state.content.startOvers == 0
          && (try? state.content.startOver(because: .digest)) != nil
      }
      if startsOver {
        var passing = error
        passing.isTransient = true
        throw Retry(error: passing, delay: .zero)
      }
      throw error
    }
    guard let verified = entry.verified,
      let file = try completion.publish(entry, verified, for: key)
    else { throw DownloadError.partInUse(folder.part(key)) }
    return file
  }

  /// Records a file, then removes its entry: between the two it is in both places, never in none.
  private func recorded(_ file: DownloadedFile) async throws -> DownloadedFile {
    try await completion.record(file, with: downloader.record)
    try await downloader.onFiles { try folder.removeEntry(key) }
    download.setReceived(file.byteCount, of: file.byteCount)
    return file
  }
}
