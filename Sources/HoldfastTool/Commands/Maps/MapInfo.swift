import Foundation
import Holdfast
import HoldfastMaps

/// `holdfast map info FILE`.
struct MapInfo: Verb {
  private let file = Argument("FILE", "A tileset (MBTiles or PMTiles).", .path)

  var declaration: Declaration {
    Declaration(
      "info", "Shows what a tileset contains, as it says itself or as its tiles show.", file,
      example: "fair.mbtiles")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let name = arguments[file].relativePath
    let source = try TileSources.open(readingFileAt: arguments[file])
    defer { source.closeIgnoringErrors() }
    if let archive = source as? PMTilesArchive {
      try output.record(OutputRecord(archive.metadata, archive.header, named: name))
      return .success
    }
    guard let tileset = source as? Tileset else { return .success }
    try output.record(OutputRecord(tileset, try await tileset.coverage(), named: name))
    return .success
  }
}

extension OutputRecord {
  /// Creates the description of a tileset.
  init(_ tileset: Tileset, _ coverage: TilesetCoverage, named name: String) {
    let metadata = tileset.metadata
    self = [
      "file": .text(name),
      "name": Cell(metadata.name),
      "description": Cell(metadata.summary),
      "attribution": Cell(metadata.attribution),
      "version": Cell(metadata.version),
      "type": Cell(metadata.type),
      "crs": Cell(metadata["crs"]),
      "format": Cell(coverage.format?.rawValue),
      "compression": .text(coverage.compression.rawValue),
      "minzoom": Cell(coverage.zoomLevels?.lowerBound),
      "maxzoom": Cell(coverage.zoomLevels?.upperBound),
      "bounds": .list((coverage.bounds?.edges ?? []).map(Cell.real)),
      "center": .list(
        coverage.center.map { [.real($0.longitude), .real($0.latitude), Cell($0.zoom)] } ?? []),
      "vector_layers": .list(metadata.vectorLayers.map { .text($0.id) }),
      "schema": .text(tileset.schema.rawValue),
    ]
  }

  /// Creates the description of an archive, with the keys of an MBTiles file.
  init(_ metadata: TilesetMetadata, _ header: PMTilesHeader, named name: String) {
    self = [
      "file": .text(name),
      "name": Cell(metadata.name),
      "description": Cell(metadata.summary),
      "attribution": Cell(metadata.attribution),
      "version": Cell(metadata.version),
      "type": Cell(metadata.type),
      "crs": Cell(metadata["crs"]),
      "format": Cell(metadata.format),
      "compression": .text(header.tileCompression.name),
      "minzoom": Cell(header.minimumZoom),
      "maxzoom": Cell(header.maximumZoom),
      "bounds": .list((header.bounds?.edges ?? []).map(Cell.real)),
      "center": .list(
        header.firstView.map { [.real($0.longitude), .real($0.latitude), Cell($0.zoom)] } ?? []),
      "vector_layers": .list(metadata.vectorLayers.map { .text($0.id) }),
      "schema": .text("pmtiles"),
    ]
  }
}
