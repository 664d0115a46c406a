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
  ///   with the id is running; with `.status`, `.encoding`, `.lengthMismatch`, `.emptyBody` or
  ///   `.wrongRange` when the response is not the whole content; with `.file` or `.noSpace`.
  @discardableResult
  public func start(
    _ request: DownloadRequest, withFileAt file: URL, response: URLResponse?
  ) throws(DownloadError) -> Download {
    try request.validate()
    guard let response = response as? HTTPURLResponse else { throw .notHTTP() }
    let key = DownloadKey(id: request.id)
    guard self[request.id] == nil else { throw .destinationInUse(request) }
    do {
      try withFault {
        try HandedFile(request, key, folder: folder).take(file, ResponseHead(response))
      }
    } catch let error as DownloadError {
      throw error
    } catch {
      throw .file("moved", folder.part(key), .inputOutput)
    }
    return try start(request)
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

  /// Moves the file to the part's place, with an entry that says that it is complete.
  func take(_ url: URL, _ head: ResponseHead) throws(DownloadError) {
    let file: FilePath
    do throws(FileError) {
      file = try FilePath(of: url)
    } catch {
      throw .file(error)
    }
    let count = try length(of: file)
    try Self.check(head, count, request)
    try folder.remove(key)
    var entry = JournalEntry(request)
    entry.total = count
    entry.syncedByteCount = count
    // The entry is first, so that no part is without one; a missing part is forgotten.
    try folder.write(entry, for: key, isDurable: false)
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.move(file.text, to: folder.part(key).text)
      } catch .otherVolume {
        try copy(file)
      }
      let part = try SystemCalls.openFile(folder.part(key).text, for: .update)
      try SystemCalls.sync(part)
    } catch {
      throw .file("moved", file, error)
    }
  }

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
    if let encoding = head.field("Content-Encoding"), encoding.lowercased() != "identity" {
      throw .encoded(encoding)
    }
    var total: Int64?
    switch head.status {
    case 200: total = head.field("Content-Length").flatMap { Int64(digits: $0) }
    case 206:
      let range = head.field("Content-Range")
      guard let found = range.flatMap({ ContentRange($0) })?.total else { throw .wrongRange(range) }
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
    let source = try SystemCalls.openFile(file.text, for: .readPlain)
    let part = try SystemCalls.openFile(folder.part(key).text, for: .createNew)
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while case let count = try SystemCalls.readBytes(source, into: &buffer), count > 0 {
      try SystemCalls.writeBytes(part, buffer, count: count)
    }
    try part.close()
  }
}
