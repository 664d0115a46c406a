import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// `holdfast pack build SOURCE OUT --version V`.
struct PackBuild: Verb {
  private let source = Argument(
    "SOURCE", "The folder with the pack's files, and pack-source.json if there is one.", .path)
  private let out = Argument("OUT", "The folder of the pack, which is created.", .path)
  private let name = Option(
    "--name", "NAME", "The pack's name; otherwise that of pack-source.json or OUT.", .packName)
  private let version = Option(
    "--version", "V", "The pack's version; otherwise that of pack-source.json.", .packVersion)
  private let edition = Option(
    "--edition", "E", "The pack's edition; otherwise that of pack-source.json.", .packEdition)
  private let replace = Flag("--replace", "Replaces another pack at OUT.")

  var declaration: Declaration {
    Declaration(
      "build", "Builds a pack from a folder, unless a file would not work in an app.", source, out,
      name, version, edition, replace,
      example: "Samples/lantern-fair/1.0 fair --version 1.0")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let source = arguments[self.source]
    guard FileManager.default.fileExists(atPath: source.path) else {
      throw ToolError.noPackSource(source.relativePath)
    }
    guard source.isFolder else { throw ToolError.packSourceIsFile(source.relativePath) }
    var description = try PackDescription(of: source)
    description.name = arguments[name] ?? description.name
    description.version = arguments[version] ?? description.version
    description.edition = arguments[edition] ?? description.edition
    var builder = PackBuilder(description, packCheck: PackBuilder.mapPackCheck)
    builder.replacesPack = arguments[replace]
    let report = try builder.build(filesIn: source, to: arguments[out])
    try output.record(OutputRecord(report, at: arguments[out]))
    for warning in report.warnings { output.note(warning) }
    return .success
  }
}

extension OutputRecord {
  fileprivate init(_ report: PackBuilder.Report, at url: URL) {
    let manifest = report.manifest
    self = [
      "output": .text(url.relativePath),
      "name": .text(manifest.name.description),
      "version": .text(manifest.version.description),
      "edition": Cell(manifest.edition?.description),
      "generation": .text(manifest.generationName),
      "files": Cell(manifest.files.count),
      "bytes": Cell(manifest.byteCount),
      "kinds": .list(
        manifest.files.map { .text("\($0.path): \($0.kind.rawValue)") }),
      "changed": .bool(!report.isUnchanged),
      "ignored": .list(report.ignored.map(Cell.text)),
      "warnings": .list(report.warnings.map(Cell.text)),
    ]
  }
}
