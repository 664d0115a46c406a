public import Foundation

extension AtomicReplace {
  /// Copies a plain file into the destination's place.
  ///
  /// The content is read once, in pieces of fixed length; what is written is what was digested.
  ///
  /// - Parameters:
  ///   - source: a plain file; of a database, one that nobody has open. A copy of a live one is
  ///     torn, and reading it through a file of our own drops SQLite's locks; back it up instead.
  ///   - digest: what the content must be, if that is known.
  /// - Returns: the length and the digest of the new file.
  /// - Throws: ``FileError`` with `.digestMismatch` when the content is not the expected one;
  ///   `.sidecarPresent` when a `-wal` or `-journal` with content lies beside `source`; and as
  ///   ``write(_:verify:)``.
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
