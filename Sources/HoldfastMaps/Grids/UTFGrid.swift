public import Foundation

/// The shape of an interaction grid: for each of its cells the key of the feature that lies there.
///
/// - SeeAlso: <https://github.com/mapbox/utfgrid-spec/blob/master/1.3/utfgrid.md>
public struct UTFGrid: Hashable, Sendable {
  /// The number of columns and of rows; 64 in most grids.
  public let side: Int

  /// The keys of the features; the first is empty, for cells without a feature.
  public let keys: [String]

  /// For each cell, row by row from the north, the number of its key.
  private let cells: [Int32]

  private struct Content: Decodable {
    var grid: [String]
    var keys: [String]
  }

  /// Reads a grid.
  ///
  /// - Parameter json: The JSON, decompressed.
  /// - Throws: ``MapError`` with `.invalidGrid` when it is compressed, not JSON, or contradicts
  ///   itself.
  public init(json: Data) throws(MapError) {
    let compression = TileCompression(firstBytesOf: json)
    guard compression == .none else { throw .compressedGrid(compression) }
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: json)
    } catch {
      throw .invalidGrid(because: "it is no JSON object with 'grid' and 'keys'", error)
    }
    side = content.grid.count
    keys = content.keys
    var cells: [Int32] = []
    for (number, row) in content.grid.enumerated() {
      let scalars = row.unicodeScalars
      guard scalars.count == side else {
        throw .invalidGrid(
          because: "row \(number) has \(scalars.count) cells, and there are \(side) rows")
      }
      for scalar in scalars {
        guard let key = Self.key(scalar), key < content.keys.count else {
          throw .invalidGrid(because: "row \(number) has a cell without a key")
        }
        cells.append(Int32(key))
      }
    }
    self.cells = cells
  }

  /// Decodes the number of a key.
  ///
  /// "Add 32. If the result is >= 34, add 1. If the result is >= 92, add 1": `"` and `\` are left
  /// out, because JSON escapes them.
  private static func key(_ scalar: Unicode.Scalar) -> Int? {
    var number = Int(scalar.value)
    guard number != 34, number != 92 else { return nil }
    if number >= 93 { number -= 1 }
    if number >= 35 { number -= 1 }
    number -= 32
    return number >= 0 ? number : nil
  }

  /// Returns the key of a cell.
  ///
  /// - Parameters:
  ///   - column: The cell's column, counted from 0 in the west.
  ///   - row: The cell's row, counted from 0 in the north.
  /// - Returns: `nil` for a cell without a feature, and outside of the grid.
  public func key(column: Int, row: Int) -> String? {
    guard (0..<side).contains(column), (0..<side).contains(row) else { return nil }
    let key = keys[Int(cells[row * side + column])]
    return key.isEmpty ? nil : key
  }
}
