/// What a wait for events of a directory ended with.
package enum DirectoryEvent: Sendable, Equatable {
  /// Files of these names came, went or were written; of those others only times, rights or owners
  /// were set.
  case files(Set<String>, touched: Set<String>)
  /// Anything may have happened: the system lost count, or tells no names.
  case anything
  /// The directory went, was moved, or its volume was unmounted; it is no longer watched.
  case lost
  /// Somebody ended the wait.
  case woken
  /// The time passed.
  case quiet
}

/// What one who waits for news of a directory wants to hear.
package enum DirectoryHearing: Sendable {
  /// Everything, at once.
  case everything
  /// Everything, but not before the next wait.
  case later
  /// Not that files are written: those who write need not tell until the wait is over.
  case nothing
}
