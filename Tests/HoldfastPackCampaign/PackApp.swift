import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks

/// An app with a store of packs, in a folder; two objects are two launches.
struct PackApp {
  let folder: URL
  let store: PackStore
  let pack: PackName

  /// Starts the app.
  ///
  /// - Parameter folder: A folder with the app's container `home`. The packs are next to it, in
  ///   `packs`.
  /// - Throws: Nothing but errors of constant names.
  init(at folder: URL) throws {
    self.folder = folder
    pack = try FairPack.packName
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: folder.appending(path: "home"))
    store = PackStore(try PackName("fair"), configuration: configuration)
  }

  /// The folder of a version from which it is installed.
  func source(_ version: String) -> URL {
    folder.deletingLastPathComponent().appending(path: "packs/\(version)")
  }

  func install(_ version: String) async throws -> InstallReport {
    try await store.install(pack, from: .folder(source(version)))
  }

  /// The user's program of the year before, which an app may have had without packs.
  var previousProgram: URL { folder.appending(path: "home/Documents/program.sqlite") }

  /// Opens the program, into which the user writes: the favorites of the year before are carried
  /// over at the first start, and later the program of the current generation is merged.
  func openProgram() async throws -> DatabasePool {
    let carryOver = SeedCarryOver(from: previousProgram) { db in
      try db.execute(sql: "INSERT INTO favorite SELECT * FROM previous.favorite")
    }
    return try await store.openSeeded(FairPack.program, of: pack, carryingOver: carryOver) {
      db, _ in
      // The events are the seed's, the favorites the user's.
      try db.execute(sql: "DELETE FROM event; INSERT INTO event SELECT * FROM seed.event")
    }.pool
  }

  /// The names in the folder of the pack.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: store.url(of: pack).path).sorted()
    }
  }
}
