import Holdfast

extension Tileset {
  /// Returns an interaction grid, on the caller's thread.
  ///
  /// - Parameter coordinate: The tile of the grid.
  /// - Returns: The grid; `nil` when the tileset has none there, or no grids at all.
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code.
  @available(
    *, noasync,
    message:
      "Write `try await grid(at:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func grid(at coordinate: TileCoordinate) throws -> TileGrid? {
    try file.read("the grid \(coordinate)") { db in try TileGrid(coordinate, db) }
  }

  /// Returns an interaction grid, while the task is suspended.
  ///
  /// - Parameter coordinate: The tile of the grid.
  /// - Returns: The grid; `nil` when the tileset has none there, or no grids at all.
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code;
  ///   `CancellationError`.
  public func grid(at coordinate: TileCoordinate) async throws -> TileGrid? {
    try await file.read("the grid \(coordinate)") { db in try TileGrid(coordinate, db) }
  }
}
