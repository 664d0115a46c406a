/// A single-value container for a record that decodes itself as one value.
///
/// That is the value of the first column, or else another keyed value, as it was encoded.
struct WholeRow: SingleValueDecodingContainer {
  /// The key of a column that no property of the record names.
  private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let decoder: CodableRowDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { column?.isNull ?? true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let value = try column?.convertedValue(type) { return value }
    return try T(from: decoder)
  }

  private var column: ColumnValue? {
    decoder.row.columnNames.first.map {
      ColumnValue(ColumnKey(stringValue: $0), column: $0, of: decoder)
    }
  }
}
