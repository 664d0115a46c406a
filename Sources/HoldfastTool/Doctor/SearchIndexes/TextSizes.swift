import Foundation
import Holdfast

/// The sizes of the texts of a full-text table, by which SQLite ranks what it finds.
///
/// SQLite has them in a table next to the index: for each text a value that has a varint for each column.
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html#data_structures>,
///   <https://www.sqlite.org/fts5.html#the_columnsize_option>
struct TextSizes {
  /// The number of columns of the full-text table.
  let columnCount: Int
  /// The number of texts that have a size.
  private(set) var count = 0
  /// The number of those whose size SQLite cannot read.
  private(set) var unreadableCount = 0

  /// Reads the sizes of all texts.
  ///
  /// - Parameters:
  ///   - name: The name of the full-text table.
  ///   - column: The column with the values.
  ///   - isExact: Whether SQLite refuses a value that has more than these varints, as FTS5 does.
  ///   - db: The connection.
  /// - Throws: `DatabaseError`.
  init(of name: String, in column: String, isExact: Bool, _ db: Database) throws {
    columnCount =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM pragma_table_info(?, 'main')", arguments: [name]) ?? 0
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT CASE typeof(\(column)) WHEN 'blob' THEN \(column) END
        FROM main.\("\(name)_docsize".quotedDatabaseIdentifier)
        """)
    while let row = try rows.next() {
      let bytes = try row.decode(Data?.self, atIndex: 0) ?? Data()
      count += 1
      // Each varint has one last byte, which those of sizes are.
      let sizeCount = bytes.count { $0 < 0x80 }
      let isReadable =
        isExact
        ? sizeCount == columnCount && bytes.last ?? 0 < 0x80 : sizeCount >= columnCount
      if !isReadable { unreadableCount += 1 }
    }
  }

  /// The problem of an index that lacks sizes, without a period; `nil` if it lacks none.
  static func problem(lacking count: Int) -> String? {
    count == 0 ? nil : "it lacks the sizes of \(Count.of(count, "text"))"
  }

  /// The problem of an index that lacks the sums of all sizes, without which none is compared.
  static let lacksTotals = "it lacks its totals"
}
