import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The column names of a statement's rows, shared by all rows.
///
/// It is used by several threads: rows may leave their access, while the statement remains there.
final class RowLayout: Sendable {
  let names: [String]

  // Created when a name is first looked up, because many rows are read by position only.
  private let positions = AtomicLazyReference<Positions>()

  init(names: [String]) {
    self.names = names
  }

  convenience init(statement: OpaquePointer) {
    let count = unsafe sqlite3_column_count(statement)
    self.init(
      names: (0..<count).map { index in
        guard let name = unsafe sqlite3_column_name(statement, index) else { return "" }
        return unsafe String(cString: name)
      })
  }

  func index(of name: String) -> Int? {
    let positions = positions.load() ?? positions.storeIfNil(Positions(names))
    return positions.exact[ExactText(name)] ?? positions.folded[name.foldedDatabaseIdentifier]
  }

  // Created when a column is first looked up in camel case.
  private let camelCasePositions = AtomicLazyReference<CamelCasePositions>()

  /// Returns the position of the column whose name, in camel case, is the given one.
  func index(ofCamelCase name: String) -> Int? {
    let positions =
      camelCasePositions.load()
      ?? camelCasePositions.storeIfNil(CamelCasePositions(names))
    return positions.positions[ExactText(name)]
  }

  private final class Positions: Sendable {
    // Names are case-insensitive in SQL; the exact spelling is looked up first because that is faster.
    let exact: [ExactText: Int]
    let folded: [DatabaseIdentifier: Int]

    init(_ names: [String]) {
      var (exact, folded) = ([ExactText: Int](), [DatabaseIdentifier: Int]())
      for (index, name) in names.enumerated() {
        let identifier = name.foldedDatabaseIdentifier
        let first = folded[identifier] ?? index
        folded[identifier] = first
        exact[ExactText(name)] = first
      }
      (self.exact, self.folded) = (exact, folded)
    }
  }

  private final class CamelCasePositions: Sendable {
    let positions: [ExactText: Int]

    init(_ names: [String]) {
      let spellings = names.map { ExactText(SnakeCase.camelCase(from: $0)) }
      positions = Dictionary(
        zip(spellings, spellings.indices), uniquingKeysWith: { first, _ in first })
    }
  }
}
