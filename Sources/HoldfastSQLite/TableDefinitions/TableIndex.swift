/// An index that is being created.
struct TableIndex {
  var name: String
  var table: String
  var expressions: [SQLExpression]
  var isUnique: Bool
  var condition: SQLExpression?

  init(
    _ name: String, on table: String, _ expressions: [SQLExpression], isUnique: Bool,
    condition: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.expressions = expressions
    self.isUnique = isUnique
    self.condition = condition
  }

  /// Creates the index of columns that belongs to their definition.
  ///
  /// GRDB's name begins with `index` where there are several columns. It is the same here, because migrations
  /// name indexes.
  init(on table: String, _ columns: [String], isUnique: Bool = false) {
    self.init(
      (columns.count > 1 ? "index_" : "") + table + "_on_" + columns.joined(separator: "_"),
      on: table,
      columns.map { SQLExpression(.column($0)) }, isUnique: isUnique)
  }

  func sql(_ db: Database, ifNotExists: Bool) throws -> String {
    var builder = SQLBuilder(db, bindsValues: false)
    builder.append(isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
    if ifNotExists { builder.append("IF NOT EXISTS ") }
    builder.append(name: name)
    builder.append(" ON ")
    builder.append(name: table)
    builder.append("(")
    try builder.append(expressions) { try $0.append($1) }
    builder.append(")")
    if let condition {
      builder.append(" WHERE ")
      try builder.append(condition)
    }
    return builder.sql
  }
}
