extension Decoder {
  /// Decodes a value from one string.
  ///
  /// - Parameters:
  ///   - value: Returns the value of a string; `nil` if it has none.
  ///   - fault: What is wrong with such a string, such as `names no storage root`.
  /// - Returns: The value of the string.
  /// - Throws: `DecodingError` when the decoder holds no string, or one without a value.
  package func value<Value>(ofText value: (String) -> Value?, else fault: String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = value(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' \(fault)")
    }
    return value
  }
}
