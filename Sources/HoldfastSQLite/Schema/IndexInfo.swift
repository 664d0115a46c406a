/// An index of a table.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_index_list>
public struct IndexInfo: Hashable, Sendable {
  /// Where an index comes from.
  public struct Origin: RawRepresentable, Hashable, Sendable {
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
  /// The rowid is `rowid`. An index on an expression has no name for it, and so fewer names here
  /// than it has parts.
  public let columns: [String]

  /// Whether the index forbids two rows with equal values.
  public let isUnique: Bool

  /// Where the index comes from.
  public let origin: Origin

  /// Whether the index covers only the rows that its WHERE clause names.
  public let isPartial: Bool

  /// Whether the index is on columns only, and on no expression.
  public let isOnColumns: Bool
}
