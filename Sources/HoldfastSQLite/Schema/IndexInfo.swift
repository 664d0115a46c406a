/// An index of a table.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_index_list>
public struct IndexInfo: Hashable, Sendable {
  /// The origin of an index.
  public struct Origin: RawRepresentable, Hashable, DatabaseValueConvertible, Sendable {
    /// SQLite's abbreviation: `c`, `u` or `pk`.
    public var rawValue: String

    /// Creates an origin from SQLite's abbreviation.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A CREATE INDEX statement.
    public static let createIndex = Origin(rawValue: "c")
    /// A UNIQUE constraint.
    public static let uniqueConstraint = Origin(rawValue: "u")
    /// A PRIMARY KEY constraint.
    public static let primaryKeyConstraint = Origin(rawValue: "pk")
  }

  /// The index's name.
  public let name: String

  /// The names of the indexed columns, in the index's order.
  ///
  /// The rowid is named `rowid`. Expressions have no names, so an index on expressions has fewer
  /// names than parts.
  public let columns: [String]

  /// Whether the index forbids two rows with equal values.
  public let isUnique: Bool

  /// The origin of the index.
  public let origin: Origin

  /// Whether the index covers only the rows that satisfy its WHERE clause.
  public let isPartial: Bool

  /// Whether the index is only on columns, not on expressions.
  public let isOnColumns: Bool
}
