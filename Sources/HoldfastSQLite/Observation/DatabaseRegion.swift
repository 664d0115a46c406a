/// A part of a database: whole tables, or some of their columns or rows.
///
/// A region describes what a statement reads or what a change modifies. Get one from a statement,
/// or create it:
///
/// ```swift
/// let statement = try db.makeStatement(sql: "SELECT name, score FROM player")
/// print(statement.databaseRegion)  // player(name,score)
/// print(DatabaseRegion(table: "player"))  // player(*)
/// ```
///
/// Names are compared without regard to the case of their ASCII letters. Schema names are not part
/// of a region: tables of the same name in two attached databases are treated as one.
public struct DatabaseRegion: Sendable {
  struct Table: Sendable {
    /// The name as it was first spelled.
    var name: String

    /// The spelling of each column, by its folded name; `nil` for all columns.
    var columns: [DatabaseIdentifier: String]?

    /// The rowids; `nil` for all rows.
    var rowIDs: Set<Int64>?
  }

  /// The tables by their folded names; `nil` for the whole database.
  private(set) var tables: [DatabaseIdentifier: Table]?

  /// The region of the whole database: all rows and columns of all tables.
  public static let fullDatabase = DatabaseRegion(tables: nil)

  /// Creates an empty region.
  public init() {
    tables = [:]
  }

  /// Creates a region of a whole table.
  ///
  /// - Parameter table: The table's name; it need not exist.
  public init(table: String) {
    self.init(Table(name: table))
  }

  /// Creates a region of some columns of a table, in all of its rows.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - columns: The columns' names.
  public init(table: String, columns: Set<String>) {
    self.init(table: table, names: columns)
  }

  /// Creates a region of some columns, whose names differ in their bytes.
  init(table: String, names: some Sequence<String>) {
    let names = names.map { ($0.foldedDatabaseIdentifier, $0) }
    self.init(Table(name: table, columns: Dictionary(names) { first, _ in first }))
  }

  /// Creates a region of some rows of a table, in all of its columns.
  ///
  /// - Parameters:
  ///   - table: The name of a table that has rowids.
  ///   - rowIDs: The rowids of the rows.
  public init(table: String, rowIDs: Set<Int64>) {
    self.init(Table(name: table, rowIDs: rowIDs))
  }

  private init(_ table: Table) {
    tables = table.isEmpty ? [:] : [table.name.foldedDatabaseIdentifier: table]
  }

  private init(tables: [DatabaseIdentifier: Table]?) {
    self.tables = tables
  }

  /// Whether the region is empty.
  public var isEmpty: Bool { tables?.isEmpty ?? false }

  /// Whether the region is the whole database.
  public var isFullDatabase: Bool { tables == nil }

  /// Whether the region names single rows of a table.
  package var namesRows: Bool {
    tables?.values.contains { $0.rowIDs != nil } ?? false
  }

  /// The tables of which the region names single rows, in whole; `nil` when there are none.
  var tablesOfRows: DatabaseRegion? {
    let names = tables?.values.filter { $0.rowIDs != nil }.map(\.name) ?? []
    return names.isEmpty
      ? nil : names.reduce(DatabaseRegion()) { $0.union(DatabaseRegion(table: $1)) }
  }

  // MARK: - Sets

  /// Returns a region that contains both regions.
  ///
  /// Of each table it contains the columns of both regions, in the rows of both.
  ///
  /// - Parameter other: Another region.
  /// - Returns: A region that contains both; it may be larger than their exact union.
  public func union(_ other: DatabaseRegion) -> DatabaseRegion {
    guard let tables, let others = other.tables else { return .fullDatabase }
    // Most regions are those of one statement, which are returned as they are.
    if tables.isEmpty { return other }
    if others.isEmpty { return self }
    return DatabaseRegion(tables: tables.merging(others) { $0.union($1) })
  }

  /// Adds another region to this one.
  ///
  /// - Parameter other: The other region.
  public mutating func formUnion(_ other: DatabaseRegion) {
    self = union(other)
  }

  /// Returns the common part of two regions.
  ///
  /// - Parameter other: Another region.
  /// - Returns: The common part; empty when there is none.
  public func intersection(_ other: DatabaseRegion) -> DatabaseRegion {
    guard let tables else { return other }
    guard let others = other.tables else { return self }
    var common: [DatabaseIdentifier: Table] = [:]
    for (name, table) in tables {
      guard let table = others[name].map(table.intersection), !table.isEmpty else { continue }
      common[name] = table
    }
    return DatabaseRegion(tables: common)
  }

