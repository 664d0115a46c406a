/// Something that no two rows of a table may share, so that a REPLACE deletes the one in the way.
enum UniqueConstraint: Hashable {
  /// The rowid, by one of its names.
  case rowID(String)

  /// A unique index; a primary key or UNIQUE column has one too.
  case index(terms: [Term], predicate: String?)

  /// A part of an index.
  struct Term: Hashable {
    /// SQL in which names stand for columns of the table.
    let sql: String

    /// The column's name, `nil` for an expression.
    let column: String?
    let collation: String
  }

  /// The unique indexes of a table, in the order of their names.
  static func indexes(of table: String, _ db: Database) throws -> [UniqueConstraint] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT list.name, schema.sql FROM pragma_index_list(?, 'main') AS list
        JOIN main.sqlite_schema AS schema ON schema.type = 'index' AND schema.name = list.name
        WHERE list."unique" ORDER BY list.name
        """, arguments: [table]
    ).map { row in
      let definition = (row[1] as String?).map(IndexDefinition.init)
      return .index(
        terms: try terms(ofIndex: row[0], definition, db), predicate: definition?.predicate)
    } + withoutRowIDKey(of: table, db)
  }

  /// The primary key of a table without rowids, whose index is the table itself.
  private static func withoutRowIDKey(
    of table: String, _ db: Database
  ) throws -> [UniqueConstraint] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_index_list(?, 'main')
        WHERE origin = 'pk'
          AND name NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index')
        """, arguments: [table]
    ).map { .index(terms: try terms(ofIndex: $0, nil, db), predicate: nil) }
  }

  private static func terms(
    ofIndex name: String, _ definition: IndexDefinition?, _ db: Database
  ) throws -> [Term] {
    try Row.fetchAll(
      db,
      sql: "SELECT seqno, name, coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno",
      arguments: [name]
    ).map { row in
      let column: String? = row[1]
      let sql = column?.quotedDatabaseIdentifier ?? definition?.terms[row[0]] ?? "NULL"
      return Term(sql: sql, column: column, collation: row[2])
    }
  }
}
