/// A decoder of records by their `Decodable` conformance.
///
/// Use it in a record that implements `init(row:)` itself and decodes only a part of it otherwise:
///
/// ```swift
/// struct Player: Decodable, FetchableRecord {
///   init(row: Row) throws {
///     self = try FetchableRecordDecoder().decode(Player.self, from: row)
///     isNew = row["isNew"]
///   }
/// }
/// ```
public final class FetchableRecordDecoder: Sendable {
  /// Creates a decoder.
  public init() {}

  /// Decodes a record from a row, with the strategies of its ``FetchableRecord`` conformance.
  ///
  /// - Parameters:
  ///   - type: The type of the record, whose `init(row:)` is not called.
  ///   - row: The row.
  /// - Returns: A record that `init(from:)` made.
  /// - Throws: ``RowDecodingError`` when a column is missing or does not convert; whatever
  ///   `init(from:)` throws.
  public func decode<Record: FetchableRecord & Decodable>(
    _ type: Record.Type, from row: Row
  ) throws -> Record {
    try row.withDecoder(for: type) { (decoder: consuming any Decoder) in
      try Record(from: decoder)
    }
  }
}
