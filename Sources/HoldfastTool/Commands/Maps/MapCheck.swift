import Foundation
import Holdfast
import HoldfastMaps

/// `holdfast map check FILE [--style STYLE]`.
struct MapCheck: Verb {
  private let file = Argument("FILE", "A tileset (MBTiles or PMTiles).", .path)
  private let style = Option(
    "--style", "STYLE", "Compares the layers that this style draws with those of the tiles.", .path)

  var declaration: Declaration {
    Declaration(
      "check", "Reads a whole tileset, and lists what would keep a map from showing it.", file,
      style,
      example: "fair.mbtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let style = try arguments[style].map { try MapStyle(template: $0.styleTemplate()) }
    do {
      let tileset = try TileSources.open(readingFileAt: arguments[file])
      defer { tileset.closeIgnoringErrors() }
      let report = try await tileset.check(for: style)
      let form = style.map(StyleForm.init(of:))
      let formats = try style?.otherFormats(forTilesetAt: arguments[file])
      let problems = report.sentences(.error) + (form?.faults ?? []) + (formats ?? [])
      try output.record(
        OutputRecord(
          of: arguments[file], tiles: report.tileCount, problems: problems,
          warnings: report.sentences(.warning) + (form?.remarks ?? [])))
      return problems.isEmpty ? .success : .problemsFound
    } catch let error as MapError
      where [.invalidTileset, .damaged, .notEvaluated].contains(error.code)
    {
      // Damage is a finding of the check, not a failure of the check.
      return try record(error.message, of: arguments[file], output)
    } catch let error as SharingError where error.code == .needsWriter {
      // So is a log that a renderer could not read either.
      return try record(error.message, of: arguments[file], output)
    }
  }

  private func record(_ problem: String, of url: URL, _ output: Output) throws -> ExitCode {
    try output.record(OutputRecord(of: url, tiles: nil, problems: [problem], warnings: []))
    return .problemsFound
  }
}

extension OutputRecord {
  fileprivate init(of url: URL, tiles: Int?, problems: [String], warnings: [String]) {
    self = [
      "file": .text(url.relativePath),
      "ok": .bool(problems.isEmpty),
      "tiles": Cell(tiles),
      "problems": .list(problems.map(Cell.text)),
      "warnings": .list(warnings.map(Cell.text)),
    ]
  }
}
