import Holdfast

/// The decision which views a connection gets besides what its file stores.
///
/// No view has the name of something that the file stores, as SQLite compares names: a temporary
/// object would hide it.
struct TemporaryViews {
  /// A view that shows all of one table.
  struct View: Equatable {
    var name: String
    /// The table as SQL names it, or a query in parentheses.
    var source: String
    /// The columns of GTFS that the table lacks, because they are blank in each row of the feed.
    var blank: [String] = []
    /// The columns of a table whose numbers are texts; none if the view has all columns as they are.
    var texts: [String] = []
    /// Those of them that are numbers in the view, with SQLite's type of them.
    var numbers: [String: String] = [:]

    /// The statement that creates the view.
    var sql: String {
      let shown = texts.map { column in
        let name = column.quotedDatabaseIdentifier
        guard let type = numbers[column] else { return name }
        // With the affinity of a number, so that it is compared as one with a text, too. A whole price is divided
        // as others are, and a fraction where GTFS has whole numbers is no other number.
        let number = "CASE WHEN \(TimetableSchema.isNumber(name)) THEN \(name) END"
        return "CAST(\(number) AS \(type == "REAL" ? type : "NUMERIC")) AS \(name)"
      }
      let columns = (shown.isEmpty ? ["*"] : shown) + blank.map { "NULL AS \($0)" }
      return "CREATE TEMP VIEW IF NOT EXISTS \(name) AS SELECT \(columns.joined(separator: ", ")) "
        + "FROM \(source);"
    }
  }

  let views: [View]

  /// Decides.
  ///
  /// The files that GTFS defines get a name without `gtfs_` too. Others do not: a file may have the
  /// name of one of SQLite's own tables or functions.
  ///
  /// - Parameters:
  ///   - stored: The names of everything that the file stores.
  ///   - files: The names of the files that are virtual tables.
  ///   - columns: The columns of these files that have no place of their own in the tables, by file.
  ///   - texts: The columns of the tables that are stored as texts, by the name of the table.
  init(
    stored: [String], files: [String], columns: [String: [String]] = [:],
    texts: [String: [String]] = [:]
  ) {
    let taken = Set(stored.map { DatabaseIdentifier($0) })
    var views = files.map { file in
      let known = Set((columns[file] ?? []).map { DatabaseIdentifier($0) })
      let table = TimetableSchema.table(ofFile: file)
      return View(
        name: table, source: "holdfast_\(table)",
        blank: (TimetableSchema.rareColumns[file] ?? []).filter {
          !known.contains(DatabaseIdentifier($0))
        })
    }.filter { !taken.contains(DatabaseIdentifier($0.name)) }
    let own = Set(views.map { DatabaseIdentifier($0.name) })
    for file in (files + TimetableSchema.plainFiles.keys).map(ExactText.init).sorted() {
      let table = TimetableSchema.table(ofFile: file.text)
      let name = String(table.dropFirst("gtfs_".count))
      guard !taken.contains(DatabaseIdentifier(name)) else { continue }
      if own.contains(DatabaseIdentifier(table)) {
        views.append(View(name: name, source: "temp.\(table)"))
      } else if taken.contains(DatabaseIdentifier(table)) {
        let texts = TimetableSchema.plainFiles[file.text] == nil ? [] : texts[table] ?? []
        let numbers = (TimetableSchema.numericTypes[file.text] ?? [:])
          .filter { texts.contains($0.key) }
        // The stored view of a file that an older version imported has no types.
        let source =
          file.text == "calendar.txt"
          ? "(\(TimetableSchema.calendar(in: "main.services")))" : "main.\(table)"
        views.append(
          View(
            name: name, source: source, texts: numbers.isEmpty ? [] : texts, numbers: numbers))
      }
    }
    self.views = views
  }
}
