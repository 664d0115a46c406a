/// The health of the detection of other processes' commits.
///
/// No commit is missed in any of these states; they describe how soon a commit is detected, and why
/// it is not detected sooner.
public struct WatchHealth: Hashable, Sendable {
  /// Whether the system reports changes of the files; otherwise they are polled ten times a second,
  /// and each poll requests reports from the system again.
  public var isNotifiedBySystem = false

  /// The reason the system does not report changes; `nil` if it does.
  public var systemProblem: String?

  /// The reason other processes cannot signal their commits; `nil` if they can.
  ///
  /// On Linux they touch the file `<database>-signal`, which exists while the database is observed.
  /// If another file has that name, or the folder is not writable, commits are detected without a
  /// signal, some milliseconds later.
  public var signalProblem: String?

  /// The reason the last query on the monitoring connection failed; `nil` if it succeeded.
  ///
  /// That connection is prepared like a reader (`Configuration.prepareDatabase(_:)`), and queried
  /// again soon. Until then the writer is queried when its turn comes.
  public var databaseProblem: String?

  /// Whether another file has replaced the database since it was opened.
  ///
  /// Connections that were opened before continue to use the old file; reopen the database.
  public var isReplaced = false

  /// The number of times the database was queried for commits.
  public var lookCount = 0
}
