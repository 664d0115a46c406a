import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps

/// `holdfast map tile FILE Z X Y`.
struct MapTile: Verb {
  private let file = Argument("FILE", "A tileset (MBTiles or PMTiles).", .path)
  private let z = Argument("Z", "The zoom level.", .integer(in: 0...TileCoordinate.maximumZoom))
  private let x = Argument("X", "The column, from 0 in the west.", .integer(in: 0...largest))
  private let y = Argument("Y", "The row, from 0 in the north.", .integer(in: 0...largest))

  private static let largest = (1 << TileCoordinate.maximumZoom) - 1

  var declaration: Declaration {
    Declaration(
      "tile",
      "Writes the bytes of one tile, as they are stored, to standard output; with --json also its layers.",
      file, z, x, y, example: "fair.mbtiles 0 0 0 > tile.png")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let coordinate = try TileCoordinate(z: arguments[z], x: arguments[x], y: arguments[y])
    guard let tile = try await Self.tile(at: coordinate, of: arguments[file]) else {
      throw ToolError.noTile("\(coordinate)", arguments[file].relativePath)
    }
    guard output.format == .json else {
      try output.console.write(tile.data)
      return .success
    }
    let content = TileContent([UInt8](tile.data), with: ZlibInflater())
    try output.record([
      "z": Cell(coordinate.z), "x": Cell(coordinate.x), "y": Cell(coordinate.y),
      "format": Cell(content.format?.rawValue),
      "compression": .text(content.compression.rawValue),
      "bytes": Cell(tile.data.count),
      "tile_data": .blob(tile.data),
      "layers": layers(of: content, at: coordinate),
      "problems": .list(content.problems(at: coordinate).map(Cell.text)),
    ])
    return .success
  }

  private static func tile(at coordinate: TileCoordinate, of file: URL) async throws -> Tile? {
    let tileset = try TileSources.open(readingFileAt: file)
    defer { tileset.closeIgnoringErrors() }
    return try await tileset.tile(at: coordinate)
  }

  /// Returns the layers of a vector tile; null for other tiles, and for one that cannot be read, whose
  /// problems say why.
  private func layers(of content: TileContent, at coordinate: TileCoordinate) -> Cell {
    guard case .vector(let tile) = content.kind else { return .null }
    do throws(VectorTileFault) {
      var cells: [Cell] = []
      for layer in tile.layers { cells.append(try TileGeoJSON(coordinate, layer).layer) }
      return .list(cells)
    } catch _ {
      // `problems` finds the same fault.
      return .null
    }
  }
}
