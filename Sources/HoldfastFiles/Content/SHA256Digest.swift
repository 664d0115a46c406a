/// The 256 bits by which content is recognised.
///
/// - SeeAlso: FIPS 180-4.
public struct SHA256Digest: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Makes a digest of its bytes.
  ///
  /// The result is `nil` when there are more or fewer.
  ///
  /// - Parameter bytes: the 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }
}

extension SHA256Digest: LosslessStringConvertible {
  /// 64 hexadecimal digits in lower case.
  public var description: String { HexText.text(bytes) }

  /// Reads hexadecimal text.
  ///
  /// The result is `nil` when it is anything else.
  ///
  /// - Parameter description: 64 hexadecimal digits in either case.
  public init?(_ description: String) {
    guard let bytes = HexText.bytes(description) else { return nil }
    self.init(bytes: bytes)
  }
}

extension SHA256Digest: Codable {
  /// Reads hexadecimal text.
  ///
  /// - Parameter decoder: holds one string of 64 hexadecimal digits.
  /// - Throws: `DecodingError` when it is anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let digest = SHA256Digest(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not 64 hexadecimal digits")
    }
    self = digest
  }

  /// Writes hexadecimal text.
  ///
  /// - Parameter encoder: receives one string.
  /// - Throws: whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
