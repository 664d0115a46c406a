import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastTransit

/// `holdfast db check DB`.
struct DatabaseCheck: Verb {
  private let database = Argument("DB", "Any SQLite database.", .path)

  var declaration: Declaration {
    Declaration(
      "check", "Checks a database's structure, references and search indexes.", database,
      example: "harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    var findings = DatabaseFindings(output)
    do {
      try findings.gather(fromFileAt: arguments[database])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Damage is a finding of the check, not a failure of the check.
      findings.noteDamage([error.message ?? error.description])
    }
    findings.compareWithLogless(fileAt: arguments[database])
    try output.record(OutputRecord(findings, of: arguments[database]))
    return findings.problems.isEmpty ? .success : .problemsFound
  }
}

/// The findings of a check; `nil` for values that could not be read because of damage.
private struct DatabaseFindings {
  var journalMode: String?
  var pageSize: Int?
  var pageCount: Int?
  var applicationID: Int32?
  var userVersion: Int32?
  var diagnosis: DatabaseDiagnosis?
  var warnings: [String] = []
  var problems: [String] = []

  /// Whether SQLite finds damage.
  private var isDamaged = false
  private var hasForeignLog = false

  private let output: Output

  init(_ output: Output) {
    self.output = output
  }

  mutating func gather(fromFileAt url: URL) throws {
    // Before SQLite has the files open: closing them later would release its locks.
    let path = try FilePath(of: url)
    // A missing file is reported when it is opened.
    let files = DatabaseFiles(main: (try? path.resolved()) ?? path)
    if let reason = ForeignLog.reason(of: files) {
      noteForeignLog(files, because: reason)
      hasForeignLog = true
    }
    // To read a log, SQLite makes files that are gone afterwards. What cannot be examined cannot be opened either,
    // which is reported then.
    let sidecars = files.sidecars.filter { (try? $0.exists()) == true }.map(\.name)
    let opened = try ReadDatabase(output.console) {
      try DatabaseQueue(readingFileAt: url, isExamined: true)
    }
    do {
      try opened.readOnThread { _ in try gather(opened) }
      diagnosis?.sidecars.removeAll { !sidecars.contains($0.name) }
    } catch ResultCode.SQLITE_FULL {
      // Nothing is written but a private copy.
      throw ToolError.databaseNotCopied(
        url.relativePath, reason: SystemCalls.description(of: .noSpace))
    }
  }

  /// Adds damage, as SQLite words it.
  mutating func noteDamage(_ sentences: [String]) {
    problems += sentences
    isDamaged = isDamaged || !sentences.isEmpty
  }

  /// Examines a damaged database without its log: one that is sound then has another's log.
  mutating func compareWithLogless(fileAt url: URL) {
    guard isDamaged, !hasForeignLog else { return }
    do {
      let files = DatabaseFiles(main: try FilePath(of: url).resolved())
      guard try files.writeAheadLog.byteCount() ?? 0 > 0, try !files.journal.exists() else {
        return
      }
      var configuration = Configuration()
      configuration.readonly = true
      configuration.hasForeignSchema = true
      IntegrityExamination.prepare(&configuration)
      try InputKey()?.apply(to: &configuration)
      let opened = try ReadDatabase(output.console) { [configuration] in
        try DatabaseQueue(at: .immutableFile(files.main.text), configuration: configuration)
      }
      var other = DatabaseFindings(output)
      let problems: [String]? = try opened.readOnThread { queue in
        let (integrity, isEmpty) = try queue.read { db in
          (
            try db.examining { try IntegrityExamination($0, isCopy: false) },
            try db.isWithoutSchema()
          )
        }
        // Nothing is sound without anything in it: of a young database all is in the log.
        if isEmpty { return nil }
        return integrity.needsCopy
          ? try other.examineCopy(of: opened).problems : integrity.problems
      }
      if problems?.isEmpty == true, other.problems.isEmpty {
        noteForeignLog(files, because: ForeignLog.damages)
      }
    } catch {
      // What SQLite cannot read is damaged without it too.
    }
  }

  private mutating func noteForeignLog(_ files: DatabaseFiles, because reason: String) {
    problems.insert(
      "its log '\(files.writeAheadLog.name)' \(reason == ForeignLog.damages ? "may not be" : "is not") "
        + "its own: \(reason), and SQLite replays it",
      at: 0)
  }

  private mutating func gather(_ opened: ReadDatabase) throws {
    let queue = opened.queue
    // SQLite treats this pragma as a write, although it only queries.
    journalMode = try queue.writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    let (integrity, needsCopy) = try queue.read { db in try gather(db) }
    add(needsCopy ? try examineCopy(of: opened) : integrity)
    diagnosis = try queue.diagnose()
    warnings += diagnosis?.warnings ?? []
  }

