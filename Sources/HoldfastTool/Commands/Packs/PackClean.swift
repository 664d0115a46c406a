import Foundation
import HoldfastPacks

/// `holdfast pack clean CONTAINER`.
struct PackClean: Verb {
  private let parameters = PackParameters()

  var declaration: Declaration {
    Declaration(
      "clean", "Removes what no pack in a container needs, and says what was kept and why.",
      parameters: parameters.all, example: "Festival.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let content = try StoreContent(of: parameters.packStore(arguments))
    var records: [OutputRecord] = []
    var problem: String?
    for pack in content.packs {
      let report = await pack.store.clean(pack.name)
      problem = problem ?? report.problem
      records += report.removed.map { OutputRecord(pack, $0, action: "removed", reason: nil) }
      records += report.kept.map {
        OutputRecord(pack, $0.name, action: "kept", reason: $0.reason.words)
      }
    }
    try output.records(
      of: "packs", as: TextTable.Layout(keys: ["pack", "name", "action", "reason"]), records)
    if let problem { throw ToolError.notCleaned(problem) }
    return .success
  }
}

extension OutputRecord {
  fileprivate init(_ pack: StoreContent.Pack, _ name: String, action: String, reason: String?) {
    self = [
      "pack": .text(pack.name.description),
      "edition": Cell(pack.edition?.description),
      "name": .text(name),
      "action": .text(action),
      "reason": Cell(reason),
    ]
  }
}
