/// A file that is never modified and whose digest is known, such as one of a pack, opened for
/// reading without ending a lock that this process has on it.
///
/// Other code of the process may have it open, also through SQLite: a descriptor of it is closed
/// when no other code of the process has the file open, which may be later.
///
/// - SeeAlso: https://sqlite.org/howtocorrupt.html, section 2.2.
package struct ImmutableFile: ~Copyable {
  /// The status at the time of opening.
  package let status: FileStatus

  let descriptor: Int32
  private let path: FilePath

  /// Opens a file.
  ///
  /// - Parameter path: A plain file; a symbolic link is refused.
  /// - Throws: ``FileError`` with `.notRegularFile`, `.notFound`, `.accessDenied`, `.inputOutput`.
  package init(_ path: FilePath) throws(FileError) {
    (descriptor, status) = try GuardedDescriptors.openSealed(path)
    self.path = path
  }

  deinit {
    GuardedDescriptors.close(descriptor)
  }

  /// Reads the file once, from its beginning, and returns the digest of the bytes.
  ///
  /// - Parameters:
  ///   - isStopped: Asked before each chunk.
  ///   - body: Takes each chunk.
  /// - Returns: The length and the digest of what was read.
  /// - Throws: ``FileError`` when the file cannot be read, with `EINTR` when it was stopped;
  ///   whatever `body` throws.
  package func digest(
    until isStopped: () -> Bool = { false },
    chunk body: (Span<UInt8>) throws(FileError) -> Void = { _ in }
  ) throws(FileError) -> FileDigest {
    var hasher = SHA256()
    var byteCount: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 512 * 1024)
    while true {
      if isStopped() { throw .copyStopped(path) }
      let count: Int
      do throws(Errno) {
        count = try SystemCalls.readBytes(descriptor, into: &buffer)
      } catch {
        throw .couldNotRead(path, error)
      }
      if count == 0 { break }
      let bytes = buffer.span.extracting(0..<count)
      hasher.update(bytes)
      try body(bytes)
      byteCount += Int64(count)
    }
    return FileDigest(byteCount: byteCount, sha256: hasher.finalize())
  }
}
