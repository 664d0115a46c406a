/// A foreign key of a table: the mapping of its columns to the columns of another table.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>
public struct ForeignKeyInfo: Sendable {
  /// SQLite's number of the foreign key inside its table.
  public let id: Int

  /// The table that the key refers to.
  public let destinationTable: String

  /// The referring columns and the columns to which they refer.
  ///
  /// A destination that the declaration omits is a column of the destination's primary key.
  public let mapping: [(origin: String, destination: String)]

  /// The referring columns.
  public var originColumns: [String] { mapping.map(\.origin) }

  /// The columns to which they refer.
  public var destinationColumns: [String] { mapping.map(\.destination) }
}
