// Every error message of this module, with its advice.

extension TransitError {
  private static let importAdvice =
    "Make a timetable database with `holdfast transit import FEED OUT.db`."

  private static func name(_ path: String?) -> String {
    path.map { "'\($0)'" } ?? "The database"
  }

  static func notFound(path: String, _ cause: any Error) -> TransitError {
    TransitError(
      code: .notFound, message: "There is no file \(name(path)).",
      advice: "Check the path, or m" + importAdvice.dropFirst(), path: path, underlying: cause)
  }

  static func notADatabase(path: String, _ cause: any Error) -> TransitError {
    TransitError(
      code: .notADatabase, message: "\(name(path)) is not a SQLite database.",
      advice: importAdvice, path: path, underlying: cause)
  }

  static func notATimetable(path: String?, applicationID: Int32) -> TransitError {
    TransitError(
      code: .notATimetable,
      message: "\(name(path)) is not a timetable database: its application_id is "
        + "\(applicationID), expected \(TimetableSchema.applicationID).",
      advice: importAdvice, path: path)
  }

  static func otherVersion(path: String?, found: Int32, expected: Int32) -> TransitError {
    let isOlder = found < expected
    return TransitError(
      code: isOlder ? .schemaOlder : .schemaNewer,
      message: "\(name(path)) has the tables of version \(found), expected version \(expected).",
      advice: isOlder
        ? "Import the feed again." : "Update Holdfast, or import the feed with this version.",
      path: path)
  }
}
