import Foundation

// The format of values that are stored as JSON. What is stored depends on it: it does not change.

extension JSONEncoder {
  /// Returns an encoder with sorted keys, so that equal values are stored as equal texts.
  static func forDatabase(
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo = userInfo
    return encoder
  }
}

extension JSONDecoder {
  /// Returns a decoder of what the encoder of ``JSONEncoder/forDatabase(userInfo:)`` stores.
  static func forDatabase(
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    decoder.dateDecodingStrategy = .millisecondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .throw
    decoder.userInfo = userInfo
    return decoder
  }
}
