import HoldfastFiles

// Every error message of this module.

extension MapError {
  static func notFound(_ path: FilePath, _ error: any Error) -> MapError {
    MapError(
      code: .notFound, message: "There is no tileset '\(path.name)'.",
      advice: "Install the pack that contains it, or check the path.",
      path: path.text, underlying: error)
  }

  static func notATileset(
    _ name: String, because reason: String, _ error: (any Error)? = nil
  ) -> MapError {
    MapError(
      code: .invalidTileset, message: "'\(name)' is not a tileset: \(reason).",
      advice: "Pass an MBTiles file or a PMTiles archive, and copy it again if it should be one.",
      underlying: error)
  }

  static func notATileset(_ path: FilePath, _ error: any Error) -> MapError {
    guard let content = SubstituteContent(at: path) else {
      return notATileset(path.name, because: "it is no SQLite database, or encrypted", error)
    }
    return MapError(
      code: .invalidTileset, message: "'\(path.name)' is not a tileset: it is \(content.sentence).",
      advice: content.advice, underlying: error)
  }

  static func unusableTileset(_ name: String, _ problem: TilesetProblem) -> MapError {
    MapError(
      code: .damaged, message: "'\(name)' is no tileset that can be used: \(problem.message)",
      advice: "Make the file again; `holdfast map check` lists everything that is wrong with it.")
  }

  static func damaged(_ name: String, reading item: String, _ error: any Error) -> MapError {
    MapError(
      code: .damaged, message: "The tileset '\(name)' is damaged where \(item) is read.",
      advice: "Install it again; 'holdfast map check' lists what is damaged.", underlying: error)
  }

  static func notEvaluated(
    _ name: String, reading item: String, because reason: String, _ error: any Error
  ) -> MapError {
    MapError(
      code: .notEvaluated,
      message:
        "This version of SQLite cannot evaluate the schema of '\(name)' where \(item) is read: "
        + "\(reason).",
      advice:
        "Make the tileset again with a plain schema, or read it with the version or the engine "
        + "that wrote it.", underlying: error)
  }

  static func notAnArchive(_ name: String, because reason: String) -> MapError {
    MapError(
      code: .invalidTileset, message: "'\(name)' is no archive that can be read: \(reason).",
      advice: "Copy it again, or make it again as PMTiles of version 3 with gzip.")
  }

  static func archiveWithoutTiles(_ name: String) -> MapError {
    MapError(
      code: .invalidTileset, message: "The archive '\(name)' has no tiles.",
      advice: "Make it again, of an area and zoom levels in which its source has some.")
  }

  static func damagedArchive(_ name: String, reading item: String, because reason: String)
    -> MapError
  {
    MapError(
      code: .damaged, message: "The archive '\(name)' is damaged where \(item) is read: \(reason).",
      advice: "Copy or make it again.")
  }

  static func noTilesetName(_ path: FilePath) -> MapError {
    MapError(
      code: .unusablePath,
      message: "The name '\(path.name)' does not say which format the tileset is to have.",
      advice: "Choose a name that ends with .mbtiles or .pmtiles.", path: path.text)
  }

  static func destinationExists(_ path: FilePath) -> MapError {
    MapError(
      code: .unusablePath, message: "There is a file '\(path.name)' already.",
      advice: "Choose another name, or ask for the file to be replaced (--replace).",
      path: path.text)
  }

  static func noTilesetToReplace(_ path: FilePath) -> MapError {
    MapError(
      code: .unusablePath, message: "'\(path.name)' is no tileset, and is not replaced.",
      advice: "Choose another name, or remove it yourself.", path: path.text)
  }

