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
  mutating func examineDatabase(_ path: FilePath, _ file: String, start: [UInt8]) throws {
    databaseCount += 1
    let files = DatabaseFiles(main: path)
    if let reason = DatabaseCopy.liveness(of: files) {
      findings.add(.liveDatabase(file, because: reason))
      return
    }
    defer { privateFolder?.empty() }
    let findingsBefore = findings
    do {
      let moment = try DatabaseMoment(files)
      let log = try examineLog(of: files, file, moment.log)
      let isHot = try examineJournal(of: files, file, moment.journal)
      guard let folder = privateFolder?.path else { throw Errno.notFound }
      let copy = try DatabaseCopy.make(
        of: files, hasLog: moment.log != nil, hasJournal: isHot, in: folder,
        console: bar.console)
      guard try DatabaseMoment(files) == moment, DatabaseCopy.liveness(of: files) == nil else {
        // What was found is of different moments.
        findings = findingsBefore
        findings.add(.liveDatabase(file, because: "It changed while it was copied."))
        return
      }
      let header = DatabaseHeader(start, fileByteCount: moment.main?.byteCount ?? 0)
      // Otherwise the file is complete only together with its log or journal.
      let isComplete = !isHot && (log?.committedFrameCount ?? 0) == 0
      if isComplete { examineLength(header, file) }
      try examineCopy(copy, file, header, start: start, isComplete: isComplete)
    } catch let error as Errno {
      try bar.console.checkInterruption()
      switch error {
      case .noSpace, .quotaExceeded:
        findings.add(
          .notExamined(
            file, because: "There is no room for a copy of it in the temporary folder.",
            advice: "Set TMPDIR to a folder on a volume with more room."))
      default:
        findings.add(.unreadable(file, because: SystemCalls.description(of: error)))
      }
    }
  }

  /// Examines a log or a journal without a database, or with the mere beginning of one.
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
      guard try SystemCalls.linkStatus(of: main.text).byteCount < DatabaseHeader.byteCount else {
        return
      }
      findings.add(.cutDatabase(database, log: file))
    } catch .notFound {
      findings.add(.orphanedLog(file, database: database))
    } catch {
      findings.add(.unreadable(database, because: SystemCalls.description(of: error)))
    }
  }

  // MARK: - The files

  private mutating func examineLog(
    of files: DatabaseFiles, _ file: String, _ status: FileStatus?
  ) throws(Errno) -> WriteAheadLog? {
    guard let status else { return nil }
    let name = file + "-wal"
    let descriptor = try SystemCalls.openFile(files.writeAheadLog.text, for: .readPlain)
    var place = WriteAheadLog.headerByteCount
    var log = WriteAheadLog(header: try SystemCalls.readBytes(descriptor, at: 0, count: place))
    let pageByteCount = log.pageByteCount ?? 4096
    let frameByteCount = WriteAheadLog.frameHeaderByteCount + pageByteCount
    while !log.hasEnded, log.firstBreak != .header {
      let frame = try SystemCalls.readBytes(descriptor, at: place, count: frameByteCount)
      if frame.isEmpty { break }
      log.read(frame: frame)
      place += frameByteCount
    }
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
  ) throws(Errno) -> Bool {
    guard let status else { return false }
    let descriptor = try SystemCalls.openFile(files.journal.text, for: .readPlain)
    let journal = RollbackJournal(
      header: try SystemCalls.readBytes(
        descriptor, at: 0, count: RollbackJournal.headerByteCount))
    guard journal.isHot else { return false }
    let trailerPlace = max(0, Int(status.byteCount) - RollbackJournal.trailerByteCount)
    let trailer = try SystemCalls.readBytes(
      descriptor, at: trailerPlace, count: RollbackJournal.trailerByteCount)
    let rest = RollbackJournal.byteCount(withoutNameIn: trailer, of: status.byteCount)
    findings.add(.hotJournal(of: file, hasSuperJournal: rest != nil))
    return true
  }

  /// Compares the length of a file with its header.
  private mutating func examineLength(_ header: DatabaseHeader, _ file: String) {
    guard let stated = header.statedByteCount, stated != header.fileByteCount else { return }
    findings.add(.tornDatabase(file, stated: stated, actual: header.fileByteCount))
  }

  // MARK: - The content

  private mutating func examineCopy(
    _ copy: DatabaseFiles, _ file: String, _ header: DatabaseHeader, start: [UInt8],
    isComplete: Bool
  ) throws {
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.busyMode = .immediateError
      configuration.prepareDatabase { db in
        // What is in the file is not trusted, and a single huge value does not fill the memory.
        try db.execute(
          sql: """
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA cache_size = -8192;
            PRAGMA hard_heap_limit = 536870912
            """)
      }
      // Otherwise the file is found to be encrypted, and the other ones are examined.
      if Database.canDecrypt { try InputKey.apply(to: &configuration, for: header) }
      let queue = try DatabaseQueue(path: copy.main.text, configuration: configuration)
      defer { queue.closeIgnoringErrors() }
      var content = ContentExamination(examination: self, file: file)
      defer { self = content.examination }
      try bar.console.stoppable(by: { queue.interrupt() }) {
        try queue.writeWithoutTransaction { db in try content.examine(db) }
      }
    } catch let error as DatabaseError {
      try bar.console.checkInterruption()
      note(error, in: file, start: start)
      return
    }
    // With the log or the journal, the file is what SQLite makes of it.
    if !isComplete {
      let recovered = try SystemCalls.openFile(copy.main.text, for: .readPlain)
      let byteCount = try SystemCalls.status(of: recovered).byteCount
      examineLength(
        DatabaseHeader(
          try SystemCalls.readBytes(recovered, at: 0, count: DatabaseHeader.byteCount),
          fileByteCount: byteCount), file)
    }
  }

  /// Notes why SQLite cannot read a database.
  private mutating func note(_ error: DatabaseError, in file: String, start: [UInt8]) {
    let message = error.message ?? error.description
    switch error.resultCode {
    case .SQLITE_NOTADB where FileStart(start).looksEncrypted:
      findings.add(.encryptedDatabase(file))
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      findings.add(.damagedDatabase(file, problems: [message]))
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
