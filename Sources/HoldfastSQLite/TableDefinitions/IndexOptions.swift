/// Options for creating an index.
public struct IndexOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if an index of that name exists.
  public static let ifNotExists = IndexOptions(rawValue: 1 << 0)
  /// Forbids two rows with equal values.
  public static let unique = IndexOptions(rawValue: 1 << 1)
}
