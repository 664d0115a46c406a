import Foundation
import HoldfastFiles
import HoldfastPacks

/// `holdfast pack inspect PACK`.
struct PackInspect: Verb {
  private let pack = Argument("PACK", "A pack: its folder, or a ZIP archive of it.", .path)

  var declaration: Declaration {
    Declaration(
      "inspect", "Shows what a pack contains, as its manifest says.", pack, example: "fair")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let manifest = try PackInput.manifest(at: arguments[pack])
    var record: OutputRecord = [
      "name": .text(manifest.name.description),
      "version": .text(manifest.version.description),
      "edition": Cell(manifest.edition?.description),
      "generation": .text(manifest.generationName),
      "bytes": Cell(manifest.byteCount),
      "digest": .text(manifest.digest.description),
    ]
    if output.format == .json {
      record.fields.append(
        OutputRecord.Field(
          key: "files", cell: .list(manifest.files.map { .record(OutputRecord($0)) })))
      try output.record(record)
    } else {
      try output.record(record)
      try output.line("")
      try output.records(
        of: "files",
        as: TextTable.Layout(keys: ["path", "kind", "storage", "bytes", "user_version"]),
        manifest.files.map { OutputRecord($0) })
    }
    return .success
  }
}
