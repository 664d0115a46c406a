/// A SQL expression, made by operators and functions from columns and values.
///
/// ```swift
/// let isGood: SQLExpression = Column("score") >= 1000 && Column("name") != nil
/// let players = try Player.filter(isGood).fetchAll(db)
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_expr.html>
public struct SQLExpression: SQLSpecificExpressible, Sendable {
  enum Node: Sendable {
    case value(DatabaseValue)
    /// A value that is part of the SQL, quoted: a path, by which SQLite finds an index on an expression.
    case constant(DatabaseValue)
    case column(String)
    /// A column of the table that has the alias.
    case qualified(TableAliasIdentity, String)
    case subquery(SQLSubquery)
    indirect case literal(SQL)
    indirect case prefixed(String, SQLExpression)
    indirect case binary(SQLExpression, BinaryOperator, SQLExpression)
    indirect case chain(AssociativeBinaryOperator, [SQLExpression])
    indirect case between(SQLExpression, SQLExpression, SQLExpression, isNegated: Bool)
    indirect case isIn(SQLExpression, [SQLExpression], isNegated: Bool)
    indirect case isInSubquery(SQLExpression, SQLSubquery, isNegated: Bool)
    indirect case isLike(SQLExpression, SQLExpression, escape: SQLExpression?, isNegated: Bool)
    indirect case exists(SQLSubquery, isNegated: Bool)
    indirect case function(String, [SQLExpression])
    indirect case aggregate(String, Aggregate)
    indirect case cast(SQLExpression, Database.StorageClass)
    indirect case collated(SQLExpression, String)
    /// An expression whose columns without an alias belong to the table that has the alias.
    indirect case inTable(TableAliasIdentity, SQLExpression)
    /// The columns of a table's primary key, as a list.
    case primaryKey(QuerySource)
    /// An expression that needs the schema, without a query in it.
    case resolved(@Sendable (Database) throws -> SQLExpression)
  }

  /// The arguments of an aggregate function.
  struct Aggregate: Sendable {
    var isDistinct = false
    /// Empty for all columns: `*`.
    var arguments: [SQLExpression] = []
    var ordering: SQLOrdering?
    var filter: SQLExpression?
  }

  /// An operator that is not associative.
  enum BinaryOperator: String {
    case equal = "="
    case notEqual = "<>"
    case identical = "IS"
    case notIdentical = "IS NOT"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case subtract = "-"
    case divide = "/"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case matches = "MATCH"
    case extractJSON = "->"
    case extractValue = "->>"

    /// The operator with the opposite result, NULL included.
    var opposite: BinaryOperator? {
      switch self {
      case .equal: .notEqual
      case .notEqual: .equal
      case .identical: .notIdentical
      case .notIdentical: .identical
      default: nil
      }
    }
  }

  let node: Node

  /// Whether the value is JSON, not text, where a function builds JSON from it.
  var isJSON = false

  init(_ node: Node) {
    self.node = node
  }

  /// The expression itself.
  public var sqlExpression: SQLExpression { self }

  /// An expression that is true for no row.
  static let never = SQLExpression(.constant(0.databaseValue))

  /// The sign of a negated expression.
  static let not = "NOT "

  var isNull: Bool {
    if case .value(let value) = node { value.isNull } else { false }
  }

  /// Whether the expression is a text, which can be a list.
  var isLiteral: Bool {
    switch node {
    case .literal: true
    case .inTable(_, let value): value.isLiteral
    default: false
    }
  }

  /// The opposite of the expression; NULL stays NULL.
  var negated: SQLExpression {
    switch node {
    case .binary(let left, let comparison, let right):
      if let opposite = comparison.opposite {
        return SQLExpression(.binary(left, opposite, right))
      }
    case .between(let value, let low, let high, let isNegated):
      return SQLExpression(.between(value, low, high, isNegated: !isNegated))
    case .isIn(let value, let list, let isNegated):
      return SQLExpression(.isIn(value, list, isNegated: !isNegated))
    case .isInSubquery(let value, let subquery, let isNegated):
      return SQLExpression(.isInSubquery(value, subquery, isNegated: !isNegated))
    case .isLike(let value, let pattern, let escape, let isNegated):
      return SQLExpression(.isLike(value, pattern, escape: escape, isNegated: !isNegated))
    case .exists(let subquery, let isNegated):
      return SQLExpression(.exists(subquery, isNegated: !isNegated))
    default: break
    }
    return SQLExpression(.prefixed(Self.not, self))
  }

  /// Returns the expression with its columns in the table that has an alias.
  func inTable(_ alias: TableAliasIdentity) -> SQLExpression {
    var expression =
      if case .column(let name) = node {
        SQLExpression(.qualified(alias, name))
      } else {
        SQLExpression(.inTable(alias, self))
      }
    expression.isJSON = isJSON
    return expression
  }

  /// Whether a part of the expression is a query, or may be one.
  var hasSubquery: Bool {
    switch node {
    case .subquery, .isInSubquery, .exists: true
    case .value, .constant, .column, .qualified, .primaryKey, .resolved: false
    case .literal(let literal):
      // `id IN best` is short for a query.
      literal.hasDeferredParts || SQLTokens(literal.sql).contains(word: "select")
        || SQLTokens(literal.sql).contains(word: "in")
    case .prefixed(_, let value), .cast(let value, _), .collated(let value, _),
      .inTable(_, let value):
      value.hasSubquery
    case .binary(let left, _, let right): left.hasSubquery || right.hasSubquery
    case .chain(_, let values), .function(_, let values): values.contains(where: \.hasSubquery)
    case .between(let value, let low, let high, _):
      [value, low, high].contains(where: \.hasSubquery)
    case .isIn(let value, let list, _): value.hasSubquery || list.contains(where: \.hasSubquery)
    case .isLike(let value, let pattern, let escape, _):
      value.hasSubquery || pattern.hasSubquery || escape?.hasSubquery == true
    case .aggregate(_, let aggregate):
      aggregate.arguments.contains(where: \.hasSubquery) || aggregate.filter?.hasSubquery == true
        || aggregate.ordering?.hasSubquery == true
    }
  }
}
