import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files verify CONTAINER`.
struct FilesVerify: Verb {
  private let parameters = LedgerParameters()

  var declaration: Declaration {
    Declaration(
      "verify", "Compares the recorded files with their recorded lengths and digests.",
      parameters: parameters.all, example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    var counts = Counts()
    try LedgerInput.use(arguments, parameters, .copy, output) { input in
      let keys: Set = ["id", "answer", "matches", "bytes", "actual_bytes", "path", "problem"]
      let layout = input.layout(keys)
      let bar = ProgressBar(console: output.console, isShown: output.format == .table)
      defer { output.console.endBar() }
      try output.records(of: "records", as: layout) { listing in
        for ledger in input.ledgers {
          try input.queue.read { db in
            let table = ledger.table.name.quotedDatabaseIdentifier
            let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(table)") ?? 0
            var number = 0
            let records = try ledger.records(db)
            while let record = try records.next() {
              number += 1
              try bar.show(Double(number) / Double(total), "Verifying \(record.id)")
              guard record.state == .recorded else { continue }
              let comparison = Comparison(record, ledger)
              counts.add(comparison)
              try listing.write(OutputRecord(record, comparison, in: ledger.table.name))
            }
          }
        }
      }
    }
    if counts.total > 0 { output.note(counts.summary) }
    return counts.hasProblems ? .problemsFound : .success
  }

  /// A file, compared with its record.
  fileprivate struct Comparison {
    var answer: Presence
    /// `nil` when the record has no digest, or the file was not read.
    var matches: Bool?
    var byteCount: Int64?
    var digest: FileDigest?
    var problem: String?

    init(_ record: LedgerRecord, _ ledger: FileLedger) {
      answer = ledger.presence(of: record)
      guard answer == .present, let path = record.path else { return }
      do throws(FileError) {
        let url = try ledger.container.url(for: path)
        byteCount = try FilePath(of: url).byteCount()
        guard let known = record.digest else { return }
        guard byteCount == known.byteCount else {
          matches = false
          return
        }
        // The file may be read: no database is open but a private copy.
        let found = try FileDigest(of: url)
        digest = found
        matches = found == known
      } catch {
        problem = error.message
      }
    }
  }

  private struct Counts {
    var total = 0
    var equal = 0
    var different = 0
    var absent = 0
    var unknown = 0
    var withoutDigest = 0

    mutating func add(_ comparison: Comparison) {
      total += 1
      switch (comparison.answer, comparison.matches) {
      case (.absent, _): absent += 1
      case (_, true?): equal += 1
      case (_, false?): different += 1
      case (.present, nil) where comparison.problem == nil: withoutDigest += 1
      case (.present, nil), (.unknown, nil): unknown += 1
      }
    }

    var hasProblems: Bool { different + absent > 0 }

    var summary: String {
      let parts = [
        (equal, "equal"), (different, "different"), (absent, "absent"),
        (unknown, "not compared"), (withoutDigest, "without a recorded digest"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return "\(Count.of(total, "file")): \(parts.joined(separator: ", "))."
    }
  }
}

extension OutputRecord {
  fileprivate init(
    _ record: LedgerRecord, _ comparison: FilesVerify.Comparison, in table: String
  ) {
    self = [
      "table": .text(table),
      "id": Cell(record.id),
      "answer": .text(comparison.answer.rawValue),
      "matches": comparison.matches.map(Cell.bool) ?? .null,
      "bytes": Cell(record.digest?.byteCount),
      "actual_bytes": Cell(comparison.byteCount),
      "sha256": Cell(record.digest?.sha256.description),
      "actual_sha256": Cell(comparison.digest?.sha256.description),
      "path": Cell(record.path?.description),
      "problem": Cell(comparison.problem),
    ]
  }
}
