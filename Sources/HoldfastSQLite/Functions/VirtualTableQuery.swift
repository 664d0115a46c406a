/// A statement's query of a virtual table.
///
/// - SeeAlso: <https://www.sqlite.org/vtab.html#the_xbestindex_method>
public struct VirtualTableQuery: Hashable, Sendable {
  /// A condition on a column that every row of the result satisfies.
  public struct Constraint: Hashable, Sendable {
    /// The column's position, from 0; `nil` for the rowid.
    public let column: Int?

    /// The comparison of the column with the value.
    public let comparison: Comparison

    /// Whether the value is known when the iteration over the rows starts.
    ///
    /// In a join the value may come from a table that is read later; the constraint is then
    /// unusable.
    public let isUsable: Bool

    /// The name of the collation by which texts are compared, such as `BINARY`.
    ///
    /// A table that finds rows by comparing bytes may use only constraints with `BINARY`.
    public let collation: String

    /// The constraint's index in SQLite's list.
    let index: Int
  }

  /// A kind of comparison.
  public struct Comparison: RawRepresentable, Hashable, Sendable {
    /// SQLite's operator code.
    public let rawValue: UInt8

    /// Creates a comparison from SQLite's operator code.
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
    /// `column IS NULL`; its value is meaningless.
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

  /// A column by which the query orders the rows.
  public struct Ordering: Hashable, Sendable {
    /// The column's position, from 0; `nil` for the rowid.
    public let column: Int?

    /// Whether the order is descending.
    public let isDescending: Bool
  }

  /// The conditions, in SQLite's order.
  public let constraints: [Constraint]

  /// The order of the rows; empty for any order.
  public let ordering: [Ordering]

  /// The columns that are read: bit n for column n, the last bit for all columns from 63 on.
  public let usedColumns: UInt64

  /// Returns the first usable constraint on a column with the given comparison.
  ///
  /// - Parameters:
  ///   - column: The column's position, from 0; `nil` for the rowid.
  ///   - comparison: The comparison.
  /// - Returns: The constraint; `nil` when there is none.
  public func constraint(on column: Int?, _ comparison: Comparison = .equal) -> Constraint? {
    constraints.first {
      $0.isUsable && $0.column == column && $0.comparison == comparison
    }
  }
}

/// A virtual table's plan for finding the rows of a query.
public struct VirtualTablePlan: Hashable, Sendable {
  /// The part of a plan that is passed to the cursor.
  public struct Choice: Hashable, Sendable {
    /// A number with a meaning that the table defines.
    public let number: Int

    /// A text with a meaning that the table defines.
    public let text: String?
  }

  /// A number for the cursor, with a meaning that the table defines.
  public var number = 0

  /// A text for the cursor, with a meaning that the table defines.
  ///
  /// It is copied once per start of the cursor; a number is cheaper.
  public var text: String?

  /// Whether the rows have the order of the query, so that SQLite need not sort them.
  public var isOrdered = false

  /// Whether there is at most one row.
  public var isUnique = false

  /// The estimated cost of reading all rows, in disk accesses or a proportional unit.
  public var estimatedCost = 1_000_000.0

  /// The estimated number of rows.
  public var estimatedRowCount: Int64 = 1_000_000

  struct Use: Hashable, Sendable {
    let constraint: VirtualTableQuery.Constraint
    let isChecked: Bool
  }

  private(set) var uses: [Use] = []

  /// Creates a plan that scans all rows.
  public init() {}

  /// Uses a constraint: its value becomes the cursor's next argument.
  ///
  /// - Parameters:
  ///   - constraint: A usable constraint of the query, used at most once.
  ///   - isChecked: Whether the cursor returns only rows that satisfy the constraint, so that
  ///     SQLite need not check them again; false is always safe.
  /// - Precondition: The constraint is usable and not used yet.
  public mutating func use(_ constraint: VirtualTableQuery.Constraint, isChecked: Bool = false) {
    guard constraint.isUsable, !uses.contains(where: { $0.constraint.index == constraint.index })
    else { Misuse.trap(Misuse.constraintNotUsable) }
    uses.append(Use(constraint: constraint, isChecked: isChecked))
  }
}
