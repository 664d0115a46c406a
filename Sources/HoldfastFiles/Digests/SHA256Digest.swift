/// A SHA-256 digest.
///
/// - SeeAlso: FIPS 180-4.
public struct SHA256Digest: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a digest from its bytes.
  ///
  /// The result is `nil` when there are not exactly 32.
  ///
  /// - Parameter bytes: The 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }
}

extension SHA256Digest: LosslessStringConvertible {
  /// 64 hexadecimal digits in lower case.
  public var description: String { HexText.text(bytes) }

  /// Parses hexadecimal text.
  ///
  /// The result is `nil` when the text is anything else.
  ///
  /// - Parameter description: 64 hexadecimal digits in either case.
  public init?(_ description: String) {
    guard let bytes = HexText.bytes(description) else { return nil }
    self.init(bytes: bytes)
  }
}

extension SHA256Digest: Codable {
  /// Decodes hexadecimal text.
  ///
  /// - Parameter decoder: Holds one string of 64 hexadecimal digits.
  /// - Throws: `DecodingError` when it holds anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(ofText: SHA256Digest.init, else: "is not 64 hexadecimal digits")
  }

  /// Encodes hexadecimal text.
  ///
  /// - Parameter encoder: Receives one string.
  /// - Throws: Whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
