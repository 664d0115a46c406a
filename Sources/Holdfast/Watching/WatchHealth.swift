/// How well the commits of other processes are seen.
///
/// Nothing is missed in any of these states; they say how soon a commit is seen, and why not
/// sooner.
public struct WatchHealth: Hashable, Sendable {
  /// Whether the system tells of changes to the files; otherwise they are looked for ten times a
  /// second, and the system is asked again each time.
  public var isToldBySystem = false

  /// Why the system does not tell, `nil` when it does.
  public var systemProblem: String?

  /// Why other processes cannot signal their commits, `nil` when they can.
  ///
  /// On Linux they touch the file `<database>-signal`, which is made while the database is observed.
  /// Where a file that is not the library's own has that name, or the folder takes no file, commits
  /// are seen without a signal, some milliseconds later.
  public var signalProblem: String?

  /// Why the connection that is kept for it could not be asked the last time, `nil` when it could.
  ///
  /// It is prepared as a reader's is (`Configuration.prepareDatabase(_:)`), and asked again soon.
  /// Until then the writer is asked when its turn comes.
  public var databaseProblem: String?

  /// Whether another file has got the name of the database since it was opened.
  ///
  /// Connections that were opened before go on with the old file; reopen the database.
  public var isReplaced = false

  /// How many times the database was asked whether somebody committed.
  public var lookCount = 0
}
