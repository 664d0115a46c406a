/// How databases are watched; tests choose otherwise.
struct WatchSettings: Sendable {
  /// Whether the system is asked to tell of changes to the files.
  var asksSystem = true

  /// How often is looked while the system tells.
  var pace = WatchLadder.Pace()

  /// How often is looked in vain where the system does not tell.
  var pollWithoutSystem = Duration.milliseconds(100)

  /// Whether writers are asked to signal.
  var asksWriters = true

  /// What is used by those that begin to watch in the present task.
  @TaskLocal static var current = WatchSettings()
}
