// Every error message about a folder of timetables, with its advice, and why its files are kept.

extension TransitError {
  static func noCurrent(_ path: String) -> TransitError {
    TransitError(
      code: .notFound, message: "The folder '\(path)' has no current timetable.",
      advice: "Make one with `holdfast transit import FEED --into FOLDER`.", path: path)
  }

  static func unreadableCurrent(_ path: String, _ cause: (any Error)? = nil) -> TransitError {
    TransitError(
      code: .damaged,
      message: "'\(path)' does not name a timetable: it is damaged, or another program's file.",
      advice: "Name an empty folder; if the file is damaged, remove it and import the feed with "
        + "--previous.", path: path, underlying: cause)
  }

  static func newerCurrent(_ path: String, found: Int, expected: Int) -> TransitError {
    TransitError(
      code: .schemaNewer,
      message: "'\(path)' has the format \(found), expected at most \(expected).",
      advice: "Update Holdfast.", path: path)
  }

  static func missingCurrent(_ path: String, name: String) -> TransitError {
    TransitError(
      code: .notFound,
      message: "The current timetable '\(name)' is missing in the folder '\(path)'.",
      advice:
        "Put it back; or remove the file 'current', and import the feed with --previous to keep "
        + "the numbers of stops, routes and trips.", path: path)
  }

  static func usedReason(_ process: String, isKnown: Bool) -> String {
    isKnown ? "\(process) uses it" : "\(process) used it, and may still run"
  }

  static func otherContentReason() -> String { "its content is not the one that its name says" }
}
