import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport

/// An app whose bundle contains the pack `guide`: `places.db`, which is never modified, and
/// `art.sqlite`, from which a database of the user begins.
struct GuideApp: Sendable {
  static let applicationID: Int32 = 7_654_321

  let container: URL
  let bundle: URL
  let pack: PackName

  /// Describes an app in a folder, which other processes may use too.
  init(in folder: URL) throws {
    container = folder.appending(path: "container")
    bundle = folder.appending(path: "App.bundle")
    pack = try PackName("guide")
  }

  func store(edition: String? = nil) throws -> PackStore {
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: container)
    configuration.role = try LeaseRole("org.example.guide")
    configuration.edition = try edition.map { text throws(PackError) in try PackEdition(text) }
    return PackStore(try PackName("Festival"), configuration: configuration)
  }

  /// The folder of the pack in the store.
  var folder: URL { container.appending(path: "Library/Application Support/Festival/guide") }

  /// The database of the user.
  var art: URL { folder.appending(path: "seeded/art.sqlite") }

  /// What a pack contains.
  struct Content: Sendable {
    var version: String
    var place = "Temple"
    var art = ["Compass"]
    var userVersion: Int32 = 1
    /// SQL for the seed.
    var schema = "CREATE TABLE art (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    /// Whether the pack has a tileset, `map.mbtiles`.
    var hasMap = false
  }

  /// Writes a pack into the bundle, whose old folder is unlinked.
  @discardableResult
  func ship(_ content: Content) throws -> PackSource {
    let folder = bundle.appending(path: "guide")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let places = folder.appending(path: "places.db")
    try Self.make(places, userVersion: 1, "CREATE TABLE place (name TEXT)") { db in
      for _ in 1...50 {
        try db.execute(sql: "INSERT INTO place VALUES (?)", arguments: [content.place])
      }
    }
    let art = folder.appending(path: "art.sqlite")
    try Self.make(art, userVersion: content.userVersion, content.schema) { db in
      for name in content.art {
        try db.execute(sql: "INSERT INTO art (name) VALUES (?)", arguments: [name])
      }
    }
    var files = [
      try PackFile(
        path: PackPath("places.db"), content: FileDigest(of: places), kind: .sqlite,
        schema: PackFile.Schema(applicationID: Self.applicationID, userVersion: 1),
        pageSize: 4096),
      try PackFile(
        path: PackPath("art.sqlite"), content: FileDigest(of: art), kind: .sqlite,
        storage: .seeded,
        schema: PackFile.Schema(
          applicationID: Self.applicationID, userVersion: content.userVersion),
        pageSize: 4096),
    ]
    if content.hasMap { files.append(try Self.makeMap(in: folder, content.place)) }
    let manifest = try PackManifest(
      name: pack, version: PackVersion(content.version), files: files)
    try manifest.data.write(to: folder.appending(path: PackManifest.fileName))
    return .bundle(folder)
  }

  private static func makeMap(in folder: URL, _ name: String) throws -> PackFile {
    let map = folder.appending(path: "map.mbtiles")
    let schema = """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (
        zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
      """
    try make(map, userVersion: 1, schema) { db in
      try db.execute(sql: "INSERT INTO metadata VALUES ('name', ?)", arguments: [name])
    }
    return try PackFile(
      path: PackPath("map.mbtiles"), content: FileDigest(of: map), kind: .mbtiles,
      schema: PackFile.Schema(applicationID: applicationID, userVersion: 1), pageSize: 4096)
  }

  var source: PackSource { .bundle(bundle.appending(path: "guide")) }

  private static func make(
    _ url: URL, userVersion: Int32, _ schema: String, _ fill: (Database) throws -> Void
  ) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.setHeaderNumber(.applicationID, to: applicationID)
      try db.setHeaderNumber(.userVersion, to: userVersion)
      try db.execute(sql: schema)
      try fill(db)
    }
    try queue.close()
  }

  /// Ships a pack and installs it.
  func install(_ content: Content, edition: String? = nil) throws {
    let store = try store(edition: edition)
    let report = try store.install(pack, from: ship(content))
    if let failure = report.failure { throw failure }
  }

  /// Opens the database of the user.
  func openArt(
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void = { _, _ in }
  ) throws -> SeededDatabase {
    try store().openSeeded("art.sqlite", of: pack, within: .seconds(60), merging: merge)
  }

  /// Adds a row of the user.
  static func add(_ name: String, to pool: DatabasePool) throws {
    try pool.write { db in
      try db.execute(sql: "INSERT INTO art (name) VALUES (?)", arguments: [name])
    }
  }

  /// The place that the database of a pack has in all its rows.
  static func place(_ db: Database) throws -> String {
    let places = try String.fetchAll(db, sql: "SELECT DISTINCT name FROM place")
    return places.joined(separator: "+")
  }

  static func art(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM art ORDER BY id")
  }
}
