import Foundation
import HoldfastFiles
import HoldfastPacks

/// The check of a pack's tilesets and styles together.
struct MapPackExamination {
  /// Sentences about what may be wrong.
  private(set) var warnings: [String] = []

  private let folder: URL
  private var styles: [(path: PackPath, style: MapStyle)] = []
  private var findings: [[StyleFindings]] = []

  /// Examines the files of a pack.
  ///
  /// - Throws: ``/HoldfastPacks/PackError`` with `.unsuitable` for a file that an app could not use.
  init(_ folder: URL, _ files: [PackFile]) throws {
    self.folder = folder
    for file in files where file.kind == .style {
      do {
        styles.append((file.path, try MapStyle(template: Data(contentsOf: url(of: file)))))
      } catch {
        throw PackError.refusedByCheck(file.path, error)
      }
    }
    findings = styles.map { _ in [] }
    let tilesets = files.filter { $0.kind.isTileset }
    for file in tilesets { try examine(file, among: tilesets) }
    let names = try tilesets.map { try FilePath(of: url(of: $0)) }
    for (index, (path, style)) in styles.enumerated() {
      let references = StyleReferences(of: style, tilesets: names)
      let needs = StyleNeeds(of: style, in: try FilePath(of: folder), findings[index])
      let refusals = references.refusals + needs.refusals
      guard refusals.isEmpty else {
        throw PackError.refusedByCheck(path, MapError.unusableStyle(refusals))
      }
      warnings += (references.warnings + needs.warnings).map { "'\(path)': \($0)" }
    }
  }

  private func url(of file: PackFile) -> URL {
    file.path.names.reduce(folder) { $0.appending(path: $1, directoryHint: .notDirectory) }
  }

  private mutating func examine(_ file: PackFile, among tilesets: [PackFile]) throws {
    let url = url(of: file)
    let report: TilesetReport
    do {
      let all = styles.map(\.style)
      report =
        file.kind == .pmtiles
        ? try PMTilesArchive(at: url).check(for: all) : try Tileset(at: url).check(for: all)
      if let problem = report.problems.first(where: { $0.severity == .error }) {
        throw MapError.unusableTileset(url.lastPathComponent, problem)
      }
    } catch {
      throw PackError.refusedByCheck(file.path, error)
    }
    warnings += report.sentences(.warning).map { "'\(file.path)': \($0)" }
    // Which of several tilesets a placeholder means is decided by the app.
    let isOnly = tilesets.count { $0.kind == file.kind } == 1
    for (index, finding) in report.styles.enumerated() {
      findings[index].append(
        isOnly ? finding : StyleFindings(problems: [], needs: finding.needs))
    }
  }
}
