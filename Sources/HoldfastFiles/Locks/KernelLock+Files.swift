/// A file to look up locks of.
package struct LockableFile: Sendable {
  package var path: FilePath
  package var status: FileStatus
  /// The byte ranges to examine, on systems that report locks only by range.
  package var ranges: [ClosedRange<Int64>]

  /// - Returns: `nil` when there is no such file.
  package init?(_ path: FilePath, ranges: [ClosedRange<Int64>]) throws(FileError) {
    self.path = path
    self.ranges = ranges
    do throws(Errno) {
      status = try SystemCalls.status(of: path.text)
    } catch .notFound {
      return nil
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}

/// A matcher that decides which locks of the kernel's table are on a file.
package final class LockMatching {
  /// The devices of the mounted file systems, as the kernel's table names them.
  private let mountedDevices: () -> Set<UInt64>
  /// Whether a process has a file open; `nil` when this cannot be determined.
  private let hasOpen: (Int32, FileStatus) -> Bool?

  private var mounted: Set<UInt64>?
  /// The devices in the kernel's table, by the device that `stat` reports, as found so far.
  private var aliases: [UInt64: UInt64] = [:]

  package init(
    mountedDevices: @escaping () -> Set<UInt64>,
    hasOpen: @escaping (Int32, FileStatus) -> Bool?
  ) {
    self.mountedDevices = mountedDevices
    self.hasOpen = hasOpen
  }

  /// Returns whether a lock is on a file.
  ///
  /// Some file systems, such as overlays and btrfs with its subvolumes, report another device for a
  /// file than the kernel's table does. For these, the inode must match and the process must have
  /// the file open.
  package func isLock(_ lock: KernelLock, on file: FileStatus) -> Bool {
    guard lock.inode == file.inode else { return false }
    if lock.device == file.device || lock.device == aliases[file.device] { return true }
    // A mounted device has one number everywhere, so the lock is on a file of another device.
    let mounted = mounted ?? mountedDevices()
    self.mounted = mounted
    if mounted.contains(file.device) { return false }
    guard let process = lock.processIdentifier else { return true }
    // If this cannot be determined, the file counts as locked.
    guard let isOpen = hasOpen(process, file) else { return true }
    if isOpen { aliases[file.device] = lock.device }
    return isOpen
  }
}

#if os(Linux)
  extension KernelLock {
    /// Whether the system reports a process's own locks to it.
    package static var listsOwnLocks: Bool { true }

    /// Whether the system reports the locks of all processes.
    package static var listsAllLocks: Bool { ProcessTable.isOfWholeSystem }

    /// Returns the locks on each of the files, without opening any of them.
    ///
    /// The kernel shows the locks of the processes that are visible to this one.
    ///
    /// - Parameters:
    ///   - process: The process that holds the locks; `nil` for every process.
    ///   - files: Returns the files; called only when there is a lock to look up.
    /// - Returns: The locks, in the order of the files; empty when there are no locks.
    /// - Throws: `FileError` with `.unsupported` when the table cannot be read, or shows the
    ///   process numbers of another PID namespace; whatever `files` throws.
    package static func locks(
      of process: Int32? = nil, on files: () throws(FileError) -> [LockableFile]
    ) throws(FileError) -> [[KernelLock]] {
      let matching = LockMatching(
        mountedDevices: { ProcessTable.mountedDevices }, hasOpen: ProcessTable.hasOpen)
      func isWanted(_ holder: Int32?) -> Bool { process == nil || holder == process }
      let all = try all()
      // Otherwise its own locks would have another process number, or be missing.
      guard try hasOwnProcess() else { throw .foreignLockTable(FilePath("/proc/locks")) }
      let locks = all.filter { $0.processIdentifier == nil || isWanted($0.processIdentifier) }
      guard !locks.isEmpty else { return [] }
      return try files().map { file in
        locks.filter { matching.isLock($0, on: file.status) }.map { lock in
          guard lock.processIdentifier == nil else { return lock }
          var lock = lock
          lock.processIdentifier = ProcessTable.holder(of: lock, on: file.status)
          return lock
        }
        .filter { isWanted($0.processIdentifier) }
      }
    }

    private static func hasOwnProcess() throws(FileError) -> Bool {
      do throws(Errno) {
        return try ProcessTable.hasOwnProcess
      } catch {
        throw .noLockTable(FilePath("/proc/self"), error)
      }
    }

    private static func all() throws(FileError) -> [KernelLock] {
      let (locks, pieceCount) = try read()
      guard pieceCount > 1 else { return locks }
      // Between two chunks the table moves up when an earlier lock is released, and a lock that is
      // held all the time is skipped. So a long table is read again, and a lock counts if any
      // reading contains it.
      var seen = locks
      for _ in 0..<2 { seen += try read().locks }
      var known: Set<KernelLock> = []
      return seen.filter { known.insert($0).inserted }
    }

    private static func read() throws(FileError) -> (locks: [KernelLock], pieceCount: Int) {
      let path = FilePath("/proc/locks")
      let text: KernelText
      do throws(Errno) {
        text = try KernelText(path.text)
      } catch {
        throw .noLockTable(path, error)
      }
      do throws(Malformed) {
        return (try parse(text.bytes), text.pieceCount)
      } catch {
        throw .strangeLockTable(path, line: error.line)
      }
    }
  }
#endif
