public import Foundation
import Holdfast
import HoldfastFiles

/// A template of a map's style: a style document with placeholders such as `{{mbtiles_path}}` in
/// `mbtiles://{{mbtiles_path}}`, or `{{pmtiles_path}}` in `pmtiles://file://{{pmtiles_path}}`.
///
/// ```swift
/// let style = try MapStyle(template: Data(contentsOf: templateURL))
/// let document = try style.rendered(["mbtiles_path": .file(tilesetURL)], assets: .bundle)
/// ```
///
/// Placeholders are replaced inside of strings, escaped for where they stand: inside of a URL a path
/// is percent-encoded, and everywhere it is escaped for JSON. Every other byte of the template stays
/// as it is.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/>
public struct MapStyle: Sendable {
  /// The replacement of a placeholder.
  public enum Value: Hashable, Sendable {
    /// The path of a file.
    case file(URL)
    /// Any text.
    case text(String)
  }

  /// Where sprites, glyphs and other files lie that a template names by `asset://`.
  public enum Assets: Hashable, Sendable {
    /// In a folder, such as the folder of a pack's generation; the URLs are rewritten to point into it.
    ///
    /// The folder has the file under the path of the URL, or under the end of that path, so that
    /// `asset://Map/sprites` finds `Map/sprites.json` and `sprites.json`. A URL without a file is an
    /// error.
    case folder(URL)
    /// In the app's bundle, where the renderer looks for them; the URLs stay as they are.
    case bundle
  }

  /// The placeholder for the path of a PMTiles archive.
  package static let archivePlaceholder = "pmtiles_path"

  let document: JSONDocument

  /// Reads a template.
  ///
  /// - Parameter template: A style document of version 8, in UTF-8.
  /// - Throws: ``MapError`` with `.invalidStyle` when it is not JSON, or not a style; with
  ///   `.unresolvedPlaceholder` when a key contains a placeholder, or one does not end.
  public init(template: Data) throws(MapError) {
    let bytes = Array(template)
    do {
      document = try JSONDocument(bytes)
    } catch {
      throw .notJSON(error, line: JSONDocument.line(of: error.offset, in: bytes))
    }
    try StyleRules.check(document)
    _ = try placeholders()
  }

  /// The placeholders of the template, in the order in which they first occur.
  public var placeholderNames: [String] {
    // The initializer has found them already.
    let names = (try? placeholders())?.flatMap { $0.placeholders.map(\.name) } ?? []
    var seen: Set<ExactText> = []
    return names.filter { seen.insert(ExactText($0)).inserted }
  }

  /// Returns the document for given values.
  ///
  /// It is a function of the template and the values; with ``Assets/folder(_:)`` also of which files
  /// exist.
  ///
  /// - Parameters:
  ///   - values: The value of each placeholder; values that the template does not use are ignored.
  ///   - assets: Where the files of `asset://` URLs lie.
  /// - Returns: The document, in UTF-8.
  /// - Throws: ``MapError`` with `.unresolvedPlaceholder` for a placeholder without a value;
  ///   `.unusablePath` when a renderer would not open the file of a path; `.wrongSource` when an
  ///   `mbtiles://` or `pmtiles://file://` source is not one of the files in `values`, or one of the other
  ///   format by its name; `.missingAsset`; `FileError` when a value is not a file URL.
  public func rendered(_ values: [String: Value], assets: Assets) throws -> Data {
    let values = try Dictionary(
      values.map { (ExactText($0), try StyleValue($1)) }, uniquingKeysWith: { first, _ in first })
    if let (reference, right) = StyleRules.wrongURLs(document).first {
      throw MapError.wrongURL(
        reference.value.text ?? "", at: reference.place,
        line: document.line(of: reference.value), right)
    }
    var edits: [Edit] = []
    for string in try placeholders() {
      edits += try string.edits(values)
    }
    var assetTilesets: [FilePath] = []
    if case .folder(let url) = assets {
      let folder = AssetFolder(path: try FilePath(of: url))
      for reference in StyleRules.assetReferences(document) {
        // A URL with a placeholder is rewritten as a whole.
        let text = try text(of: reference, values)
        let prefix = text.utf8.starts(with: "pmtiles://".utf8) ? "pmtiles://" : ""
        let location = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let path = URLText.path(of: location, scheme: "asset") else { continue }
        edits.removeAll { reference.value.range.contains($0.range.lowerBound) }
        let url = try prefix + folder.url(of: path, reference, text)
        if let tileset = TilesetURL(url).flatMap({ URLText.decoded($0.rest) }) {
          assetTilesets.append(FilePath(tileset))
        }
        edits.append(
          Edit(
            range: reference.value.range,
            bytes: [UInt8(ascii: "\"")] + JSONString.escaped(url) + [UInt8(ascii: "\"")]))
      }
    }
    let bytes = Edit.apply(edits, to: document.bytes)
    try StyleRules.checkSources(bytes, values.values.compactMap(\.file) + assetTilesets)
    return Data(bytes)
  }

  private func text(
    of reference: StyleReference, _ values: [ExactText: StyleValue]
  ) throws(MapError) -> String {
    guard let string = try TemplateString(document, reference.value, at: reference.place) else {
      return reference.value.text ?? ""
    }
    let bytes = Edit.apply(try string.edits(values), to: document.bytes, in: reference.value.range)
    return JSONString(bytes, at: 0).map { String(decoding: $0.decoded, as: UTF8.self) } ?? ""
  }

  private func placeholders() throws(MapError) -> [TemplateString] {
    var strings: [TemplateString] = []
    try StyleRules.visit(document) { (value, place) throws(MapError) in
      if let string = try TemplateString(document, value, at: place) { strings.append(string) }
    }
    return strings
  }
}

/// The replacement of some bytes of a template.
struct Edit {
  var range: Range<Int>
  var bytes: [UInt8]

  /// Returns bytes with replacements, which do not overlap.
  static func apply(
    _ edits: [Edit], to bytes: [UInt8], in whole: Range<Int>? = nil
  ) -> [UInt8] {
    let whole = whole ?? bytes.indices
    var result: [UInt8] = []
    result.reserveCapacity(whole.count + edits.reduce(0) { $0 + $1.bytes.count })
    var position = whole.lowerBound
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.bytes
      position = edit.range.upperBound
    }
    return result + bytes[position..<whole.upperBound]
  }
}
