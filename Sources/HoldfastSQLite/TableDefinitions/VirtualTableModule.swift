/// A module of virtual tables that are created with a definition, such as ``FTS5``.
///
/// An app's own type creates the tables of a module that SQLite has, in the words of the app:
///
/// ```swift
/// struct RTree: VirtualTableModule {
///   let moduleName = "rtree"
///   func makeTableDefinition(configuration: VirtualTableConfiguration) -> Box { Box() }
///   func moduleArguments(for box: Box, in db: Database) -> [String] { ["id"] + box.bounds }
///   func database(_ db: Database, didCreate tableName: String, using box: Box) {}
/// }
/// ```
///
/// A table whose rows Swift code computes is a ``VirtualTable``.
///
/// - SeeAlso: <https://www.sqlite.org/vtab.html>
public protocol VirtualTableModule<TableDefinition> {
  /// The type that defines a table that is being created.
  associatedtype TableDefinition

  /// The module's name, as SQL contains it.
  var moduleName: String { get }

  /// Returns an empty definition, which the closure of
  /// ``Database/create(virtualTable:options:using:_:)`` gets.
  ///
  /// - Parameter configuration: How the table is created.
  /// - Returns: A definition that the closure fills.
  func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

  /// Returns the arguments between the parentheses of `CREATE VIRTUAL TABLE`, as SQL.
  ///
  /// - Parameters:
  ///   - definition: The finished definition.
  ///   - db: The connection, in the savepoint in which the table is then created.
  /// - Returns: The arguments; none for SQL without parentheses.
  /// - Throws: Any error; no table is created then.
  func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

  /// Does what a new table needs, such as triggers and rows.
  ///
  /// - Parameters:
  ///   - db: The connection, in the savepoint in which the table was created.
  ///   - tableName: The table's name.
  ///   - definition: The finished definition.
  /// - Throws: Any error; the savepoint is rolled back, and with it the table.
  func database(
    _ db: Database, didCreate tableName: String, using definition: TableDefinition) throws
}

/// The options with which a virtual table is created.
public struct VirtualTableConfiguration: Sendable {
  /// The options of the creation.
  public let options: VirtualTableOptions
}
