/// The table of a query.
enum QuerySource: Sendable {
  /// The table of a record type, and the columns that it selects.
  case record(any TableRecord.Type)
  case table(String)

  var name: String {
    switch self {
    case .record(let type): type.databaseTableName
    case .table(let name): name
    }
  }

  /// Returns the table's name, which a connection reads once for a record type.
  func name(_ db: Database) -> String {
    switch self {
    case .record(let type): db.recordStatementCache(for: type).tableName
    case .table(let name): name
    }
  }

  var selection: [SQLSelection] {
    switch self {
    case .record(let type): type.databaseSelection.map(\.sqlSelection)
    case .table: [SQLSelection(.allColumns)]
    }
  }

  func primaryKey(_ db: Database) throws -> PrimaryKeyInfo {
    try primaryKeyIfAny(db).checked(name(db), path: db.path)
  }

  /// Returns the primary key, without columns if the source is a view that has none.
  func primaryKeyIfAny(_ db: Database) throws -> PrimaryKeyInfo {
    switch self {
    case .record(let type): try db.recordStatementCache(for: type).primaryKeyIfAny(db)
    case .table(let name): try db.primaryKeyIfAny(name)
    }
  }

  func columns(_ db: Database) throws -> [String] {
    try db.columns(in: name(db)).map(\.name)
  }
}
