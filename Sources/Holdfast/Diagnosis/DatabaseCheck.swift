extension Database {
  /// Visits what SQLite's check says of the main database, line by line, without the line "ok".
  ///
  /// SQLite ends its check after a number of lines, whatever they say. Where lines about something else take
  /// the place of those about damage, it checks once more, up to as many lines about damage.
  ///
  /// - Parameters:
  ///   - check: `integrity_check` or `quick_check`.
  ///   - most: The greatest number of lines about damage.
  ///   - isDamage: Whether a line is about damage; a constraint that rows break is none.
  ///   - visit: Receives each line, and how often SQLite has said it.
  /// - Throws: ``DatabaseError``; whatever `visit` throws.
  package func forEachLine(
    ofCheck check: String, most: Int, isDamage: (String) -> Bool = { BrokenConstraint($0) == nil },
    _ visit: (String, _ count: Int) throws -> Void
  ) throws {
    let answers = try afterRefreshingFTS5Tables {
      try String.fetchAll(self, sql: "PRAGMA \(check)(\(most))").map(Self.lines)
    }
    let first = answers.flatMap(\.self)
    guard first.count >= most, !first.allSatisfy(isDamage) else {
      return try first.forEach { try visit($0, 1) }
    }
    // The first answer has all lines about pages, of which a damaged file may have any number; each further
    // line comes alone.
    let hasRows = (answers.first?.count ?? 0) < most
    let pageCount = try Int32.fetchOne(self, sql: "PRAGMA page_count") ?? 0
    let limit = hasRows ? .max : pageCount.addingReportingOverflow(Int32(most)).partialValue
    // A line about a constraint is the same for each row that breaks it.
    var harmless: [String: Int] = [:]
    var damageCount = 0
    let rows = try String.fetchCursor(self, sql: "PRAGMA \(check)(\(limit))")
    try afterRefreshingFTS5Tables {
      while damageCount < most, let row = try rows.next() {
        for line in Self.lines(row) {
          if harmless[line] != nil {
            harmless[line]? += 1
          } else if !isDamage(line) {
            if harmless.count < Self.mostHarmlessLines { harmless[line] = 1 }
          } else if damageCount < most {
            damageCount += 1
            try visit(line, 1)
          }
        }
      }
    }
    for (line, count) in harmless.sorted(by: { $0.key < $1.key }) { try visit(line, count) }
  }

  /// Returns what SQLite's check says of one table and its indexes, up to a hundred lines, without the line "ok".
  ///
  /// - Parameters:
  ///   - check: `integrity_check` or `quick_check`.
  ///   - table: The name of a table of the main database.
  /// - Returns: At most a hundred lines; none when the table is sound.
  /// - Throws: ``DatabaseError``.
  package func linesOfCheck(_ check: String, of table: String) throws -> [String] {
    try afterRefreshingFTS5Tables {
      try String.fetchAll(self, sql: "PRAGMA main.\(check)(\(table.quotedDatabaseIdentifier))")
        .flatMap(Self.lines)
    }
  }

  /// More of them, each about another column or row, are not kept.
  private static let mostHarmlessLines = 10_000

  private static func lines(_ answer: String) -> [String] {
    // It begins with a line that only names the database.
    let text = answer == "ok" ? "" : answer.replacing("*** in database main ***\n", with: "")
    return text.split(separator: "\n").map(String.init)
  }
}
