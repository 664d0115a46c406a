import Holdfast
import HoldfastFiles

/// The tables and views of a database, and their columns.
struct SeedSchema {
  private struct Table {
    var name: String
    var columns: [DatabaseIdentifier: String]
  }

  private var tables: [DatabaseIdentifier: Table] = [:]

  /// Reads the tables and the views of a database.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - schema: The name under which the database is attached.
  /// - Throws: `DatabaseError`.
  init(_ db: Database, of schema: String = "main") throws {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM \(schema.quotedDatabaseIdentifier).sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
    for name in names {
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_xinfo(?, ?)", arguments: [name, schema])
      tables[DatabaseIdentifier(name)] = Table(
        name: name,
        columns: Dictionary(columns.map { (DatabaseIdentifier($0), $0) }) { first, _ in first })
    }
  }

  /// Refuses a database of the app that lacks a table, a view or a column of this schema, or has
  /// other numbers than the seed.
  ///
  /// - Parameters:
  ///   - db: The connection to the database of the app.
  ///   - numbers: The numbers of the seed.
  ///   - path: The path of the database of the app, for the error.
  /// - Throws: ``PackError`` with `.unsuitable`.
  func check(_ db: Database, against numbers: PackFile.Schema, at path: FilePath) throws {
    let found = try PackFile.Schema(db)
    guard found == numbers else {
      throw PackError.otherApplication(path, expected: numbers, found: found)
    }
    let own = try SeedSchema(db)
    for (identifier, table) in tables.sorted(by: { $0.key < $1.key }) {
      guard let present = own.tables[identifier] else {
        throw PackError.incompleteMerge(path, table: table.name, column: nil)
      }
      let missing = table.columns.filter { present.columns[$0.key] == nil }
      if let column = missing.min(by: { $0.key < $1.key }) {
        throw PackError.incompleteMerge(path, table: table.name, column: column.value)
      }
    }
  }
}
