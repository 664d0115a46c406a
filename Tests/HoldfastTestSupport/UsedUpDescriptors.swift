import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// All file descriptors that are available to this process, so that no further file can be opened.
///
/// Use it in a child process: it affects all threads.
public final class UsedUpDescriptors: Sendable {
  private let held = Mutex<[Int32]>([])

  /// Lowers the limit and takes all remaining descriptors.
  public init() async {
    // The first timer of a process opens the descriptors of all; where it cannot, libdispatch traps.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
        continuation.resume()
      }
    }
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    _ = unsafe getrlimit(resource, &limit)
    limit.rlim_cur = min(limit.rlim_cur, 128)
    let isLowered = unsafe setrlimit(resource, &limit) == 0
    precondition(isLowered, "The number of descriptors was not limited.")
    openAll()
  }

  private func openAll() {
    held.withLock { held in
      while true {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { break }
        held.append(descriptor)
      }
    }
    precondition(errno == EMFILE, "Something else was in the way.")
  }

  /// Closes all of them.
  public func release() {
    held.withLock { held in
      for descriptor in held { close(descriptor) }
      held = []
    }
  }
}
