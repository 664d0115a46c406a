import HoldfastFiles

extension PMTilesArchive {
  /// Returns everything that is wrong with the file, on the caller's thread; it reads every tile.
  ///
  /// - Parameter style: A style that draws the archive, whose `source-layer`s are compared with the layers of the
  ///   tiles; nothing by default.
  /// - Returns: What is wrong.
  /// - Throws: `FileError` when it cannot be read.
  @available(
    *, noasync,
    message:
      "Write `try await check()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func check(for style: MapStyle? = nil) throws -> TilesetReport {
    try check(for: style.map { [$0] } ?? []).withStyles
  }

  /// Returns everything that is wrong with the file, and apart from it what styles do not find in it.
  func check(for styles: [MapStyle]) throws -> TilesetReport {
    try TilesetReport(current(), for: styles)
  }

  /// Returns everything that is wrong with the file, while the task is suspended; it reads every tile.
  ///
  /// - Parameter style: A style that draws the archive, whose `source-layer`s are compared with the layers of the
  ///   tiles; nothing by default.
  /// - Returns: What is wrong.
  /// - Throws: `FileError` when it cannot be read; `CancellationError`.
  public func check(for style: MapStyle? = nil) async throws -> TilesetReport {
    try await BlockingWork.userInitiated.run { [self] isCancelled in
      try TilesetReport(
        current(), for: style.map { [$0] } ?? [], isCancelled: isCancelled
      ).withStyles
    }
  }
}
