import Foundation
import HoldfastFiles
import HoldfastPacks

// How packs are printed.

extension OutputRecord {
  /// A file of a pack.
  init(_ file: PackFile) {
    self = [
      "path": .text(file.path.description),
      "kind": .text(file.kind.rawValue),
      "storage": .text(file.storage.rawValue),
      "bytes": Cell(file.content.byteCount),
      "application_id": Cell(file.schema.map { Int($0.applicationID) }),
      "user_version": Cell(file.schema.map { Int($0.userVersion) }),
      "page_size": Cell(file.pageSize),
      "page_count": Cell(file.pageCount),
      "sha256": .text(file.content.sha256.description),
    ]
  }

  /// Creates the record of an installation or a switch.
  init(_ report: InstallReport) {
    let generation = report.generation
    self = [
      "pack": .text(report.pack.description),
      "action": .text(report.action.name),
      "from": Cell(report.action.previous),
      "generation": Cell(generation?.name),
      "version": Cell(generation?.manifest.version.description),
      "reason": .text(report.reason),
      "older_seeds": .list(report.olderSeeds.map(Cell.text)),
      "kept_files": .list(report.keptFiles.map { .text($0.name) }),
      "removed": .list((report.cleaning?.removed ?? []).map(Cell.text)),
      "kept": .list((report.cleaning?.kept ?? []).map { .text($0.name) }),
      "problems": .list(report.problems.map(Cell.text)),
    ]
  }
}

extension Output {
  /// Prints what an installation or a switch did.
  ///
  /// - Returns: The exit code, which says whether all was done.
  func report(_ report: InstallReport) throws -> ExitCode {
    try record(OutputRecord(report))
    return report.problems.isEmpty ? .success : .problemsFound
  }
}

extension InstallReport {
  /// Sentences about the steps that failed although the generation is current.
  fileprivate var problems: [String] {
    var problems = exclusions.compactMap(\.problem)
    if let unfinished { problems.append(ErrorReport(unfinished).error.message) }
    if let cleaning {
      problems += [cleaning.problem].compactMap { $0 }
      problems += cleaning.kept.compactMap { kept in
        guard case .failed(let reason) = kept.reason else { return nil }
        return "'\(kept.name)' was kept: \(reason)"
      }
    }
    return problems
  }
}

extension InstallReport.Action {
  /// The name for programs.
  var name: String {
    switch self {
    case .installed: "installed"
    case .upgraded: "upgraded"
    case .downgraded: "downgraded"
    case .repaired: "repaired"
    case .switched: "switched"
    case .kept: "kept"
    case .refused: "refused"
    case .failed: "failed"
    }
  }

  /// The generation whose place another one took.
  var previous: String? {
    switch self {
    case .upgraded(let old), .downgraded(let old), .repaired(let old), .switched(let old): old
    case .installed, .kept, .refused, .failed: nil
    }
  }
}

extension PackVerification {
  /// Sentences that describe the flaws.
  var problems: [String] {
    flaws.map(\.description)
      + unread.sorted { $0.key < $1.key }.map(\.value.message)
      + surplus.map { "'\($0)' is not in the manifest." }
  }
}

extension CleaningReport.Reason {
  /// The reason in a few words.
  var words: String {
    switch self {
    case .current: "it is the current generation"
    case .previous: "a rollback returns to it"
    case .leased(let role, let process): "process \(process) uses it as '\(role)'"
    case .unknownLease(let role, let process):
      "process \(process) used it as '\(role)', and may still do"
    case .openHere: "this process has it open"
    case .foreign: "it is not the store's"
    case .seeded: "it is the user's own data"
    case .policy: "the rules of the store keep it"
    case .failed(let reason): reason
    }
  }
}
