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

  /// Returns an expression of columns of the request's table.
  ///
  /// Columns that already have an alias keep it, and so do the columns of queries in the expression.
  ///
  /// - Parameter expression: A column, or an expression of several.
  public subscript(_ expression: some SQLSpecificExpressible) -> SQLExpression {
    expression.sqlExpression.inTable(identity)
  }

  /// Returns JSON of the request's table.
  ///
  /// - Parameter expression: A column with JSON, or an expression whose value is JSON.
  public subscript(_ expression: some SQLJSONExpressible) -> AnySQLJSONExpressible {
    AnySQLJSONExpressible(json: expression.sqlExpression.inTable(identity))
  }

  /// Returns result columns of the request's table.
  ///
  /// - Parameter selection: The columns.
  public subscript(_ selection: some SQLSelectable) -> SQLSelection {
    SQLSelection(.inTable(identity, selection.sqlSelection))
  }

  /// Returns a term of an order by columns of the request's table.
  ///
  /// - Parameter ordering: The term.
  public subscript(_ ordering: some SQLOrderingTerm) -> SQLOrdering {
    ordering.sqlOrdering.inTable(identity)
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

  /// Returns a column or an expression from the record's `Columns`.
  public subscript(
    dynamicMember expression: KeyPath<DatabaseComponents, some SQLSpecificExpressible>
  ) -> SQLExpression {
    self[RowDecoder.databaseComponents[keyPath: expression]]
  }

  /// Returns JSON from the record's `Columns`.
  public subscript(
    dynamicMember expression: KeyPath<DatabaseComponents, some SQLJSONExpressible>
  ) -> AnySQLJSONExpressible {
    self[RowDecoder.databaseComponents[keyPath: expression]]
  }

  /// Returns result columns from the record's `Columns`.
  public subscript(
    dynamicMember selection: KeyPath<DatabaseComponents, some SQLSelectable>
  ) -> SQLSelection {
    self[RowDecoder.databaseComponents[keyPath: selection]]
  }

  /// Returns a term of an order from the record's `Columns`.
  public subscript(
    dynamicMember ordering: KeyPath<DatabaseComponents, some SQLOrderingTerm>
  ) -> SQLOrdering {
    self[RowDecoder.databaseComponents[keyPath: ordering]]
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
