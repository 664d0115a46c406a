/// Options for creating a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing if a table of that name exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)

  /// Creates a table that only this connection sees, until it is closed.
  ///
  /// It cannot be synchronized with another table, which other connections change too.
  public static let temporary = VirtualTableOptions(rawValue: 1 << 1)

  /// The schema in which the table is created.
  var schema: String { contains(.temporary) ? "temp" : "main" }

  /// The beginning of the statement, up to the table's name.
  func creation(of name: String) -> String {
    "CREATE VIRTUAL TABLE \(contains(.ifNotExists) ? "IF NOT EXISTS " : "")"
      + "\(contains(.temporary) ? "temp." : "")\(name.quotedDatabaseIdentifier)"
  }
}
