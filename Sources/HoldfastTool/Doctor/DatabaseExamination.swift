import Foundation
import Holdfast
import HoldfastFiles

extension ContainerExamination {
  /// A log with room for so many frames was prevented from being checkpointed, which SQLite does
  /// after 1000.
  static let oversizedFrameCount = 4000

  /// Examines a database: its logs where they are, and its content in a copy.
  ///
  /// SQLite never opens the original, and no file next to it is created.
  mutating func examineDatabase(_ database: FoundDatabase) throws {
    let (file, start) = (database.name, database.start)
    let files = DatabaseFiles(main: database.path)
    if let reason = DatabaseCopy.liveness(of: files, among: usedFiles) {
      findings.add(.liveDatabase(file, because: reason))
      return
    }
    if let reason = files.unreadableCompanion {
      findings.add(.unreadable(file, because: "I" + reason.dropFirst()))
      return
    }
    let header = DatabaseHeader(start, fileByteCount: Int64(start.count))
    if header.encryption == .afterPlaintextHeader, FileStart(start).looksEncrypted,
      !InputKey.isUsable
    {
      findings.add(.encryptedDatabase(file))
      return
    }
    guard header.isOfKnownVersion else {
      findings.add(.laterFormat(file, version: header.readVersion))
      return
    }
    let findingsBefore = findings
    do {
      let moment = try DatabaseMoment(files)
      let header = DatabaseHeader(start, fileByteCount: moment.main?.byteCount ?? 0)
      let log = try examineLog(of: files, file, moment.log, header)
      let journal = try examineJournal(of: files, file, moment.journal)
      let foreignness = log.flatMap {
        ForeignLog.reason($0, start: start, index: ForeignLog.index(of: files))
      }
      if let foreignness {
        findings.add(.foreignLog(file + "-wal", database: file, because: foreignness))
      }
      let findingsOfLog = findings
      // Before SQLite replays anything, which would fill the place of missing pages.
      examineLength(header, log: foreignness == nil ? log : nil, journal, file)
      guard let privateFolder else { throw Errno.notFound }
      let folder = try privateFolder.makeFolder()
      defer { privateFolder.removeFolder(folder) }
      let hasLog = moment.log != nil && foreignness == nil
      var scan = PathScan(pageSize: header.pageSize, fileByteCount: header.fileByteCount)
      let copy = try DatabaseCopy.make(
        of: files, hasLog: hasLog, hasJournal: journal != nil, in: folder, console: bar.console,
        visiting: { scan.read($0, at: $1) })
      guard try DatabaseMoment(files) == moment else {
        // What was found is of different moments.
        findings = findingsBefore
        findings.add(.liveDatabase(file, because: "It changed while it was copied."))
        return
      }
      copiedDatabases.append(CopiedDatabase(files: files, name: file))
      // Only a plain file has all its values in what was copied.
      let isPlain =
        !hasLog && journal == nil && !Database.canDecrypt && FileStart(start).content == .database
      try examineCopy(
        copy, file, header, start: start, mayHavePaths: !isPlain || scan.mayFindPaths,
        lacksLog: header.hasWriteAheadLog && moment.log == nil)
      if hasLog, journal == nil, FileStart(start).mayHaveSchema,
        findings.contains(.damagedDatabase, in: file)
      {
        // Room for one copy was enough so far.
        privateFolder.removeFolder(folder)
        var other = self
        other.findings = findingsOfLog
        do {
          try other.examineWithoutLog(of: files, file, header, start: start, in: privateFolder)
        } catch is Errno {
          // It was examined, and stays damaged.
          return try bar.console.checkInterruption()
        }
        let isSound = ![.damagedDatabase, .tornDatabase, .encryptedDatabase].contains {
          other.findings.contains($0, in: file)
        }
        if try isSound && DatabaseMoment(files) == moment { self = other }
      }
    } catch let error as Errno {
      try bar.console.checkInterruption()
      switch error {
      case .noSpace, .quotaExceeded:
        lackedRoom = true
        findings.add(
          .notExamined(
            file, because: "There is no room for a copy of it in the temporary folder.",
            advice: "Set TMPDIR to a folder on a volume with more room."))
      default:
        findings.add(.unreadable(file, because: SystemCalls.description(of: error)))
      }
    }
  }

