import Foundation

/// How a text stands out on a terminal: an attribute of SGR in ECMA-48.
enum TextStyle: String, Sendable {
  case bold = "1"
  case red = "31"
  case green = "32"
  case yellow = "33"

  /// Returns whether a terminal shall show styles.
  ///
  /// - Parameter environment: The variables of the process.
  /// - Returns: `false` for a terminal without attributes, and for a user who has set `NO_COLOR`.
  /// - SeeAlso: <https://no-color.org>
  static func isWanted(in environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}
