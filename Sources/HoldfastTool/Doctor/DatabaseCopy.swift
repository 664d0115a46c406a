import Holdfast
import HoldfastFiles

/// The files of a database, as they were when they were looked at.
struct DatabaseMoment: Equatable {
  private var statuses: [FileStatus?]

  init(_ files: DatabaseFiles) throws(Errno) {
    var statuses: [FileStatus?] = []
    for path in [files.main, files.writeAheadLog, files.journal] {
      do throws(Errno) {
        statuses.append(try SystemCalls.linkStatus(of: path.text))
      } catch .notFound {
        statuses.append(nil)
      }
    }
    self.statuses = statuses
  }

  /// The status of the log, if it is a plain file with content.
  var log: FileStatus? { Self.withContent(statuses[1]) }
  var journal: FileStatus? { Self.withContent(statuses[2]) }
  var main: FileStatus? { Self.withContent(statuses[0]) }

  private static func withContent(_ status: FileStatus?) -> FileStatus? {
    status.flatMap { $0.kind == .regular && $0.byteCount > 0 ? $0 : nil }
  }
}

/// A copy of a database in a private folder, which SQLite opens instead of the original.
enum DatabaseCopy {
  /// Finds a use of a database.
  ///
  /// - Parameters:
  ///   - files: The database.
  ///   - used: The files that are used, where many databases are asked for.
  /// - Returns: Why it is in use; `nil` when no use is seen.
  static func liveness(of files: DatabaseFiles, among used: UsedFiles? = nil) -> String? {
    do {
      return try DatabaseUsers.lastingUser(of: files.main, among: used).map { user in
        user.usesOtherEngine
          ? "It is open in \(user) with another engine than SQLite, such as Turso, whose commits and "
            + "SQLite's overwrite each other."
          : "It is \(user.holdsLock ? "locked by" : "open in") \(user)."
      }
    } catch _ {
      // Where the system lists no uses, a change during the copy still shows.
      return nil
    }
  }

  /// Copies a database that nothing changes meanwhile, with its log, and with its journal if it is hot.
  ///
  /// - Parameters:
  ///   - files: The database.
  ///   - name: How it is called in messages.
  ///   - folder: The folder of the copy.
  ///   - console: Its interruption ends the copying.
  /// - Returns: The copy, and the files as they were.
  /// - Throws: ``ToolError`` when the database cannot be copied, or has changed.
  static func make(
    of files: DatabaseFiles, named name: String, in folder: FilePath, console: Console
  ) throws(ToolError) -> (files: DatabaseFiles, moment: DatabaseMoment) {
    do throws(Errno) {
      let moment = try DatabaseMoment(files)
      var hasJournal = false
      if moment.journal != nil { hasJournal = try RollbackJournal(at: files.journal).isHot }
      let copy = try make(
        of: files, hasLog: moment.log != nil, hasJournal: hasJournal, in: folder, console: console)
      if try DatabaseMoment(files) == moment { return (copy, moment) }
    } catch {
      throw .databaseNotCopied(name, reason: SystemCalls.description(of: error))
    }
    throw .databaseInUse(name, "It changed while it was copied.")
  }

  /// Copies a database with its log and its journal.
  ///
  /// - Parameters:
  ///   - files: The database.
  ///   - hasLog: Whether there is a log.
  ///   - hasJournal: Whether there is a journal that SQLite would roll back.
  ///   - folder: The folder of the copy.
  ///   - console: Its interruption ends the copying.
  ///   - visit: Receives each part of the database file and its place, except holes.
  /// - Returns: The files of the copy, in the folder.
  /// - Throws: The number of the system's error; `.interrupted` after an interruption.
  static func make(
    of files: DatabaseFiles, hasLog: Bool, hasJournal: Bool, in folder: FilePath, console: Console,
    visiting visit: (Span<UInt8>, _ start: Int64) -> Void = { _, _ in }
  ) throws(Errno) -> DatabaseFiles {
    let copy = DatabaseFiles(main: folder.appending(["database"]))
    try SystemCalls.copyBytes(
      of: files.main.text, to: copy.main.text, until: { console.isInterrupted }, visiting: visit)
    var pairs: [(FilePath, FilePath)] = []
    if hasLog { pairs.append((files.writeAheadLog, copy.writeAheadLog)) }
    if hasJournal { pairs.append((files.journal, copy.journal)) }
    for (source, target) in pairs {
      try SystemCalls.copyBytes(
        of: source.text, to: target.text, until: { console.isInterrupted })
    }
    if hasJournal {
      try removeSuperJournalName(from: copy.journal)
    }
    return copy
  }

  /// Removes the name of a super-journal from a copied journal.
  ///
  /// SQLite deletes the file of that name at the end of the rollback, wherever it is.
  private static func removeSuperJournalName(from journal: FilePath) throws(Errno) {
    let file = try SystemCalls.openFile(journal.text, for: .update)
    while true {
      let byteCount = try SystemCalls.status(of: file).byteCount
      let place = max(0, Int(byteCount) - RollbackJournal.trailerByteCount)
      let trailer = try SystemCalls.readBytes(
        file, at: place, count: RollbackJournal.trailerByteCount)
      // The rest may end like a name, too.
      guard let rest = RollbackJournal.byteCount(withoutNameIn: trailer, of: byteCount) else {
        break
      }
      try SystemCalls.truncate(file, to: rest)
    }
    try file.close()
  }
}
