import Dispatch
import Foundation
public import HoldfastFiles
import Synchronization

/// Downloads files: from the bytes of a server to a verified file that the app has recorded.
///
/// A file appears at its destination only when it is complete: its length and, if it is known, its
/// digest are checked, its attributes are set and its bytes are durable. Then `record` is called, in
/// which the app stores that it has the file. When the process ends between these steps, the next
/// downloader at the folder performs those that are missing.
///
/// ```swift
/// let downloader = try await Downloader { file in
///   try await database.write { db in try save(file, db) }
/// }
/// let file = try await downloader.start(request).value()
/// ```
///
/// What is not finished lies in the downloader's folder: for each download a part and a journal
/// entry. Parts are kept until the download is finished or cancelled.
public final class Downloader: Sendable {
  /// A closure that stores that the app has a file.
  ///
  /// It may be called again for a file that it has stored, because the process ended before the
  /// downloader learned of it. While it throws, the file stays in the journal.
  public typealias Record = @Sendable (DownloadedFile) async throws -> Void

  /// The container of the destinations and of the folder.
  public let container: Container

  /// The limits.
  public let configuration: Configuration

  /// What was found of the process before.
  public let recovered: RecoveryReport

  let folder: DownloadFolder
  let transport: Transport
  let record: Record

  // Events of all downloads, one after the other, so that their actions keep their order.
  private let events = DispatchQueue(label: "holdfast.downloads.events")
  private let files: FileWork

  private struct Table {
    var downloads: [DownloadKey: Download] = [:]
    var queue: DownloadQueueState
    var isClosed = false
  }

  private let table: Mutex<Table>
  private let lock: Mutex<FileLock?>

  /// Opens the folder, and completes what an earlier process left there.
  ///
  /// - Parameters:
  ///   - folder: The folder of the parts and the journal, created if it is missing, in the app's own
  ///     container; by default `@application-support/Downloads in progress`. One downloader uses it
  ///     at a time. It is excluded from backups.
  ///   - container: The container.
  ///   - configuration: The limits.
  ///   - record: Stores that the app has a file.
  /// - Throws: ``DownloadError`` with `.invalidRequest` when the folder is in an app group or in the
  ///   bundle, `.file` when it cannot be used, also because another downloader uses it.
  public init(
    at folder: RelocatablePath? = nil, in container: Container = .current,
    configuration: Configuration = Configuration(), record: @escaping Record
  ) async throws {
    self.container = container
    self.configuration = configuration
    self.record = record
    let files = FileWork()
    self.files = files
    let (place, lock) = try await files.run { () throws in
      try Self.open(folder, in: container)
    }
    self.folder = place
    self.lock = Mutex(lock.take())
    table = Mutex(
      Table(
        queue: DownloadQueueState(
          limit: configuration.limit, hostLimit: configuration.hostLimit)))
    transport = Transport(configuration)
    recovered = try await Recovery(
      folder: place, container: container, files: files, record: record
    ).run()
  }

  private static func open(
    _ folder: RelocatablePath?, in container: Container
  ) throws -> (DownloadFolder, Handover<FileLock>) {
    let path = try folder ?? RelocatablePath(.applicationSupport, "Downloads in progress")
    switch path.root {
    case .appGroup, .bundle: throw DownloadError.folderNotOwn(path)
    default: break
    }
    do throws(FileError) {
      let url = try container.createDirectory(at: path)
      let place = DownloadFolder(path: try FilePath(of: url))
      do throws(FileError) {
        try FileAttributes(isExcludedFromBackup: true).set(on: url)
      } catch {
        // Parts in a backup only take space there.
        if error.code != .unsupported { throw error }
      }
      // A process that was just forked may hold a copy of an earlier lock until it executes its
      // own program.
      let lock = try FileLock(at: place.lock.url, waitingUpTo: .seconds(1))
      return (place, Handover(lock))
    } catch {
      throw DownloadError.file(error)
    }
  }

  // MARK: Downloads

  /// The downloads that have not ended, in no order.
  public var downloads: [Download] {
    table.withLock { Array($0.downloads.values) }
  }

