/// How databases are watched; tests choose otherwise.
package struct WatchSettings: Sendable {
  /// Whether the system is asked to tell of changes to the files.
  package var asksSystem = true

  /// How often is looked while the system tells.
  var pace = PollBackoff.Pace()

  /// How often is looked in vain where the system does not tell.
  var pollWithoutSystem = Duration.milliseconds(100)

  /// How long the own writer may take to say whether a commit was its own; then it counts as
  /// another's.
  ///
  /// A commit is seen within a tenth of a second, and up to ``PollBackoff/Pace/restBesideOwnWrites``
  /// passes before it is found.
  var writersPatience = Duration.milliseconds(90)

  /// Whether writers are asked to signal.
  package var asksWriters = true

  package init() {}

  /// What is used by those that begin to watch in the present task.
  @TaskLocal package static var current = WatchSettings()
}
