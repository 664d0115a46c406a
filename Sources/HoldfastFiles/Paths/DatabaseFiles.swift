/// A database file, and the files that SQLite keeps next to it.
///
/// - SeeAlso: https://sqlite.org/tempfiles.html
package struct DatabaseFiles: Sendable {
  package let main: FilePath

  package init(main: FilePath) {
    self.main = main
  }

  package var writeAheadLog: FilePath { FilePath(main.text + "-wal") }
  package var journal: FilePath { FilePath(main.text + "-journal") }
  /// The file that a writer touches after a commit, if a watching process has created it.
  package var signal: FilePath { FilePath(main.text + "-signal") }
  package var sharedMemory: FilePath { FilePath(main.text + "-shm") }

  /// The file by which processes share a log with Turso, which then locks none of SQLite's files.
  package var foreignIndex: FilePath { FilePath(main.text + "-tshm") }

  /// The sidecars that hold changes missing from the main file; a `-shm` alone holds none.
  package var logs: [FilePath] { [writeAheadLog, journal] }

  /// The files next to a database that the package locks, if they exist.
  package var lockFiles: [FilePath] {
    [main.sibling(".\(main.name).lock")]
  }

  package var sidecars: [FilePath] { logs + [sharedMemory] }

  /// Whether SQLite takes the main file for a database without tables, and deletes a log next to it: it is missing,
  /// or has at most one byte.
  ///
  /// "We need to report this file size as zero even though it is really 1" (`unixFileSize` in SQLite's `os_unix.c`):
  /// SQLite has itself written one byte to new files on some volumes.
  package func isMainEmpty() throws(FileError) -> Bool {
    try main.byteCount() ?? 0 <= 1
  }

  /// The longest name that volumes take, in bytes.
  static let nameLimit = 255

  /// The first log with content; one whose name would be too long cannot exist.
  package func firstLogWithContent() throws(FileError) -> FilePath? {
    try firstWithContent(among: logs.filter { $0.name.utf8.count <= Self.nameLimit })
  }

  /// The first of `files` that exists and has content.
  package func firstWithContent(among files: [FilePath]) throws(FileError) -> FilePath? {
    for file in files {
      if let count = try file.byteCount(), count > 0 { return file }
    }
    return nil
  }
}
