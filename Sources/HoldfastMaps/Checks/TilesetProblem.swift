/// Something that is wrong with a tileset.
public struct TilesetProblem: Hashable, Sendable {
  /// How much a problem harms.
  public enum Severity: String, Hashable, Sendable {
    /// A renderer of maps fails, or shows something wrong.
    case error
    /// The specification is not followed, and renderers manage.
    case warning
  }

  /// The kinds of problems; later versions may add kinds.
  public enum Kind: String, Hashable, Sendable {
    case damaged, noTiles, noBlob, illegalCoordinate, duplicateTile, mixedFormats, wrongFormat
    case metadataColumns, invalidBounds, invalidZoom, invalidScale, unknownFormat
    case nullTile, otherCompression, slowLookup, missingName, missingFormat, missingBounds
    case invalidCenter, wrongZoom, missingVectorLayers, duplicateName
  }

  /// The kind of the problem.
  public let kind: Kind

  /// How much it harms.
  public let severity: Severity

  /// What is wrong, in one sentence.
  public let message: String

  /// The first tile that has the problem, if it is one of tiles.
  public let tile: TileCoordinate?

  /// How often it was found.
  public internal(set) var count: Int
}
