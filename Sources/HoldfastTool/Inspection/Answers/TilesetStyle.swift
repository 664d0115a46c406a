/// A style document that draws each layer of a tileset in a color of its own.
///
/// It needs neither glyphs nor sprites, and so no file but the tiles.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/>
struct TilesetStyle {
  enum Theme: Sendable { case light, dark }

  /// The metadata of a tileset that a style needs.
  struct Source: Equatable, Sendable {
    var isVector: Bool
    var zoomLevels: ClosedRange<Int>?
    var bounds: [Double]?
    var attribution: String?
    var layers: [String]
  }

  let source: Source
  /// The URL of tiles, with `{z}`, `{x}` and `{y}`.
  let tiles: String
  let theme: Theme

  /// Hues that are told apart, also by most people who see fewer colors.
  private static let hues = [212, 28, 140, 340, 262, 48, 186, 0, 96, 300]

  /// The source of the tileset.
  var sourceRecord: OutputRecord {
    var source: OutputRecord = [
      "type": .text(self.source.isVector ? "vector" : "raster"), "tiles": .list([.text(tiles)]),
    ]
    if !self.source.isVector { source.fields.append(.init(key: "tileSize", cell: .integer(256))) }
    if let levels = self.source.zoomLevels {
      source.fields += [
        .init(key: "minzoom", cell: Cell(levels.lowerBound)),
        .init(key: "maxzoom", cell: Cell(levels.upperBound)),
      ]
    }
    if let bounds = self.source.bounds {
      source.fields.append(.init(key: "bounds", cell: .list(bounds.map(Cell.real))))
    }
    return source
  }

  /// The document.
  var json: String {
    let document: OutputRecord = [
      "version": .integer(8), "name": .text("Holdfast"),
      "sources": .record(["tileset": .record(sourceRecord)]), "layers": .list(background + layers),
    ]
    return document.json
  }

  private var background: [Cell] {
    [
      .record([
        "id": .text("background"), "type": .text("background"),
        "paint": .record(["background-color": .text(theme == .dark ? "#14181d" : "#f6f4ef")]),
      ])
    ]
  }

  private var layers: [Cell] {
    guard source.isVector else {
      return [
        .record([
          "id": .text("tiles"), "type": .text("raster"), "source": .text("tileset"),
          "paint": .record(
            theme == .dark
              ? ["raster-brightness-max": .real(0.75), "raster-saturation": .real(-0.2)] : [:]),
        ])
      ]
    }
    // Areas below lines below points, so that none hides another.
    return ["Polygon", "LineString", "Point"].flatMap { geometry in
      source.layers.enumerated().map { layer(geometry, $1, number: $0) }
    }
  }

  private func layer(_ geometry: String, _ name: String, number: Int) -> Cell {
    let hue = Self.hues[number % Self.hues.count]
    let color = "hsl(\(hue), \(theme == .dark ? "60%, 66%" : "65%, 38%"))"
    let (type, paint): (String, OutputRecord) =
      switch geometry {
      case "Polygon":
        (
          "fill",
          [
            "fill-color": .text(color), "fill-opacity": .real(theme == .dark ? 0.25 : 0.2),
            "fill-outline-color": .text(color),
          ]
        )
      case "LineString":
        ("line", ["line-color": .text(color), "line-width": .real(1.5)])
      default:
        (
          "circle",
          [
            "circle-color": .text(color), "circle-radius": .real(4),
            "circle-stroke-color": .text(theme == .dark ? "#14181d" : "#ffffff"),
            "circle-stroke-width": .real(1),
          ]
        )
      }
    return .record([
      "id": .text("\(name) \(geometry)"), "type": .text(type), "source": .text("tileset"),
      "source-layer": .text(name),
      "filter": .list([
        .text("=="), .list([.text("geometry-type")]), .text(geometry),
      ]), "paint": .record(paint),
    ])
  }
}
