/// Options for creating a table.
public struct TableOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if a table of that name exists.
  public static let ifNotExists = TableOptions(rawValue: 1 << 0)
  /// Only this connection sees the table, until it closes.
  public static let temporary = TableOptions(rawValue: 1 << 1)
  /// Stores the rows by their primary key, without a rowid.
  ///
  /// - SeeAlso: <https://www.sqlite.org/withoutrowid.html>
  public static let withoutRowID = TableOptions(rawValue: 1 << 2)
  /// Refuses values that do not have the types of their columns.
  ///
  /// - SeeAlso: <https://www.sqlite.org/stricttables.html>
  public static let strict = TableOptions(rawValue: 1 << 3)
}
