/// An error of a tileset or of a map style.
public struct MapError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, invalidTileset, damaged, notEvaluated, invalidCoordinate, invalidGrid
      case invalidStyle, unresolvedPlaceholder, unusablePath, missingAsset, wrongSource
    }

    private let kind: Kind

    /// There is no such file.
    public static let notFound = Code(kind: .notFound)

    /// A file is not a tileset.
    public static let invalidTileset = Code(kind: .invalidTileset)

    /// A tileset is damaged where it was read.
    public static let damaged = Code(kind: .damaged)

    /// The schema of a tileset needs what this version of SQLite does not have.
    public static let notEvaluated = Code(kind: .notEvaluated)

    /// A tile's coordinate does not exist.
    public static let invalidCoordinate = Code(kind: .invalidCoordinate)

    /// An interaction grid does not follow the specification of UTFGrid.
    public static let invalidGrid = Code(kind: .invalidGrid)

    /// A style is not JSON, or not a style document of version 8.
    public static let invalidStyle = Code(kind: .invalidStyle)

    /// A style contains a placeholder without a value, or where none is replaced.
    public static let unresolvedPlaceholder = Code(kind: .unresolvedPlaceholder)

    /// A path cannot be written so that a renderer of maps opens this file and no other.
    public static let unusablePath = Code(kind: .unusablePath)

    /// A style refers to a sprite, to glyphs or to another file that is not there.
    public static let missingAsset = Code(kind: .missingAsset)

    /// A source of a style is not the tileset that it is rendered for.
    public static let wrongSource = Code(kind: .wrongSource)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// A sentence that describes the failure, the file and the reason.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String? = nil

  /// The file or folder that the error is about.
  public var path: String? = nil

  /// The line in a style, counted from 1.
  public var line: Int? = nil

  /// The cause, if another layer reported one.
  public var underlying: (any Error)? = nil
}

extension MapError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
