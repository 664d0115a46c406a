/// A name of a request's table, by which the conditions of another request refer to its rows.
///
/// ```swift
/// let player = TableAlias(for: Player.self)
/// let better = Player.filter(Column("score") > player[Column("score")])
/// let best = try Player.aliased(player).filter(!better.exists()).fetchAll(db)
/// ```
///
/// A column without an alias belongs to the innermost request whose table has it.
///
/// - SeeAlso: <https://www.sqlite.org/lang_select.html#fromclause>
@dynamicMemberLookup
public struct TableAlias<RowDecoder>: Hashable, Sendable {
  let identity: TableAliasIdentity

  /// Creates an alias of a table with a type of rows.
  ///
  /// - Parameters:
  ///   - name: The name in SQL, unquoted; one that no other alias has if `nil`.
  ///   - type: The type of the rows.
  public init(name: String? = nil, for type: RowDecoder.Type = RowDecoder.self) {
    identity = TableAliasIdentity(name: name)
  }

  /// Returns a column of the request's table.
  ///
  /// - Parameter column: The column.
  public subscript(_ column: some ColumnExpression) -> SQLExpression {
    var expression = self[column.name]
    expression.isJSON = column.sqlExpression.isJSON
    return expression
  }

  /// Returns a column of the request's table.
  ///
  /// - Parameter name: The name of the column, unquoted.
  public subscript(_ name: String) -> SQLExpression {
    SQLExpression(.qualified(identity, name))
  }
}

extension TableAlias where RowDecoder == Void {
  /// Creates an alias of a table.
  ///
  /// - Parameter name: The name in SQL, unquoted; one that no other alias has if `nil`.
  public init(name: String? = nil) {
    identity = TableAliasIdentity(name: name)
  }
}

extension TableAlias where RowDecoder: TableRecord {
  /// The type with the columns.
  public typealias DatabaseComponents = RowDecoder.DatabaseComponents

  /// Returns a column from the record's `Columns`.
  public subscript(
    dynamicMember column: KeyPath<DatabaseComponents, some ColumnExpression>
  ) -> SQLExpression {
    self[RowDecoder.databaseComponents[keyPath: column]]
  }
}

/// The names of the aliases without a name of their own, in one statement.
final class AliasNames {
  private var names: [TableAliasIdentity: String] = [:]

  /// Returns the name of an alias.
  func name(of alias: TableAliasIdentity) -> String {
    if let name = alias.name ?? names[alias] { return name }
    // No table has such a name.
    let name = "alias \(names.count + 1)"
    names[alias] = name
    return name
  }
}

/// The alias, which is equal only to itself.
final class TableAliasIdentity: Hashable, Sendable {
  let name: String?

  init(name: String?) {
    self.name = name
  }

  static func == (lhs: TableAliasIdentity, rhs: TableAliasIdentity) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
