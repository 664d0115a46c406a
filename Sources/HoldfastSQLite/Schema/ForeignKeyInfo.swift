/// A foreign key of a table: which columns refer to which columns of another one.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>
public struct ForeignKeyInfo: Sendable {
  /// SQLite's number of the foreign key inside its table.
  public let id: Int

  /// The table that the key refers to.
  public let destinationTable: String

  /// Which column refers to which.
  ///
  /// A destination that the declaration leaves out is a column of the destination's primary key.
  public let mapping: [(origin: String, destination: String)]

  /// The referring columns.
  public var originColumns: [String] { mapping.map(\.origin) }

  /// The columns that are referred to.
  public var destinationColumns: [String] { mapping.map(\.destination) }
}
