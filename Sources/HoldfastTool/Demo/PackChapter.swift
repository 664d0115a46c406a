import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastSamples

/// The chapter in which an app is shipped with a map, which is upgraded, rolled back and moved.
struct PackChapter: DemoChapter {
  let title = "A map that the app is shipped with is upgraded while it is open"

  private static let map = "map.mbtiles"
  private static let program = "program.sqlite"
  private static let note = "bring a torch"

  func run(_ stage: DemoStage) async throws {
    let packs = try HoldfastSamples.LanternFair.allCases.map { try Self.build($0, on: stage) }
    try await upgrade(stage, packs)
    let names = try stage.moveContainer()
    let style = try await Fair(stage.app).style()
    try stage.prove(
      "the container moves, and the style for MapLibre names the new path of the map",
      style.contains(names.new) && !style.contains(names.old))
  }

  /// Installs the packs one after the other, and goes back and forth between them.
  private func upgrade(_ stage: DemoStage, _ packs: [URL]) async throws {
    let fair = try Fair(stage.app)
    let first = try await fair.install(packs[0])
    let open = try fair.openMap()
    try stage.prove(
      "pack \(packs[0].lastPathComponent) is built, checked and installed; its map opens",
      try first == "1.0" && Self.version(of: open) == "1.0")

    try fair.addFavorite()
    let second = try await fair.install(packs[1])
    let new = try fair.openMap()
    try stage.prove(
      "\(second) is installed next to it: what is open still reads 1.0, what is opened now 1.1",
      try second == "1.1" && Self.version(of: open) == "1.0" && Self.version(of: new) == "1.1")

    let report = try await fair.store.rollback(fair.name)
    let old = try fair.openMap()
    let notes = try fair.program().notes
    try stage.prove(
      "a rollback shows 1.0 again, with the user's note '\(notes.first ?? "")'",
      try report.generation?.manifest.version.description == "1.0"
        && Self.version(of: old) == "1.0" && notes == [Self.note])

    if let newest = try fair.store.installedGenerations(of: fair.name).last {
      _ = try await fair.store.switchTo(newest.name, of: fair.name)
    }
    let program = try fair.program()
    try stage.prove(
      "switched to 1.1, its \(program.events) events are merged into the user's database, whose note stays",
      program.events == 4 && program.notes == [Self.note])
    for map in [open, new, old] { map.closeIgnoringErrors() }
  }

  /// Builds a version of the sample's pack.
  private static func build(
    _ version: HoldfastSamples.LanternFair, on stage: DemoStage
  ) throws -> URL {
    let name = "lantern-fair-1.\(version.rawValue)"
    let source = stage.folder.appending(path: "\(name)-files")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    try HoldfastSamples.write(version, into: source)
    let pack = stage.folder.appending(path: name)
    var builder = PackBuilder(
      try PackDescription(of: source), packCheck: PackBuilder.mapPackCheck)
    builder.replacesPack = true
    _ = try builder.build(filesIn: source, to: pack)
    return pack
  }

  private static func version(of map: DatabasePool) throws -> String? {
    try map.read { db in
      try String.fetchOne(db, sql: "SELECT value FROM metadata WHERE name = 'version'")
    }
  }

  /// The festival's pack in the app.
  private struct Fair {
    let name: PackName
    let store: PackStore
    let app: DemoApp

    init(_ app: DemoApp) throws {
      self.app = app
      name = try PackName("lantern-fair")
      var configuration = PackStore.Configuration()
      configuration.container = app.container
      store = PackStore(try PackName("fair"), configuration: configuration)
    }

    /// Installs a pack, and returns the version that is current then.
    func install(_ pack: URL) async throws -> String {
      let report = try await store.install(name, from: .folder(pack))
      return report.generation?.manifest.version.description ?? report.reason
    }

    func openMap() throws -> DatabasePool {
      try store.open(PackChapter.map, of: name)
    }

    private func openProgram() throws -> DatabasePool {
      try store.openSeeded(PackChapter.program, of: name) { db, _ in
        try db.execute(sql: "DELETE FROM event; INSERT INTO event SELECT * FROM seed.event")
      }.pool
    }

    func addFavorite() throws {
      let pool = try openProgram()
      defer { pool.closeIgnoringErrors() }
      try pool.write { db in
        try db.execute(sql: "INSERT INTO favorite VALUES (2, ?)", arguments: [PackChapter.note])
      }
    }

    func program() throws -> (events: Int, notes: [String]) {
      let pool = try openProgram()
      defer { pool.closeIgnoringErrors() }
      return try pool.read { db in
        try (
          Int.fetchOne(db, sql: "SELECT count(*) FROM event") ?? 0,
          String.fetchAll(db, sql: "SELECT note FROM favorite")
        )
      }
    }

    /// Writes the light style, and returns its text.
    func style() async throws -> String {
      guard let generation = try store.current(name),
        let template = generation.url(ofFileAt: "style-light.json"),
        let map = generation.url(ofFileAt: PackChapter.map)
      else { return "" }
      let path = try RelocatablePath(.applicationSupport, "styles")
      let styles = try MapStyles(
        templates: [.light: template], tileset: map, assets: .bundle,
        folder: app.container.url(for: path))
      return try await String(contentsOf: styles.prepare(.light).url, encoding: .utf8)
    }
  }
}
