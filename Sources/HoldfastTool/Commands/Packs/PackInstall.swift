import Foundation
import HoldfastPacks

/// `holdfast pack install PACK CONTAINER`.
struct PackInstall: Verb {
  private let pack = Argument("PACK", "A pack: its folder, or a ZIP archive of it.", .path)
  private let parameters = PackParameters()
  private let allowDowngrade = Flag(
    "--allow-downgrade", "Installs a version that is lower than the current one.")
  private let asBundle = Flag(
    "--as-bundle", "Installs it as the app installs the pack of its bundle.")

  var declaration: Declaration {
    Declaration(
      "install", "Installs a pack in a container, as an app does, and makes it current.",
      parameters: [pack] + parameters.all + [allowDowngrade, asBundle],
      example: "fair Festival.xcappdata")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    var store = try parameters.packStore(arguments, creating: true)
    if arguments[allowDowngrade] {
      var configuration = store.configuration
      configuration.allowsDowngrades = true
      store = PackStore(store.name, configuration: configuration)
    }
    let isBundle = arguments[asBundle]
    return try await PackInput.use(at: arguments[pack], output) { [store] input in
      let source = isBundle ? PackSource.bundle(input.folder) : .folder(input.folder)
      let pack = input.manifest.name
      let report = try await store.asFound(for: pack, new: true).install(pack, from: source)
      // An app uses other files then; here the installation is all that was asked for.
      if let failure = report.failure { throw failure }
      return try output.report(report)
    }
  }
}
