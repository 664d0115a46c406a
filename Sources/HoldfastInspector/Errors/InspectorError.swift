/// An error of the inspector's server.
package struct InspectorError: Error, Sendable {
  /// The kinds of errors.
  package enum Code: Sendable {
    /// The server cannot be started.
    case notStarted
  }

  /// The kind of the error.
  package var code: Code

  /// What happened, to what and why, in one sentence.
  package var message: String

  /// What to do next, in one imperative sentence.
  package var advice: String?
}
