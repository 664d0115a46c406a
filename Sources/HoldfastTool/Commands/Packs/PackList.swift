import Foundation
import HoldfastFiles
import HoldfastPacks

/// `holdfast pack list CONTAINER`.
struct PackList: Verb {
  private let parameters = PackParameters()

  var declaration: Declaration {
    Declaration(
      "list", "Lists the generations of the packs in a container.", parameters: parameters.all,
      example: "Festival.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let content = try StoreContent(of: parameters.packStore(arguments))
    let keys: Set = ["pack", "edition", "generation", "state", "origin", "files", "bytes"]
    try output.records(of: "packs", as: TextTable.Layout(keys: keys, identifiers: ["generation"])) {
      listing in
      for pack in content.packs {
        let standing = Standing(pack)
        for generation in try pack.store.installedGenerations(of: pack.name) {
          try listing.write(OutputRecord(generation, pack, standing))
        }
        if let problem = standing.problem { output.note("The pack '\(pack.name)': \(problem)") }
      }
    }
    return .success
  }

  /// Which generations of a pack are the current one and the previous one.
  fileprivate struct Standing {
    var current: String?
    var previous: String?
    var problem: String?

    init(_ pack: StoreContent.Pack) {
      do {
        current = try pack.store.current(pack.name)?.name
        previous = try pack.store.previous(pack.name)?.name
      } catch let error as PackError {
        problem = error.message
      } catch {
        problem = "\(error)"
      }
    }

    func state(of generation: Generation) -> String? {
      if generation.name == current { return "current" }
      return generation.name == previous ? "previous" : nil
    }
  }
}

extension OutputRecord {
  fileprivate init(
    _ generation: Generation, _ pack: StoreContent.Pack, _ standing: PackList.Standing
  ) {
    self = [
      "pack": .text(pack.name.description),
      "edition": Cell(pack.edition?.description),
      "generation": .text(generation.name),
      "version": .text(generation.manifest.version.description),
      "state": Cell(standing.state(of: generation)),
      "origin": .text(generation.origin.rawValue),
      "files": Cell(generation.manifest.files.count),
      "bytes": Cell(generation.manifest.byteCount),
    ]
  }
}
