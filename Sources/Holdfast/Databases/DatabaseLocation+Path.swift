import HoldfastFiles
import HoldfastSQLite

extension DatabaseLocation {
  /// Resolves a path to a file, once for all connections.
  ///
  /// A relative path is resolved against the current folder of the process. The empty path and
  /// `:memory:`, which have a meaning to SQLite, stay as they are.
  ///
  /// - Parameters:
  ///   - path: The path as the caller gives it.
  ///   - isReadOnly: Whether nothing is written to the file.
  /// - Throws: `DatabaseError` with `SQLITE_CANTOPEN` when the path is relative and the current folder
  ///   does not exist any more, or when the file is to be written and is, by its name, the log, the
  ///   shared memory or the journal of another file, and not a database by its content; `FileError`
  ///   when what lies there cannot be looked at.
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
      companion.kind != .signal, !isDatabase(path, inPlaceOf: companion.kind)
    else { return }
    throw DatabaseError.companion(
      companion.kind.description, of: companion.database.name, path: path)
  }

  /// Whether a file with the name of a companion begins as a database does, which no companion does.
  private static func isDatabase(_ path: String, inPlaceOf kind: DatabaseCompanion.Kind) -> Bool {
    // SQLite's locks on a shared memory end when another descriptor of it is closed; on a log or a
    // journal there are none.
    guard kind != .sharedMemory else { return false }
    do {
      return [.none, .afterPlaintextHeader].contains(try DatabaseHeader(ofFileAt: path).encryption)
    } catch _ {
      // What cannot be read, or does not exist, is no database.
      return false
    }
  }
}

/// The destination of a copy that is written in place.
struct CopyTarget {
  /// The absolute path, or a path that has a meaning to SQLite.
  let path: String

  /// Checks a path before anything is written.
  ///
  /// - Throws: `FileError` with `.companion` when the path leads to a file kept next to another
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
    guard try files.isMainEmpty() else { return }
    if let log = try files.firstWithContent(among: files.logs) {
      throw FileError.logNextToCopy(target, log: log)
    }
  }
}
