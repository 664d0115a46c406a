extension Row: RandomAccessCollection {
  /// The position of a column.
  public struct Index: Hashable, Strideable, Sendable {
    let offset: Int

    /// Returns whether the left column is before the right one.
    public static func < (lhs: Index, rhs: Index) -> Bool { lhs.offset < rhs.offset }

    /// Returns the number of columns from this one to another.
    public func distance(to other: Index) -> Int { other.offset - offset }

    /// Returns the position some columns later.
    public func advanced(by count: Int) -> Index { Index(offset: offset + count) }
  }

  /// The position of the first column.
  public var startIndex: Index { Index(offset: 0) }

  /// The position after the last column.
  public var endIndex: Index { Index(offset: count) }

  /// The name and the stored value of a column.
  ///
  /// - Precondition: There is such a column.
  public subscript(position: Index) -> (String, DatabaseValue) {
    (columnNames[position.offset], self[position.offset])
  }
}

extension Row: ExpressibleByDictionaryLiteral {
  /// Creates a row with its own values, in the order of the literal.
  public convenience init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...)
  {
    self.init(names: elements.map(\.0), values: elements.map { $0.1?.databaseValue ?? .null })
  }
}

extension Row {
  /// Creates a row with its own values.
  ///
  /// - Parameter dictionary: The values by column name; the columns are in no particular order. In a
  ///   literal they are in the order of the literal.
  @_disfavoredOverload
  public convenience init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    self.init(
      names: Array(dictionary.keys), values: dictionary.values.map { $0?.databaseValue ?? .null })
  }

  /// Creates a row with its own values.
  ///
  /// It fails when a key is no `String`, or a value no ``DatabaseValueConvertible``.
  ///
  /// - Parameter dictionary: The values by column name; the columns are in no particular order.
  @_disfavoredOverload
  public convenience init?(_ dictionary: [AnyHashable: Any]) {
    guard let values = [String: DatabaseValue](converting: dictionary) else { return nil }
    self.init(names: Array(values.keys), values: Array(values.values))
  }

  /// Creates a row without columns.
  public convenience init() {
    self.init(names: [], values: [])
  }
}

extension Row: Hashable {
  /// Returns whether two rows have equal names and values in the same order, and equal scopes.
  public static func == (lhs: Row, rhs: Row) -> Bool {
    lhs.columnNames.elementsEqual(rhs.columnNames) { $0.hasSameBytes(as: $1) }
      && lhs.databaseValues == rhs.databaseValues
      && lhs.scopes.elementsEqual(rhs.scopes) {
        $0.name.hasSameBytes(as: $1.name) && $0.row == $1.row
      }
  }

  /// Hashes the names and the values.
  public func hash(into hasher: inout Hasher) {
    for name in columnNames { name.hashBytes(into: &hasher) }
    hasher.combine(databaseValues)
  }
}
