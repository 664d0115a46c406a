public import Foundation
import HoldfastFiles

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension Downloader {
  /// Starts a download with content that the system has fetched, as in a background session.
  ///
  /// The content is checked, made durable, renamed and recorded like any other. It is taken before
  /// this returns, because the system removes its file then.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: The system's file, which is moved.
  ///   - response: The response that the system received.
  /// - Returns: The download, which transfers nothing.
  /// - Throws: ``DownloadError`` as ``start(_:)`` does; with `.destinationInUse` also when a download
  ///   with the id is running; with `.status`, `.encoding`, `.contentType`, `.lengthMismatch`,
  ///   `.emptyBody`, `.wrongRange` or `.malformedResponse` when the response is not the whole content;
  ///   with `.file`, `.noSpace` or `.destinationOccupied`.
  @discardableResult
  public func start(
    _ request: DownloadRequest, withFileAt file: URL, response: URLResponse?
  ) throws(DownloadError) -> Download {
    try request.validate()
    guard let response = response as? HTTPURLResponse else { throw .notHTTP() }
    let download = Download(request, in: self)
    try reserve(download)
    let handed = HandedFile(request, download.key, folder: folder)
    do {
      try withFault {
        try handed.take(file, ResponseHead(response))
        let completion = DownloadFinisher(folder: folder, container: container)
        if try completion.finishedFile(download.key) == nil {
          try completion.remove(download.key)
          try handed.install()
          download.retryState.withState { $0.machine.handFiles() }
          // If it has ended already, that has removed nothing: the files were not there yet.
          if download.isCancellationDemanded { try completion.remove(download.key) }
        } else {
          // That file is recorded first, which this function cannot wait for.
          download.retryState.withState { $0.handed = handed }
        }
      }
    } catch {
      let failure =
        error as? DownloadError ?? .file("moved", folder.part(download.key), .inputOutput)
      withFault { handed.drop() }
      fail(download, failure)
      throw failure
    }
    release(download.key)
    return download
  }
}

/// Content that the system has fetched and that becomes a complete part.
struct HandedFile {
  private let request: DownloadRequest
  private let key: DownloadKey
  private let folder: DownloadFolder

  init(_ request: DownloadRequest, _ key: DownloadKey, folder: DownloadFolder) {
    self.request = request
    self.key = key
    self.folder = folder
  }

  /// Moves the file into the folder, durably, under a name of its own.
  func take(_ url: URL, _ head: ResponseHead) throws(DownloadError) {
    let file: FilePath
    do throws(FileError) {
      file = try FilePath(of: url)
    } catch {
      throw .file(error)
    }
    try Self.check(head, try length(of: file), request)
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.move(file.text, to: place.text)
      } catch .otherVolume {
        try copy(file)
      }
      try SystemCalls.sync(SystemCalls.openFile(place.text, for: .update))
      try folder.sync(folder.path)
    } catch {
      drop()
      throw .file("moved", file, error)
    }
  }

  /// Makes the file the part, with an entry that says that it is complete.
  func install() throws(DownloadError) {
    var entry = JournalEntry(request)
    let count = try length(of: place)
    entry.total = count
    // The bytes were synced before.
    entry.syncedByteCount = count
    // The entry is first, so that no part is without one; a missing part is forgotten.
    try folder.write(entry, for: key, isDurable: true)
    do throws(Errno) {
      try SystemCalls.move(place.text, to: folder.part(key).text)
      try folder.sync(folder.path)
    } catch {
      throw .file("moved", place, error)
    }
  }

  /// Removes the file, if it has not become the part.
  func drop() {
    do throws(DownloadError) {
      try folder.remove(at: place)
    } catch {
      // The next launch removes it.
      Log.report(.notice, .downloads, "a file was not removed: \(Log.kind(of: error))")
    }
  }

  private var place: FilePath { folder.handed(key) }

  private func length(of file: FilePath) throws(DownloadError) -> Int64 {
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: file.text)
      guard status.kind == .regular else { throw .isDirectory }
      return status.byteCount
    } catch {
      throw .file("examined", file, error)
    }
  }

  /// Throws when the response is not the one of the whole content.
  ///
  /// The system continues an interrupted transfer itself; its last response then has the rest.
  static func check(
    _ head: ResponseHead, _ count: Int64, _ request: DownloadRequest
  ) throws(DownloadError) {
    if let encoding = ContentCoding.coding(of: head) { throw .encoded(encoding) }
    if [200, 206].contains(head.status), let type = head.field("Content-Type"),
      !AcceptedTypes(request).accepts(type)
    {
      throw .contentType(type)
    }
    var total: Int64?
    switch head.status {
    case 200:
      if let range = head.contentRange, range.isPart, range.total != count {
        throw .wrongRange(head.field("Content-Range"))
      }
      total = head.field("Content-Length").flatMap { Int64(digits: $0) }
    case 206:
      guard let found = head.contentRange?.total else {
        throw .wrongRange(head.field("Content-Range"))
      }
      total = found
    default: throw .status(head.status)
    }
    if let expected = request.expectedByteCount ?? total, expected != count {
      throw .wrongLength(expected: expected, found: count)
    }
    if let total, total != count { throw .wrongLength(expected: total, found: count) }
    if count == 0, request.expectedByteCount != 0 { throw .emptyBody() }
  }

  private func copy(_ file: FilePath) throws(Errno) {
    // There is one if a process was killed while it took a file.
    try SystemCalls.removeIfPresent(place.text)
    try SystemCalls.copyBytes(of: file.text, to: place.text)
  }
}
