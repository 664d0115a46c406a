import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files status CONTAINER`.
struct FilesStatus: Verb {
  private let parameters = LedgerParameters()

  var declaration: Declaration {
    Declaration(
      "status", "Lists the recorded files and whether each is there; changes nothing.",
      parameters: parameters.all, example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    var counts = Counts()
    try LedgerInput.use(arguments, parameters, .copy, output) { input in
      let keys: Set = ["id", "answer", "path"]
      let layout = input.layout(keys)
      try output.records(of: "records", as: layout) { listing in
        for ledger in input.ledgers {
          try input.queue.read { db in
            let records = try ledger.records(db)
            while let record = try records.next() {
              let answer = ledger.presence(of: record)
              counts.add(record, answer)
              try listing.write(OutputRecord(record, answer, in: ledger.table.name))
            }
          }
        }
      }
    }
    for line in counts.summary { output.note(line) }
    return counts.hasProblems ? .problemsFound : .success
  }

  private struct Counts {
    var total = 0
    var answers: [Presence: Int] = [:]
    var clearedCount = 0
    var absoluteCount = 0
    /// The number of records whose file is absent although they say that it is there.
    var missingCount = 0

    mutating func add(_ record: LedgerRecord, _ answer: Presence) {
      total += 1
      answers[answer, default: 0] += 1
      guard record.state == .recorded else {
        clearedCount += 1
        return
      }
      if answer == .absent { missingCount += 1 }
      if record.hasAbsolutePath { absoluteCount += 1 }
    }

    var hasProblems: Bool { missingCount + absoluteCount > 0 }

    var summary: [String] {
      guard total > 0 else { return [] }
      let parts = [Presence.present, .absent, .unknown].compactMap { answer in
        answers[answer].map { "\($0) \(answer)" }
      }
      var lines = [
        "\(Count.of(total, "record")): \(parts.joined(separator: ", "))"
          + (clearedCount == 0 ? "." : "; \(clearedCount) not recorded as downloaded.")
      ]
      if absoluteCount > 0 {
        lines.append(
          "\(Count.of(absoluteCount, "stored path")) \(absoluteCount == 1 ? "is" : "are") absolute; "
            + "'holdfast files repair' makes \(absoluteCount == 1 ? "it" : "them") relative.")
      }
      return lines
    }
  }
}

extension LedgerRecord {
  /// Whether the stored text is absolute, so that the app's own code finds no file after a move.
  var hasAbsolutePath: Bool { path != nil && PathDialect.isAbsolute(storedText) }

  /// The name of the state, as it is printed.
  var stateName: String {
    switch state {
    case .recorded: "recorded"
    case .cleared: "cleared"
    case .withdrawn: "withdrawn"
    }
  }
}

extension OutputRecord {
  fileprivate init(_ record: LedgerRecord, _ answer: Presence, in table: String) {
    self = [
      "table": .text(table),
      "id": Cell(record.id),
      "answer": .text(answer.rawValue),
      "path": Cell(record.path?.description),
      "state": .text(record.stateName),
      "stored": .text(record.storedText),
    ]
  }
}

extension Cell {
  /// Creates a cell from an identifier: its value, or the list of its values.
  init(_ id: RecordID) {
    self = id.values.count == 1 ? Cell(id.values[0]) : .list(id.values.map(Cell.init))
  }
}
