/// A property of a layer: what values it may have in MapLibre Native.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/>, and the sources of the layers of MapLibre Native
struct StyleProperty: Sendable {
  /// The values of a property.
  enum Kind: Sendable {
    case number, flag, color, label, image
    /// One of some words, or a list of them.
    case word([String])
    case words([String])
    /// A list of numbers: as many as stated, or any number of them.
    case numbers(Int?)
    /// A list of names.
    case fonts
    /// One, or a list, which only newer versions read.
    case oneOrMoreNumbers
    case oneOrMoreColors
    /// Colors along what an operator gives.
    case ramp
    /// Words and pairs of numbers, by turns.
    case anchorOffsets
  }

  var kind: Kind

  /// Whether the value may depend on features, at least in newer versions.
  var isFeatured = false

  /// Whether it may not in older ones.
  var isNewlyFeatured = false

  /// Whether older versions leave out a layer that has it.
  var isNew = false

  private static func fixed(_ kind: Kind) -> StyleProperty { StyleProperty(kind: kind) }

  private static func featured(_ kind: Kind) -> StyleProperty {
    StyleProperty(kind: kind, isFeatured: true)
  }

  private static func new(_ kind: Kind, isFeatured: Bool = false) -> StyleProperty {
    StyleProperty(kind: kind, isFeatured: isFeatured, isNew: true)
  }

  /// Returns whether the value may depend on features.
  func isFeatured(in version: RendererVersion) -> Bool {
    isFeatured && (version == .newer || !isNewlyFeatured)
  }

  /// The types of layers that only newer versions know.
  static let newTypes: Set = ["color-relief"]

  /// The properties of the layers of each type, of the layout and of the paint.
  static let all: [String: [String: StyleProperty]] = [
    "background": background, "circle": circle, "color-relief": colorRelief, "fill": fill,
    "fill-extrusion": extrusion, "heatmap": heatmap, "hillshade": hillshade, "line": line,
    "raster": raster, "symbol": symbol.merging(icons) { $1 }.merging(texts) { $1 },
  ]

