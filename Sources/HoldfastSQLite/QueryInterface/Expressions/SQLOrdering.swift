/// A term of an ORDER BY clause: an expression and a direction.
public struct SQLOrdering: SQLOrderingTerm, Sendable {
  enum Direction: String {
    /// That of SQL without a word, which is ascending.
    case unspecified = ""
    case ascending = " ASC"
    case descending = " DESC"
    case ascendingNullsLast = " ASC NULLS LAST"
    case descendingNullsFirst = " DESC NULLS FIRST"

    var reversed: Direction {
      switch self {
      case .unspecified, .ascending: .descending
      case .descending: .ascending
      case .ascendingNullsLast: .descendingNullsFirst
      case .descendingNullsFirst: .ascendingNullsLast
      }
    }
  }

  enum Content: Sendable {
    case expression(SQLExpression)
    /// All columns of the table's primary key.
    case primaryKey(QuerySource)
  }

  let content: Content
  let direction: Direction

  /// Whether the direction is the opposite of that with which the term was written.
  let isReversed: Bool

  init(_ content: Content, _ direction: Direction, isReversed: Bool = false) {
    self.content = content
    self.direction = direction
    self.isReversed = isReversed
  }

  init(_ expression: SQLExpression, _ direction: Direction) {
    self.init(.expression(expression), direction)
  }

  /// Whether a part of the term is a query, or may be one.
  var hasSubquery: Bool {
    if case .expression(let expression) = content { expression.hasSubquery } else { false }
  }

  var reversed: SQLOrdering {
    SQLOrdering(content, direction.reversed, isReversed: !isReversed)
  }

  /// Returns the term with its columns in the table that has an alias.
  func inTable(_ alias: TableAliasIdentity) -> SQLOrdering {
    guard case .expression(let expression) = content else { return self }
    return SQLOrdering(
      .expression(expression.inTable(alias)), direction, isReversed: isReversed)
  }

  /// The ordering itself.
  public var sqlOrdering: SQLOrdering { self }
}

extension Optional: SQLOrderingTerm where Wrapped: SQLOrderingTerm {
  /// The wrapped term; NULL, which orders nothing, for `nil`.
  public var sqlOrdering: SQLOrdering {
    self?.sqlOrdering ?? SQLOrdering(SQLExpression(.literal("NULL")), .unspecified)
  }
}

/// A type whose values order rows.
public protocol SQLOrderingTerm: Sendable {
  /// The term of the ORDER BY clause.
  var sqlOrdering: SQLOrdering { get }
}
