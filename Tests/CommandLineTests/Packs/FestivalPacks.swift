import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport

/// A working folder for the verbs of packs: the files of a festival, and a container.
struct FestivalPacks {
  let directory: TemporaryDirectory

  /// Creates the files of a pack, `source`, and an empty container, `Festival.xcappdata`.
  init() throws {
    directory = try TemporaryDirectory()
    try Self.write(to: directory.url)
  }

  /// Creates both in a folder.
  static func write(to folder: URL) throws {
    let source = folder.appending(path: "source")
    try FileManager.default.createDirectory(
      at: source.appending(path: "styles"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Festival.xcappdata/AppData/Documents"),
      withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: source.appending(path: "map.mbtiles").path)
    try queue.write { db in
      try db.execute(
        sql: """
          PRAGMA user_version = 4;
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          INSERT INTO metadata VALUES ('name', 'Lantern Fair'), ('format', 'png'),
            ('bounds', '-1,-1,1,1');
          INSERT INTO tiles VALUES (0, 0, 0, x'\(HexText.text(CompressedBytes.png(side: 1)))');
          """)
    }
    try queue.close()
    try Data(#"{"version": 8, "sources": {}, "layers": []}"#.utf8)
      .write(to: source.appending(path: "styles/light.json"))
  }

  /// Runs the tool in the folder.
  func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: words, in: directory.url)
  }

  /// Builds `pack-<version>`.
  func build(_ version: String) throws {
    try Data("version \(version)".utf8).write(to: directory.file("source/about.txt"))
    let result = try run(
      "pack", "build", "source", "pack-\(version)", "--name", "map", "--version", version)
    guard result.status == 0 else { throw Failure(text: result.errors) }
  }

  /// Builds and installs a version.
  func install(_ version: String) throws {
    try build(version)
    let result = try run("pack", "install", "pack-\(version)", "Festival.xcappdata")
    guard result.status == 0 else { throw Failure(text: result.errors) }
  }

  struct Failure: Error {
    var text: String
  }

  /// The folder of the pack in the container.
  var installed: URL {
    directory.file("Festival.xcappdata/AppData/Library/Application Support/Packs/map")
  }

  /// Writes a ZIP archive with Python, from the names of its files and their paths or texts.
  func archive(_ name: String, _ script: String) throws {
    let python = """
      import zipfile, os
      z = zipfile.ZipFile('\(name)', 'w', zipfile.ZIP_DEFLATED)
      def folder(path, prefix=''):
          for root, _, files in os.walk(path):
              for file in sorted(files):
                  full = os.path.join(root, file)
                  z.write(full, prefix + os.path.relpath(full, path))
      \(script)
      z.close()
      """
    let result = try ToolProcess.run(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", python], in: directory.url)
    guard result.status == 0 else { throw Failure(text: result.errors) }
  }
}
