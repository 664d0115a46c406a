import Foundation
import HoldfastFiles
import Synchronization

/// The file that a download's bytes are written to, digested while they are written.
///
/// Its calls are made one after the other: by the session's deliveries during an exchange, by the
/// attempt before and after.
final class PartWriter: Sendable {
  private struct Part: ~Copyable {
    var file: OpenFile
    var hasher = SHA256()
    var buffer: [UInt8] = []
    /// The number of bytes in the file.
    var written: Int64 = 0
  }

  /// Pieces of 16 KiB are collected, so that there are fewer calls.
  private static let bufferLength = 256 * 1024

  let path: FilePath
  private let part: Mutex<Part?>

  /// Opens a part, creating it if needed, with its first bytes.
  ///
  /// - Parameters:
  ///   - path: The path of the part.
  ///   - count: The number of bytes that are kept; they are read and digested.
  /// - Throws: `DownloadError` with `.file` or `.noSpace`.
  init(_ path: FilePath, keeping count: Int64) throws(DownloadError) {
    self.path = path
    do throws(Errno) {
      var part = Part(file: try SystemCalls.openFile(path.text, for: .openOrCreate))
      guard try SystemCalls.status(of: part.file).kind == .regular else { throw .alreadyExists }
      try SystemCalls.truncate(part.file, to: count)
      while part.written < count {
        let length = Int(min(count - part.written, Int64(Self.bufferLength)))
        let bytes = try SystemCalls.readBytes(part.file, at: Int(part.written), count: length)
        // The length was just set.
        guard !bytes.isEmpty else { throw .inputOutput }
        part.hasher.update(bytes.span)
        part.written += Int64(bytes.count)
      }
      part.buffer.reserveCapacity(Self.bufferLength + 64 * 1024)
      self.part = Mutex(part)
    } catch {
      throw .file("opened", path, error)
    }
  }

  /// The number of bytes received, including those that are not written yet.
  var byteCount: Int64 {
    get throws(DownloadError) {
      try change("examined") { part in part.written + Int64(part.buffer.count) }
    }
  }

  /// The number of bytes in the file.
  var writtenByteCount: Int64 {
    get throws(DownloadError) { try change("examined") { part in part.written } }
  }

  /// Closes the file; whatever is called afterwards fails.
  ///
  /// The session may keep what receives its deliveries for some time after an exchange.
  func close() {
    part.withLock { $0 = nil }
  }

  /// Drops all bytes.
  func clear() throws(DownloadError) {
    try change("cleared") { part throws(Errno) in
      part.buffer.removeAll(keepingCapacity: true)
      part.hasher = SHA256()
      part.written = 0
      try SystemCalls.truncate(part.file, to: 0)
    }
  }

  /// Appends bytes.
  func append(_ bytes: Data) throws(DownloadError) {
    try change("written") { part throws(Errno) in
      part.buffer.append(contentsOf: bytes)
      if part.buffer.count >= Self.bufferLength { try Self.flush(&part) }
    }
  }

  /// Writes what is collected; returns the number of bytes in the file.
  func flush() throws(DownloadError) -> Int64 {
    try change("written") { part throws(Errno) in
      try Self.flush(&part)
      return part.written
    }
  }

  /// Makes all bytes durable and returns their number.
  func sync() throws(DownloadError) -> Int64 {
    try change("written") { part throws(Errno) in
      try Self.flush(&part)
      try SystemCalls.sync(part.file)
      return part.written
    }
  }

  /// The content that was written.
  struct Content {
    var digest: FileDigest
    var status: FileStatus
  }

  /// Returns the digest of the written bytes and the status of their file; nothing may be appended
  /// afterwards.
  func finish() throws(DownloadError) -> Content {
    let content = try change("written") { part throws(Errno) in
      try Self.flush(&part)
      var hasher = SHA256()
      swap(&hasher, &part.hasher)
      return Content(
        digest: FileDigest(byteCount: part.written, sha256: hasher.finalize()),
        status: try SystemCalls.status(of: part.file))
    }
    guard content.status.byteCount == content.digest.byteCount else { throw .partInUse(path) }
    return content
  }

  private static func flush(_ part: inout Part) throws(Errno) {
    guard !part.buffer.isEmpty else { return }
    try SystemCalls.writeBytes(part.file, part.buffer.span, at: part.written)
    part.hasher.update(part.buffer)
    part.written += Int64(part.buffer.count)
    part.buffer.removeAll(keepingCapacity: true)
  }

  private func change<Value: Sendable>(
    _ operation: String, _ body: (inout Part) throws(Errno) -> Value
  ) throws(DownloadError) -> Value {
    do throws(Errno) {
      return try part.withLock { part throws(Errno) in
        if part == nil { throw .badDescriptor }
        return try body(&part!)
      }
    } catch {
      throw .file(operation, path, error)
    }
  }
}
