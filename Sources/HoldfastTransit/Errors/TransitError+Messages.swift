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

  static func withoutTrips(path: String?, found: Int32, first: Int32) -> TransitError {
    TransitError(
      code: .schemaOlder,
      message:
        "\(name(path)) has the tables of version \(found), which contain no trips and times; "
        + "they are in those of version \(first).",
      advice: "Import the feed again with `holdfast transit import FEED OUT.db --previous OLD.db`, "
        + "which keeps the numbers of stops and routes.",
      path: path)
  }

  static func damaged(path: String?, table: String, row: Int64) -> TransitError {
    TransitError(
      code: .damaged,
      message: "\(name(path)) is damaged: row \(row) of the table '\(table)' cannot be decoded.",
      advice: "Import the feed again, or download the database again.", path: path)
  }

  static func missing(path: String?, table: String, row: Int64) -> TransitError {
    TransitError(
      code: .damaged,
      message:
        "\(name(path)) is damaged: the table '\(table)' has no row \(row), which another row "
        + "names.",
      advice: "Import the feed again, or download the database again.", path: path)
  }

  static func unknownTimeZone(path: String?, _ zone: String) -> TransitError {
    TransitError(
      code: .unknownTimeZone,
      message: "The times of \(name(path)) are in the time zone '\(zone)', which this system does "
        + "not know.",
      advice: "Correct agency_timezone in the feed, and import it again.", path: path)
  }
}
