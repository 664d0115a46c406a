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
      // What a check is for: it is a finding, not a failure of the check.
      findings.problems.append(error.message ?? error.description)
    }
    try output.record(Record(findings, of: arguments[database]))
    return findings.problems.isEmpty ? .success : .problemsFound
  }
}

/// What a check found in a database; `nil` where the damage kept it from being read.
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
    // Before the process ends: what SQLite keeps beside a file goes when it is closed.
    defer { queue.closeIgnoringErrors() }
    // To SQLite this pragma is a writing one, though it only asks.
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
    // Sound to SQLite, but nobody who checks a file expects it.
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
