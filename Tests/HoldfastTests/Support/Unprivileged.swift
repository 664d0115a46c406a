import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process without the rights of its user, so that permissions mean something in it.
enum Unprivileged {
  /// Whether this process may give its rights up.
  static let isPossible = getuid() == 0

  /// What is said where it may not.
  static let reason = "only root can become somebody else, for whom a folder is closed"

  /// Becomes nobody, for good: to be called in a child.
  static func become() {
    let isDone = setgid(65534) == 0 && setuid(65534) == 0
    precondition(isDone, "The rights were not given up.")
  }
}
