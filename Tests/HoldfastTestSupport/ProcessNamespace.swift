import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A `/proc` that shows the processes of another namespace than this process's.
public enum ProcessNamespace {
  /// Whether this machine and this user can make one.
  public static let isPossible: Bool = {
    #if os(Linux)
      do {
        try SmallVolume.run("unshare", "--pid", "--fork", "--mount-proc", "true")
        return true
      } catch {
        return false
      }
    #else
      return false
    #endif
  }()

  #if os(Linux)
    /// Whether this process sees all processes of the system.
    public static let isWholeSystem =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid"))
      == "pid:[4026531836]"

    /// Puts the `/proc` of a new namespace over that of this process, for good: to be called in a
    /// child.
    public static func hideThisProcess() throws {
      try leaveMounts()
      // Not this process itself: it could begin no further thread.
      try SmallVolume.run(
        "unshare", "--pid", "--fork", "mount", "-t", "proc", "proc", "/proc")
    }

    /// Puts a `/proc` over that of this process that shows to each user its own processes only.
    public static func hideProcessesOfOthers() throws {
      try leaveMounts()
      try SmallVolume.run("mount", "-t", "proc", "-o", "hidepid=2", "proc", "/proc")
    }

    struct NotLeft: Error {}

    private static func leaveMounts() throws {
      typealias Unshare = @convention(c) (Int32) -> Int32
      // Swift's module of the C library leaves it out.
      guard let symbol = unsafe dlsym(nil, "unshare") else { throw NotLeft() }
      // CLONE_NEWNS
      guard unsafe unsafeBitCast(symbol, to: Unshare.self)(0x0002_0000) == 0 else {
        throw NotLeft()
      }
      try SmallVolume.run("mount", "--make-rprivate", "/")
    }
  #endif
}
