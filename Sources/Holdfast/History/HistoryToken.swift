extension ChangeHistory {
  /// A place in the change history of one database.
  ///
  /// It means something to the database that gave it only. Store it as text, or encode it.
  public struct Token: Hashable, Sendable {
    /// Which database gave it.
    let store: String

    /// The number of the last change before it.
    let number: Int64

    /// When that change was made, in milliseconds since 1970; tells apart what two copies of a
    /// database did after they parted.
    let time: Int64
  }
}

extension ChangeHistory.Token: LosslessStringConvertible {
  /// The token as text: letters, digits and hyphens.
  public var description: String { "\(store)-\(number)-\(time)" }

  /// Reads a token from its text.
  ///
  /// - Parameter description: What ``description`` gave; anything else is no token.
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
  /// - Parameter decoder: Gives the text.
  /// - Throws: `DecodingError` when the text is no token.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = ChangeHistory.Token(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no token of a change history.")
    }
    self = token
  }

  /// Encodes the token as its text.
  ///
  /// - Parameter encoder: Takes the text.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