  /// Whether the regions have a part in common.
  func intersects(_ other: DatabaseRegion) -> Bool {
    guard let tables else { return !other.isEmpty }
    guard let others = other.tables else { return !tables.isEmpty }
    for (name, other) in others {
      if let table = tables[name], table.intersects(other) { return true }
    }
    return false
  }

  /// Returns the region with a table restricted to the given rows.
  func narrowed(_ table: DatabaseIdentifier, to rowIDs: Set<Int64>) -> DatabaseRegion {
    guard var tables, let known = tables[table] else { return self }
    let narrow = known.intersection(Table(name: known.name, rowIDs: rowIDs))
    tables[table] = narrow.isEmpty ? nil : narrow
    return DatabaseRegion(tables: tables)
  }

  /// Returns the region without tables.
  func without(tables names: Set<DatabaseIdentifier>) -> DatabaseRegion {
    guard !names.isEmpty, let tables else { return self }
    return DatabaseRegion(tables: tables.filter { !names.contains($0.key) })
  }

  /// Returns the names of a table's columns in the region; empty when the region has all of them.
  func columns(of table: String) -> [String] {
    (tables?[table.foldedDatabaseIdentifier]?.columns).map { Array($0.values) } ?? []
  }

  // MARK: - Changes

  /// Returns whether a change of the given kind may modify the region.
  ///
  /// An update of columns that are not in the region does not; the insertion of a row does.
  ///
  /// - Parameter eventKind: A kind of change to the rows of a table.
  /// - Returns: Whether such a change may modify the region.
  public func isModified(byEventsOfKind eventKind: DatabaseEventKind) -> Bool {
    intersects(eventKind.modifiedRegion)
  }

  /// Returns whether a row change modifies the region.
  ///
  /// An event contains neither the columns that an update changed nor the rowid that a row had
  /// before. Call this function only for events of a kind for which ``isModified(byEventsOfKind:)``
  /// returned true. `DatabaseRegionObservation` knows both.
  ///
  /// - Parameter event: A change of one row.
  /// - Returns: Whether the row is in the region.
  public func isModified(by event: DatabaseEvent) -> Bool {
    guard let tables else { return true }
    guard let table = tables[event.tableName.foldedDatabaseIdentifier] else { return false }
    return table.rowIDs?.contains(event.rowID) ?? true
  }
}

extension DatabaseRegion.Table: Equatable {
  var isEmpty: Bool {
    columns?.isEmpty == true || rowIDs?.isEmpty == true
  }

  func union(_ other: Self) -> Self {
    var union = Self(name: name)
    if let columns, let others = other.columns {
      union.columns = columns.merging(others) { first, _ in first }
    }
    if let rowIDs, let others = other.rowIDs {
      union.rowIDs = rowIDs.union(others)
    }
    return union
  }

  func intersection(_ other: Self) -> Self {
    var common = Self(name: name, columns: columns, rowIDs: rowIDs)
    if let others = other.columns {
      common.columns = columns?.filter { others[$0.key] != nil } ?? others
    }
    if let others = other.rowIDs {
      common.rowIDs = rowIDs?.intersection(others) ?? others
    }
    return common
  }

  func intersects(_ other: Self) -> Bool {
    if let columns, let others = other.columns,
      !columns.keys.contains(where: { others[$0] != nil })
    {
      return false
    }
    if let rowIDs, let others = other.rowIDs, rowIDs.isDisjoint(with: others) {
      return false
    }
    return true
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.columns?.keys == rhs.columns?.keys && lhs.rowIDs == rhs.rowIDs
  }
}

extension DatabaseRegion: Equatable {}

extension DatabaseRegion: CustomStringConvertible {
  /// A description for logs and tests, such as `player(name,score),team(*)[1,2]`.
  public var description: String {
    guard let tables else { return "full database" }
    guard !tables.isEmpty else { return "empty" }
    return tables.sorted { $0.key < $1.key }.map { $0.value.description }.joined(separator: ",")
  }
}

extension DatabaseRegion.Table: CustomStringConvertible {
  var description: String {
    let columns = columns.map { $0.values.sorted().joined(separator: ",") } ?? "*"
    let rows = rowIDs.map { "[\($0.sorted().map(String.init).joined(separator: ","))]" } ?? ""
    return "\(name)(\(columns))\(rows)"
  }
}
