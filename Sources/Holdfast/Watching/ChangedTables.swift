import HoldfastSQLite

/// Which tables commits may have changed.
enum ChangedTables: Equatable, Sendable {
  /// Any.
  case any
  /// Those with these names. Surely not the tables of the second set, nor what is read through its
  /// views alone; of whatever has another name, such as a virtual table that no schema lists,
  /// nothing is known.
  case some(Set<String>, untouched: Set<String>)

  /// What those are told who ask for it.
  var change: ExternalChange {
    switch self {
    case .any: ExternalChange(tables: nil)
    case .some(let names, untouched: _): ExternalChange(tables: names)
    }
  }

  /// What observations are told.
  var transaction: TransactionChanges {
    switch self {
    case .any: TransactionChanges(in: .fullDatabase)
    case .some(_, let untouched): TransactionChanges(outside: untouched)
    }
  }
}
