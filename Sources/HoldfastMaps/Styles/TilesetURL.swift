import HoldfastFiles

/// The URL of a tileset in a file, as a style names it and MapLibre reads it.
struct TilesetURL {
  /// A scheme with which MapLibre reads tilesets.
  enum Scheme: String, CaseIterable {
    case mbtiles = "mbtiles://"
    case pmtiles = "pmtiles://file://"

    /// The URL of such a tileset in a template.
    var template: String {
      switch self {
      case .mbtiles: "mbtiles://{{mbtiles_path}}"
      case .pmtiles: "pmtiles://file://{{pmtiles_path}}"
      }
    }

    /// The name of the placeholder for the path of such a tileset.
    var placeholder: String {
      switch self {
      case .mbtiles: "mbtiles_path"
      case .pmtiles: MapStyle.archivePlaceholder
      }
    }

    /// Returns the scheme that a file needs, if its name says that it is not this one.
    func other(for file: FilePath) -> Scheme? {
      let name = file.name.lowercased()
      return switch self {
      case .mbtiles: name.hasSuffix(".pmtiles") ? .pmtiles : nil
      case .pmtiles: name.hasSuffix(".mbtiles") ? .mbtiles : nil
      }
    }
  }

  let scheme: Scheme

  /// The part after the scheme: a path, percent-encoded.
  let rest: String

  /// Reads a URL; the result is `nil` for one that leads elsewhere, such as to a server.
  init?(_ url: String) {
    for scheme in Scheme.allCases where url.utf8.starts(with: scheme.rawValue.utf8) {
      self.scheme = scheme
      rest = String(decoding: url.utf8.dropFirst(scheme.rawValue.utf8.count), as: UTF8.self)
      return
    }
    return nil
  }

  /// Returns the URL that is right in a template in place of one with the path of a tileset: the scheme, the placeholder
  /// and nothing else.
  ///
  /// - Returns: `nil` for a URL that is right, and for one without that path.
  static func correction(of template: String) -> String? {
    let bytes = Array(template.utf8)
    for (range, scheme) in placeholders(in: bytes) {
      let beginning = bytes[..<range.lowerBound]
      let isRight =
        range.upperBound == bytes.count
        && Scheme.allCases.contains { beginning.elementsEqual($0.rawValue.utf8) }
      if !isRight { return scheme.template }
    }
    return nil
  }

  /// Returns whether a template has the path of the tileset for which it is rendered, and not that of another file.
  static func hasTileset(_ template: String) -> Bool {
    !placeholders(in: Array(template.utf8)).isEmpty
  }

  /// Returns the placeholders for the path of a tileset, each with its range and the scheme for it.
  private static func placeholders(in template: [UInt8]) -> [(range: Range<Int>, scheme: Scheme)] {
    (TemplateString.placeholders(of: template) ?? []).compactMap { name, range in
      Scheme.allCases.first { $0.placeholder == name }.map { (range, $0) }
    }
  }
}
