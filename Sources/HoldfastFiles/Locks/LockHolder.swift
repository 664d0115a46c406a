extension FileLock {
  /// The process that holds the lock with a file, where the system tells: on Linux, and only when it
  /// is sure which one it is.
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
        // The holder is advice. An error says the same without it.
        return nil
      }
    #else
      return nil
    #endif
  }
}
