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
      parameters: [path, store, edition], example: "fair")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let url = arguments[path]
    guard Self.isContainer(url) else {
      return try await PackInput.use(at: url, output) { input in
        try print(
          [Finding(PackVerification(of: input.folder), input.manifest.generationName)], output)
      }
    }
    let installed = try StoreContent(
      of: PackParameters.packStore(at: url, named: arguments[store], arguments[edition]))
    return try print(installed.packs.flatMap(Self.findings), output)
  }

  /// What was found in one pack or generation.
  private struct Finding {
    var pack: String
    var generation: String?
    var fileCount: Int?
    var problems: [String]

    init(_ verification: PackVerification, _ generation: String) {
      pack = verification.manifest.name.description
      self.generation = generation
      fileCount = verification.manifest.files.count
      problems = verification.problems
    }

    init(_ error: PackError, in pack: PackName) {
      self.pack = pack.description
      problems = [error.message]
    }
  }

  private static func findings(_ pack: StoreContent.Pack) throws -> [Finding] {
    var findings: [Finding] = []
    do {
      // Without a readable manifest, a generation is not among the installed ones.
      _ = try pack.store.current(pack.name)
    } catch let error as PackError {
      findings.append(Finding(error, in: pack.name))
    }
    for generation in try pack.store.installedGenerations(of: pack.name) {
      findings.append(Finding(try PackVerification(of: generation.url), generation.name))
    }
    return findings
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

  private func print(_ findings: [Finding], _ output: Output) throws -> ExitCode {
    for (number, finding) in findings.enumerated() {
      if number > 0 { try output.line("") }
      try output.record([
        "pack": .text(finding.pack),
        "generation": Cell(finding.generation),
        "files": Cell(finding.fileCount),
        "ok": .bool(finding.problems.isEmpty),
        "problems": .list(finding.problems.map(Cell.text)),
      ])
    }
    if findings.isEmpty { output.note("No packs found.") }
    return findings.allSatisfy(\.problems.isEmpty) ? .success : .problemsFound
  }
}
