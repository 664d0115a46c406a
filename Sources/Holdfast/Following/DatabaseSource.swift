import HoldfastFiles

/// A source of a read-only database whose file is replaced by newer ones, each at a new path.
///
/// A store of packs is one: each version of a pack is a file of its own, and installing a version
/// makes it current. What reads such a database uses the file that is current when an access
/// begins, as `Timetable(following:)` does.
///
/// A conforming type never changes a file that it has returned, and never gives its path to
/// another one.
public protocol DatabaseSource: Sendable {
  /// Returns the current database, on the caller's thread.
  ///
  /// It is called before each access, on any thread but the ones of Swift's tasks, and should cost
  /// little more than examining one file when nothing has changed. The first call, and one after a
  /// switch, may read the whole file.
  ///
  /// - Returns: The database, whose file stays where it is as long as the returned value, or a copy
  ///   of it, exists.
  /// - Throws: The reason why there is no current database, or why it is unknown.
  @available(
    *, noasync,
    message:
      "Write `try await currentDatabase()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func currentDatabase() throws -> SourcedDatabase

  /// Returns a new sequence with an element for each switch to another database, by this process or
  /// another one.
  ///
  /// No switch is missed from the call on; those that occur before the next element is requested
  /// are merged into one. An element without a switch is possible. The sequence holds no file, and
  /// what it needs is released when its consumer ends.
  func switches() -> AsyncStream<Void>
}

extension DatabaseSource {
  /// Returns the current database while the task is suspended, as the blocking form does.
  public func currentDatabase() async throws -> SourcedDatabase {
    try await BlockingWork.userInitiated.run { try currentDatabase() }
  }
}
