import HoldfastFiles

extension ChangeHistory {
  /// A position in the change history of one database.
  ///
  /// It is valid only for that database. Store it as text, or encode it.
  public struct Token: Hashable, Sendable {
    /// The identifier of the database's history.
    let store: String

    /// The number of the last change before it.
    let number: Int64

    /// The time of that change, in milliseconds since 1970; it distinguishes the changes of two
    /// copies of a database after they have diverged.
    let time: Int64
  }
}

extension ChangeHistory.Token: LosslessStringConvertible {
  /// The token as text: letters, digits and hyphens.
  public var description: String { "\(store)-\(number)-\(time)" }

  /// Parses a token.
  ///
  /// - Parameter description: A text as returned by ``description``; the result is `nil` for any
  ///   other.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 32, parts[0].allSatisfy(\.isHexDigit),
      let number = Int64(parts[1]), let time = Int64(parts[2])
    else { return nil }
    (store, self.number, self.time) = (String(parts[0]), number, time)
  }
}

extension ChangeHistory.Token: Codable {
  /// Decodes a token from its text.
  ///
  /// - Parameter decoder: Holds the text.
  /// - Throws: `DecodingError` when the text is not a token.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(
      ofText: ChangeHistory.Token.init, else: "is no token of a change history.")
  }

  /// Encodes the token as its text.
  ///
  /// - Parameter encoder: Receives the text.
  /// - Throws: Whatever the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
