/// An error of a request of the page.
struct InspectionError: ReportedError {
  /// The status of the answer.
  var status: Int
  var message: String
  var advice: String?

  var exitCode: ExitCode { status == 503 ? .unavailable : .usage }

  static func noSuchPath(_ path: [String]) -> InspectionError {
    InspectionError(
      status: 404, message: "The inspector has nothing at '\(path.joined(separator: "/"))'.",
      advice: "Reload the page.")
  }

  static func noItem(_ id: String) -> InspectionError {
    InspectionError(
      status: 404, message: "There is no '\(id)' any more.",
      advice: "Return to the overview, and look again.")
  }

  static func wrongMethod(_ method: String) -> InspectionError {
    InspectionError(
      status: 405, message: "This is not answered to \(method).", advice: "Reload the page.")
  }

  static func missing(_ name: String) -> InspectionError {
    InspectionError(
      status: 400, message: "The parameter '\(name)' is missing.", advice: "Add it.")
  }

  static func malformed(_ name: String, _ expected: String) -> InspectionError {
    InspectionError(
      status: 400, message: "The parameter '\(name)' is not \(expected).", advice: "Correct it.")
  }

  static func noFilter(_ word: String) -> InspectionError {
    InspectionError(
      status: 400, message: "'\(word)' is no condition.",
      advice: "Write COLUMN:OP:TEXT, with one of "
        + RowFilter.Comparison.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  }

  static func noColumn(_ column: String, in table: String) -> InspectionError {
    InspectionError(
      status: 404, message: "The table '\(table)' has no column '\(column)'.",
      advice: "Look at its columns in the schema.")
  }

  static func noKey(_ table: String) -> InspectionError {
    InspectionError(
      status: 400, message: "A row of '\(table)' is not found by such a key.",
      advice: "Take the key of one of its rows.")
  }

  static func noRow(_ table: String) -> InspectionError {
    InspectionError(
      status: 404, message: "The row of '\(table)' is not there any more.",
      advice: "Look at the rows again.")
  }

  static func noStyle(_ name: String) -> InspectionError {
    InspectionError(
      status: 404, message: "There is no style '\(name)' next to the tileset.",
      advice: "Choose another one.")
  }

  static func noSearch(_ table: String) -> InspectionError {
    InspectionError(
      status: 400, message: "The table '\(table)' has no full-text index.",
      advice: "Filter its rows instead.")
  }

  static func tooLong(_ what: String) -> InspectionError {
    InspectionError(
      status: 422, message: "\(what) takes longer than a page may take.",
      advice: "Sort or filter by a column with an index, or ask the sqlite3 shell.")
  }

  static func exportEnded() -> InspectionError {
    InspectionError(
      status: 503, message: "The database was closed, or is read in another way from now on.",
      advice: "Export it again.")
  }

  static func tooLongValue() -> InspectionError {
    InspectionError(
      status: 422,
      message: "A value, or a row, is longer than the \(DatabaseOrigin.longestValue >> 20) MiB "
        + "that a page reads.",
      advice: "Leave its column out, or read it with the sqlite3 shell.")
  }

  static func tooMuch() -> InspectionError {
    InspectionError(
      status: 503, message: "The inspector is answering as many such questions as it can.",
      advice: "Ask again in a moment.")
  }
}
