import HoldfastSQLite

/// The decision whether an access opens the source's current database, or uses the one that is
/// open.
package struct FollowingState: Sendable {
  /// The pause after which a database that could not be opened is tried again, for example because
  /// the device was locked.
  static let pause = Duration.seconds(1)

  private var opened: ExactText?
  private var refused: (generation: ExactText, time: Duration)?

  /// Creates the state of a reader that has opened nothing.
  package init() {}

  /// Whether the database must be opened before the access.
  ///
  /// - Parameters:
  ///   - generation: The current generation of the source.
  ///   - now: The time, in any scale that only advances.
  /// - Returns: False if it is open, or was refused a moment ago.
  package func opens(_ generation: String, at now: Duration) -> Bool {
    let generation = ExactText(generation)
    if generation == opened { return false }
    guard let refused, refused.generation == generation else { return true }
    return now - refused.time >= Self.pause
  }

  /// Whether the open database is the source's current one.
  package func isOpen(_ generation: String) -> Bool { ExactText(generation) == opened }

  /// Records that a generation was opened.
  package mutating func didOpen(_ generation: String) {
    opened = ExactText(generation)
    refused = nil
  }

  /// Records that a generation could not be opened.
  package mutating func didRefuse(_ generation: String, at now: Duration) {
    refused = (ExactText(generation), now)
  }
}
