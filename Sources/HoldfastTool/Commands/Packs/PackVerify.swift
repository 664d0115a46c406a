import Foundation
import HoldfastFiles
import HoldfastPacks

/// `holdfast pack verify PACK|CONTAINER`.
struct PackVerify: Verb {
  private let path = Argument(
    "PATH", "A pack's folder or ZIP archive, or a container with installed packs.", .path)
  private let store = PackParameters().store
  private let edition = PackParameters().edition

  var declaration: Declaration {
    Declaration(
      "verify", "Compares the files of a pack, or of all installed ones, with their manifests.",
      parameters: [path, store, edition], example: "merrow")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let url = arguments[path]
    guard Self.isContainer(url) else {
      return try await PackInput.use(at: url, output) { input in
        let verification = try PackVerification(of: input.folder)
        return try print([(input.manifest.generationName, verification)], output)
      }
    }
    let installed = try StoreContent(
      of: PackParameters.packStore(at: url, named: arguments[store], arguments[edition]))
    var found: [(String, PackVerification)] = []
    for pack in installed.packs {
      for generation in try pack.store.installedGenerations(of: pack.name) {
        found.append((generation.name, try PackVerification(of: generation.url)))
      }
    }
    return try print(found, output)
  }

  /// Whether a path is that of a folder without a manifest.
  private static func isContainer(_ url: URL) -> Bool {
    do {
      let folder = try FilePath(of: url)
      guard try SystemCalls.status(of: folder.text).kind == .directory else { return false }
      let manifest = folder.appending([PackManifest.fileName])
      return try manifest.byteCount() == nil
    } catch _ {
      // Reading it as a pack reports why it cannot be read.
      return false
    }
  }

  private func print(
    _ found: [(generation: String, PackVerification)], _ output: Output
  ) throws -> ExitCode {
    var isWhole = true
    for (number, (generation, verification)) in found.enumerated() {
      let problems = verification.problems
      if !problems.isEmpty { isWhole = false }
      if number > 0 { try output.line("") }
      try output.record([
        "pack": .text(verification.manifest.name.description),
        "generation": .text(generation),
        "files": Cell(verification.manifest.files.count),
        "ok": .bool(problems.isEmpty),
        "problems": .list(problems.map(Cell.text)),
      ])
    }
    if found.isEmpty { output.note("No packs found.") }
    return isWhole ? .success : .problemsFound
  }
}
