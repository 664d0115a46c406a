// The error messages about timetables.

extension ToolError {
  static func pictureExists(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' already exists.",
      advice: "Name another file, or add --replace.", file: path)
  }

  static func notAPicture(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' is not an SVG picture; it was left as it is.",
      advice: "Name another file, or remove it.", file: path)
  }

  static func nothingToDraw(_ path: String, isChosen: Bool) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message:
        "The timetable '\(path)' has no \(isChosen ? "such " : "")routes whose stops have positions.",
      advice: isChosen
        ? "Leave out --type and --routes, or list the routes with 'holdfast transit routes'."
        : "Import a feed with trips, and with 'stop_lat' and 'stop_lon' in its stops.txt.",
      file: path)
  }

  static func noSVG(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate,
      message: "'\(path)' is not named like an SVG picture, which is what is made.",
      advice:
        "Name a file that ends in '.svg'; a browser, Inkscape or rsvg-convert makes another format of it.",
      file: path)
  }

  /// A command that lists what a timetable has on any day, also when it is out of date.
  private static func query(_ sql: String, _ path: String) -> String {
    "holdfast db query \(path.quotedForShell) '\(sql)'"
  }

  static func noStop(_ stopID: String, _ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The timetable '\(path)' has no stop with the stop_id '\(stopID)'.",
      advice: "Find the stop_id with 'holdfast transit search'.")
  }

  static func noTrip(_ tripID: String, _ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The timetable '\(path)' has no trip with the trip_id '\(tripID)'.",
      advice:
        "Find the trip_id with \(Self.query("SELECT trip_id, route_id FROM gtfs_trips", path)).")
  }

  static func notRunning(_ tripID: String, _ day: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "The trip '\(tripID)' does not run on \(day).",
      advice:
        "Choose a day of 'holdfast transit days --trip', or leave out --date for its times on any "
        + "day.")
  }

  static var twoDays: ToolError {
    ToolError(
      exitCode: .usage, message: "'--at' and '--date' both name a day.",
      advice: "Leave out '--date', or give '--at' as a time of day.")
  }

  static var positionTwice: ToolError {
    ToolError(
      exitCode: .usage, message: "The position is given as LAT,LON, and a longitude besides.",
      advice: "Give LAT,LON alone, or the latitude and the longitude.")
  }

  static var twoTimes: ToolError {
    ToolError(
      exitCode: .usage, message: "A journey has either an earliest departure or a latest arrival.",
      advice: "Give '--at' or '--by', and not both.")
  }

  static func noRoute(_ routeID: String, _ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The timetable '\(path)' has no route with the route_id '\(routeID)'.",
      advice: "Find the route_id with 'holdfast transit routes'.")
  }

  static func noService(_ serviceID: String, _ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The timetable '\(path)' has no service with the service_id '\(serviceID)'.",
      advice: "Find the service_id with "
        + "\(Self.query("SELECT DISTINCT service_id FROM gtfs_trips", path)).")
  }

  static var severalSubjects: ToolError {
    ToolError(
      exitCode: .usage,
      message: "'--trip', '--route' and '--service' cannot be given together.",
      advice: "Leave all but one of them out.")
  }
}
