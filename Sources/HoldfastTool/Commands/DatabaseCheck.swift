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
    let queue = try DatabaseQueue(readingFileAt: arguments[database])
    // Before the process ends: what SQLite keeps beside a file goes when it is closed.
    defer { queue.close() }
    // To SQLite this pragma is a writing one, though it only asks.
    let journalMode = try queue.writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "unknown"
    }
    let findings = try queue.read { db in
      try DatabaseFindings(db, journalMode: journalMode)
    }
    try output.record(Record(findings, of: arguments[database]))
    return findings.problems.isEmpty ? .success : .problemsFound
  }
}

/// What a check found in a database.
private struct DatabaseFindings {
  var journalMode: String
  var pageSize: Int
  var pageCount: Int
  var applicationID: Int32
  var userVersion: Int32
  var problems: [String]

  init(_ db: Database, journalMode: String) throws {
    self.journalMode = journalMode
    pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
    pageCount = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
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
      "journal_mode": .text(findings.journalMode),
      "page_size": Cell(findings.pageSize),
      "page_count": Cell(findings.pageCount),
      "application_id": Cell(Int(findings.applicationID)),
      "user_version": Cell(Int(findings.userVersion)),
      "problems": .list(findings.problems.map(Cell.text)),
    ]
  }
}
