/// A constraint of a table that rows break, which is no damage of the file.
///
/// Rows break a constraint when they were written while it was not checked, or before another version of
/// the app or of SQLite read it otherwise.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_integrity_check>,
///   <https://www.sqlite.org/pragma.html#pragma_ignore_check_constraints>
package struct BrokenConstraint: Hashable, Sendable, CustomStringConvertible {
  /// The demand on the values of a row.
  package enum Requirement: Hashable, Sendable {
    /// The condition of a CHECK constraint.
    case condition
    /// A column that is NOT NULL.
    case notNull(column: String)
    /// The type of a column.
    case type(column: String)
  }

  package var table: String
  package var requirement: Requirement
  /// The number of rows, as far as SQLite counts them before it ends its check.
  package var count = 1

  /// Parses a line of SQLite's check; `nil` when it says anything else.
  package init?(_ line: String) {
    if let table = line.suffix(after: "CHECK constraint failed in ") {
      (self.table, requirement) = (table, .condition)
      return
    }
    // "non-INTEGER value in t.a" is about a strict table.
    guard let range = line.firstRange(of: " value in "), !line[..<range.lowerBound].contains(" "),
      let dot = line.lastIndex(of: "."), dot > range.upperBound
    else { return nil }
    table = String(line[range.upperBound..<dot])
    let column = String(line[line.index(after: dot)...])
    switch line[..<range.lowerBound] {
    case "NULL": requirement = .notNull(column: column)
    case "TEXT", "NUMERIC": requirement = .type(column: column)
    case let kind where kind.hasPrefix("non-"): requirement = .type(column: column)
    default: return nil
    }
  }

  /// The column, if the constraint is about one.
  package var column: String? {
    switch requirement {
    case .condition: nil
    case .notNull(let column), .type(let column): column
    }
  }

  /// "2 rows of 't' break a CHECK constraint", without a period.
  package var description: String {
    let rows = count == 1 ? "1 row of '\(table)' breaks" : "\(count) rows of '\(table)' break"
    return switch requirement {
    case .condition: "\(rows) a CHECK constraint"
    case .notNull(let column): "\(rows) the constraint that '\(column)' is not NULL"
    case .type(let column): "\(rows) the type of '\(column)'"
    }
  }
}

extension [BrokenConstraint] {
  /// Adds a constraint, or its rows to those of the same one.
  package mutating func add(_ broken: BrokenConstraint) {
    let place = firstIndex {
      $0.table == broken.table && $0.requirement == broken.requirement
    }
    if let place {
      self[place].count += broken.count
    } else {
      append(broken)
    }
  }
}

extension String {
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
