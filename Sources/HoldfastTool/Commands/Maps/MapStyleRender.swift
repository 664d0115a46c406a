import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps

/// `holdfast map style TEMPLATE OUT --tiles FILE [--assets FOLDER]`.
struct MapStyleRender: Verb {
  private let template = Argument("TEMPLATE", "A style with placeholders.", .path)
  private let document = Argument("OUT", "The style to write.", .path)
  private let tiles = Option(
    "--tiles", "FILE", "The tileset, whose path replaces {{mbtiles_path}}.", .path)
  private let assets = Option(
    "--assets", "FOLDER", "Points asset:// URLs to files in this folder.", .path)

  var declaration: Declaration {
    Declaration(
      "style", "Writes a map's style from a template, if it differs from the file that exists.",
      template, document, tiles, assets, example: "fair.json style.json --tiles fair.mbtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let out = arguments[document]
    try out.checkIsPlaceForFile()
    let source = arguments[template]
    let sourcePath = source.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: sourcePath) else {
      throw ToolError.noFile(source.relativePath)
    }
    guard let data = FileManager.default.contents(atPath: sourcePath) else {
      throw ToolError.unreadableTemplate(source.relativePath)
    }
    let style = try MapStyle(template: data)
    var values: [String: MapStyle.Value] = [:]
    if let tiles = arguments[tiles] {
      // A renderer would end the app at what is no tileset.
      try Tileset(readingFileAt: tiles).close()
      values["mbtiles_path"] = .file(tiles.absoluteURL)
    }
    let assets = arguments[assets].map { MapStyle.Assets.folder($0.absoluteURL) } ?? .bundle
    let rendered = try style.rendered(values, assets: assets)
    let isWritten =
      FileManager.default.contents(atPath: out.path(percentEncoded: false)) != rendered
    if isWritten {
      try AtomicReplace(at: out).write { staging in try rendered.write(to: staging) }
    }
    try output.record([
      "output": .text(out.relativePath), "bytes": Cell(rendered.count), "written": .bool(isWritten),
      "placeholders": .list(style.placeholderNames.map(Cell.text)),
    ])
    return .success
  }
}
