import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files adopt CONTAINER [--digests] [--dry-run]`.
struct FilesAdopt: Verb {
  private let parameters = LedgerParameters()
  private let digests = Flag(
    "--digests",
    "Reads each file that has no recorded digest and records it, so that repairs find the file under "
      + "any name.")
  private let dryRun = Flag("--dry-run", "Only checks the table; changes nothing.")

  /// The number of files without a digest that are listed with their reasons.
  private static let listedLimit = 10

  var declaration: Declaration {
    Declaration(
      "adopt", "Adds a ledger's own tables to the database; those of the app stay as they are.",
      parameters: parameters.all + [digests, dryRun], example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let isDryRun = arguments[dryRun]
    let recordsDigests = arguments[digests]
    var database = ""
    var unread = 0
    var problems: [DigestReport.Problem] = []
    try LedgerInput.use(arguments, parameters, isDryRun ? .copy : .change, output) { input in
      database = input.databaseName
      var adopted = try input.queue.write { db in
        let before = try FileLedger.adoptedTables(db)
        return try input.ledgers.map { ledger in
          try ledger.adopt(db)
          return try Adoption(ledger, in: db, before: before)
        }
      }
      if recordsDigests {
        for (index, ledger) in input.ledgers.enumerated() {
          let report = try record(ledger, of: adopted[index].recordCount, output)
          adopted[index].digestCount = report.recorded
          unread += report.unread
          problems += report.problems
        }
      }
      let keys: Set = ["table", "records", "absolute", "changed"]
      try output.records(
        of: "tables",
        as: TextTable.Layout(keys: recordsDigests ? keys.union(["digests"]) : keys),
        adopted.map { OutputRecord($0, database: input.databaseName) })
    }
    let listed = problems.prefix(Self.listedLimit)
    for problem in listed { output.note("Not read: \(problem.id): \(problem.reason).") }
    if unread > listed.count { output.note("\(unread - listed.count) more not read.") }
    output.note(
      isDryRun ? "Nothing was changed in '\(database)'." : "The database is '\(database)'.")
    return unread == 0 ? .success : .problemsFound
  }

  private func record(
    _ ledger: FileLedger, of total: Int, _ output: Output
  ) throws -> DigestReport {
    let bar = ProgressBar(console: output.console, isShown: output.format == .table)
    defer { output.console.endBar() }
    var number = 0
    return try ledger.recordDigests { id in
      number += 1
      try bar.show(Double(number) / Double(total), "Reading \(id)")
    }
  }

  fileprivate struct Adoption {
    var table: String
    var recordCount = 0
    var absoluteCount = 0
    var isNew: Bool
    /// `nil` when digests were not asked for.
    var digestCount: Int?

    init(_ ledger: FileLedger, in db: Database, before: [String]) throws {
      table = ledger.table.name
      isNew = !before.contains { [table] in $0.isSameIdentifier(as: table) }
      let records = try ledger.records(db)
      while let record = try records.next() {
        recordCount += 1
        if record.hasAbsolutePath { absoluteCount += 1 }
      }
    }
  }
}

extension OutputRecord {
  fileprivate init(_ adoption: FilesAdopt.Adoption, database: String) {
    self = [
      "database": .text(database),
      "table": .text(adoption.table),
      "records": Cell(adoption.recordCount),
      "absolute": Cell(adoption.absoluteCount),
      "changed": .bool(adoption.isNew),
      "digests": Cell(adoption.digestCount),
    ]
  }
}
