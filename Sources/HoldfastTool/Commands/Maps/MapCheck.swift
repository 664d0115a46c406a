import Foundation
import Holdfast
import HoldfastMaps

/// `holdfast map check FILE`.
struct MapCheck: Verb {
  private let file = Argument("FILE", "A tileset (MBTiles).", .path)

  var declaration: Declaration {
    Declaration(
      "check", "Reads a whole tileset, and lists what would keep a map from showing it.", file,
      example: "fair.mbtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    do {
      let tileset = try Tileset(readingFileAt: arguments[file])
      defer { tileset.reader.closeIgnoringErrors() }
      let report = try await tileset.check()
      try output.record(OutputRecord(report, of: arguments[file]))
      return report.isUsable ? .success : .problemsFound
    } catch let error as MapError where [.invalidTileset, .damaged].contains(error.code) {
      // Damage is a finding of the check, not a failure of the check.
      try output.record(
        OutputRecord(
          of: arguments[file], tiles: nil, problems: [.text(error.message)], warnings: []))
      return .problemsFound
    }
  }
}

extension OutputRecord {
  fileprivate init(_ report: TilesetReport, of url: URL) {
    func sentences(_ severity: TilesetProblem.Severity) -> [Cell] {
      report.problems.filter { $0.severity == severity }.map { problem in
        .text(problem.message + (problem.count > 1 ? " (\(problem.count) times)" : ""))
      }
    }
    self.init(
      of: url, tiles: report.tileCount, problems: sentences(.error), warnings: sentences(.warning))
  }

  fileprivate init(of url: URL, tiles: Int?, problems: [Cell], warnings: [Cell]) {
    self = [
      "file": .text(url.relativePath),
      "ok": .bool(problems.isEmpty),
      "tiles": Cell(tiles),
      "problems": .list(problems),
      "warnings": .list(warnings),
    ]
  }
}
