/// The result of waiting for events of a directory.
package enum DirectoryEvent: Sendable, Equatable {
  /// Files with these names were created, removed or written; of those in `touched`, only times,
  /// permissions or owners were changed.
  case files(Set<String>, touched: Set<String>)
  /// Anything may have happened: the system dropped events, or reports no names.
  case anything
  /// The directory was removed or moved, or its volume was unmounted; it is no longer watched.
  case lost
  /// The wait was ended by a call of `wake()`.
  case woken
  /// The time limit passed.
  case quiet
}

/// The events of a directory that end a wait.
package enum DirectoryEventMask: Sendable {
  /// All events, immediately.
  case everything
  /// All events, but not before the next wait.
  case later
  /// None, so that they cost writers nothing until the wait is over; those that occur meanwhile may be lost.
  case nothing
}
