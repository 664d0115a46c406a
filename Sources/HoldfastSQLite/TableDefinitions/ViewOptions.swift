/// Options for creating a view.
public struct ViewOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if a view of that name exists.
  public static let ifNotExists = ViewOptions(rawValue: 1 << 0)
  /// Only this connection sees the view, until it closes.
  public static let temporary = ViewOptions(rawValue: 1 << 1)
}
