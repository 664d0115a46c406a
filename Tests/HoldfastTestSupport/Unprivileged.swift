import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process without root's rights, to which file permissions apply.
public enum Unprivileged {
  /// Whether this process can drop its rights.
  public static let isPossible = getuid() == 0

  /// The reason for which a test is skipped.
  public static let reason = "only root can become another user, without access to a folder"

  /// Becomes the user `nobody`, permanently: call it in a child.
  public static func become() {
    // Foundation keeps what it reads in the program's folder, which may be closed to others.
    _ = Bundle.main.bundleIdentifier
    let isDone = setgid(65534) == 0 && setuid(65534) == 0
    precondition(isDone, "The rights were not given up.")
  }
}
