/// A uniqueness constraint of a table, because of which a REPLACE deletes the conflicting row.
enum UniqueConstraint: Hashable {
  /// The rowid, by one of its names.
  case rowID(String)

  /// A unique index; a primary key or UNIQUE column has one too.
  case index(terms: [Term], predicate: Condition?)

  /// A part of an index.
  struct Term: Hashable {
    /// SQL in which names refer to columns of the table.
    let sql: String

    /// The column's name; `nil` for an expression.
    let column: String?
    let collation: String

    /// The folded names of the columns that it names.
    let names: Set<DatabaseIdentifier>
  }

  /// The condition of a partial index.
  struct Condition: Hashable {
    let sql: String

    /// The folded names of the columns that it names.
    let names: Set<DatabaseIdentifier>
  }

  /// Returns the unique indexes of a table, in the order of their names.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - columns: The folded names of its columns.
  ///   - db: A connection.
  /// - Returns: The indexes, and after them the key of a table without rowids.
  /// - Throws: `DatabaseError` when the schema cannot be read.
  static func indexes(
    of table: String, columns: Set<DatabaseIdentifier>, _ db: Database
  ) throws -> [UniqueConstraint] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT list.name, schema.sql FROM pragma_index_list(?, 'main') AS list
        JOIN main.sqlite_schema AS schema ON schema.type = 'index' AND schema.name = list.name
        WHERE list."unique" ORDER BY list.name
        """, arguments: [table]
    ).map { row in
      let definition = (row[1] as String?).map(IndexDefinition.init)
      let predicate = definition?.predicate.map {
        IndexExpression(
          $0, columns: columns.union(PrimaryKeyInfo.allRowIDNames.map(\.foldedDatabaseIdentifier)),
          table: table)
      }
      return .index(
        terms: try terms(ofIndex: row[0], definition, columns: columns, table: table, db),
        predicate: predicate.map { Condition(sql: $0.sql, names: $0.columns) })
    } + withoutRowIDKey(of: table, columns: columns, db)
  }

  /// Returns the primary key of a table without rowids, whose index is the table itself.
  private static func withoutRowIDKey(
    of table: String, columns: Set<DatabaseIdentifier>, _ db: Database
  ) throws -> [UniqueConstraint] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_index_list(?, 'main')
        WHERE origin = 'pk'
          AND name NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index')
        """, arguments: [table]
    ).map {
      .index(
        terms: try terms(ofIndex: $0, nil, columns: columns, table: table, db), predicate: nil)
    }
  }

  private static func terms(
    ofIndex name: String, _ definition: IndexDefinition?, columns: Set<DatabaseIdentifier>,
    table: String,
    _ db: Database
  ) throws -> [Term] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT seqno, name, coll, "desc" FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno
        """, arguments: [name]
    ).map { row in
      if let column: String = row[1] {
        return Term(
          sql: column.quotedDatabaseIdentifier, column: column, collation: row[2],
          names: [column.foldedDatabaseIdentifier])
      }
      let text = definition?.expression(row[0], isDescending: row[3]) ?? "NULL"
      let expression = IndexExpression(text, columns: columns, table: table)
      return Term(
        sql: expression.sql, column: nil, collation: row[2], names: expression.columns)
    }
  }
}