  /// Starts a download, or returns the running one with the same id.
  ///
  /// A file that exists at the destination completes the download at once, if its length and digest
  /// are the expected ones; without an expectation any file with content does. Of a database, which
  /// SQLite may have open, only the length is compared. A forced request
  /// fetches it again and replaces it, and abandons a running download of the same id.
  ///
  /// - Parameter request: The request; that of a running download stays as it is.
  /// - Returns: The download.
  /// - Throws: ``DownloadError`` with `.invalidRequest`; `.destinationInUse` when another download
  ///   has the destination; `.closed`.
  @discardableResult
  public func start(_ request: DownloadRequest) throws(DownloadError) -> Download {
    try request.validate()
    let download = Download(request, in: self)
    let (existing, error) = table.withLock { table -> (Download?, DownloadError?) in
      if table.isClosed { return (nil, .closed(request.id)) }
      let existing = table.downloads[download.key]
      if let existing, !request.isForced { return (existing, nil) }
      let isInUse = table.downloads.values.contains { other in
        other.key != download.key && other.request.destination == request.destination
      }
      if isInUse { return (nil, .destinationInUse(request)) }
      table.downloads[download.key] = download
      return (existing, nil)
    }
    if let error { throw error }
    guard let existing else {
      post(.started, to: download)
      return download
    }
    guard request.isForced else { return existing }
    existing.cancel()
    Task {
      // Its files are those of the new download.
      for await _ in existing.progress {}
      self.post(.started, to: download)
    }
    return download
  }

  /// Returns the running download with an id; `nil` when there is none.
  ///
  /// - Parameter id: The id of the request.
  public subscript(id: String) -> Download? {
    table.withLock { $0.downloads[DownloadKey(id: id)] }
  }

  /// Removes what was received for a download that is not running; nothing if there is nothing.
  ///
  /// A file at a destination is never removed.
  ///
  /// - Parameter id: The id of the request.
  /// - Throws: ``DownloadError`` with `.file`.
  public func discard(id: String) async throws {
    if let download = self[id] {
      download.cancel()
      for await _ in download.progress {}
      return
    }
    let (folder, key) = (folder, DownloadKey(id: id))
    try await files.run { try folder.remove(key) }
  }

  /// Ends all downloads, keeping what was received, and frees the folder for another downloader.
  public func close() async {
    let downloads = table.withLock { table in
      table.isClosed = true
      return Array(table.downloads.values)
    }
    for download in downloads { post(.close, to: download) }
    for download in downloads { for await _ in download.progress {} }
    transport.close()
    lock.withLock { lock in
      if let lock = lock.take() { lock.release() }
    }
  }

  /// Runs a closure that uses files, where it blocks no task.
  func onFiles<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await files.run(body)
  }

  /// Runs a closure with the fault that a test has planted when it opened the downloader.
  func withFault<Value>(_ body: () throws -> Value) rethrows -> Value {
    try files.withFault(body)
  }

  // MARK: Events

  /// Reports an event of a download; its actions are performed soon, on another thread.
  func post(_ event: DownloadMachine.Event, to download: Download) {
    events.async { self.handle(event, of: download) }
  }

  private func handle(_ event: DownloadMachine.Event, of download: Download) {
    let (actions, state) = download.course.withState { course in
      (course.machine.handle(event), course.machine.state)
    }
    if !state.isFinal { download.setState(state) }
    for action in actions { perform(action, of: download) }
  }

  private func perform(_ action: DownloadMachine.Action, of download: Download) {
    switch action {
    case .enqueue:
      admit(
        table.withLock {
          $0.queue.enqueue(
            download.key, host: download.request.host, priority: download.request.priority)
        })
    case .leaveQueue: admit(table.withLock { $0.queue.leave(download.key) })
    case .beginAttempt:
      let attempt = Task { await DownloadAttempt(download, in: self).run() }
      download.course.withState { $0.attempt = attempt }
    case .stopAttempt: download.course.withState { $0.attempt }?.cancel()
    case .scheduleRetry(let delay):
      let retry = Task {
        // A cancelled wait ends without an event.
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        self.post(.retryDue, to: download)
      }
      download.course.withState { $0.retry = retry }
    case .cancelRetry: download.course.withState { $0.retry }?.cancel()
    case .remove:
      Task {
        do {
          try await self.onFiles { try self.folder.remove(download.key) }
        } catch {
          // The next downloader removes them; the download is cancelled nevertheless.
          Log.report(.error, .downloads, "a part was not removed: \(Log.kind(of: error))")
        }
        self.post(.removed, to: download)
      }
    case .complete(let completion): complete(download, completion)
    }
  }

  private func admit(_ keys: [DownloadKey]) {
    for key in keys {
      guard let download = table.withLock({ $0.downloads[key] }) else {
        admit(table.withLock { $0.queue.leave(key) })
        continue
      }
      handle(.admitted, of: download)
    }
  }

  private func complete(_ download: Download, _ completion: DownloadMachine.Completion) {
    switch completion {
    case .file: break  // The attempt has set the result.
    case .error:
      let failure = download.course.withState { $0.failure }
      download.setResult(.failure(failure ?? DownloadError.cancelled(download.id)))
    case .cancelled: download.setResult(.failure(DownloadError.cancelled(download.id)))
    case .closed: download.setResult(.failure(DownloadError.closed(download.id)))
    }
    table.withLock { table in
      // A forced one may have taken its place.
      if table.downloads[download.key] === download { table.downloads[download.key] = nil }
    }
    download.setState(download.course.withState { $0.machine.state })
  }
}
