public import Foundation
import HoldfastFiles
public import HoldfastSQLite

/// A database file that is opened read-only, without creating any file.
struct ReadOnlyFile: Sendable {
  let path: FilePath
  let location: DatabaseLocation
  let configuration: Configuration

  /// Examines a file and the files next to it.
  ///
  /// - Throws: `SharingError` when the file is refused; `DatabaseError` when SQLite refuses it.
  init(_ path: FilePath, isNeverModified: Bool, configuration: Configuration) throws {
    self.path = path
    var own = configuration
    own.readonly = true
    // Read through SQLite: closing a descriptor of ours would release the locks that this process's
    // connections hold on the file.
    let access = try Self.access(
      DatabaseHeader(ofFileAt: path.text), path, isNeverModified: isNeverModified)
    switch access {
    case .immutable: location = .immutableFile(path.text)
    case .readOnly, .refused:
      location = .file(path.text)
      // Checked for each connection, because the files of a log may be removed meanwhile.
      own.prepareFirst { db in
        _ = try Self.access(db.header(), path, isNeverModified: false)
      }
    }
    self.configuration = own
  }

  /// Returns how the file is opened.
  ///
  /// - Throws: `SharingError` when it is refused.
  private static func access(
    _ header: DatabaseHeader, _ path: FilePath, isNeverModified: Bool
  ) throws -> ReadOnlyAccess {
    let files = DatabaseFiles(main: try path.target())
    let access = ReadOnlyAccess(
      header,
      ReadOnlyAccess.Companions(
        logByteCount: try files.writeAheadLog.byteCount(),
        journalByteCount: try files.journal.byteCount(),
        hasSharedMemory: try files.sharedMemory.byteCount() != nil),
      isNeverModified: isNeverModified)
    if case .refused(let reason) = access { throw SharingError.refused(path, reason) }
    return access
  }
}

extension DatabasePool {
  convenience init(readOnly file: ReadOnlyFile) throws {
    try self.init(
      at: file.location, path: file.path.text, configuration: file.configuration,
      suspension: Suspension(path: file.path.text, configuration: file.configuration))
  }

  /// Opens, read-only, a file that came with the app or in a download, for several readers.
  ///
  /// No file is created or changed. See
  /// ``DatabaseQueue/init(readOnlyFileAt:isNeverModified:configuration:)``.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you guarantee that the file is never modified.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Throws: The same errors as the queue's initializer.
  public convenience init(
    readOnlyFileAt url: URL, isNeverModified: Bool, configuration: Configuration = Configuration()
  ) throws {
    let path = try FilePath(of: url)
    do {
      try self.init(
        readOnly: ReadOnlyFile(
          path, isNeverModified: isNeverModified, configuration: configuration))
    } catch {
      throw SharingError.naming(error, at: path)
    }
  }
}

extension DatabaseQueue {
  /// Opens, read-only, a file that came with the app or in a download.
  ///
  /// No file is created or changed, not even in the file's folder, which may be write-protected.
  /// The file's header and the files next to it decide whether and how it is opened:
  ///
  /// - A file that is never modified, and has neither a `-wal` nor a `-journal` with content, is
  ///   opened without locks, even in WAL mode. Its length must be the one that its header states; the
  ///   header of an encrypted file states none.
  /// - Any other file is read while other processes may write it; one with a write-ahead log needs
  ///   the log's files.
  ///
  /// ```swift
  /// let queue = try DatabaseQueue(readOnlyFileAt: bundleURL, isNeverModified: true)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you guarantee that the file is never modified. If it is modified
  ///     nevertheless, results are wrong.
  ///   - configuration: The configuration of the connection, which is read-only in any case.
  /// - Throws: ``SharingError`` with `.notADatabase`, `.incomplete`, `.needsWriter`,
  ///   `.accessDenied`; `DatabaseError` with `SQLITE_CANTOPEN` when there is no such file, or with
  ///   SQLite's code; `FileError` when the files next to it cannot be examined.
  /// - SeeAlso: <https://www.sqlite.org/uri.html>, "immutable";
  ///   <https://www.sqlite.org/wal.html>, "Read-Only Databases"
  public convenience init(
    readOnlyFileAt url: URL, isNeverModified: Bool, configuration: Configuration = Configuration()
  ) throws {
    let path = try FilePath(of: url)
    do {
      let file = try ReadOnlyFile(
        path, isNeverModified: isNeverModified, configuration: configuration)
      try self.init(at: file.location, configuration: file.configuration)
    } catch {
      throw SharingError.naming(error, at: path)
    }
  }
}
