/// A file, and the files that SQLite keeps beside it while it is a database.
///
/// - SeeAlso: https://sqlite.org/tempfiles.html
package struct DatabaseFiles: Sendable {
  package let main: FilePath

  package init(main: FilePath) {
    self.main = main
  }

  package var writeAheadLog: FilePath { FilePath(main.text + "-wal") }
  package var journal: FilePath { FilePath(main.text + "-journal") }
  /// What a writer touches when it has committed, where somebody who watches has made it.
  package var signal: FilePath { FilePath(main.text + "-signal") }
  package var sharedMemory: FilePath { FilePath(main.text + "-shm") }

  /// The sidecars that hold changes which the main file lacks; a `-shm` alone holds none.
  package var logs: [FilePath] { [writeAheadLog, journal] }

  /// The files beside a database that the package locks, where they exist.
  package var lockFiles: [FilePath] {
    [main.beside(".\(main.name).lock")]
  }

  package var sidecars: [FilePath] { logs + [sharedMemory] }

  /// The first of `files` that exists and has content.
  package func firstWithContent(among files: [FilePath]) throws(FileError) -> FilePath? {
    for file in files {
      if let count = try file.byteCount(), count > 0 { return file }
    }
    return nil
  }
}
