import Foundation

// The format of values that are stored as JSON. What is stored depends on it: it does not change.

extension JSONEncoder {
  /// Returns an encoder with sorted keys, so that equal values are stored as equal texts.
  static func forDatabase(
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo = sendable(userInfo)
    return encoder
  }
}

extension JSONDecoder {
  /// Returns a decoder of what the encoder of ``JSONEncoder/forDatabase(userInfo:)`` stores.
  static func forDatabase(
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    decoder.dateDecodingStrategy = .millisecondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .throw
    decoder.userInfo = sendable(userInfo)
    return decoder
  }
}

/// Returns the same values for a coder of Foundation, which stays on the thread that codes the record.
private func sendable(_ userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
  /// Every value is of the type `any Sendable`, but only a cast that the compiler does not see is allowed.
  func cast<Target>(to: Target.Type) -> Target? { userInfo as? Target }
  guard let values = cast(to: [CodingUserInfoKey: any Sendable].self) else {
    preconditionFailure("every value is of the type 'any Sendable'")
  }
  return values
}
