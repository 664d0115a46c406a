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

  /// Opens the app's container, or a given folder in its place.
  init(container: Container) throws {
    var configuration = PackStore.Configuration()
    configuration.container = container
    store = PackStore(try PackName("festival"), configuration: configuration)
    fair = try PackName("lantern-fair")
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
    try await showMap()
    try await showProgram()
  }

  /// Shows the map of the installed generation, which stays while this process has it open.
  ///
  /// A map that could not be installed is not shown: MapLibre keeps the path that it is given, and a
  /// path in the bundle is another one after the app's next update.
  private func showMap() async throws {
    guard let styles = try store.mapStyles(of: fair, assets: .bundle) else {
      print("The map is not installed, so MapLibre is not given the one in the bundle.")
      return
    }
    let tileset = try await Tileset(following: store.source("map.mbtiles", of: fair))
    let tile = try await tileset.tile(at: TileCoordinate(z: 14, x: 16065, y: 10257))
    print("The map's tile has \(tile?.data.count ?? 0) bytes.")
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
