// Every error message of this module.

extension InspectorError {
  static func notStarted(port: UInt16, reason: String) -> InspectorError {
    InspectorError(
      code: .notStarted,
      message: port == 0
        ? "The page cannot be served on the loopback address: \(reason)."
        : "The page cannot be served on port \(port): \(reason).",
      advice: port == 0
        ? "Look whether this system forbids local servers, such as a sandbox does."
        : "Choose another port, or leave --port out for any free one.")
  }

  static func noLibrary(reasons: [String]) -> InspectorError {
    InspectorError(
      code: .noLibrary,
      message: "libmicrohttpd, which serves the page, cannot be loaded: "
        + reasons.joined(separator: "; ") + ".",
      advice: "Install it: Debian and Ubuntu have it as libmicrohttpd12 or libmicrohttpd12t64, "
        + "Homebrew as libmicrohttpd.")
  }
}
