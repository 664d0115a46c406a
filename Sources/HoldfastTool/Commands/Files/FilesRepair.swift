import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files repair CONTAINER [--dry-run]`.
struct FilesRepair: Verb {
  private let parameters = LedgerParameters()
  private let dryRun = Flag("--dry-run", "Only shows what would be changed; changes nothing.")

  /// The number of records that could not be judged which are listed with their reasons.
  private static let listedLimit = 10

  var declaration: Declaration {
    Declaration(
      "repair", "Finds the recorded files that moved, and writes where they are.",
      parameters: parameters.all + [dryRun], example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let isDryRun = arguments[dryRun]
    var sum = RepairReport()
    var doubts: [String] = []
    try LedgerInput.use(arguments, parameters, isDryRun ? .copy : .change, output) { input in
      try input.queue.write { db in
        let adopted = try FileLedger.adoptedTables(db)
        for ledger in input.ledgers {
          let isAdopted = adopted.contains { $0.isSameIdentifier(as: ledger.table.name) }
          guard isAdopted || isDryRun else {
            throw ToolError.notAdopted(ledger.table.name, file: input.databaseName)
          }
          // Refuses absolute paths that no dialect says how to rewrite.
          try ledger.adopt(db)
        }
      }
      let keys: Set = ["id", "answer", "action", "from", "to", "problem"]
      let layout = input.layout(keys)
      try output.records(of: "changes", as: layout) { listing in
        for ledger in input.ledgers {
          let printer = Printer(listing, table: ledger.table.name)
          sum.add(
            isDryRun
              ? try ledger.rehearseRepairInCopy { item in printer.add(item) }
              : try ledger.repairAll { item in printer.add(item) })
          listing = printer.listing
          doubts += printer.doubts
          if let failure = printer.failure { throw failure }
        }
      }
    }
    note(sum, doubts, isDryRun: isDryRun, output)
    return sum.unknown + sum.refused == 0 ? .success : .problemsFound
  }

  /// A receiver of the items while a table is repaired.
  private final class Printer {
    private let table: String
    private(set) var listing: Listing
    private(set) var doubts: [String] = []
    private(set) var failure: (any Error)?

    init(_ listing: Listing, table: String) {
      (self.listing, self.table) = (listing, table)
    }

    func add(_ item: RepairReport.Item) {
      guard item.isChange else {
        if doubts.count < FilesRepair.listedLimit, let problem = item.problem {
          doubts.append("\(item.id): \(problem)")
        }
        return
      }
      // The repair ends well even where its output is no longer read.
      guard failure == nil else { return }
      do {
        try listing.write(OutputRecord(item, in: table))
      } catch {
        failure = error
      }
    }
  }

  private func note(
    _ sum: RepairReport, _ doubts: [String], isDryRun: Bool, _ output: Output
  ) {
    let doubts = doubts.prefix(Self.listedLimit)
    for doubt in doubts { output.note("Not judged: \(doubt).") }
    if sum.unknown > doubts.count { output.note("\(sum.unknown - doubts.count) more not judged.") }
    let parts = [
      (sum.rewritten, "rewritten"), (sum.repaired, "repaired"), (sum.restored, "restored"),
      (sum.cleared, "cleared"), (sum.refused, "refused"), (sum.unknown, "not judged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    output.note(
      "\(Count.of(sum.examined, "record")) examined: "
        + (parts.isEmpty ? "all are as they should be." : parts.joined(separator: ", ") + ".")
        + (isDryRun ? " Nothing was changed." : ""))
  }
}

extension RepairReport {
  fileprivate mutating func add(_ other: RepairReport) {
    examined += other.examined
    rewritten += other.rewritten
    repaired += other.repaired
    restored += other.restored
    cleared += other.cleared
    unknown += other.unknown
    refused += other.refused
  }
}

extension RepairReport.Item {
  /// Whether the record was changed, or should have been.
  fileprivate var isChange: Bool { action != .none || problem != nil && answer == .present }

  fileprivate var actionName: String {
    switch action {
    case .none: "refused"
    case .rewritten: "rewritten"
    case .repaired: "repaired"
    case .restored: "restored"
    case .cleared: "cleared"
    }
  }

  fileprivate var stepName: String? {
    switch action {
    case .repaired(.expectedPath): "expected_path"
    case .repaired(.otherRoot): "other_root"
    case .repaired(.identity): "identity"
    case .none, .rewritten, .restored, .cleared: nil
    }
  }
}

extension OutputRecord {
  fileprivate init(_ item: RepairReport.Item, in table: String) {
    self = [
      "table": .text(table),
      "id": Cell(item.id),
      "answer": .text(item.answer.rawValue),
      "action": .text(item.actionName),
      "from": .text(item.from),
      "to": Cell(item.to),
      "location": Cell(item.location),
      "found_by": Cell(item.stepName),
      "problem": Cell(item.problem),
    ]
  }
}
