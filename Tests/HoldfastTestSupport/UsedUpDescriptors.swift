import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Every descriptor that this process may have: nobody gets a further one until they are given back.
///
/// For a child process: its other threads get none either.
public final class UsedUpDescriptors: Sendable {
  private let held = Mutex<[Int32]>([])

  /// Takes all that are left, after lowering how many there may be.
  public init() {
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
    takeAll()
  }

  private func takeAll() {
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
  public func giveBack() {
    held.withLock { held in
      for descriptor in held { close(descriptor) }
      held = []
    }
  }
}
