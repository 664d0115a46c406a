/// Something that is wrong with a tileset.
public struct TilesetProblem: Hashable, Sendable {
  /// How much a problem harms.
  public enum Severity: String, Hashable, Sendable {
    /// MapLibre Native, in a version that apps use, ends the app, shows nothing, or shows less.
    case error
    /// The specification is not followed, or the map may show less than was meant; MapLibre Native
    /// draws the tiles.
    case warning
  }

  /// The kinds of problems; later versions may add kinds.
  public enum Kind: String, Hashable, Sendable {
    case damaged, brokenConstraint, notEvaluated, writeAheadLog, slowLookup, metadataColumns
    // Archives.
    case invalidMetadata, wrongCount, notClustered
    // Tiles.
    case noTiles, illegalCoordinate, duplicateTile, noBlob, nullTile, emptyTile, lostContent
    case brokenCompression, nestedCompression, severalMembers, trailingBytes, otherCompression
    case compressedImage, brokenImage, unknownFormat, mixedFormats, unreadFormat
    case invalidVectorTile, irregularVectorTile
    // What the metadata says of them.
    case missingName, missingFormat, missingBounds, missingVectorLayers, duplicateName
    case wrongFormat, invalidBounds, invalidCenter, invalidZoom, invalidScale, wrongZoom
    case missingZoomLevel, overridingKey, otherEncoding, otherProjection
    case undeclaredLayer, absentLayer
    // What the name of the file says.
    case wrongName
    // Where they are.
    case rowsFromNorth, outsideBounds, emptyCenter
    // What a style draws.
    case unknownSourceLayer, emptySourceLayer, otherSourceType
  }

  /// The kind of the problem.
  public let kind: Kind

  /// How much it harms.
  public let severity: Severity

  /// The problem, in one sentence.
  public let message: String

  /// The first tile that has the problem, if it is one of tiles.
  public let tile: TileCoordinate?

  /// How often it was found.
  public internal(set) var count: Int

  /// The message, and the number of times that the problem was found, if more than one.
  package var sentence: String { message + (count > 1 ? " (\(count) times)" : "") }
}
