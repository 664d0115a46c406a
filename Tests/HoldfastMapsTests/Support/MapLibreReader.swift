import Foundation
import Holdfast

/// What MapLibre does with the sources of a style, written from its contract.
///
/// - A source's URL must begin with `mbtiles://` and an absolute path.
/// - The rest is percent-decoded once. A file that does not exist is an error.
/// - The description of the tiles is made from all rows of `metadata`, read by position; its
///   addresses are the source's URL with `?file=…` after it.
/// - For a tile the URL is percent-decoded and then cut off at its first `?`. The connection to the
///   path is kept for the life of the process.
/// - Whatever SQLite refuses, and a zoom level that is no number, ends the process.
final class MapLibreReader {
  enum Failure: Error, Equatable {
    /// MapLibre reports an error.
    case error(String)
    /// MapLibre ends the process.
    case crash(String)
  }

  /// The connections, by the bytes of their paths.
  private var connections: [[UInt8]: DatabaseQueue] = [:]

  /// The paths that were opened, each once.
  private(set) var openedPaths: [String] = []

  /// Returns the URLs of the tilesets of a style document.
  static func sources(of document: Data) throws -> [String: String] {
    let style = try JSONSerialization.jsonObject(with: document) as? [String: Any]
    let sources = style?["sources"] as? [String: [String: Any]] ?? [:]
    return sources.compactMapValues { $0["url"] as? String }
  }

  /// Returns the description of the tiles of a source.
  func tileJSON(of url: String) throws -> [String: Any] {
    let path = try path(of: url)
    guard url.utf8.dropFirst("mbtiles://".utf8.count).first == UInt8(ascii: "/") else {
      throw Failure.error("MBTilesFileSource only supports absolute path urls")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure.error("path not found: \(path)")
    }
    var description: [String: Any] = ["tilejson": "2.0.0", "scheme": "xyz"]
    try using(path) { db in
      for row in try Row.fetchAll(db, sql: "SELECT * from metadata") {
        let name = try row.decode(String?.self, atIndex: 0) ?? ""
        let value = try row.decode(String?.self, atIndex: 1) ?? ""
        description[name] = value
      }
      for (key, function) in [("minzoom", "MIN"), ("maxzoom", "MAX")] {
        let value =
          try description[key] as? String
          ?? String.fetchOne(db, sql: "SELECT CAST(\(function)(zoom_level) AS TEXT) FROM tiles")
        guard let zoom = Int(value ?? "") else { throw Failure.crash("\(key) is no number") }
        description[key] = zoom
      }
    }
    if let bounds = description["bounds"] as? String {
      guard bounds.split(separator: ",").count == 4 else { throw Failure.error("") }
    }
    let format = description["format"] as? String ?? "png"
    description["tiles"] = ["\(url)?file={x}/{y}/{z}.\(format)"]
    return description
  }

  /// Returns a tile of a source, found as in the description's address of tiles.
  func tile(_ address: String, z: Int, x: Int, y: Int) throws -> Data? {
    // The tokens are replaced first, wherever they are.
    var url = address
    for (token, number) in [("{z}", z), ("{x}", x), ("{y}", y)] {
      url = url.replacingOccurrences(of: token, with: "\(number)")
    }
    let decoded = try path(of: url)
    let path = String(decoding: decoded.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    let row = (1 << z) - 1 - y
    return try using(path) { db in
      try Data.fetchOne(
        db,
        sql: """
          SELECT tile_data FROM tiles
          where zoom_level = \(z) AND tile_column = \(x) AND tile_row = \(row)
          """)
    }
  }

  private func path(of url: String) throws -> String {
    let prefix = "mbtiles://"
    guard url.utf8.starts(with: prefix.utf8) else { throw Failure.error("no source for \(url)") }
    var decoded: [UInt8] = []
    var bytes = Array(url.utf8.dropFirst(prefix.utf8.count))[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
      guard let value = UInt8(digits, radix: 16) else {
        throw Failure.crash("no number: \(digits)")
      }
      decoded.append(value)
      bytes = bytes.dropFirst(2)
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private func using<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    do {
      let key = Array(path.utf8)
      if connections[key] == nil {
        var configuration = Configuration()
        configuration.readonly = true
        connections[key] = try DatabaseQueue(path: path, configuration: configuration)
        openedPaths.append(path)
      }
      return try connections[key]!.read(body)
    } catch let error as DatabaseError {
      throw Failure.crash("\(error.resultCode)")
    }
  }
}
