import HoldfastFiles
import HoldfastSQLite

extension DatabaseLocation {
  /// Resolves a path to a file, once for all connections.
  ///
  /// A relative path is resolved against the current folder of the process. The empty path and
  /// `:memory:`, which have a meaning to SQLite, stay as they are.
  ///
  /// - Parameters:
  ///   - path: The path as passed by the caller.
  ///   - isReadOnly: Whether the file is never written.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the path is relative and the current
  ///   folder no longer exists, or when the file would be written and is the log, the shared memory
  ///   or the journal of another database; `FileError` when the file at the path cannot be
  ///   examined.
  init(path: String, isReadOnly: Bool) throws {
    guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
      self = .file(path)
      return
    }
    let absolute = try Self.absolute(path)
    if !isReadOnly { try Self.refuseCompanion(absolute) }
    self = .file(absolute)
  }

  private static func absolute(_ path: String) throws(DatabaseError) -> String {
    do throws(Errno) {
      return try FilePath.absolute(path)
    } catch {
      throw .noCurrentFolder(for: path, systemErrno: error.rawValue)
    }
  }

  /// Throws if SQLite would read the file as part of another database.
  ///
  /// A database may have the name of a signal file, which gives way to it.
  private static func refuseCompanion(_ path: String) throws {
    guard let companion = try DatabaseCompanion.found(at: FilePath(path)),
      companion.kind != .signal
    else { return }
    throw DatabaseError.companion(
      companion.kind.description, of: companion.database.name, path: path)
  }
}

/// The destination of a copy that is written in place.
struct CopyTarget {
  /// The absolute path, or a path that has a meaning to SQLite.
  let path: String

  /// Checks a path before anything is written.
  ///
  /// - Throws: `FileError` with `.companion` when the path is that of a file kept next to another
  ///   database, `.sidecarPresent` when a log with content lies next to the new file, which SQLite
  ///   would delete; `DatabaseError` with `SQLITE_CANTOPEN` when the path is relative and the
  ///   current folder no longer exists.
  init(_ path: String) throws {
    guard case .file(let absolute) = try DatabaseLocation(path: path, isReadOnly: true) else {
      preconditionFailure("A path means a file.")
    }
    self.path = absolute
    guard absolute.utf8.first == UInt8(ascii: "/"), !absolute.utf8.contains(0) else { return }
    let target = FilePath(absolute)
    if let companion = try DatabaseCompanion.found(at: target) {
      throw FileError.companion(companion, for: target)
    }
    let files = DatabaseFiles(main: target)
    // SQLite itself refuses a file with content.
    guard try files.byteCount(of: target) ?? 0 == 0 else { return }
    if let log = try files.firstWithContent(among: files.logs) {
      throw FileError.logBesideCopy(target, log: log)
    }
  }
}
