import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks

/// A small pack of real files, as an app ships it.
struct SamplePack {
  static let name = "map"

  let url: URL
  let manifest: PackManifest

  var bundled: PackSource { .bundle(url) }
  var downloaded: PackSource { .folder(url) }

  /// Builds a pack in a new folder.
  ///
  /// - Parameters:
  ///   - folder: The folder, which must not exist.
  ///   - version: The version.
  ///   - city: What the tiles say, so that packs differ.
  ///   - edition: The edition.
  ///   - isSeeded: Whether the pack has a database that the app writes.
  ///   - byteCount: The length of a plain file in the pack.
  /// - Throws: An error when a file cannot be written.
  init(
    in folder: URL, version: String, city: String = "Black Rock", edition: String? = nil,
    isSeeded: Bool = false, byteCount: Int = 3000
  ) throws {
    url = folder
    let styles = folder.appending(path: "styles")
    try FileManager.default.createDirectory(at: styles, withIntermediateDirectories: true)
    try Self.makeTiles(at: folder.appending(path: "map.mbtiles"), city)
    let style = Data(#"{"version": 8, "sources": {}, "layers": []}"#.utf8)
    try style.write(to: styles.appending(path: "light.json"))
    try Data(repeating: 7, count: byteCount).write(to: folder.appending(path: "sprite.png"))
    var files = [
      try Self.database(at: "map.mbtiles", in: folder, .mbtiles),
      try Self.plain(at: "styles/light.json", in: folder, .style),
      try Self.plain(at: "sprite.png", in: folder, .plain),
    ]
    if isSeeded {
      try Self.makeTiles(at: folder.appending(path: "camps.sqlite"), city)
      files.append(try Self.database(at: "camps.sqlite", in: folder, .sqlite, .seeded))
    }
    manifest = try PackManifest(
      name: PackName(Self.name), version: PackVersion(version),
      edition: edition.map { text throws(PackError) in try PackEdition(text) }, files: files)
    try manifest.data.write(to: folder.appending(path: PackManifest.fileName))
  }

  private static func makeTiles(at url: URL, _ city: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .default
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          PRAGMA application_id = 1297105496;
          PRAGMA user_version = 3;
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
          """)
      try db.execute(sql: "INSERT INTO metadata VALUES ('name', ?)", arguments: [city])
      try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, randomblob(4000))")
    }
    try queue.close()
  }

  private static func database(
    at path: String, in folder: URL, _ kind: PackFile.Kind, _ storage: PackFile.Storage = .sealed
  ) throws -> PackFile {
    try PackFile(
      path: PackPath(path), content: FileDigest(of: folder.appending(path: path)), kind: kind,
      storage: storage, schema: PackFile.Schema(applicationID: 1_297_105_496, userVersion: 3),
      pageSize: 4096)
  }

  private static func plain(
    at path: String, in folder: URL, _ kind: PackFile.Kind
  ) throws -> PackFile {
    try PackFile(
      path: PackPath(path), content: FileDigest(of: folder.appending(path: path)), kind: kind)
  }

  /// What the tiles of a file say.
  static func city(in url: URL?) throws -> String? {
    guard let url else { return nil }
    let queue = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
    return try queue.read { db in try String.fetchOne(db, sql: "SELECT value FROM metadata") }
  }

  /// Damages a file of a folder without changing its length.
  static func damage(_ url: URL) throws {
    var data = try Data(contentsOf: url)
    data[data.count - 100] ^= 0xFF
    try data.write(to: url)
  }
}
