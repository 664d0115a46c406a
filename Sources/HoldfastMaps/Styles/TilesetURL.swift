import HoldfastFiles

/// The URL of a tileset in a file, as a style names it and MapLibre reads it.
struct TilesetURL {
  /// A scheme with which MapLibre reads tilesets.
  enum Scheme: String {
    case mbtiles = "mbtiles://"
    case pmtiles = "pmtiles://file://"

    /// The URL of such a tileset in a template.
    var template: String {
      switch self {
      case .mbtiles: "mbtiles://{{mbtiles_path}}"
      case .pmtiles: "pmtiles://file://{{pmtiles_path}}"
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
    for scheme in [Scheme.pmtiles, .mbtiles] where url.utf8.starts(with: scheme.rawValue.utf8) {
      self.scheme = scheme
      rest = String(decoding: url.utf8.dropFirst(scheme.rawValue.utf8.count), as: UTF8.self)
      return
    }
    return nil
  }
}
