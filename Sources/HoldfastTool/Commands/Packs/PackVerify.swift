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
          [
            Finding(
              PackVerification(of: input.folder), input.manifest.generationName,
              input.manifest.edition)
          ], output)
      }
    }
    let installed = try StoreContent(
      of: PackParameters.packStore(at: url, named: arguments[store], arguments[edition]))
    // Without a pack nothing was compared, and the name of the store may be wrong.
    guard !installed.packs.isEmpty else {
      throw ToolError.noPacks(in: url.relativePath, arguments[store])
    }
    return try print(installed.packs.flatMap(Self.findings), output)
  }

  /// The result for one pack or generation.
  private struct Finding {
    var pack: String
    var edition: String?
    var generation: String?
    var fileCount: Int?
    var problems: [String]

    init(_ verification: PackVerification, _ generation: String, _ edition: PackEdition?) {
      pack = verification.manifest.name.description
      self.edition = edition?.description
      self.generation = generation
      fileCount = verification.manifest.files.count
      problems = verification.problems
    }

    init(_ error: PackError, _ generation: String? = nil, in pack: StoreContent.Pack) {
      self.pack = pack.name.description
      edition = pack.edition?.description
      self.generation = generation
      problems = [error.message]
    }
  }

  private static func findings(_ pack: StoreContent.Pack) throws -> [Finding] {
    let generations = try pack.folder.entries().filter { $0.entry == .generation }.map(\.name)
    var findings: [Finding] = []
    do {
      _ = try pack.store.current(pack.name)
    } catch let error as PackError {
      // A generation that is there is reported under its own name.
      let isThere = generations.contains { pack.folder.generation($0).text == error.path }
      if !isThere { findings.append(Finding(error, in: pack)) }
    }
    for name in generations {
      do {
        let folder = pack.folder.generation(name).url
        findings.append(Finding(try PackVerification(of: folder), name, pack.edition))
      } catch let error as PackError {
        findings.append(Finding(error, name, in: pack))
      }
    }
    return findings
  }

  /// Whether a path leads to a folder without a manifest.
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
        "edition": Cell(finding.edition),
        "generation": Cell(finding.generation),
        "files": Cell(finding.fileCount),
        "ok": .bool(finding.problems.isEmpty),
        "problems": .list(finding.problems.map(Cell.text)),
      ])
    }
    return findings.allSatisfy(\.problems.isEmpty) ? .success : .problemsFound
  }
}
