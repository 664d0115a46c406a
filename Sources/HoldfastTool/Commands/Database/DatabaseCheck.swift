import Foundation
import Holdfast
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
    var findings = DatabaseFindings()
    do {
      try findings.gather(fromFileAt: arguments[database])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Damage is a finding of the check, not a failure of the check.
      findings.problems.append(error.message ?? error.description)
    }
    try output.record(Record(findings, of: arguments[database]))
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
  var problems: [String] = []

  mutating func gather(fromFileAt url: URL) throws {
    let queue = try DatabaseQueue(readingFileAt: url)
    // Before the process ends: closing removes the files that SQLite keeps next to the database.
    defer { queue.closeIgnoringErrors() }
    // SQLite treats this pragma as a write, although it only queries.
    journalMode = try queue.writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    try queue.read { db in try gather(db) }
    diagnosis = try queue.diagnose()
  }

  private mutating func gather(_ db: Database) throws {
    pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size")
    pageCount = try Int.fetchOne(db, sql: "PRAGMA page_count")
    applicationID = try db.headerNumber(.applicationID)
    userVersion = try db.headerNumber(.userVersion)
    problems = try db.integrityProblems()
    // Valid for SQLite, but unexpected in a file that is checked.
    if pageCount == 0 { problems.append("the file is empty: it has no table") }
    problems += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
      let table: String = try row.decode(atIndex: 0)
      let rowID: Int64? = try row.decode(atIndex: 1)
      let parent: String = try row.decode(atIndex: 2)
      return "row \(rowID.map(String.init) ?? "?") of \(table) refers to no row of \(parent)"
    }
  }
}

extension Record {
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
      "oldest_reader": findings.diagnosis?.oldestReader.map { .record(Record($0)) } ?? .null,
      "sidecars": .list(
        (findings.diagnosis?.sidecars ?? []).map { .text("\($0.name), \($0.byteCount) bytes") }),
      "sqlite": .text(SQLiteLibrary.current.version),
      "wal_reset_bug": .bool(SQLiteLibrary.current.hasWALResetBug),
      "warnings": .list((findings.diagnosis?.warnings ?? []).map(Cell.text)),
      "problems": .list(findings.problems.map(Cell.text)),
    ]
  }
}

extension Record {
  fileprivate init(_ reader: DatabaseDiagnosis.Reader) {
    self = [
      "pid": Cell(reader.processIdentifier.map(Int.init)),
      "process": Cell(reader.processName),
      "mark": Cell(reader.mark),
      "frame": Cell(reader.frame),
    ]
  }
}
