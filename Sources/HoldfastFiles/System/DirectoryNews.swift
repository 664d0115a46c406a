/// What a wait for events of a directory ended with.
package enum DirectoryNews: Sendable, Equatable {
  /// Something happened to files of these names.
  case files(Set<String>)
  /// Anything may have happened: the system lost count, or tells no names.
  case anything
  /// The directory went, was moved, or its volume was unmounted; it is no longer watched.
  case lost
  /// Somebody ended the wait.
  case woken
  /// The time passed.
  case quiet
}
