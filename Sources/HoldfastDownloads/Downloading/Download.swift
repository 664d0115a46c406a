import Foundation
import HoldfastFiles
import Synchronization

/// A download in progress.
///
/// ```swift
/// let download = try downloader.start(request)
/// for await progress in download.progress { show(progress.fraction) }
/// let file = try await download.value()
/// ```
public final class Download: Sendable {
  private struct Observed {
    var progress = DownloadProgress(state: .waiting)
    var result: Result<DownloadedFile, any Error>?
    var observers: [Int: AsyncStream<DownloadProgress>.Continuation] = [:]
    var nextObserver = 0
    var isCancellationDemanded = false
  }

  /// The request.
  public let request: DownloadRequest

  let key: DownloadKey
  let retryState: RetryState
  private let downloader: Downloader
  private let observed = Mutex(Observed())

  init(_ request: DownloadRequest, in downloader: Downloader) {
    self.request = request
    self.downloader = downloader
    key = DownloadKey(id: request.id)
    retryState = RetryState(request)
  }

  /// The id of the request.
  public var id: String { request.id }

  /// The state; it changes shortly after ``pause()``, ``resume()`` and ``cancel()``.
  public var state: DownloadState { observed.withLock { $0.progress.state } }

  /// The progress: the current one at once, then each change.
  ///
  /// When several changes happened meanwhile, only the newest one is delivered. The sequence ends
  /// after a final state. Each use is a consumer of its own.
  public var progress: some AsyncSequence<DownloadProgress, Never> & Sendable {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = observed.withLock { observed -> Int? in
        continuation.yield(observed.progress)
        guard !observed.progress.state.isFinal else { return nil }
        observed.nextObserver += 1
        observed.observers[observed.nextObserver] = continuation
        return observed.nextObserver
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        _ = self?.observed.withLock { $0.observers.removeValue(forKey: number) }
      }
    }
  }

  /// Returns the file when the download is finished.
  ///
  /// Cancelling the task ends only the waiting, not the download.
  ///
  /// - Returns: The file, which is at its destination.
  /// - Throws: ``DownloadError`` when the download failed: `.destinationOccupied`; `.status`,
  ///   `.encoding`, `.contentType`, `.redirect`, `.wrongRange`, `.malformedResponse` for the server's
  ///   answers; `.lengthUnknown`, `.lengthMismatch`, `.emptyBody`, `.digestMismatch` for the content;
  ///   `.network`; `.noSpace`, `.file`; `.notRecorded`; `.cancelled`, `.closed`. `CancellationError`
  ///   when the task was cancelled.
  public func value() async throws -> DownloadedFile {
    for await _ in progress {}
    if let result = observed.withLock({ $0.result }) { return try result.get() }
    throw CancellationError()
  }

  /// Stops the transfer and keeps what was received.
  ///
  /// A download whose content is complete is not paused.
  public func pause() {
    downloader.demand(.pause, of: self)
  }

  /// Continues a paused download.
  public func resume() {
    downloader.resume(self)
  }

  /// Stops the download and removes what was received.
  ///
  /// A download whose content is complete finishes instead. A later start with the same id begins
  /// when this one has ended.
  public func cancel() {
    observed.withLock { $0.isCancellationDemanded = true }
    downloader.demand(.cancel, of: self)
  }

  // MARK: Called by the downloader

  /// Whether ``cancel()`` was called, so that no other start joins.
  var isCancellationDemanded: Bool { observed.withLock { $0.isCancellationDemanded } }

  /// Waits for a final state; its files are not used afterwards.
  func end() async {
    for await _ in progress {}
  }

  func setState(_ state: DownloadState) {
    change { $0.state = state }
  }

  func setReceived(_ byteCount: Int64, of total: Int64?) {
    change { progress in
      progress.byteCount = byteCount
      progress.totalByteCount = total
    }
  }

  /// Sets the result; the final state follows.
  func setResult(_ result: Result<DownloadedFile, any Error>) {
    observed.withLock { $0.result = $0.result ?? result }
  }

  private func change(_ body: (inout DownloadProgress) -> Void) {
    let ended = observed.withLock { observed in
      let before = observed.progress
      // Bytes that arrive late do not follow the end.
      guard !before.state.isFinal else { return [AsyncStream<DownloadProgress>.Continuation]() }
      body(&observed.progress)
      guard observed.progress != before else { return [] }
      for observer in observed.observers.values { observer.yield(observed.progress) }
      guard observed.progress.state.isFinal else { return [] }
      defer { observed.observers.removeAll() }
      return Array(observed.observers.values)
    }
    // After the lock, because ending a sequence calls its closure for the termination.
    for observer in ended { observer.finish() }
  }
}