  /// Examines once more whether databases that were copied are in use.
  ///
  /// A process may have opened one before it was copied, and after it was asked for. What was found in
  /// such a copy counts for nothing.
  mutating func examineUses() {
    guard !copiedDatabases.isEmpty else { return }
    let used = UsedFiles()
    for database in copiedDatabases {
      guard let reason = DatabaseCopy.liveness(of: database.files, among: used) else { continue }
      findings.removeAll(in: [database.name, database.name + "-wal", database.name + "-journal"])
      findings.add(.liveDatabase(database.name, because: reason))
    }
  }

  /// Examines a log or a journal without a database, or with one that SQLite takes for empty.
  mutating func examineOrphan(_ path: FilePath, _ file: String, start: [UInt8]) {
    guard let ending = ["-wal", "-journal"].first(where: file.hasSuffix) else { return }
    let isLog =
      ending == "-wal"
      ? WriteAheadLog(header: Array(start.prefix(WriteAheadLog.headerByteCount))).pageByteCount
        != nil : RollbackJournal(header: start).isHot
    let database = String(file.dropLast(ending.count))
    guard isLog else { return }
    do throws(Errno) {
      let main = FilePath(String(path.text.dropLast(ending.count)))
      // With more bytes, however few, SQLite replays the log.
      guard try SystemCalls.linkStatus(of: main.text).byteCount <= 1 else { return }
      findings.add(.cutDatabase(database, log: file))
    } catch .notFound {
      findings.add(.orphanedLog(file, database: database))
    } catch {
      findings.add(.unreadable(database, because: SystemCalls.description(of: error)))
    }
  }

  // MARK: - The files

  private mutating func examineLog(
    of files: DatabaseFiles, _ file: String, _ status: FileStatus?, _ header: DatabaseHeader
  ) throws(Errno) -> WriteAheadLog? {
    guard let status else { return nil }
    let name = file + "-wal"
    let pageCount = header.fileByteCount / Int64(max(header.pageSize, 512))
    let log = try WriteAheadLog(file: files.writeAheadLog, pageCount: UInt32(clamping: pageCount))
    let frameByteCount = WriteAheadLog.frameHeaderByteCount + (log.pageByteCount ?? 4096)
    if let flaw = log.firstBreak {
      findings.add(.tornLog(name, flaw, validFrames: log.validFrameCount))
    }
    let room = Int(status.byteCount) / frameByteCount
    if room >= Self.oversizedFrameCount {
      findings.add(.oversizedLog(name, bytes: status.byteCount, frames: room))
    }
    return log
  }

  private mutating func examineJournal(
    of files: DatabaseFiles, _ file: String, _ status: FileStatus?
  ) throws(Errno) -> RollbackJournal? {
    guard let status else { return nil }
    let descriptor = try SystemCalls.openFile(files.journal.text, for: .readPlain)
    let journal = RollbackJournal(
      header: try SystemCalls.readBytes(
        descriptor, at: 0, count: RollbackJournal.headerByteCount))
    guard journal.isHot else { return nil }
    let trailerPlace = max(0, Int(status.byteCount) - RollbackJournal.trailerByteCount)
    let trailer = try SystemCalls.readBytes(
      descriptor, at: trailerPlace, count: RollbackJournal.trailerByteCount)
    let rest = RollbackJournal.byteCount(withoutNameIn: trailer, of: status.byteCount)
    findings.add(.hotJournal(of: file, hasSuperJournal: rest != nil))
    return journal
  }

