public import Holdfast

/// The identifier of a record: the values of the table's identifying columns.
///
/// Texts are equal when their bytes are.
///
/// ```swift
/// let record = try await ledger.record("book-1")
/// let chapter = try await ledger.record(["book-1", 7])
/// ```
public struct RecordID: Hashable, Sendable {
  /// The values, in the order of ``LedgerTable/idColumns``.
  public var values: [DatabaseValue]

  /// Whether a value is NULL, which is equal to no other: such a row has no identifier.
  var hasNull: Bool { values.contains(where: \.isNull) }

  /// Creates an identifier from the values of several columns.
  ///
  /// - Parameter values: One value per column.
  public init(_ values: [DatabaseValue]) {
    self.values = values
  }

  /// Creates an identifier from the value of one column.
  ///
  /// - Parameter value: The value.
  public init(_ value: some DatabaseValueConvertible) {
    values = [value.databaseValue]
  }
}

extension RecordID: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral
{
  /// Creates the identifier of one column with a text.
  public init(stringLiteral value: String) { self.init(value) }

  /// Creates the identifier of one column with an integer.
  public init(integerLiteral value: Int64) { self.init(value) }

  /// Creates an identifier from the values of several columns.
  public init(arrayLiteral elements: DatabaseValue...) { self.init(elements) }
}

extension RecordID: CustomStringConvertible {
  /// The plain text of a text, the SQL literal of any other value; several are joined by commas.
  public var description: String {
    values.map { value in
      if case .string(let text) = value.storage { text } else { value.description }
    }.joined(separator: ",")
  }
}
