import Foundation
import HoldfastPacks

/// `holdfast pack rollback CONTAINER PACK`.
struct PackRollback: Verb {
  private let parameters = PackParameters()
  private let pack = Argument("PACK", "The name of the pack.", .packName)

  var declaration: Declaration {
    Declaration(
      "rollback", "Makes the previous generation in a container current again.",
      parameters: [parameters.container, pack, parameters.store, parameters.edition],
      example: "Festival.xcappdata map")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let store = try parameters.packStore(arguments).asFound(for: arguments[pack])
    return try output.report(await store.rollback(arguments[pack]))
  }
}
