extension FileLock {
  /// Returns the process that holds the lock, if known.
  ///
  /// It is known only on Linux, and only when it is unambiguous.
  ///
  /// - Parameter path: The lock's own file.
  /// - Returns: The number of the process.
  package static func holder(of path: FilePath) -> Int32? {
    #if os(Linux)
      do throws(FileError) {
        guard let file = try LockableFile(path, ranges: []) else { return nil }
        let locks = try KernelLock.locks { [file] }.joined()
        let holders = Set(
          locks.filter { $0.owner == .flock && !$0.isWaiting }.map(\.processIdentifier))
        return holders.count == 1 ? holders.first ?? nil : nil
      } catch _ {
        // The holder is only advice; the error is complete without it.
        return nil
      }
    #else
      return nil
    #endif
  }
}
