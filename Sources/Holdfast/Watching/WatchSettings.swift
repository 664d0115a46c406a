/// How databases are watched; tests choose otherwise.
package struct WatchSettings: Sendable {
  /// Whether the system is asked to tell of changes to the files.
  package var asksSystem = true

  /// How often is looked while the system tells.
  var pace = WatchLadder.Pace()

  /// How often is looked in vain where the system does not tell.
  var pollWithoutSystem = Duration.milliseconds(100)

  /// How long the own writer may take to say whether a commit was its own; then it counts as
  /// another's.
  var writersPatience = Duration.milliseconds(100)

  /// Whether writers are asked to signal.
  package var asksWriters = true

  package init() {}

  /// What is used by those that begin to watch in the present task.
  @TaskLocal package static var current = WatchSettings()
}
