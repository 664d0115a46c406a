#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension SystemCalls {
  /// A lock of another process.
  package struct ForeignLock: Hashable, Sendable {
    package var isExclusive: Bool
    /// The process that holds it; `nil` when it belongs to an open file.
    package var processIdentifier: Int32?
    package var bytes: ClosedRange<Int64>
  }

  /// Returns the locks that other processes hold on a range of a file's bytes, in ascending order.
  ///
  /// Of several readers of the same bytes only one is returned, and never this process's own locks.
  ///
  /// - Important: Closing `file` releases every lock that this process has on the file.
  package static func foreignLocks(
    on file: borrowing OpenFile, in bytes: ClosedRange<Int64>
  ) throws(Errno) -> [ForeignLock] {
    var locks: [ForeignLock] = []
    var rest = [bytes]
    while let bytes = rest.popLast() {
      guard let lock = try foreignLock(on: file, in: bytes) else { continue }
      locks.append(lock)
      if bytes.lowerBound < lock.bytes.lowerBound {
        rest.append(bytes.lowerBound...lock.bytes.lowerBound - 1)
      }
      if lock.bytes.upperBound < bytes.upperBound {
        rest.append(lock.bytes.upperBound + 1...bytes.upperBound)
      }
    }
    return locks.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  private static func foreignLock(
    on file: borrowing OpenFile, in bytes: ClosedRange<Int64>
  ) throws(Errno) -> ForeignLock? {
    let descriptor = file.descriptor
    var probe = flock()
    // Any lock that would conflict with a writer's.
    probe.l_type = Int16(F_WRLCK)
    probe.l_whence = Int16(SEEK_SET)
    probe.l_start = off_t(bytes.lowerBound)
    // Zero means the rest of the file.
    probe.l_len = bytes.upperBound == .max ? 0 : off_t(bytes.count)
    _ = try call(.fcntl) { unsafe Int(fcntl(descriptor, F_GETLK, &probe)) }
    guard probe.l_type != Int16(F_UNLCK) else { return nil }
    let first = Int64(probe.l_start)
    let last = probe.l_len == 0 ? Int64.max : first + Int64(probe.l_len) - 1
    return ForeignLock(
      isExclusive: probe.l_type == Int16(F_WRLCK),
      processIdentifier: probe.l_pid > 0 ? probe.l_pid : nil, bytes: first...last)
  }
}
