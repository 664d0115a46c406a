/// A single-value container for a record that decodes itself as one value.
///
/// That is another record, the value of the first column, or else another keyed value, as it was encoded.
struct WholeRow: SingleValueDecodingContainer {
  /// The key of a column that no property of the record names.
  private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let decoder: CodableRowDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  /// Returns whether the row has no value; another keyed value may lack the first.
  func decodeNil() -> Bool { !decoder.row.containsNonNullValue }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let record = try decoder.row.record(type) { return record }
    guard let name = decoder.row.columnNames.first else { throw RowDecodingError.noColumns }
    let column = ColumnValue(ColumnKey(stringValue: name), column: name, of: decoder)
    if let value = try column.convertedValue(type) { return value }
    // A number would ask this container for itself for ever.
    guard !(type is any Numeric.Type) else { throw RowDecodingError.notStored(type) }
    return try T(from: decoder)
  }
}
