import Foundation
import HoldfastLedger

/// The parameters that the verbs of `holdfast files` have in common.
struct LedgerParameters: Sendable {
  let container = Argument(
    "CONTAINER", "A copied container: a folder, or the .xcappdata that Xcode downloads.", .path)
  let database = Option(
    "--database", "DB",
    "The database, here or in CONTAINER; by default the one that has a known table.", .path)
  let table = Option(
    "--table", "TABLE",
    "The table of the files; by default a ledger's own and those of an audiobook app: "
      + LedgerTable.known.map(\.name).joined(separator: ", ") + ".", .text)
  let idColumn = Option(
    "--id-column", "COLUMN",
    "The column that identifies a row, or several with commas; by default the primary key.", .text)
  let pathColumn = Option("--path-column", "COLUMN", "The column of the paths.", .text)
  let dialect = Option(
    "--dialect", "FORM",
    "How paths are written: text (@documents/a), a root such as documents (a), prefixes such as "
      + "D:=documents,C:=caches (D:a), or documents-and-caches, as the known tables do.", .dialect)

  /// All of them, for a declaration.
  var all: [any Parameter] { [container, database, table, idColumn, pathColumn, dialect] }

  /// Returns the description of the table.
  ///
  /// - Throws: ``ToolError`` with `.usage` when columns are named, and no table.
  func choice(_ arguments: ParsedArguments) throws(ToolError) -> TableChoice {
    let choice = TableChoice(
      name: arguments[table], idColumns: arguments[idColumn], pathColumn: arguments[pathColumn],
      dialect: arguments[dialect])
    if choice.name == nil {
      if choice.idColumns != nil { throw .needsTable(idColumn.name) }
      if choice.pathColumn != nil { throw .needsTable(pathColumn.name) }
    }
    return choice
  }
}
