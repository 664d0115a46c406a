// Every error message of this module, with its advice.

import Holdfast

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

  static func notADatabase(path: String, _ cause: SharingError) -> TransitError {
    // Then the cause says whether the key is missing, wrong or needless.
    let isOfKey = (cause.underlying as? DatabaseError)?.encryptionFault != nil
    let encryption =
      Database.canDecrypt ? "." : "; an encrypted one needs a build with the trait 'SQLCipher'."
    return TransitError(
      code: .notADatabase,
      message: isOfKey ? cause.message : "\(name(path)) is not a SQLite database.",
      advice: isOfKey ? cause.advice : importAdvice.dropLast() + encryption, path: path,
      underlying: cause)
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

  // MARK: Values of a query

  static func coordinateOutOfRange(
    _ name: String, _ degrees: Double, _ range: ClosedRange<Int>
  ) -> TransitError {
    TransitError(
      code: .outOfRange,
      message: "The \(name) \(degrees) is not a number from \(range.lowerBound) to "
        + "\(range.upperBound).",
      advice: "Pass degrees of WGS 84, the latitude and the longitude in their order.")
  }

  static func edgesReversed(south: Double, north: Double) -> TransitError {
    TransitError(
      code: .outOfRange,
      message: "The northern edge \(north) is south of the southern edge \(south).",
      advice: "Exchange the two edges.")
  }

  static func spanOutOfRange(_ degrees: Double) -> TransitError {
    TransitError(
      code: .outOfRange,
      message: "The height or width of an area is \(degrees) degrees, which is not a finite number "
        + "from 0 on.",
      advice: "Pass the height and the width in degrees.")
  }

  static func distanceOutOfRange(_ meters: Double) -> TransitError {
    TransitError(
      code: .outOfRange,
      message: "The distance of \(meters) meters is not a finite number from 0 on.",
      advice: "Pass a length in meters, or no radius to find stops however far.")
  }

  static func instantOutOfRange(_ seconds: Double) -> TransitError {
    TransitError(
      code: .outOfRange,
      message: "The instant \(seconds) seconds after 1970 is not in the years 1 to 9999.",
      advice: "Pass an instant of the calendar, such as the current one.")
  }

  // MARK: Trips and times

  static func withoutTrips(path: String?, found: Int32, first: Int32) -> TransitError {
    TransitError(
      code: .schemaOlder,
      message:
        "\(name(path)) has the tables of version \(found), which contain no trips and times; "
        + "version \(first) is the first with them.",
      advice: "Import the feed again with `holdfast transit import FEED OUT.db --previous OLD.db`, "
        + "which keeps the numbers of stops and routes.",
      path: path)
  }

  static func damaged(path: String?, table: String, row: Int64) -> TransitError {
    damaged(path: path, "row \(row) of the table '\(table)' cannot be decoded")
  }

  static func damaged(path: String?, shapeID: String) -> TransitError {
    damaged(path: path, "the points of the shape '\(shapeID)' cannot be decoded")
  }

  static func missing(path: String?, table: String, row: Int64) -> TransitError {
    damaged(path: path, "the table '\(table)' has no row \(row), which another row names")
  }

  private static func damaged(path: String?, _ damage: String) -> TransitError {
    var error = TransitError(
      code: .damaged, message: "\(name(path)) is damaged: \(damage).",
      advice: "Import the feed again, or download the database again.", path: path)
    error.damage = damage
    return error
  }

  static func tooLarge(path: String?, limit: Int) -> TransitError {
    TransitError(
      code: .tooLarge,
      message:
        "The trips at these stops of \(name(path)) need more than \(limit >> 20) MiB of memory.",
      advice: "Ask for fewer stops at once; if it is one stop, import the feed again.", path: path)
  }

  static func unknownTimeZone(path: String?, _ zone: String) -> TransitError {
    TransitError(
      code: .unknownTimeZone,
      message: "The times of \(name(path)) are in the time zone '\(zone)', which this system does "
        + "not know.",
      advice: "Correct agency_timezone in the feed, and import it again.", path: path)
  }
}
