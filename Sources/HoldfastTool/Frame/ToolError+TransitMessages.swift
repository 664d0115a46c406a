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

  static func nothingToDraw(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "The timetable '\(path)' has no such routes whose stops have positions.",
      advice: "Leave out --type and --routes, or list the routes with 'holdfast transit routes'.",
      file: path)
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
      advice: "Find the trip_id with 'holdfast transit departures'.")
  }

  static func notRunning(_ tripID: String, _ day: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "The trip '\(tripID)' does not run on \(day).",
      advice: "Choose another day, or leave out --date for its times on any day.")
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
      advice: "Find the service_id with 'holdfast transit trips --json'.")
  }

  static var severalSubjects: ToolError {
    ToolError(
      exitCode: .usage,
      message: "'--trip', '--route' and '--service' cannot be given together.",
      advice: "Leave all but one of them out.")
  }
}
