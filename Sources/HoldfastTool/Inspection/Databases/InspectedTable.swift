import Foundation
import Holdfast

/// A table or a view, as the schema declares it.
struct InspectedTable: Sendable {
  struct Column: Sendable {
    var name: String
    var type: String
    var isNotNull: Bool
    var defaultSQL: String?
    /// The place in the primary key, from 1; 0 for a column that is no part of it.
    var keyPlace: Int
    var isGenerated: Bool
    /// Whether `SELECT *` leaves it out, as it does with those of a full-text table's own.
    var isHidden: Bool
  }

  struct ForeignKey: Sendable {
    var columns: [String] = []
    var table: String
    var to: [String?] = []
    var onDelete: String
    var onUpdate: String
  }

  var name: String
  /// `table`, `view`, `virtual` or `shadow`.
  var type: String
  var sql: String?
  var isWithoutRowID: Bool
  /// Whether it is one of SQLite's own.
  var isHidden: Bool
  var columns: [Column] = []
  /// The collations of the primary key of a table without rowid, which may differ from those of its columns.
  private var keyCollations: [String: String] = [:]
  var foreignKeys: [ForeignKey] = []
  /// The module of a full-text table: `fts5`, `fts4` or `fts3`.
  var search: String?
  /// Why SQLite cannot read it.
  var problem: String?

  /// The columns that are shown.
  var shownColumns: [String] { columns.filter { !$0.isHidden }.map(\.name) }

