/// The settings for monitoring databases, which tests change.
package struct WatchSettings: Sendable {
  /// Whether the system is requested to report changes of the files.
  package var requestsSystemEvents = true

  /// The pace of looks while the system reports changes.
  var pace = PollBackoff.Pace()

  /// The minimum time between two looks, within which further commits are found by one look.
  package var rest: Duration {
    get { pace.rest }
    set { pace.rest = newValue }
  }

  /// The minimum time between two looks while each of several looks in a row finds a commit; `nil`
  /// for ``rest``.
  package var restUnderLoad: Duration? {
    get { pace.restUnderLoad }
    set { pace.restUnderLoad = newValue }
  }

  /// The interval of polls where the system does not report changes.
  var pollWithoutSystem = Duration.milliseconds(100)

  /// The time that the own writer may take to say whether a commit was its own.
  ///
  /// After that the commit counts as another connection's. A commit is to be published within a
  /// tenth of a second, and up to ``PollBackoff/Pace/restDuringOwnWrites`` passes before it is
  /// found.
  var ownCommitTimeout = Duration.milliseconds(90)

  /// Whether writers are requested to signal.
  package var requestsWriterSignals = true

  package init() {}

  /// The settings for monitors that are created in the current task.
  @TaskLocal package static var current = WatchSettings()
}
