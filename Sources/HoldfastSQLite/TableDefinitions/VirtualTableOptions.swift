/// Options for creating a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if a table of that name exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)
}
