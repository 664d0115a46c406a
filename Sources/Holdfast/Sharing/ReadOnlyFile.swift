public import Foundation
import HoldfastFiles
public import HoldfastSQLite

/// A database file that is opened by one who changes nothing and makes no file.
struct ReadOnlyFile: Sendable {
  let path: FilePath
  let location: DatabaseLocation
  let configuration: Configuration

  /// Looks at a file and what lies beside it.
  ///
  /// - Throws: `SharingError` when it is refused, `DatabaseError` when SQLite does.
  init(_ path: FilePath, isNeverModified: Bool, configuration: Configuration) throws {
    self.path = path
    var own = configuration
    own.readonly = true
    // By SQLite: a descriptor of ours, when it is closed, would end the locks of connections that
    // the process has on the file.
    let access = try Self.access(
      DatabaseHeader(ofFileAt: path.text), path, isNeverModified: isNeverModified)
    switch access {
    case .immutable: location = .immutableFile(path.text)
    case .readOnly, .refused:
      location = .file(path.text)
      // Asked for each connection, because the files of a log may go meanwhile.
      own.prepareFirst { db in
        _ = try Self.access(db.header(), path, isNeverModified: false)
      }
    }
    self.configuration = own
  }

  /// How the file is opened.
  ///
  /// - Throws: `SharingError` when it is not.
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

  /// Opens a file for reading that came with the app or in a pack, for several readers.
  ///
  /// No file is created or changed. See
  /// ``DatabaseQueue/init(readOnlyFileAt:isNeverModified:configuration:)``.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you answer for it that the file stays as it is.
  ///   - configuration: What is decided before; it is opened read-only whatever it says.
  /// - Throws: The errors of the queue's form.
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
  /// Opens a file for reading that came with the app or in a pack.
  ///
  /// No file is created or changed, in the file's folder neither, which may be one that cannot be
  /// written. The file's first bytes and what lies beside it decide how it is opened, or why not:
  ///
  /// - A file that is never modified, and has neither a `-wal` nor a `-journal` with content, is
  ///   opened without locks, in write-ahead-log mode too. Its length must be what it says.
  /// - Any other one is read as others leave it; one with a write-ahead log needs the log's files.
  ///
  /// ```swift
  /// let queue = try DatabaseQueue(readOnlyFileAt: bundleURL, isNeverModified: true)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you answer for it that the file stays as it is. If it is modified
  ///     all the same, results are wrong.
  ///   - configuration: What is decided before; it is opened read-only whatever it says.
  /// - Throws: ``SharingError`` with `.notADatabase`, `.incomplete`, `.needsWriter`, `.accessDenied`;
  ///   `DatabaseError` with `SQLITE_CANTOPEN` when there is no such file, or with the code SQLite
  ///   gave; `FileError` when what lies beside the file cannot be looked at.
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
