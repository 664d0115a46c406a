import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps

/// `holdfast map style TEMPLATE OUT --tiles FILE [--assets FOLDER]`.
struct MapStyleRender: Verb {
  private let template = Argument("TEMPLATE", "A style with placeholders.", .path)
  private let document = Argument("OUT", "The style to write.", .path)
  private let tiles = Option(
    "--tiles", "FILE", "The tileset, whose path replaces {{mbtiles_path}} or {{pmtiles_path}}.",
    .path)
  private let assets = Option(
    "--assets", "FOLDER",
    "Points asset:// URLs to files in this folder, and refuses a style whose files are missing there.",
    .path)

  var declaration: Declaration {
    Declaration(
      "style", "Writes a map's style from a template, if it differs from the file that exists.",
      template, document, tiles, assets, example: "fair.json style.json --tiles fair.mbtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let out = arguments[document]
    try out.checkIsPlaceForFile()
    try FilePath(of: out).refuseLink()
    let style = try MapStyle(template: arguments[template].styleTemplate())
    var values: [String: MapStyle.Value] = [:]
    if let tiles = arguments[tiles] {
      // A renderer would end the app at what is no tileset.
      let tileset = try TileSources.open(readingFileAt: tiles)
      defer { tileset.closeIgnoringErrors() }
      try style.checkTileset(at: tiles.absoluteURL, try tileset.coverage().format)
      values["mbtiles_path"] = .file(tiles.absoluteURL)
      values[MapStyle.archivePlaceholder] = .file(tiles.absoluteURL)
    }
    let folder = arguments[self.assets]?.absoluteURL
    var warnings: [String] = []
    if let folder {
      warnings = try style.checkNeeds(in: folder, tileset: arguments[tiles]?.absoluteURL)
    }
    let rendered = try style.rendered(
      values, assets: folder.map { MapStyle.Assets.folder($0) } ?? .bundle)
    let isWritten =
      FileManager.default.contents(atPath: out.path(percentEncoded: false)) != rendered
    if isWritten {
      // Not between the file and the removal of its lock: a next run that changes nothing leaves both.
      try output.console.undoing {
        try AtomicReplace(at: out).write { staging in try rendered.write(to: staging) }
      }
    }
    try output.record([
      "output": .text(out.relativePath), "bytes": Cell(rendered.count), "written": .bool(isWritten),
      "placeholders": .list(style.placeholderNames.map(Cell.text)),
      "warnings": .list(warnings.map(Cell.text)),
    ])
    for warning in warnings { output.note(warning) }
    return .success
  }
}

extension URL {
  /// Returns the bytes of a style or its template.
  func styleTemplate() throws -> Data {
    guard !isFolder else { throw ToolError.templateIsFolder(relativePath) }
    let path = try FilePath(of: self)
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .read)
      var content = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      // In order, because it may be a pipe.
      while content.count <= ReadingLimit.style.most,
        case let count = try SystemCalls.readBytes(file, into: &buffer), count > 0
      {
        content += buffer[..<count]
      }
      guard content.count <= ReadingLimit.style.most else { throw .tooLarge }
      return content
    } catch .notFound, .notDirectory {
      throw ToolError.noFile(relativePath)
    } catch {
      throw ToolError.unreadableTemplate(
        relativePath, reason: SystemCalls.description(of: error))
    }
  }
}
