/// A file that is opened for reading without ending a lock that this process has on it.
///
/// Closing any descriptor of a file releases every POSIX lock that the process has on it, and
/// SQLite's commits can get lost. So whether this process has the file open is checked before it is
/// opened, and again before it is closed. If it is open elsewhere in the process by then, the
/// descriptor stays open until a later check finds it alone. Databases and the files next to them
/// are refused.
///
/// - SeeAlso: https://sqlite.org/howtocorrupt.html, section 2.2.
package struct LockSafeFile: ~Copyable {
  /// The reason a file was not opened, or not read to its end.
  package enum Refusal: Hashable, Sendable {
    /// It is a folder, a symbolic link, or another kind of file.
    case notRegular
    /// It is a database, or has the files of one next to it.
    case database
    /// It is a file that is kept next to a database.
    case companion(DatabaseCompanion.Kind)
    /// This process has it open.
    case openHere
    /// The system does not say whether this process has it open.
    case unknownWhetherOpen
    /// It was changed, or another file got its name.
    case changed
    /// The caller stopped the reading.
    case stopped
  }

  /// The reason a file was not opened.
  package enum Failure: Error, Sendable {
    case refused(Refusal)
    case failed(FileError)
  }

  /// The file's first 16 bytes if it is a database that is not encrypted.
  ///
  /// - SeeAlso: https://sqlite.org/fileformat2.html, section 1.3.
  static let databaseHeader = Array("SQLite format 3\0".utf8)

  /// The status at the time of opening.
  let status: FileStatus

  private let path: FilePath
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: A plain file; a symbolic link is refused.
  ///   - isOpenAllowed: Whether a file that this process has open is opened too if its first bytes,
  ///     read through the descriptor that is open, are not a database's.
  /// - Throws: The reason.
  package init(_ path: FilePath, evenIfOpen isOpenAllowed: Bool = false) throws(Failure) {
    let status = try Self.status(ofPlainFile: path)
    let descriptor = try GuardedDescriptors.open(path, status, evenIfOpen: isOpenAllowed)
    self.path = path
    self.status = status
    self.descriptor = descriptor
  }

  deinit {
    GuardedDescriptors.close(descriptor)
  }

  /// Reads the next bytes, at most as many as `buffer` holds; 0 at the end.
  private func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
    do throws(Errno) {
      return try SystemCalls.readBytes(descriptor, into: &buffer)
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Reads the whole file and returns the digest of the bytes.
  ///
  /// - Parameters:
  ///   - isStopped: Asked before each chunk; if it returns true, the digest is of the bytes so far.
  ///   - body: Takes each chunk.
  /// - Returns: The digest of what was read.
  /// - Throws: ``FileError`` when a system call fails; whatever `body` throws.
  func digest(
    until isStopped: () -> Bool = { false },
    chunk body: (ArraySlice<UInt8>) throws(FileError) -> Void = { _ in }
  ) throws(FileError) -> FileDigest {
    var hasher = SHA256()
    var byteCount: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while !isStopped() {
      let count = try read(into: &buffer)
      if count == 0 { break }
      hasher.update(buffer[..<count])
      try body(buffer[..<count])
      byteCount += Int64(count)
    }
    return FileDigest(byteCount: byteCount, sha256: hasher.finalize())
  }

  /// Returns whether the file has the length and the time that it had when it was opened.
  func isUnchanged() throws(FileError) -> Bool {
    do throws(Errno) {
      let present = try SystemCalls.status(of: descriptor)
      return present.byteCount == status.byteCount && present.modified == status.modified
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns the first bytes of a plain file of any kind, also of a database that this process has open.
  ///
  /// - Parameters:
  ///   - count: The greatest number of bytes.
  ///   - path: The file; a symbolic link is refused.
  /// - Returns: The bytes, fewer where the file is shorter.
  /// - Throws: ``FileError`` when it is no plain file, or cannot be read.
  package static func firstBytes(_ count: Int, of path: FilePath) throws(FileError) -> [UInt8] {
    let (descriptor, _) = try GuardedDescriptors.openSealed(path)
    defer { GuardedDescriptors.close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      let found = try SystemCalls.readBytes(descriptor, into: &buffer)
      return Array(buffer.prefix(found))
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns the status of a plain file that its name and its neighbors do not show to be a
  /// database's.
  private static func status(ofPlainFile path: FilePath) throws(Failure) -> FileStatus {
    let status: FileStatus
    var isDatabase = false
    do throws(Errno) {
      status = try SystemCalls.linkStatus(of: path.text)
      // An encrypted database has no header to be known by.
      for sidecar in DatabaseFiles(main: path).sidecars where !isDatabase {
        isDatabase = try exists(sidecar)
      }
    } catch {
      throw .failed(.couldNotRead(path, error))
    }
    guard status.kind == .regular else { throw .refused(.notRegular) }
    if isDatabase { throw .refused(.database) }
    let companion: DatabaseCompanion?
    do throws(FileError) {
      companion = try DatabaseCompanion.found(at: path, status)
    } catch {
      throw .failed(error)
    }
    if let companion { throw .refused(.companion(companion.kind)) }
    return status
  }

  private static func exists(_ path: FilePath) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try SystemCalls.linkStatus(of: path.text)
      return true
    } catch .notFound, .nameTooLong {
      return false
    }
  }
}
