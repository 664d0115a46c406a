import Foundation
import HoldfastFiles
import HoldfastPacks

/// A pack with a map and its two styles, as an app ships it.
struct SampleMapPack {
  static let name = "map"

  let url: URL

  /// Builds a pack in a new folder.
  init(in folder: URL, version: String, extra: String = "", assets: [String] = []) throws {
    url = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SampleTileset(sql: "UPDATE metadata SET value = '\(version)' WHERE name = 'name'")
      .write(to: folder.appending(path: "map.mbtiles"))
    var files = [
      try PackFile(
        path: PackPath("map.mbtiles"),
        content: FileDigest(of: folder.appending(path: "map.mbtiles")),
        kind: .mbtiles, schema: PackFile.Schema(applicationID: 0, userVersion: 0), pageSize: 4096)
    ]
    for name in ["style-light.json", "style-dark.json"] {
      try SampleStyle.template(extra: extra, name: name).write(to: folder.appending(path: name))
      files.append(try Self.file(name, .style, in: folder))
    }
    for name in assets {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: file)
      files.append(try Self.file(name, .plain, in: folder))
    }
    let manifest = try PackManifest(
      name: PackName(Self.name), version: PackVersion(version), files: files)
    try manifest.data.write(to: folder.appending(path: PackManifest.fileName))
  }

  private static func file(
    _ name: String, _ kind: PackFile.Kind, in folder: URL
  ) throws -> PackFile {
    try PackFile(
      path: PackPath(name), content: FileDigest(of: folder.appending(path: name)), kind: kind)
  }
}
