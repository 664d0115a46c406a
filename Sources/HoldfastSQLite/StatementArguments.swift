/// The values for a statement's parameters, by position or by name.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO stop VALUES (?, ?)", arguments: [1, "Circular Quay"])
/// try db.execute(sql: "DELETE FROM stop WHERE id = :id", arguments: ["id": 1])
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_expr.html#varparam>
public struct StatementArguments: Hashable, Sendable {
  /// The values by position, the first for the first parameter.
  @usableFromInline package var values: [DatabaseValue] = []

  /// The values by name, without the `:`, `@` or `$` of the parameter.
  @usableFromInline package var namedValues: [String: DatabaseValue] = [:]

  /// Creates empty arguments.
  @inlinable
  public init() {}

  /// Creates arguments by position.
  ///
  /// - Parameter values: One value per parameter; `nil` is NULL.
  public init(_ values: some Sequence<(any DatabaseValueConvertible)?>) {
    self.values = values.map { $0?.databaseValue ?? .null }
  }

  /// Creates arguments by position.
  ///
  /// - Parameter values: One value per parameter.
  public init(_ values: some Sequence<some DatabaseValueConvertible>) {
    self.values = values.map(\.databaseValue)
  }

  /// Creates arguments by name.
  ///
  /// - Parameter values: One value per parameter, by its name without `:`; `nil` is NULL.
  public init(_ values: [String: (any DatabaseValueConvertible)?]) {
    namedValues = values.mapValues { $0?.databaseValue ?? .null }
  }

  /// Whether there are no values at all.
  public var isEmpty: Bool {
    values.isEmpty && namedValues.isEmpty
  }
}

extension StatementArguments: ExpressibleByArrayLiteral {
  /// Creates arguments by position.
  @inlinable
  @inline(__always)
  public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
    // Taken out one by one: reading an element in place would copy it twice, each time through its
    // type's witnesses, and the array of a literal is ours alone.
    var elements = elements
    var values: [DatabaseValue] = []
    values.reserveCapacity(elements.count)
    for index in elements.indices {
      if let value = elements[index].take() {
        values.append(value.databaseValue)
      } else {
        values.append(DatabaseValue(storage: .null))
      }
    }
    self.values = values
  }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
  /// Creates arguments by name; of two values for one name the last one counts.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    for (name, value) in elements {
      namedValues[name] = value?.databaseValue ?? .null
    }
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The values as SQL literals, named ones with their names.
  public var description: String {
    let named = namedValues.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "[" + (values.map(\.description) + named).joined(separator: ", ") + "]"
  }
}
