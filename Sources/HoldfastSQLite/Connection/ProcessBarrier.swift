#if os(Linux)
  internal import CLinux
#endif

/// A memory barrier in all threads of the process at once.
///
/// Two threads that each write one variable and then read the other's need a barrier in between. Where one of them
/// does so for each row and the other once in the life of a connection, the second one can have the barrier for
/// both.
///
/// - SeeAlso: <https://man7.org/linux/man-pages/man2/membarrier.2.html>
enum ProcessBarrier {
  /// Whether the system has it; otherwise both threads need a barrier of their own.
  static let isAvailable: Bool = {
    #if os(Linux)
      return linux_register_process_barrier()
    #else
      return false
    #endif
  }()

  /// Prevents only the compiler from moving memory accesses of the thread across the call.
  @inline(__always)
  static func orderThread() {
    #if os(Linux)
      linux_order_thread()
    #endif
  }

  /// Makes each thread's writes before now visible, and its later reads see the caller's writes.
  static func orderProcess() {
    #if os(Linux)
      guard !linux_process_barrier() else { return }
    #endif
    // A registered process is never refused.
    preconditionFailure("The system refused a memory barrier that it had granted.")
  }
}
