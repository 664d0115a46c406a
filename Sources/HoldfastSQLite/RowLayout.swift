internal import CSQLite

/// The column names of a statement's rows, shared by all of them.
final class RowLayout {
  let names: [String]

  // Names are found as they are spelled first; SQL does not care for the case of letters.
  private lazy var exact = Dictionary(
    zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  private lazy var folded = Dictionary(
    zip(names.map { $0.lowercased() }, names.indices), uniquingKeysWith: { first, _ in first })

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
    exact[name] ?? folded[name.lowercased()]
  }
}
