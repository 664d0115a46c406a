import Foundation
import Holdfast
import HoldfastFiles

/// The kind of content of a file, judging by its bytes and its name.
enum PackFileContent {
  private static let databaseEndings = [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".mbtiles"]

  /// The longest style that is examined, in bytes.
  private static let styleLimit = 64 * 1024 * 1024

  /// Returns the kind of a file.
  ///
  /// - Parameters:
  ///   - path: The path in the pack, whose ending tells tiles from other databases.
  ///   - file: The file.
  ///   - header: The header of the file.
  ///   - start: The first bytes of the file.
  /// - Returns: `.plain` for whatever is no database, no archive of tiles and no style.
  /// - Throws: `FileError` when the file cannot be read.
  static func kind(
    _ path: PackPath, _ file: FilePath, _ header: DatabaseHeader, _ start: [UInt8]
  ) throws(FileError) -> PackFile.Kind {
    let name = path.folded
    if header.isDatabase { return name.hasSuffix(".mbtiles") ? .mbtiles : .sqlite }
    if PMTilesStart.version(in: start) != nil { return .pmtiles }
    guard name.hasSuffix(".json") else { return .plain }
    return try styleFlaw(file) == nil ? .style : .plain
  }

  /// Whether a file of this name should be a style: "style.json", "style-light.json" or "light-style.json".
  static func isNamedLikeStyle(_ path: PackPath) -> Bool {
    guard let name = path.names.last?.lowercased(), name.hasSuffix(".json") else { return false }
    let words = name.dropLast(".json".count).split { "-_. ".contains($0) }
    return words.first == "style" || words.last == "style"
  }

  /// Whether a file of this name should be a database.
  static func isNamedLikeDatabase(_ path: PackPath) -> Bool {
    databaseEndings.contains { path.folded.hasSuffix($0) }
  }

  /// Whether a file of this name should be a PMTiles archive.
  static func isNamedLikeArchive(_ path: PackPath) -> Bool { path.folded.hasSuffix(".pmtiles") }

  /// Returns why a file is no template of a style; `nil` when it is one.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/root/>
  static func styleFlaw(_ file: FilePath) throws(FileError) -> String? {
    guard let byteCount = try file.byteCount(), byteCount <= styleLimit else {
      return "it is too long"
    }
    do {
      let data = try Data(contentsOf: file.url)
      let value = try JSONSerialization.jsonObject(with: data)
      guard let style = value as? [String: Any] else { return "it is no JSON object" }
      guard (style["version"] as? NSNumber)?.intValue == 8 else { return "its 'version' is not 8" }
      guard style["sources"] is [String: Any] else { return "it has no 'sources'" }
      guard style["layers"] is [Any] else { return "it has no 'layers'" }
      return nil
    } catch _ {
      // The parser's own words name no place in the file.
      return "it is no JSON"
    }
  }
}
