/// An error of the inspector's server.
package struct InspectorError: Error, Sendable {
  /// The kinds of errors.
  package enum Code: Sendable {
    /// The server cannot be started.
    case notStarted

    /// The library of the server is not installed.
    case noLibrary
  }

  /// The kind of the error.
  package var code: Code

  /// One sentence that says what happened, to what and why.
  package var message: String

  /// One imperative sentence that says what to do next.
  package var advice: String?
}
