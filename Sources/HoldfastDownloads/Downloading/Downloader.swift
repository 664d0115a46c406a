import Dispatch
import Foundation
public import HoldfastFiles
import Synchronization

/// A downloader of files: from the bytes of a server to a verified file that the app has recorded.
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
/// Unfinished downloads lie in the downloader's folder: for each a part and a journal entry. Parts
/// are kept until the download is finished or cancelled.
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

  /// The report on the downloads of the previous process.
  public let recovered: RecoveryReport

  let folder: DownloadFolder
  let transport: Transport
  let record: Record

  // Events of all downloads, one after the other, so that their actions keep their order.
  let events = DispatchQueue(label: "holdfast.downloads.events")
  private let files: FileWork

  let table: Mutex<DownloadTable>
  private let lock: Mutex<FileLock?>
  // Entered while an id is reserved.
  private let reservations = DispatchGroup()

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
      DownloadTable(
        queue: DownloadQueueState(
          limit: configuration.limit, hostLimit: configuration.hostLimit)))
    transport = Transport(hostLimit: configuration.hostLimit, timeout: configuration.timeout)
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

  /// The downloads that have not ended, in no order; also those that were replaced or cancelled and
  /// are ending.
  public var downloads: [Download] { table.withLock { $0.live } }

  /// Returns the destinations of all downloads that are not recorded, whether they run or not.
  ///
  /// - Returns: The destinations in the journal and of ``downloads``.
  /// - Throws: ``DownloadError`` with `.file` when the journal cannot be read.
  package func destinations() async throws -> Set<RelocatablePath> {
    let live = downloads.map(\.request.destination)
    return try await onFiles { [folder] in
      var destinations = Set(live)
      for name in try folder.contents().keys {
        guard let entry = try folder.readEntry(DownloadKey(name: name)) else { continue }
        destinations.insert(entry.destination)
      }
      return destinations
    }
  }

  /// Starts a download, or returns the running one with the same id.
  ///
  /// A file that exists at the destination completes the download at once, if its length and digest
  /// are the expected ones; without an expectation any file with content does. Of a database, which
  /// SQLite may have open, only the length is compared. A forced request
  /// fetches it again and replaces it, and abandons a running download of the same id. It begins when
  /// that has ended, like a request after a cancellation.
  ///
  /// - Parameter request: The request; a running download keeps its own.
  /// - Returns: The download, whose progress can be followed at once.
  /// - Throws: ``DownloadError`` with `.invalidRequest`; `.destinationInUse` when another download
  ///   has the destination; `.closed`.
  @discardableResult
  public func start(_ request: DownloadRequest) throws(DownloadError) -> Download {
    try request.validate()
    let download = Download(request, in: self)
    let (joined, replaced, error) = table.withLock {
      table -> (Download?, [Download], DownloadError?) in
      if table.isClosed { return (nil, [], .closed(request.id)) }
      let chain = table.chains[download.key, default: []]
      if let last = chain.last, !request.isForced, !last.isCancellationDemanded {
        return (last, [], nil)
      }
      if let refusal = table.refusal(of: download) { return (nil, [], refusal) }
      table.chains[download.key] = chain + [download]
      return (nil, chain, nil)
    }
    if let error { throw error }
    if let joined { return joined }
    for other in replaced { other.cancel() }
    startFirst(of: download.key)
    return download
  }

  /// Begins the first download of an id, if it has not begun.
  func startFirst(of key: DownloadKey) {
    if let first = table.withLock({ $0.first(of: key) }) { start(first) }
  }

  /// Adds a download that does not begin before ``release(_:)``.
  func reserve(_ download: Download) throws(DownloadError) {
    let error = table.withLock { table -> DownloadError? in
      if let refusal = table.refusal(of: download) { return refusal }
      guard table.chains[download.key] == nil, !table.reserved.contains(download.key) else {
        return .destinationInUse(download.request)
      }
      table.chains[download.key] = [download]
      table.reserved.insert(download.key)
      reservations.enter()
      return nil
    }
    if let error { throw error }
  }

  /// Lets the downloads of a reserved id begin.
  func release(_ key: DownloadKey) {
    table.withLock { _ = $0.reserved.remove(key) }
    startFirst(of: key)
    reservations.leave()
  }

  /// Ends a reserved download, which has not begun, with an error.
  func fail(_ download: Download, _ error: DownloadError) {
    table.withLock { $0.remove(download) }
    download.setResult(.failure(error))
    demand(.close, of: download)
    release(download.key)
  }

  /// Returns the running download with an id; `nil` when there is none.
  ///
  /// - Parameter id: The id of the request.
  public subscript(id: String) -> Download? {
    table.withLock { $0.chains[DownloadKey(id: id)]?.last }
  }

  /// Cancels the downloads with an id, if there are any, and removes what was received for them.
  ///
  /// A file at a destination is never removed. One that is complete and not recorded is recorded.
  /// Cancelling the task does not end the waiting.
  ///
  /// - Parameter id: The id of the request.
  /// - Throws: ``DownloadError`` with `.notRecorded`, `.file`, `.destinationOccupied` or `.closed`.
  public func discard(id: String) async throws {
    let key = DownloadKey(id: id)
    // A cancelled task would not wait.
    try await Task {
      let running = table.withLock { $0.chains[key, default: []] }
      for download in running { download.cancel() }
      for download in running { await download.end() }
      let isReserved = try table.withLock { table in
        if table.isClosed { throw DownloadError.closed(id) }
        // One that was started meanwhile is wanted.
        guard table.chains[key] == nil, table.reserved.insert(key).inserted else { return false }
        reservations.enter()
        return true
      }
      guard isReserved else { return }
      defer { release(key) }
      _ = try await removal.remove(key)
    }.value
  }

  /// Ends all downloads, keeping what was received, and frees the folder for another downloader.
  ///
  /// It returns when the last download has ended, also in a task that is cancelled.
  public func close() async {
    let downloads = table.withLock { table in
      table.isClosed = true
      return table.live
    }
    for download in downloads { demand(.close, of: download) }
    // A cancelled task would not wait.
    await Task {
      for download in downloads { await download.end() }
      await withCheckedContinuation { continuation in
        reservations.notify(queue: events) { continuation.resume() }
      }
    }.value
    transport.close()
    lock.withLock { lock in
      if let lock = lock.take() { lock.release() }
    }
  }

  var removal: Removal {
    Removal(folder: folder, container: container, files: files, record: record)
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
}
