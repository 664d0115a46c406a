#if canImport(Darwin)
  import Foundation

  extension KernelLock {
    /// Whether the system reports a process's own locks to it.
    package static var tellsOwnLocks: Bool { false }

    /// Whether the system reports the locks of all other processes.
    package static var tellsAllLocks: Bool { true }

    /// Returns the locks of other processes on each of the files.
    ///
    /// There is no table of locks to read, so each file is opened and probed. Closing it would
    /// release the locks that this process has on it, so a file that this process has open is
    /// refused.
    package static func locks(
      of process: Int32? = nil, on files: () throws(FileError) -> [LockableFile]
    ) throws(FileError) -> [[KernelLock]] {
      let files = try files()
      for file in files where SystemCalls.isOpenHere(file.status) != false {
        throw .locksNotTold(file.path)
      }
      var locks: [[KernelLock]] = []
      for file in files {
        locks.append(
          try Self.locks(on: file).filter { process == nil || $0.processIdentifier == process })
      }
      return locks
    }

    private static func locks(on file: LockableFile) throws(FileError) -> [KernelLock] {
      do throws(Errno) {
        let open = try SystemCalls.openFile(file.path.text, for: .read)
        var found: [SystemCalls.ForeignLock] = []
        for range in file.ranges { found += try SystemCalls.foreignLocks(on: open, in: range) }
        return found.map { lock in
          KernelLock(
            owner: lock.processIdentifier == nil ? .openFile : .process,
            isExclusive: lock.isExclusive, processIdentifier: lock.processIdentifier,
            device: file.status.device, inode: file.status.inode, bytes: lock.bytes)
        }
      } catch {
        throw .couldNotRead(file.path, error)
      }
    }
  }

  /// The running processes, of which an app can see only itself.
  package enum ProcessTable {
    /// Returns the name of this process; `nil` for any other.
    package static func name(of process: Int32) -> String? {
      let own = ProcessInfo.processInfo
      return process == own.processIdentifier ? own.processName : nil
    }
  }
#endif
