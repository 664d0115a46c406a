/// The sentences about what a style needs and has not, and what to do.
enum StyleSentence {
  static func misspelled(_ name: String, meant: String) -> String {
    "The placeholder '{{\(name)}}' has no value: write '{{\(meant)}}'."
  }

  static func furtherPlaceholder(_ name: String) -> String {
    "The app must give the placeholder '{{\(name)}}' a value."
  }

  static func fixedPath(_ url: String, at place: String, _ line: Int) -> String {
    "'\(place)', in line \(line), is '\(clipped(url))', a path that no device has: write "
      + "'mbtiles://{{mbtiles_path}}', 'pmtiles://file://{{pmtiles_path}}' or 'asset://…'."
  }

  static func otherFormat(
    _ url: String, at place: String, _ line: Int, _ tileset: String, _ template: String
  ) -> String {
    "'\(place)', in line \(line), is '\(clipped(url))', and '\(tileset)' has the other format: write "
      + "'\(template)'."
  }

  static func wrongURL(
    _ url: String, at place: String, _ line: Int, _ template: String
  ) -> String {
    "'\(place)', in line \(line), is '\(clipped(url))', which is not the URL of a tileset: write "
      + "'\(template)', and nothing before or after it."
  }

  static func unfitLayer(
    _ layer: String, _ type: String, of source: String, _ sourceType: String, _ line: Int
  ) -> String {
    "The layer '\(clipped(layer))', in line \(line), has the type '\(clipped(type))', which draws no source of the type "
      + "'\(sourceType)' such as '\(clipped(source))', and MapLibre Native refuses the map: change one of them."
  }

  static func noSource(_ source: String, _ line: Int, _ reason: String) -> String {
    "The source '\(clipped(source))', in line \(line), is none to MapLibre Native, so that its layers show nothing: "
      + "\(reason)."
  }

  static func unreadLayer(_ layer: String, _ line: Int, _ reason: String) -> String {
    "MapLibre Native leaves out the layer '\(clipped(layer))', in line \(line): \(reason). Correct it, or remove it."
  }

  static func newLayer(_ layer: String, _ line: Int, _ reason: String) -> String {
    "Only newer versions of MapLibre Native draw the layer '\(clipped(layer))', in line \(line): \(reason)."
  }

  static var imports: String {
    "MapLibre Native does not read 'imports', so that nothing of them is drawn: write their sources and layers into the "
      + "style."
  }

  static func unread(_ members: [String]) -> String {
    "MapLibre Native does not read \(list(members.map { "'\($0)'" })), and draws the map without."
  }

  static var noGlyphs: String {
    "The style writes labels and has no 'glyphs', so that MapLibre Native refuses the map: add "
      + "'asset://glyphs/{fontstack}/{range}.pbf' and the files of its fonts."
  }

  static func missing(_ paths: [String]) -> String {
    "The style needs \(count(paths)) not there, and MapLibre Native refuses the map: \(list(paths)). Add "
      + "them, or choose other fonts, texts or a filter."
  }

  static func unusable(_ files: [String]) -> String {
    "The style reads \(files.count == 1 ? "a file" : "\(files.count) files") of which MapLibre Native refuses the map: "
      + "\(list(files, separator: "; ")). Make or copy them again, glyphs without compression."
  }

  static func relative(_ url: String, at place: String, _ line: Int) -> String {
    "'\(place)', in line \(line), is '\(clipped(url))', which does not begin with a scheme, and MapLibre Native "
      + "refuses the map: write 'asset://…' for a file of the pack."
  }

  static func noSpriteIndex(_ path: String, at place: String, _ reason: String) -> String {
    "'\(path)' is the index of the sprite to which '\(place)' refers, and cannot be used: \(reason). MapLibre Native "
      + "refuses the map: make the sprite again."
  }

  static func noTileJSON(_ path: String, at place: String, _ reason: String) -> String {
    "'\(path)', to which '\(place)' refers, is no TileJSON: \(reason). MapLibre Native refuses the map: write "
      + "'mbtiles://{{mbtiles_path}}' or 'pmtiles://file://{{pmtiles_path}}' for a tileset of the pack."
  }

  static func noGeoJSON(_ path: String, at place: String, _ reason: String) -> String {
    "'\(path)', to which '\(place)' refers, is no GeoJSON: \(reason). MapLibre Native draws nothing of it: export "
      + "it again."
  }

  static func missingElsewhere(_ paths: [String]) -> String {
    "\(list(paths)) \(paths.count == 1 ? "is" : "are") missing or broken: MapLibre Native for iOS draws these characters "
      + "with the system's font, and other renderers refuse the map."
  }

  static func missingImages(_ names: [String]) -> String {
    "The sprites have no image \(list(names)): a map shows nothing there, unless the app adds it to the style."
  }

  /// Returns some characters and the file that has no glyph for them.
  static func signs(_ signs: [UInt32], in file: String) -> String {
    let shown = signs.prefix(10).compactMap { Unicode.Scalar($0).map { "\($0)" } }
    let others = signs.count > 10 ? " and \(signs.count - 10) others" : ""
    return shown.joined(separator: " ") + others + " in \(file)"
  }

  static func absentGlyphs(_ files: [String]) -> String {
    "Labels have characters for which the fonts have no glyph, and which a map leaves out: "
      + "\(list(files, separator: "; ")). Choose fonts that have them."
  }

  static func noSprite(_ names: [String]) -> String {
    "The style has no 'sprite', and draws the images \(list(names.map { "'\($0)'" })): a map shows nothing there, "
      + "unless the app adds them to the style."
  }

  static func unknown(_ expression: String, _ layer: String, _ line: Int) -> String {
    "The labels of the layer '\(clipped(layer))', in line \(line), depend on '\(clipped(expression))', which is not "
      + "evaluated here: see to it that the glyphs of its results are there."
  }

  static func inBundle(_ paths: [String]) -> String {
    "The app's bundle must contain what is not there: \(list(paths))."
  }

  private static func count(_ paths: [String]) -> String {
    paths.count == 1 ? "a file that is" : "\(paths.count) files that are"
  }

  private static func list(_ paths: [String], separator: String = ", ") -> String {
    let shown = paths.prefix(20).joined(separator: separator)
    return paths.count > 20 ? shown + " and \(paths.count - 20) others" : shown
  }

  private static func clipped(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(80)
    return String(start) + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
  }
}
