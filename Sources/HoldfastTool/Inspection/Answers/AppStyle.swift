import Foundation
import HoldfastFiles
import HoldfastMaps

/// A style document of the app that lies next to a tileset, as it is shown with that tileset.
///
/// Only what the tileset can answer is kept: glyphs, sprites and other sources may be anywhere, and nothing is
/// asked of the network.
struct AppStyle: Sendable {
  /// The name of the file.
  let name: String
  private let template: Data

  /// The longest document that is read, in bytes.
  private static let longest = 4 << 20
  /// The most documents that are listed.
  private static let most = 50

  /// Reads the documents in the folder of a tileset, in the order of their names.
  static func all(nextTo path: FilePath) -> [AppStyle] {
    var names: [String] = []
    do throws(Errno) {
      var entries = try OpenDirectory(path.directory.text)
      while let entry = try entries.next() {
        if let name = entry.name, name.lowercased().hasSuffix(".json") { names.append(name) }
      }
    } catch {
      // The folder of a tileset that was opened; without its list there are no styles.
      return []
    }
    let styles = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.lazy.compactMap {
      name -> AppStyle? in
      // Another document, or one that cannot be read, is none.
      guard
        case .bytes(let bytes)? = try? SmallFile(at: path.sibling(name), upTo: longest),
        (try? MapStyle(template: Data(bytes))) != nil  // not a style
      else { return nil }
      return AppStyle(name: name, template: Data(bytes))
    }
    return Array(styles.prefix(most))
  }

  /// Returns the document for a tileset.
  ///
  /// - Parameter source: The source of the tileset, as a style declares it.
  /// - Returns: The document in JSON.
  /// - Throws: ``InspectionError`` when it is no object.
  func document(_ source: [String: Any]) throws -> Data {
    let object = try JSONSerialization.jsonObject(with: template)
    guard var style = object as? [String: Any] else { throw InspectionError.noStyle(name) }
    let kind = source["type"] as? String
    let sources = style["sources"] as? [String: [String: Any]] ?? [:]
    let kept = sources.filter { $0.value["type"] as? String == kind }
    style["sources"] = kept.mapValues { _ in source }
    for key in ["glyphs", "sprite", "terrain"] { style[key] = nil }
    let layers = style["layers"] as? [[String: Any]] ?? []
    style["layers"] = layers.filter { layer in
      let type = layer["type"] as? String
      if type == "background" { return true }
      // Texts need glyphs, and icons sprites.
      guard type != "symbol", let name = layer["source"] as? String else { return false }
      return kept[name] != nil && !Self.hasPattern(layer)
    }
    return try JSONSerialization.data(withJSONObject: style, options: [.sortedKeys])
  }

  /// Whether a layer is drawn with an image of the sprite.
  private static func hasPattern(_ layer: [String: Any]) -> Bool {
    let paint = layer["paint"] as? [String: Any] ?? [:]
    return paint.keys.contains { $0.hasSuffix("-pattern") }
  }

  /// A sentence about the parts that are left out; `nil` when there are none.
  var note: String? {
    // It was read as a style before.
    let object = try? JSONSerialization.jsonObject(with: template)
    let layers = (object as? [String: Any])?["layers"] as? [[String: Any]] ?? []
    let count = layers.count { layer in
      layer["type"] as? String == "symbol" || Self.hasPattern(layer)
    }
    return count == 0
      ? nil
      : "\(Count.of(count, "layer")) with texts, icons or patterns \(count == 1 ? "is" : "are") left out."
  }
}
