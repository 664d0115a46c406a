import HoldfastFiles
import HoldfastMaps

extension ContainerExamination {
  /// Examines an archive of map tiles: what its header and its directories say, and every tile.
  mutating func examineTileArchive(_ path: FilePath, _ name: String) throws {
    do {
      let errors = try PMTilesArchive(at: path.url).check().problems.filter {
        $0.severity == .error
      }
      guard !errors.isEmpty else { return }
      findings.add(.damagedTileset(name, problems: errors.map(\.message)))
    } catch let error as MapError {
      findings.add(.damagedTileset(name, problems: [error.message]))
    }
    try bar.console.checkInterruption()
  }
}
