/// The kind of values that SQLite prefers to store in a column, derived from the column's declared type.
///
/// - SeeAlso: <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>
package enum ColumnAffinity: Hashable, Sendable {
  case integer, text, blob, real, numeric

  /// Derives it as SQLite does for a table that is not STRICT.
  ///
  /// - Parameter type: The declared type; empty when there is none.
  package init(type: String) {
    let type = type.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains(where: type.contains) }
    self =
      if has("INT") {
        .integer
      } else if has("CHAR", "CLOB", "TEXT") {
        .text
      } else if type.isEmpty || has("BLOB") {
        .blob
      } else if has("REAL", "FLOA", "DOUB") {
        .real
      } else {
        .numeric
      }
  }

  /// Whether SQLite makes numbers of texts that look like them.
  package var isNumeric: Bool { self != .text && self != .blob }
}
