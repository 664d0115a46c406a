import Foundation
import HoldfastPacks

/// `holdfast pack switch CONTAINER PACK GENERATION`.
struct PackSwitch: Verb {
  private let parameters = PackParameters()
  private let pack = Argument("PACK", "The name of the pack.", .packName)
  private let generation = Argument(
    "GENERATION", "A generation that 'pack list' shows, or its version.", .text)

  var declaration: Declaration {
    Declaration(
      "switch", "Makes another generation in a container current.",
      parameters: [parameters.container, pack, generation, parameters.store, parameters.edition],
      example: "Festival.xcappdata map 1.0")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let store = try parameters.packStore(arguments).asFound(for: arguments[pack])
    let name = try name(arguments[generation], in: store, of: arguments[pack])
    return try output.report(await store.switchTo(name, of: arguments[pack]))
  }

  /// Returns the name of a generation; the version alone is enough where only one has it.
  private func name(_ word: String, in store: PackStore, of pack: PackName) throws -> String {
    // A word that is no version is a name, which the store looks for.
    guard let version = try? PackVersion(word) else { return word }
    let names = try store.installedGenerations(of: pack).filter {
      $0.manifest.version == version
    }.map(\.name)
    guard names.count < 2 else { throw ToolError.severalGenerations(word, names) }
    return names.first ?? word
  }
}
