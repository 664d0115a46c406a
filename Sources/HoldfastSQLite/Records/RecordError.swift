/// The error for a record that is not in the database.
public enum RecordError: Error, Hashable, Sendable {
  /// There is no row with that key.
  ///
  /// - Parameters:
  ///   - databaseTableName: The table.
  ///   - key: The key's columns with their values.
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
  /// The table and the key, in one sentence.
  public var description: String {
    switch self {
    case .recordNotFound(let table, let key):
      let columns = key.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
      return "Key not found in table \(table): [\(columns.joined(separator: " "))]"
    }
  }
}
