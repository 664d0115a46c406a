import Holdfast

/// A table with the columns of a GTFS file that may lack some of them.
struct FileTable {
  private let columns: Set<String>

  /// Returns the table of a file; `nil` if the feed has none.
  init?(_ file: String, _ db: Database) throws {
    let table = "gtfs_\(file)"
    guard try db.tableExists(table, in: "main") else { return nil }
    columns = Set(
      try String.fetchAll(
        db, sql: "SELECT lower(name) FROM pragma_table_info(?, 'main')", arguments: [table]))
  }

  /// Returns an expression for a column, which is NULL if the file lacks it.
  func column(_ name: String) -> String {
    columns.contains(name) ? "CAST(file.\(name) AS TEXT)" : "NULL"
  }
}
