import Foundation
import Holdfast
import HoldfastMaps

/// `holdfast map convert IN OUT [--replace]`.
struct MapConvert: Verb {
  private let input = Argument("IN", "A tileset (MBTiles or PMTiles).", .path)
  private let out = Argument("OUT", "The tileset to create, OUT.mbtiles or OUT.pmtiles.", .path)
  private let replace = Flag.replacesTileset

  var declaration: Declaration {
    Declaration(
      "convert", "Converts a tileset between MBTiles and PMTiles.", input, out, replace,
      example: "fair.mbtiles fair.pmtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    var conversion = TilesetConversion(from: arguments[input], to: arguments[out])
    conversion.replaces = arguments[replace]
    return try output.convert(conversion)
  }
}

/// `holdfast map extract IN OUT [--bounds WEST,SOUTH,EAST,NORTH] [--zoom A-B] [--replace]`.
struct MapExtract: Verb {
  private let input = Argument("IN", "A tileset (MBTiles or PMTiles).", .path)
  private let out = Argument("OUT", "The tileset to create, OUT.mbtiles or OUT.pmtiles.", .path)
  private let bounds = Option(
    "--bounds", "WEST,SOUTH,EAST,NORTH",
    "Only tiles that have a part of this area, in degrees of WGS 84, as the bounds of a tileset are written.",
    .bounds)
  private let zoom = Option("--zoom", "A-B", "Only these zoom levels: 0-12, or 12.", .zoomLevels)
  private let replace = Flag.replacesTileset

  var declaration: Declaration {
    Declaration(
      "extract", "Makes a smaller tileset of an area or of some zoom levels.", input, out, bounds,
      zoom, replace,
      example: "fair.mbtiles part.pmtiles --zoom 0-1")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    var conversion = TilesetConversion(from: arguments[input], to: arguments[out])
    conversion.replaces = arguments[replace]
    conversion.bounds = arguments[bounds]
    conversion.zoomLevels = arguments[zoom]
    return try output.convert(conversion)
  }
}

extension Flag {
  fileprivate static let replacesTileset = Flag(
    "--replace", "Replaces OUT, if it is a tileset.")
}

extension Output {
  /// Converts a tileset, and says what was made and what is lost.
  fileprivate func convert(_ conversion: TilesetConversion) throws -> ExitCode {
    let name = conversion.source.lastPathComponent
    let report = try withProgress { bar in
      try conversion.run { fraction in try bar.show(fraction, "Converting \(name)") }
    }
    try record([
      "output": .text(conversion.destination.relativePath),
      "tiles": Cell(report.tileCount), "different_tiles": Cell(report.contentCount),
      "bytes": Cell(report.byteCount), "losses": .list(report.losses.map(Cell.text)),
      "changes": .list(report.changes.map(Cell.text)),
    ])
    return .success
  }
}

extension Reading<GeographicBounds> {
  fileprivate static let bounds = Reading(
    expected: "the edges WEST,SOUTH,EAST,NORTH of an area, such as 13.36,52.50,13.42,52.53"
  ) { word in
    let parts = word.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let edges = parts.compactMap(\.self)
    guard parts.count == 4, edges.count == 4 else { return nil }
    return GeographicBounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
  }
}

extension Reading<ClosedRange<Int>> {
  fileprivate static let zoomLevels = Reading(
    expected: "zoom levels from 0 to \(TileCoordinate.maximumZoom), such as 0-12 or 12"
  ) { word in
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let levels = parts.compactMap(\.self)
    guard parts.count == levels.count, let first = levels.first, let last = levels.last,
      levels.count <= 2, first <= last, first >= 0, last <= TileCoordinate.maximumZoom
    else { return nil }
    return first...last
  }
}
