/// The values for a statement's parameters, by position or by name.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO stop VALUES (?, ?)", arguments: [1, "Circular Quay"])
/// try db.execute(sql: "DELETE FROM stop WHERE id = :id", arguments: ["id": 1])
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_expr.html#varparam>
public struct StatementArguments: Hashable, Sendable {
  /// The values by position, packed for binding.
  @usableFromInline var packed: PackedValues

  // `nil` when empty, which avoids a retain and a release for each run.
  var named: [ExactText: DatabaseValue]?

  /// The values by position, the first for the first parameter.
  package var values: [DatabaseValue] { packed.array }

  /// The values by name, without the `:`, `@` or `$` of the parameter.
  package var namedValues: [ExactText: DatabaseValue] { named ?? [:] }

  /// Creates empty arguments.
  public init() {
    packed = PackedValues()
    named = nil
  }

  /// Creates arguments by position and by name.
  init(_ values: [DatabaseValue], named: [ExactText: DatabaseValue]) {
    packed = PackedValues(values)
    self.named = named.isEmpty ? nil : named
  }

  /// Creates arguments by position, of which none needs to be converted.
  package init(stored values: [DatabaseValue]) {
    self.init(PackedValues(values))
  }

  @usableFromInline
  init(_ packed: PackedValues) {
    self.packed = packed
    named = nil
  }

  /// Creates arguments by position.
  ///
  /// - Parameter values: One value per parameter; `nil` is NULL.
  public init(_ values: some Sequence<(any DatabaseValueConvertible)?>) {
    self.init(PackedValues(values.map { $0?.databaseValue ?? .null }))
  }

  /// Creates arguments by position.
  ///
  /// - Parameter values: One value per parameter.
  public init(_ values: some Sequence<some DatabaseValueConvertible>) {
    // A closure, because a key path to a member of a type parameter is created again for each call.
    self.init(PackedValues(values.map { $0.databaseValue }))
  }

  /// Creates arguments by name.
  ///
  /// - Parameter values: One value per parameter, by its name without `:`; `nil` is NULL.
  public init(_ values: [String: (any DatabaseValueConvertible)?]) {
    self.init(
      [],
      named: Dictionary(
        uniqueKeysWithValues: values.map { (ExactText($0), $1?.databaseValue ?? .null) }))
  }

  /// Creates arguments by name; if a name occurs twice, the last value is used.
  ///
  /// - Parameter values: One value per parameter, with its name without `:`; `nil` is NULL.
  public init(_ values: some Sequence<(String, (any DatabaseValueConvertible)?)>) {
    let values = values.map { (ExactText($0), $1?.databaseValue ?? .null) }
    self.init([], named: Dictionary(values) { _, last in last })
  }

  /// Creates arguments by position.
  ///
  /// It fails when a value is no ``DatabaseValueConvertible``.
  ///
  /// - Parameter array: One value per parameter.
  @_disfavoredOverload
  public init?(_ array: [Any]) {
    let values = array.compactMap { DatabaseValue(value: $0) }
    guard values.count == array.count else { return nil }
    self.init(PackedValues(values))
  }

  /// Creates arguments by name.
  ///
  /// It fails when a key is no `String`, or a value no ``DatabaseValueConvertible``.
  ///
  /// - Parameter dictionary: One value per parameter, by its name without `:`.
  @_disfavoredOverload
  public init?(_ dictionary: [AnyHashable: Any]) {
    guard let values = [String: DatabaseValue](converting: dictionary) else { return nil }
    self.init([], named: Dictionary(uniqueKeysWithValues: values.map { (ExactText($0), $1) }))
  }

  /// Whether there are no values.
  public var isEmpty: Bool {
    packed.count == 0 && named == nil
  }

  /// Whether the values use enough memory to be released early.
  var areLarge: Bool {
    packed.areLarge || named != nil
  }
}

extension StatementArguments: ExpressibleByArrayLiteral {
  /// Creates arguments by position.
  @inlinable
  @inline(__always)
  public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
    // The array of a literal is uniquely referenced, so that this copies nothing.
    var elements = elements
    self.init(PackedValues(reading: &elements))
  }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
  /// Creates arguments by name; if a name occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    self.init(elements)
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The values as SQL literals, named values with their names.
  public var description: String {
    let named = namedValues.sorted { $0.key < $1.key }.map { "\($0.key.text): \($0.value)" }
    return "[" + (values.map(\.description) + named).joined(separator: ", ") + "]"
  }
}