  private static let anchor = Kind.word(["map", "viewport"])
  private static let alignment = Kind.word(["map", "viewport", "auto"])
  private static let resampling = Kind.word(["linear", "nearest"])
  private static let places = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
    "bottom-right",
  ]

  private static let background: [String: StyleProperty] = [
    "background-color": fixed(.color), "background-pattern": fixed(.image),
    "background-opacity": fixed(.number),
  ]

  private static let circle: [String: StyleProperty] = [
    "circle-sort-key": featured(.number), "circle-radius": featured(.number),
    "circle-color": featured(.color), "circle-blur": featured(.number),
    "circle-opacity": featured(.number), "circle-translate": fixed(.numbers(2)),
    "circle-translate-anchor": fixed(anchor), "circle-pitch-scale": fixed(anchor),
    "circle-pitch-alignment": fixed(alignment), "circle-stroke-width": featured(.number),
    "circle-stroke-color": featured(.color), "circle-stroke-opacity": featured(.number),
  ]

  private static let colorRelief: [String: StyleProperty] = [
    "color-relief-opacity": new(.number), "color-relief-color": new(.ramp),
  ]

  private static let fill: [String: StyleProperty] = [
    "fill-sort-key": featured(.number), "fill-antialias": fixed(.flag),
    "fill-opacity": featured(.number), "fill-color": featured(.color),
    "fill-outline-color": featured(.color), "fill-translate": fixed(.numbers(2)),
    "fill-translate-anchor": fixed(anchor), "fill-pattern": featured(.image),
  ]

  private static let extrusion: [String: StyleProperty] = [
    "fill-extrusion-opacity": fixed(.number), "fill-extrusion-color": featured(.color),
    "fill-extrusion-translate": fixed(.numbers(2)),
    "fill-extrusion-translate-anchor": fixed(anchor),
    "fill-extrusion-pattern": featured(.image), "fill-extrusion-height": featured(.number),
    "fill-extrusion-base": featured(.number), "fill-extrusion-vertical-gradient": fixed(.flag),
  ]

  private static let heatmap: [String: StyleProperty] = [
    "heatmap-radius": featured(.number), "heatmap-weight": featured(.number),
    "heatmap-intensity": fixed(.number), "heatmap-color": fixed(.ramp),
    "heatmap-opacity": fixed(.number),
  ]

  private static let hillshade: [String: StyleProperty] = [
    "hillshade-illumination-direction": fixed(.oneOrMoreNumbers),
    "hillshade-illumination-altitude": new(.oneOrMoreNumbers),
    "hillshade-illumination-anchor": fixed(anchor), "hillshade-exaggeration": fixed(.number),
    "hillshade-shadow-color": fixed(.oneOrMoreColors),
    "hillshade-highlight-color": fixed(.oneOrMoreColors), "hillshade-accent-color": fixed(.color),
    "hillshade-method": new(.word(["standard", "basic", "combined", "igor", "multidirectional"])),
  ]

  private static let line: [String: StyleProperty] = [
    "line-cap": fixed(.word(["butt", "round", "square"])),
    "line-join": featured(.word(["bevel", "round", "miter"])), "line-miter-limit": fixed(.number),
    "line-round-limit": fixed(.number), "line-sort-key": featured(.number),
    "line-opacity": featured(.number), "line-color": featured(.color),
    "line-translate": fixed(.numbers(2)), "line-translate-anchor": fixed(anchor),
    "line-width": featured(.number), "line-gap-width": featured(.number),
    "line-offset": featured(.number), "line-blur": featured(.number),
    "line-dasharray": fixed(.numbers(nil)), "line-pattern": featured(.image),
    "line-gradient": fixed(.ramp),
  ]

  private static let raster: [String: StyleProperty] = [
    "raster-opacity": fixed(.number), "raster-hue-rotate": fixed(.number),
    "raster-brightness-min": fixed(.number), "raster-brightness-max": fixed(.number),
    "raster-saturation": fixed(.number), "raster-contrast": fixed(.number),
    "raster-resampling": fixed(resampling), "raster-fade-duration": fixed(.number),
  ]

  private static let symbol: [String: StyleProperty] = [
    "symbol-placement": fixed(.word(["point", "line", "line-center"])),
    "symbol-spacing": fixed(.number), "symbol-avoid-edges": fixed(.flag),
    "symbol-sort-key": featured(.number),
    "symbol-z-order": fixed(.word(["auto", "viewport-y", "source"])),
  ]

  private static let icons: [String: StyleProperty] = [
    "icon-allow-overlap": fixed(.flag), "icon-ignore-placement": fixed(.flag),
    "icon-optional": fixed(.flag), "icon-rotation-alignment": fixed(alignment),
    "icon-size": featured(.number),
    "icon-text-fit": fixed(.word(["none", "width", "height", "both"])),
    "icon-text-fit-padding": fixed(.numbers(4)), "icon-image": featured(.image),
    "icon-rotate": featured(.number),
    "icon-padding": StyleProperty(
      kind: .oneOrMoreNumbers, isFeatured: true, isNewlyFeatured: true),
    "icon-keep-upright": fixed(.flag), "icon-offset": featured(.numbers(2)),
    "icon-anchor": featured(.word(places)), "icon-pitch-alignment": fixed(alignment),
    "icon-opacity": featured(.number), "icon-color": featured(.color),
    "icon-halo-color": featured(.color), "icon-halo-width": featured(.number),
    "icon-halo-blur": featured(.number), "icon-translate": fixed(.numbers(2)),
    "icon-translate-anchor": fixed(anchor),
  ]

  private static let texts: [String: StyleProperty] = [
    "text-pitch-alignment": fixed(alignment), "text-rotation-alignment": fixed(alignment),
    "text-field": featured(.label), "text-font": featured(.fonts), "text-size": featured(.number),
    "text-max-width": featured(.number), "text-line-height": fixed(.number),
    "text-letter-spacing": featured(.number),
    "text-justify": featured(.word(["auto", "left", "center", "right"])),
    "text-radial-offset": featured(.number), "text-variable-anchor": fixed(.words(places)),
    "text-variable-anchor-offset": new(.anchorOffsets, isFeatured: true),
    "text-anchor": featured(.word(places)), "text-max-angle": fixed(.number),
    "text-writing-mode": fixed(.words(["horizontal", "vertical"])),
    "text-rotate": featured(.number), "text-padding": fixed(.number),
    "text-keep-upright": fixed(.flag),
    "text-transform": featured(.word(["none", "uppercase", "lowercase"])),
    "text-offset": featured(.numbers(2)), "text-allow-overlap": fixed(.flag),
    "text-ignore-placement": fixed(.flag), "text-optional": fixed(.flag),
    "text-opacity": featured(.number), "text-color": featured(.color),
    "text-halo-color": featured(.color), "text-halo-width": featured(.number),
    "text-halo-blur": featured(.number), "text-translate": fixed(.numbers(2)),
    "text-translate-anchor": fixed(anchor),
  ]
}
