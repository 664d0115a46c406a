import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files adopt CONTAINER [--dry-run]`.
struct FilesAdopt: Verb {
  private let parameters = LedgerParameters()
  private let dryRun = Flag("--dry-run", "Only checks the table; changes nothing.")

  var declaration: Declaration {
    Declaration(
      "adopt", "Adds a ledger's own tables to the database; those of the app stay as they are.",
      parameters: parameters.all + [dryRun], example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let isDryRun = arguments[dryRun]
    var database = ""
    try LedgerInput.use(arguments, parameters, isDryRun ? .copy : .change, output) { input in
      database = input.databaseName
      let adopted = try input.queue.write { db in
        let before = try FileLedger.adoptedTables(db)
        return try input.ledgers.map { ledger in
          try ledger.adopt(db)
          return Record(
            try Adoption(ledger, in: db, before: before), database: input.databaseName)
        }
      }
      try output.records(
        of: "tables", as: Table.Layout(keys: ["table", "records", "absolute", "changed"]), adopted)
    }
    output.note(
      isDryRun ? "Nothing was changed in '\(database)'." : "The database is '\(database)'.")
    return .success
  }

  fileprivate struct Adoption {
    var table: String
    var recordCount = 0
    var absoluteCount = 0
    var isNew: Bool

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

extension Record {
  fileprivate init(_ adoption: FilesAdopt.Adoption, database: String) {
    self = [
      "database": .text(database),
      "table": .text(adoption.table),
      "records": Cell(adoption.recordCount),
      "absolute": Cell(adoption.absoluteCount),
      "changed": .bool(adoption.isNew),
    ]
  }
}