  private mutating func gather(_ db: Database) throws -> (IntegrityExamination, needsCopy: Bool) {
    // SQLite does not say so of a file that it reads as one that does not change.
    let header = try db.header()
    if header.isDatabase, header.hasWriteAheadLog { journalMode = "wal" }
    pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size")
    pageCount = try Int.fetchOne(db, sql: "PRAGMA page_count")
    applicationID = try db.headerNumber(.applicationID)
    userVersion = try db.headerNumber(.userVersion)
    let integrity = try db.examining { try IntegrityExamination($0, isCopy: false) }
    do {
      warnings += try db.examining { try integrity.foreignKeys?.unserved($0) ?? [] }
    } catch ResultCode.SQLITE_INTERRUPT {
      // Advice never costs sound data.
    }
    // Valid for SQLite, but unexpected in a file that is checked.
    if pageCount == 0 { problems.append("the file is empty: it has no table") }
    if pageCount != 0, header.hasWriteAheadLog, try db.isWithoutSchema() {
      warnings.append(
        "it has no table: what was written since the last checkpoint is in its log (-wal) alone, and was lost if "
          + "the file was copied without it")
    }
    let hasVirtualTables = try !SearchIndexCheck.virtualTables(db).isEmpty
    return (integrity, hasVirtualTables || integrity.needsCopy)
  }

  private mutating func add(_ integrity: IntegrityExamination) {
    noteDamage(integrity.problems)
    problems += integrity.brokenConstraints.map(\.description)
    problems += integrity.staleIndexes.map { index in
      "the index '\(index.name)' of '\(index.table)' has other values than this version of SQLite "
        + "computes; REINDEX it with the version that uses it"
    }
    problems += integrity.unresolvable.filter { $0.verb != .select }.map(\.description)
    problems += integrity.foreignKeys?.sentences ?? []
    problems += integrity.lostContents.map { [$0.sentence.withoutPeriod] } ?? []
    warnings += integrity.unresolvable.filter { $0.verb == .select }.map(\.description)
    warnings += integrity.unexamined.map { "\($0.subject) was not examined: \($0.reason)" }
    warnings += integrity.versionDependent.map(\.description)
  }

  /// Examines a private copy: the check of a full-text table is an INSERT, CHECK constraints are checked
  /// on a connection that can write only, and an index that cannot be computed must be dropped so that the
  /// rest is examined.
  private mutating func examineCopy(of opened: ReadDatabase) throws -> IntegrityExamination {
    let folder = try PrivateFolder(outside: nil)
    output.console.atEnd { [root = folder.root] in PrivateFolder.remove(root) }
    defer { folder.remove() }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.hasForeignSchema = true
    IntegrityExamination.prepare(&configuration)
    try InputKey()?.apply(to: &configuration)
    let copy = try DatabaseQueue(
      path: folder.path.appending(["copy"]).text, configuration: configuration)
    defer { copy.closeIgnoringErrors() }
    try opened.queue.backup(to: copy, pagesPerStep: 1000) { _ in try opened.checkInterruption() }
    return try copy.writeWithoutTransaction { db in
      try IntegrityExamination.leaveOutForeignSyntax(db)
      let integrity = try db.examining { try IntegrityExamination($0, isCopy: true) }
      for table in try SearchIndexCheck.virtualTables(db) {
        switch try db.examining({ try SearchIndexCheck.outcome(of: table, $0) }) {
        case .sound: break
        case .stale(let reason, _):
          problems.append(SearchIndexCheck.sentence(table.name, because: reason).withoutPeriod)
        case .unreadable(let reason):
          problems.append(
            SearchIndexCheck.sentence(table.name, withoutTexts: reason).withoutPeriod)
        case .damaged(let problem): problems.append(problem)
        case .notExamined(let reason):
          warnings.append("the table '\(table.name)' was not examined: \(reason)")
        }
      }
      return integrity
    }
  }
}

extension String {
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension OutputRecord {
  fileprivate init(_ findings: DatabaseFindings, of url: URL) {
    self = [
      "file": .text(url.relativePath),
      "ok": .bool(findings.problems.isEmpty),
      "journal_mode": Cell(findings.journalMode),
      "page_size": Cell(findings.pageSize),
      "page_count": Cell(findings.pageCount),
      "application_id": Cell(findings.applicationID.map(Int.init)),
      "user_version": Cell(findings.userVersion.map(Int.init)),
      "wal_bytes": Cell(findings.diagnosis?.log?.byteCount),
      "wal_frames": Cell(findings.diagnosis?.log?.frameCount),
      "checkpointed": Cell(findings.diagnosis?.log?.checkpointedFrameCount),
      "oldest_reader": Cell(findings.diagnosis?.oldestReader.map { OutputRecord($0) }),
      "sidecars": .list(
        (findings.diagnosis?.sidecars ?? []).map { .text("\($0.name), \($0.byteCount) bytes") }),
      "sqlite": .text(SQLiteLibrary.current.version),
      "wal_reset_bug": .bool(SQLiteLibrary.current.hasWALResetBug),
      "warnings": .list(findings.warnings.map(Cell.text)),
      "problems": .list(findings.problems.map(Cell.text)),
    ]
  }
}

extension OutputRecord {
  init(_ reader: DatabaseDiagnosis.Reader) {
    self = [
      "pid": Cell(reader.processIdentifier.map(Int.init)),
      "process": Cell(reader.processName),
      "mark": Cell(reader.mark),
      "frame": Cell(reader.frame),
    ]
  }
}
