/// What a statement asks of a virtual table.
///
/// - SeeAlso: <https://www.sqlite.org/vtab.html#the_xbestindex_method>
public struct VirtualTableQuery: Hashable, Sendable {
  /// A condition on a column that every row of the result meets.
  public struct Constraint: Hashable, Sendable {
    /// The column's position, from 0; `nil` for the rowid.
    public let column: Int?

    /// How the column is compared with the value.
    public let comparison: Comparison

    /// Whether the value is known when the walk over the rows begins.
    ///
    /// In a join it may come from a table that is read later, and then the constraint cannot be
    /// used.
    public let isUsable: Bool

    /// The constraint's place in SQLite's list.
    let index: Int
  }

  /// How a column is compared.
  public struct Comparison: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: UInt8

    /// Creates a comparison from SQLite's number.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// `column = value`, and each value of `column IN (…)`.
    public static let equal = Comparison(rawValue: 2)
    /// `column > value`.
    public static let greater = Comparison(rawValue: 4)
    /// `column <= value`.
    public static let lessOrEqual = Comparison(rawValue: 8)
    /// `column < value`.
    public static let less = Comparison(rawValue: 16)
    /// `column >= value`.
    public static let greaterOrEqual = Comparison(rawValue: 32)
    /// `column MATCH value`.
    public static let match = Comparison(rawValue: 64)
    /// `column LIKE value`.
    public static let like = Comparison(rawValue: 65)
    /// `column GLOB value`.
    public static let glob = Comparison(rawValue: 66)
    /// `column IS NULL`; its value means nothing.
    public static let isNull = Comparison(rawValue: 71)
    /// `column IS value`.
    public static let identical = Comparison(rawValue: 72)
    /// `LIMIT value`.
    ///
    /// It may only be used by a plan that uses all the other constraints and checks them itself.
    public static let limit = Comparison(rawValue: 73)
    /// `OFFSET value`, under the condition of ``limit``.
    public static let offset = Comparison(rawValue: 74)
  }

  /// A column that the rows are asked to be ordered by.
  public struct Ordering: Hashable, Sendable {
    /// The column's position, from 0; `nil` for the rowid.
    public let column: Int?

    /// Whether the greatest value comes first.
    public let isDescending: Bool
  }

  /// The conditions, in SQLite's order.
  public let constraints: [Constraint]

  /// The order that is asked for, empty when any will do.
  public let ordering: [Ordering]

  /// The columns that are read: bit n for column n, the last bit for all from 63 on.
  public let usedColumns: UInt64

  /// Returns the first usable condition of a kind on a column.
  ///
  /// - Parameters:
  ///   - column: The column's position, from 0; `nil` for the rowid.
  ///   - comparison: The kind.
  /// - Returns: `nil` when there is none.
  public func constraint(on column: Int?, _ comparison: Comparison = .equal) -> Constraint? {
    constraints.first {
      $0.isUsable && $0.column == column && $0.comparison == comparison
    }
  }
}

/// How a virtual table will find the rows for a query.
public struct VirtualTablePlan: Hashable, Sendable {
  /// What a plan tells the cursor.
  public struct Choice: Hashable, Sendable {
    /// A number of the table's own.
    public let number: Int

    /// A text of the table's own.
    public let text: String?
  }

  /// A number of the table's own, for the cursor.
  public var number = 0

  /// A text of the table's own, for the cursor.
  ///
  /// It is copied once per start of the cursor; a number is cheaper.
  public var text: String?

  /// Whether the rows come in the order that the query asks for, so that SQLite need not sort.
  public var isOrdered = false

  /// Whether there is at most one row.
  public var isUnique = false

  /// What reading all rows costs, in disk accesses or anything else that grows alike.
  public var estimatedCost = 1_000_000.0

  /// How many rows there will be.
  public var estimatedRowCount: Int64 = 1_000_000

  struct Use: Hashable, Sendable {
    let constraint: VirtualTableQuery.Constraint
    let isChecked: Bool
  }

  private(set) var uses: [Use] = []

  /// Creates a plan that walks over all rows.
  public init() {}

  /// Has the cursor given a constraint's value, as its next argument.
  ///
  /// - Parameters:
  ///   - constraint: A usable constraint of the query, used once.
  ///   - isChecked: Whether the cursor returns only rows that meet the constraint, so that SQLite
  ///     need not check them again. It is safe to leave it false.
  /// - Precondition: The constraint is usable and not used yet.
  public mutating func use(_ constraint: VirtualTableQuery.Constraint, isChecked: Bool = false) {
    guard constraint.isUsable, !uses.contains(where: { $0.constraint.index == constraint.index })
    else { Misuse.trap(Misuse.constraintNotUsable) }
    uses.append(Use(constraint: constraint, isChecked: isChecked))
  }
}
