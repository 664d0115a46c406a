public import Foundation

extension AtomicReplace {
  /// Copies a plain file to the destination.
  ///
  /// The content is read once, in chunks of fixed length; the written bytes are those digested.
  ///
  /// - Parameters:
  ///   - source: A plain file; a database must not be open in any process. A copy of an open
  ///     database is torn, and reading its file releases SQLite's locks; back it up instead.
  ///   - digest: The expected digest of the content, if known.
  /// - Returns: The length and the digest of the new file.
  /// - Throws: ``FileError`` with `.digestMismatch` when the content is not the expected one;
  ///   `.sidecarPresent` when there is a `-wal` or `-journal` with content next to `source`; and as
  ///   ``write(_:verify:)`` does.
  @discardableResult
  public func copy(
    from source: URL, expecting digest: SHA256Digest? = nil
  ) throws -> FileDigest {
    let source = try FilePath(of: source)
    let target = try FilePath(of: destination)
    return try write { staging in
      let copied = try Self.copy(source, to: FilePath(of: staging), replacing: target)
      if let digest, digest != copied.sha256 {
        throw FileError.digestMismatch(source, expected: digest, found: copied.sha256)
      }
      return copied
    }
  }

  private static func copy(
    _ source: FilePath, to staging: FilePath, replacing target: FilePath
  ) throws(FileError) -> FileDigest {
    let files = DatabaseFiles(main: source)
    if let log = try files.firstWithContent(among: files.logs) {
      throw .logBesideSource(source, log: log)
    }
    var reading = try FileReading(source)
    let copy = try create(staging, replacing: target)
    while case let count = try reading.next(), count > 0 {
      do throws(Errno) {
        try SystemCalls.writeBytes(copy, reading.buffer, count: count)
      } catch {
        throw .couldNotReplace(target, error)
      }
    }
    do throws(Errno) {
      try copy.close()
    } catch {
      throw .couldNotReplace(target, error)
    }
    return reading.digest()
  }

  private static func create(
    _ staging: FilePath, replacing target: FilePath
  ) throws(FileError) -> OpenFile {
    do throws(Errno) {
      return try SystemCalls.openFile(staging.text, for: .createNew)
    } catch {
      throw .couldNotReplace(target, error)
    }
  }
}
