import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Replacements of `/proc` that show the processes of another namespace or user.
public enum ProcessNamespace {
  /// Whether this machine and user can create one.
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

    /// Mounts the `/proc` of a new namespace over that of this process.
    ///
    /// This is permanent: call it in a child process.
    public static func hideThisProcess() throws {
      try leaveMounts()
      // Not in this process itself, which then could not start another thread.
      try SmallVolume.run(
        "unshare", "--pid", "--fork", "mount", "-t", "proc", "proc", "/proc")
    }

    /// Mounts a `/proc` over that of this process that shows each user only its own processes.
    public static func hideProcessesOfOthers() throws {
      try leaveMounts()
      try SmallVolume.run("mount", "-t", "proc", "-o", "hidepid=2", "proc", "/proc")
    }

    struct NotLeft: Error {}

    private static func leaveMounts() throws {
      typealias Unshare = @convention(c) (Int32) -> Int32
      // Swift's module of the C library omits it.
      guard let symbol = unsafe dlsym(nil, "unshare") else { throw NotLeft() }
      // CLONE_NEWNS
      guard unsafe unsafeBitCast(symbol, to: Unshare.self)(0x0002_0000) == 0 else {
        throw NotLeft()
      }
      try SmallVolume.run("mount", "--make-rprivate", "/")
    }
  #endif
}
