import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// `holdfast files orphans CONTAINER [--under FOLDER]`.
struct FilesOrphans: Verb {
  private let parameters = LedgerParameters()
  private let under = Option(
    "--under", "FOLDER",
    "The folder to search, such as @documents/downloads; by default the outermost folders that "
      + "contain recorded files.", .relocatablePath)

  var declaration: Declaration {
    Declaration(
      "orphans",
      "Lists the files that no record has, in the folders of recorded files; deletes nothing.",
      parameters: parameters.all + [under], example: "Audiobooks.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let input = try LedgerInput(arguments, parameters, .copy, output)
    let ledgers = input.ledgers + input.otherLedgers
    let folders: [RelocatablePath]
    let report: OrphanReport
    do {
      // The tables are adopted in the copy only.
      try await input.queue.write { db in
        for ledger in ledgers { try ledger.adopt(db) }
      }
      folders = try await Self.folders(arguments[under], input)
      report = try await FileLifecycle(input.ledgers[0])
        .orphans(under: folders, others: Array(ledgers.dropFirst()))
      try output.records(
        of: "orphans", as: TextTable.Layout(keys: ["file", "bytes"], identifiers: ["file"]),
        report.orphans.map { OutputRecord($0, in: input.folder) })
      try input.close()
    } catch {
      throw input.failed(error)
    }
    note(report, folders, output)
    return report.orphans.isEmpty ? .success : .problemsFound
  }

  private static func folders(
    _ given: RelocatablePath?, _ input: LedgerInput
  ) async throws -> [RelocatablePath] {
    if let given { return [given] }
    let ledgers = input.ledgers
    return try await input.queue.read { db in
      var folders: Set<RelocatablePath> = []
      for ledger in ledgers {
        let records = try ledger.records(db)
        while let record = try records.next() {
          guard let path = record.path, let folder = try path.outermostFolder() else { continue }
          folders.insert(folder)
        }
      }
      return folders.sorted {
        $0.description.utf8.lexicographicallyPrecedes($1.description.utf8)
      }
    }
  }

  private func note(_ report: OrphanReport, _ folders: [RelocatablePath], _ output: Output) {
    guard !folders.isEmpty else {
      return output.note("No record has a path that can be read, so no folder was searched.")
    }
    let skipped = Dictionary(grouping: report.skipped, by: \.reason)
      .map { "\($0.value.count) \($0.key.phrase)" }.sorted()
    if !skipped.isEmpty { output.note("Not judged: \(skipped.joined(separator: ", ")).") }
    // Sparse files may have more bytes together than a number.
    let bytes = report.orphans.reduce(Int64(0)) { sum, orphan in
      let (next, isTooLarge) = sum.addingReportingOverflow(orphan.byteCount)
      return isTooLarge ? .max : next
    }
    output.note(
      "\(Count.of(report.orphans.count, "orphan")), \(Count.of(Int(bytes), "byte")); searched: "
        + folders.map(\.description).joined(separator: ", ") + ".")
  }
}

extension RelocatablePath {
  /// The folder directly below the root that contains the file; the root for a file directly in it.
  fileprivate func outermostFolder() throws(FileError) -> RelocatablePath? {
    guard let first = components.first else { return nil }
    return try RelocatablePath(root, components: components.count == 1 ? [] : [first])
  }
}

extension OrphanReport.Skipped.Reason {
  fileprivate var phrase: String {
    switch self {
    case .database: "of databases"
    case .open: "open"
    case .linked: "that a symbolic link leads to"
    case .unnameable: "with a name that is not UTF-8"
    case .unfinished: "not complete"
    case .unreadable: "unreadable"
    case .unreadableRecord: "that a record with an unreadable path may name"
    }
  }
}

extension Reading<RelocatablePath> {
  /// The text form of a path in a container.
  static let relocatablePath = Reading(
    expected: "a folder such as @documents or @caches/downloads"
  ) { word in RelocatablePath(word) }
}

extension OutputRecord {
  fileprivate init(_ orphan: Orphan, in folder: FilePath) {
    // A file URL always has a path.
    let names = try? FilePath(of: orphan.url).names(below: folder)
    self = [
      "path": .text(orphan.path.description),
      "file": Cell(names?.joined(separator: "/")),
      "bytes": Cell(orphan.byteCount),
      "item_folder": Cell(orphan.itemFolder),
    ]
  }
}
