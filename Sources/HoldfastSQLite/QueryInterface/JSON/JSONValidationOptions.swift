extension Database {
  /// The forms of JSON that ``Database/jsonIsValid(_:options:)`` accepts.
  ///
  /// - SeeAlso: <https://www.sqlite.org/json1.html#jvalid>
  public struct JSONValidationOptions: OptionSet, Sendable {
    /// The options as the bits of SQLite.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// JSON text as RFC 8259 defines it.
    public static let json = JSONValidationOptions(rawValue: 1)
    /// JSON5 text, which SQLite reads too.
    public static let json5 = JSONValidationOptions(rawValue: 2)
    /// Bytes that begin like SQLite's binary JSON.
    public static let probablyJSONB = JSONValidationOptions(rawValue: 4)
    /// Bytes that are SQLite's binary JSON throughout.
    public static let jsonb = JSONValidationOptions(rawValue: 8)
  }
}
