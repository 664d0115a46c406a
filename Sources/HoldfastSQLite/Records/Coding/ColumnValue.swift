import Foundation

/// The value of one column, as one property of a record decodes it.
struct ColumnValue: SingleValueSource {
  private let decoder: CodableRowDecoder
  private let key: any CodingKey
  private let column: String
  private var row: Row { decoder.row }

  init(_ key: any CodingKey, column: String, of decoder: CodableRowDecoder) {
    self.decoder = decoder
    self.key = key
    self.column = column
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try SingleValueDecoder(source: self).decode(type)
  }

  var codingPath: [any CodingKey] { decoder.codingPath + [key] }
  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }
  var isNull: Bool { (row[column] as DatabaseValue).isNull }

  func convertedValue<T: Decodable>(_ type: T.Type) throws -> T? {
    // The record's strategies come before the type's own conformance.
    if type == Date.self, let date = try date() as? T { return date }
    if type == Data.self, let data = try data() as? T { return data }
    guard let type = type as? any DatabaseValueConvertible.Type else { return nil }
    return try row.decode(type, forColumn: column) as? T
  }

  func decodeJSON<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.record.databaseJSONDecoder(for: column).decode(type, from: json(for: type))
  }

  private func date() throws(RowDecodingError) -> Date {
    let strategy = decoder.record.databaseDateDecodingStrategy(for: column)
    if case .deferredToDate = strategy { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let date = strategy.decode(value) else { throw error(Date.self) }
    return date
  }

  private func data() throws(RowDecodingError) -> Data {
    let strategy = decoder.record.databaseDataDecodingStrategy(for: column)
    guard case .custom(let decode) = strategy else { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let data = decode(value) else { throw error(Data.self) }
    return data
  }

  private func error(_ type: Any.Type) -> RowDecodingError {
    guard let index = row.layout.index(of: column) else {
      return row.error(type, forMissingColumn: column)
    }
    return row.error(type, at: index)
  }

  private func json<T>(for type: T.Type) throws(RowDecodingError) -> Data {
    do throws(RowDecodingError) {
      return try row.decode(forColumn: column)
    } catch {
      var error = error
      error.expectedType = "\(type)"
      throw error
    }
  }
}