  /// The columns that identify a row, by which it is found without reading others; `nil` where there are none.
  var key: [String]? {
    switch type {
    case "view": return nil
    case "virtual" where search == nil: return nil
    default: break
    }
    let primary = columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    if isWithoutRowID { return primary.isEmpty ? nil : primary.map(\.name) }
    // "If a rowid table has a primary key that consists of a single column and the declared type of that column is
    // "INTEGER" in any mixture of upper and lower case, then the column becomes an alias for the rowid."
    // (https://www.sqlite.org/lang_createtable.html#rowid)
    if primary.count == 1, primary[0].type.uppercased() == "INTEGER", !isDescendingKey {
      return [primary[0].name]
    }
    let names = Set(columns.map { $0.name.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }.map { [$0] }
  }

  /// The columns of the key in SQL, compared as the key compares them.
  ///
  /// "CREATE TABLE t (a TEXT COLLATE NOCASE, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID" has a row 'a' and
  /// another row 'A', which are the same value of the column.
  var quotedKey: [String] {
    (key ?? []).map { name in
      let collation = keyCollations[name].map { " COLLATE " + $0.quotedDatabaseIdentifier } ?? ""
      return name.quotedDatabaseIdentifier + collation
    }
  }

  /// Whether the primary key may be declared `DESC`, which makes a column of integers no alias.
  private var isDescendingKey: Bool {
    sql.map { $0.uppercased().contains("PRIMARY KEY DESC") } ?? false
  }

  /// Reads the tables of a schema.
  ///
  /// - Parameter db: A connection.
  /// - Returns: All tables and views, by name; what SQLite cannot read has a problem.
  /// - Throws: `DatabaseError`.
  static func all(_ db: Database) throws -> [InspectedTable] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT list.name, list.type, list.wr, schema.sql FROM pragma_table_list AS list
        LEFT JOIN main.sqlite_schema AS schema ON schema.name = list.name AND schema.type IN ('table', 'view')
        WHERE list.schema = 'main' ORDER BY list.name
        """)
    return try rows.map { row in
      let name: String = try row.decode(atIndex: 0)
      var table = InspectedTable(
        name: name, type: try row.decode(atIndex: 1), sql: try row.decode(atIndex: 3),
        isWithoutRowID: try row.decode(atIndex: 2), isHidden: name.hasPrefix("sqlite_"))
      do {
        try table.readColumns(db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        table.problem = error.message ?? error.description
      }
      return table
    }
  }

  /// Reads one table.
  ///
  /// - Throws: ``ToolError`` when there is none of this name; `DatabaseError`.
  static func named(_ name: String, _ db: Database) throws -> InspectedTable {
    // The pragma with a name does not know `sqlite_schema`, and without one lists it.
    let row =
      try row("pragma_table_list(?1)", name, db) ?? row("pragma_table_list", name, db)
    guard let row else { throw ToolError.noTable(name, tables: try db.tableNames()) }
    let found: String = try row.decode(atIndex: 0)
    var table = InspectedTable(
      name: found, type: try row.decode(atIndex: 1), sql: try row.decode(atIndex: 3),
      isWithoutRowID: try row.decode(atIndex: 2), isHidden: found.hasPrefix("sqlite_"))
    try table.readColumns(db)
    return table
  }

  private static func row(_ list: String, _ name: String, _ db: Database) throws -> Row? {
    try Row.fetchOne(
      db,
      sql: """
        SELECT list.name, list.type, list.wr,
          (SELECT sql FROM main.sqlite_schema WHERE name = list.name AND type IN ('table', 'view'))
        FROM \(list) AS list WHERE list.schema = 'main' AND list.name = ?1 COLLATE NOCASE
        """, arguments: [name])
  }

  private mutating func readColumns(_ db: Database) throws {
    if type == "virtual", let sql, let module = VirtualTableDeclaration(sql)?.module,
      ["fts3", "fts4", "fts5"].contains(module)
    {
      search = module
    }
    columns = try Row.fetchAll(
      db,
      sql: "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)",
      arguments: [name]
    ).map { row in
      let hidden: Int = try row.decode(atIndex: 5)
      return Column(
        name: try row.decode(atIndex: 0), type: try row.decode(String?.self, atIndex: 1) ?? "",
        isNotNull: try row.decode(atIndex: 2), defaultSQL: try row.decode(atIndex: 3),
        keyPlace: try row.decode(atIndex: 4), isGenerated: hidden == 2 || hidden == 3,
        isHidden: hidden == 1)
    }
    guard type != "view" else { return }
    if isWithoutRowID { try readKeyCollations(db) }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?)
        ORDER BY id, seq
        """, arguments: [name])
    var keys: [Int: ForeignKey] = [:]
    for row in rows {
      let id: Int = try row.decode(atIndex: 0)
      var key =
        try keys[id]
        ?? ForeignKey(
          table: row.decode(atIndex: 1), onDelete: row.decode(atIndex: 4),
          onUpdate: row.decode(atIndex: 5))
      key.columns.append(try row.decode(atIndex: 2))
      key.to.append(try row.decode(atIndex: 3))
      keys[id] = key
    }
    foreignKeys = keys.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func readKeyCollations(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT info.name, info.coll FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS info
        WHERE list.origin = 'pk' AND info.key AND info.name NOT NULL AND info.coll NOT NULL
        """, arguments: [name])
    for row in rows { keyCollations[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
  }

  /// Returns the columns to which a foreign key leads, which may be the primary key without being named.
  static func targets(of key: ForeignKey, in table: InspectedTable) -> [String] {
    let named = key.to.compactMap(\.self)
    if named.count == key.columns.count { return named }
    let primary = table.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    return primary.map(\.name)
  }
}

extension OutputRecord {
  /// Creates the record of a table, with its indexes and triggers.
  init(_ table: InspectedTable, in tables: [InspectedTable], _ db: Database) throws {
    self = [
      "name": .text(table.name),
      "type": .text(table.type),
      "sql": Cell(table.sql),
      "without_rowid": .bool(table.isWithoutRowID),
      "hidden": .bool(table.isHidden || table.type == "shadow"),
      "key": table.key.map { .list($0.map(Cell.text)) } ?? .null,
      "search": Cell(table.search),
      "problem": Cell(table.problem),
      "columns": .list(
        table.columns.filter { !$0.isHidden }.map { column in
          .record([
            "name": .text(column.name), "type": .text(column.type),
            "not_null": .bool(column.isNotNull), "default": Cell(column.defaultSQL),
            "key": Cell(column.keyPlace), "generated": .bool(column.isGenerated),
          ])
        }),
      "foreign_keys": .list(
        table.foreignKeys.map { key in
          let target = tables.first { $0.name.isSameIdentifier(as: key.table) }
          let columns = target.map { InspectedTable.targets(of: key, in: $0) }
          return .record([
            "columns": .list(key.columns.map(Cell.text)), "table": .text(target?.name ?? key.table),
            "to": .list((columns ?? key.to.map { $0 ?? "" }).map(Cell.text)),
            "on_delete": .text(key.onDelete), "on_update": .text(key.onUpdate),
          ])
        }),
      "indexes": .list(try Self.indexes(of: table, db)),
      "triggers": .list(
        try Row.fetchAll(
          db,
          sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? "
            + "ORDER BY name", arguments: [table.name]
        ).map { row in
          .record([
            "name": .text(try row.decode(atIndex: 0)),
            "sql": Cell(try row.decode(String?.self, atIndex: 1)),
          ])
        }),
    ]
  }

  private static func indexes(of table: InspectedTable, _ db: Database) throws -> [Cell] {
    guard table.problem == nil, table.type != "view" else { return [] }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT list.name, list."unique", list.origin, list.partial, schema.sql
        FROM pragma_index_list(?) AS list
        LEFT JOIN main.sqlite_schema AS schema ON schema.name = list.name AND schema.type = 'index'
        ORDER BY list.name
        """, arguments: [table.name])
    return try rows.map { row in
      let name: String = try row.decode(atIndex: 0)
      // An expression has no name.
      let columns = try Row.fetchAll(
        db, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [name]
      ).map { Cell(try $0.decode(String?.self, atIndex: 0)) }
      return .record([
        "name": .text(name), "unique": .bool(try row.decode(atIndex: 1)),
        "origin": .text(try row.decode(atIndex: 2)), "partial": .bool(try row.decode(atIndex: 3)),
        "columns": .list(columns), "sql": Cell(try row.decode(String?.self, atIndex: 4)),
      ])
    }
  }
}