  static func noTiles(_ path: FilePath, isPart: Bool) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "'\(path.name)' has no tile\(isPart ? " that is kept" : ""), and a PMTiles archive "
        + "needs one.",
      advice: isPart
        ? "Check the area and the zoom levels against `holdfast map info`."
        : "Make the tileset again, or convert it once it has tiles.",
      path: path.text)
  }

  static func areaInOtherProjection(_ path: FilePath, _ projection: String) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "Which tiles of '\(path.name)' are in an area is not known: its metadata says that "
        + "the 'crs' is '\(projection.prefix(100))', and not Web Mercator.",
      advice: "Convert all of it, or some zoom levels; remove the row 'crs' if it is that of the "
        + "bounds alone.", path: path.text)
  }

  static func tooManyTiles(_ path: FilePath) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "'\(path.name)' has more than \(ReadingLimit.convertedTiles.most) tiles.",
      advice: "Convert a part of it, by its zoom levels or its area.", path: path.text)
  }

  static func tooMuch(_ item: String, in name: String) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "'\(name)' is not a tileset: \(item) are more than \(TilesetLimits.rowCount) rows "
        + "or \(TilesetLimits.listByteCount >> 20) MiB.",
      advice: "Look at the definition of the table or view, and make the tileset again.")
  }

  static func tooManyLayers(in name: String) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "'\(name)' is not a tileset: the JSON in its metadata has more than "
        + "\(TilesetLimits.jsonValueCount) values, which are more layers and fields than a map can have.",
      advice: "Make the tileset again, without statistics in its metadata.")
  }

  static func endless(
    _ name: String, reading item: String, _ error: TilesetLimits.StepsExceeded
  ) -> MapError {
    MapError(
      code: .invalidTileset,
      message: "'\(name)' is not a tileset that can be used: \(item) is not found within "
        + "\(error.steps) steps of SQLite, as if a view had rows without end.",
      advice: "Look at the definitions of the views, and make the tileset again.",
      underlying: error)
  }

  static func noBytes(_ item: String, in name: String, but type: String) -> MapError {
    MapError(
      code: .damaged,
      message: "The tileset '\(name)' has a value of type \(type) for \(item), and no bytes.",
      advice: "Make the tileset again; 'holdfast map check' lists such tiles.")
  }

  static func illegalCoordinate(z: Int, x: Int, y: Int) -> MapError {
    MapError(
      code: .invalidCoordinate, message: "There is no tile z=\(z), x=\(x), y=\(y).",
      advice: "Choose z from 0 to \(TileCoordinate.maximumZoom), and x and y from 0 to 2^z − 1.")
  }

  static func compressedGrid(_ compression: TileCompression) -> MapError {
    MapError(
      code: .invalidGrid, message: "The grid is compressed (\(compression)).",
      advice: "Decompress its data, and create a UTFGrid from the JSON.")
  }

  static func invalidGrid(because reason: String, _ error: (any Error)? = nil) -> MapError {
    MapError(
      code: .invalidGrid, message: "The grid is not a UTFGrid: \(reason).",
      advice: "Make the tileset's grids again.", underlying: error)
  }

  // MARK: - Styles

  static func noTileset(_ path: String?, in generation: String, count: Int) -> MapError {
    MapError(
      code: .notFound,
      message: path.map { "The generation '\(generation)' has no file '\($0)'." }
        ?? "The generation '\(generation)' has \(count) tilesets instead of one.",
      advice: "Name a tileset of the pack by its path.")
  }

  static func noTemplate() -> MapError {
    MapError(
      code: .notFound, message: "There is no template of a style.",
      advice: "Pass a template for light or dark.")
  }

  static func templateNotFound(_ path: FilePath, _ error: any Error) -> MapError {
    MapError(
      code: .notFound, message: "There is no template '\(path.name)' of a style.",
      advice: "Install the pack that contains it, or check the path.",
      path: path.text, underlying: error)
  }

  static func notJSON(_ fault: JSONDocument.Fault, line: Int) -> MapError {
    MapError(
      code: .invalidStyle, message: "The style is not JSON: \(fault.reason), in line \(line).",
      advice: "Correct the style; a placeholder such as {{mbtiles_path}} belongs inside a string.",
      line: line)
  }

  static func notAStyle(because reason: String, line: Int? = nil) -> MapError {
    MapError(
      code: .invalidStyle, message: "This is not a style document that can be used: \(reason).",
      advice: "Write a style of version 8, as the MapLibre Style Specification describes it.",
      line: line)
  }

  static func unknownPlaceholder(_ name: String, at place: String, line: Int) -> MapError {
    MapError(
      code: .unresolvedPlaceholder,
      message: "The placeholder '{{\(name)}}' at '\(place)', in line \(line), has no value.",
      advice: "Correct its name, or pass a value for it.", line: line)
  }

  static func openPlaceholder(at place: String, line: Int) -> MapError {
    MapError(
      code: .unresolvedPlaceholder,
      message: "A placeholder begins with '{{' at '\(place)', in line \(line), and does not end.",
      advice: "Close it with '}}'.", line: line)
  }

  static func placeholderInKey(_ key: String, line: Int) -> MapError {
    MapError(
      code: .unresolvedPlaceholder,
      message: "The key '\(key)', in line \(line), contains a placeholder, which is not replaced.",
      advice: "Write placeholders into values only.", line: line)
  }

  static func relativePath(_ path: String, scheme: String) -> MapError {
    MapError(
      code: .unusablePath, message: "The path '\(path)' is not absolute, as '\(scheme)' requires.",
      advice: "Pass a file URL with an absolute path.", path: path)
  }

  static func questionMark(_ path: String) -> MapError {
    MapError(
      code: .unusablePath,
      message: "The path of the tileset contains '?', where a renderer cuts it off: '\(path)'.",
      advice: "Rename the file or the folder, or install the tileset into another one.",
      path: path)
  }

  static func missingAsset(_ url: String, at place: String, in folder: String) -> MapError {
    MapError(
      code: .missingAsset,
      message: "The style's '\(place)' is '\(url)', which is not a file of '\(folder)'.",
      advice: "Put the file into the pack, or render with the assets of the app's bundle.")
  }

  static func unusableStyle(_ sentences: [String]) -> MapError {
    MapError(
      code: .missingAsset, message: "The style cannot be used. \(sentences.joined(separator: " "))",
      advice: "Correct the style, or add what is missing.")
  }

  static func wrongScheme(
    _ url: String, at place: String, _ file: String, _ template: String
  ) -> MapError {
    MapError(
      code: .wrongSource,
      message:
        "The style's '\(place)' is '\(url)', and '\(file)' is a tileset of the other format.",
      advice: "Write '\(template)' into the template.")
  }

  static func otherSourceType(_ problems: [TilesetProblem]) -> MapError {
    MapError(
      code: .wrongSource, message: problems.map(\.message).joined(separator: " "),
      advice: "Correct the style, or render it for another tileset.")
  }

  static func wrongURL(
    _ url: String, at place: String, line: Int, _ template: String
  ) -> MapError {
    MapError(
      code: .wrongSource,
      message:
        "The style's '\(place)', in line \(line), is '\(url)', which is not the URL of a tileset.",
      advice: "Write '\(template)' into the template, and nothing before or after it.", line: line)
  }

  static func wrongName(_ path: FilePath, because reason: String) -> MapError {
    MapError(
      code: .unusablePath, message: "\(reason).",
      advice: "Name it after its format: a renderer reads it as what its name and the style say.",
      path: path.text)
  }

  static func wrongSource(
    _ url: String, at place: String, expected: [String], _ template: String
  ) -> MapError {
    let names = expected.map { "'\($0)'" }.joined(separator: ", ")
    return MapError(
      code: .wrongSource,
      message: "The style's '\(place)' is '\(url)', which is none of the tilesets \(names).",
      advice: "Write '\(template)' into the template.")
  }
}
