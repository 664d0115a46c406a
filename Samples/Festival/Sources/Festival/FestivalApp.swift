import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// An app that shows the map of the Lantern Fair, without a window: it prints what it would show.
///
///     swift run --package-path Samples/Festival Festival [CONTAINER]
@main struct FestivalApp {
  private let store: PackStore
  private let fair: PackName
  private let container: Container

  /// Opens the app's container, or a given folder in its place.
  init(container: Container) throws {
    var configuration = PackStore.Configuration()
    configuration.container = container
    store = PackStore(try PackName("festival"), configuration: configuration)
    fair = try PackName("lantern-fair")
    self.container = container
  }

  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) }
    try await FestivalApp(container: folder.map { Container(at: $0) } ?? .current).launch()
  }

  /// Installs what the app is shipped with, and shows the map and the program.
  func launch() async throws {
    guard let shipped = Bundle.module.url(forResource: "lantern-fair", withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile)
    }
    let report = try await store.install(fair, from: .bundle(shipped))
    print(report.reason)
    try await showMap(of: report)
    try await showProgram()
  }

  private func showMap(of report: InstallReport) async throws {
    guard let map = report.url(ofFileAt: "map.mbtiles"),
      let light = report.url(ofFileAt: "style-light.json"),
      let dark = report.url(ofFileAt: "style-dark.json")
    else { throw CocoaError(.fileNoSuchFile) }
    let tileset = try Tileset(at: map)
    let tile = try await tileset.tile(at: TileCoordinate(z: 14, x: 16065, y: 10257))
    print("The map's tile has \(tile?.data.count ?? 0) bytes.")
    let folder = try container.url(for: RelocatablePath(.applicationSupport, "styles"))
    let styles = MapStyles(
      templates: [.light: light, .dark: dark], tileset: map, assets: .bundle, folder: folder)
    for appearance in MapAppearance.allCases {
      let style = try await styles.prepare(appearance)
      print("MapLibre shows \(style.url.lastPathComponent).")
    }
  }

  /// Shows the events, which come with the pack, and the favorites, which are the user's.
  private func showProgram() async throws {
    let program = try await store.openSeeded("program.sqlite", of: fair) { db, _ in
      try db.execute(sql: "DELETE FROM event; INSERT INTO event SELECT * FROM seed.event")
    }
    let titles = try await program.pool.write { db in
      try db.execute(sql: "INSERT OR IGNORE INTO favorite (event) VALUES (2)")
      return try String.fetchAll(
        db, sql: "SELECT title FROM event JOIN favorite ON favorite.event = event.id")
    }
    print("Your favorites: \(titles.joined(separator: ", ")).")
    try program.pool.close()
  }
}
