import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks

/// A pack that a campaign or a benchmark makes from the files in a folder.
enum FairPack {
  static let name = "lantern-fair"
  static let map = "map.mbtiles"
  static let program = "program.sqlite"

  /// The name of the pack.
  static var packName: PackName { get throws { try PackName(name) } }

  /// The folder with the sample's files of a version.
  static func sample(_ version: String) -> URL {
    // The benchmarks have a link to Tests/HoldfastPackCampaign/FairPack.swift.
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
    return (1...3).reduce(file) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Samples/lantern-fair/\(version)")
  }

  /// Makes a pack of the sample's files.
  static func makeSample(_ version: String, in parent: URL) throws {
    let folder = parent.appending(path: version)
    try FileManager.default.copyItem(at: sample(version), to: folder)
    try FileManager.default.removeItem(at: folder.appending(path: PackDescription.fileName))
    try seal(folder, version: version)
  }

  /// Writes the manifest of the files in a folder.
  @discardableResult
  static func seal(_ folder: URL, version: String) throws -> PackManifest {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let files = try names.filter { $0 != PackManifest.fileName }.map { name in
      try file(name, in: folder)
    }
    let manifest = try PackManifest(name: packName, version: PackVersion(version), files: files)
    try manifest.data.write(to: folder.appending(path: PackManifest.fileName))
    return manifest
  }

  private static func file(_ name: String, in folder: URL) throws -> PackFile {
    let url = folder.appending(path: name)
    let kind: PackFile.Kind =
      switch url.pathExtension {
      case "mbtiles": .mbtiles
      case "sqlite": .sqlite
      case "json": .style
      default: .plain
      }
    let content = try FileDigest(of: url)
    guard kind.isDatabase else {
      return try PackFile(path: PackPath(name), content: content, kind: kind)
    }
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let header = try file.read(upToCount: 100) ?? Data()
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      header[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
    }
    return try PackFile(
      path: PackPath(name), content: content, kind: kind,
      storage: kind == .sqlite ? .seeded : .sealed,
      schema: PackFile.Schema(
        applicationID: Int32(bitPattern: number(68, 4)),
        userVersion: Int32(bitPattern: number(60, 4))),
      // The header says 1 for 65,536.
      pageSize: number(16, 2) == 1 ? 65536 : Int(number(16, 2)))
  }

  /// Makes a tileset of random tiles.
  ///
  /// - Parameters:
  ///   - url: The file, which does not exist.
  ///   - zoom: The zoom level; there is a tile at each place.
  ///   - sizes: The sizes of the tiles, in bytes.
  ///   - format: The format, as the metadata says it.
  ///   - start: The first bytes of each tile, which tell its format.
  /// - Throws: `DatabaseError` when it cannot be written.
  static func makeTileset(
    at url: URL, zoom: Int, sizes: ClosedRange<Int>, format: String, start: [UInt8]
  ) throws {
    var configuration = Configuration()
    configuration.journalMode = .default
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    var random = SeededRandom(unprinted: 12)
    // Slices of it are random enough, and soon made.
    let noise = Data((0..<65536).map { _ in UInt8.random(in: 0...255, using: &random) })
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = 0x4D504258")
    }
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
          """)
      let metadata = [
        "name": "random", "format": format, "minzoom": "\(zoom)", "maxzoom": "\(zoom)",
        "bounds": "-180,-85,180,85", "center": "0,0,\(zoom)",
        "json": #"{"vector_layers":[{"id":"random","fields":{}}]}"#,
      ]
      for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
        try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
      }
      for column in 0..<1 << zoom {
        for row in 0..<1 << zoom {
          let size = Int.random(in: sizes, using: &random)
          var tile = Data(start)
          while tile.count < size {
            let offset = Int.random(in: 0..<noise.count, using: &random)
            tile.append(noise[offset...].prefix(size - tile.count))
          }
          try db.execute(
            sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: [zoom, column, row, tile])
        }
      }
    }
    try queue.close()
  }
}