  /// Looks for pages that are neither in the file nor in its log.
  ///
  /// A file may be longer than its header says: SQLite ignores the rest.
  private mutating func examineLength(
    _ header: DatabaseHeader, log: WriteAheadLog?, _ journal: RollbackJournal?, _ file: String
  ) {
    guard header.pageSize > 0 else { return }
    let pageSize = Int64(header.pageSize)
    var stated = (header.statedByteCount ?? 0) / pageSize
    // In this mode a transaction may cut the file, whose end is in the journal.
    if let journal { stated = header.isVacuumedAutomatically ? 0 : journal.pageCount ?? 0 }
    if let log, log.committedFrameCount > 0 { stated = Int64(log.committedPageCount) }
    let present = header.fileByteCount / pageSize
    guard stated > present else { return }
    // The page with the bytes of the locks is never written.
    let lockPage = 0x4000_0000 / pageSize + 1
    let inLog = log?.committedPages ?? []
    let lacking = stated - present - Int64(inLog.count { Int64($0) <= stated })
    guard lacking > (lockPage > present && lockPage <= stated ? 1 : 0) else { return }
    findings.add(
      .tornDatabase(file, stated: stated * pageSize, actual: header.fileByteCount))
  }

  // MARK: - The content

  private mutating func examineCopy(
    _ copy: DatabaseFiles, _ file: String, _ header: DatabaseHeader, start: [UInt8],
    mayHavePaths: Bool, lacksLog: Bool
  ) throws {
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.busyMode = .immediateError
      configuration.hasForeignSchema = true
      // First, because these pragmas need the schema.
      IntegrityExamination.prepare(&configuration)
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA cache_size = -8192")
      }
      // Otherwise the file is found to be encrypted, and the other ones are examined.
      if Database.canDecrypt { try InputKey.apply(to: &configuration, for: header) }
      let queue = try DatabaseQueue(path: copy.main.text, configuration: configuration)
      defer { queue.closeIgnoringErrors() }
      var content = ContentExamination(examination: self, file: file)
      content.mayHavePaths = mayHavePaths
      content.lacksLog = lacksLog
      defer { self = content.examination }
      try bar.console.stoppable(by: { queue.interrupt() }) {
        try queue.writeWithoutTransaction { db in try content.examine(db) }
      }
    } catch let error as DatabaseError {
      try bar.console.checkInterruption()
      note(error, in: file, start: start)
    }
  }

  /// Examines a database that is damaged with its log once more without it, as if the log were another one's.
  ///
  /// The log of a former database may be as old, and of one with the same tables; its pages are none of this one's.
  private mutating func examineWithoutLog(
    of files: DatabaseFiles, _ file: String, _ header: DatabaseHeader, start: [UInt8],
    in privateFolder: PrivateFolder
  ) throws {
    findings.add(.foreignLog(file + "-wal", database: file, because: ForeignLog.damages))
    examineLength(header, log: nil, nil, file)
    let folder = try privateFolder.makeFolder()
    defer { privateFolder.removeFolder(folder) }
    let copy = try DatabaseCopy.make(
      of: files, hasLog: false, hasJournal: false, in: folder, console: bar.console)
    try examineCopy(copy, file, header, start: start, mayHavePaths: true, lacksLog: false)
  }

  /// Notes why SQLite cannot read a database.
  private mutating func note(_ error: DatabaseError, in file: String, start: [UInt8]) {
    let message = error.message ?? error.description
    lackedRoom = [.SQLITE_NOMEM, .SQLITE_FULL].contains(error.resultCode)
    switch error.resultCode {
    case .SQLITE_NOTADB where FileStart(start).looksEncrypted:
      findings.add(.encryptedDatabase(file))
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      findings.add(
        .damagedDatabase(file, problems: [FileStart(start).lostBeginning ?? message]))
    case .SQLITE_INTERRUPT:
      findings.add(
        .notExamined(
          file, because: "What its schema computes takes too long: a view may have no end.",
          advice: "Look at its views, and at the full-text tables whose content they are."))
    case .SQLITE_NOMEM, .SQLITE_TOOBIG:
      findings.add(
        .notExamined(
          file, because: "A value in it is too large for the memory that is used.",
          advice: "Examine it with the sqlite3 shell."))
    case .SQLITE_FULL:
      findings.add(
        .notExamined(
          file, because: "There is no room for its copy in the temporary folder.",
          advice: "Set TMPDIR to a folder on a volume with more room."))
    default:
      findings.add(
        .notExamined(
          file, because: "SQLite cannot read it: \(message).",
          advice: "Check it in the app, which may add what is missing."))
    }
  }
}
