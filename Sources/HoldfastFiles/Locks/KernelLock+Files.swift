/// A file whose locks are asked for.
package struct LockableFile: Sendable {
  package var path: FilePath
  package var status: FileStatus
  /// The ranges that are of interest, for systems that only answer for a range.
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

/// Decides which locks of the kernel's table are on a file.
package final class LockMatching {
  /// The devices of the mounted file systems, as the kernel's table names them.
  private let mountedDevices: () -> Set<UInt64>
  /// Whether a process has a file open; `nil` when the system does not tell.
  private let hasOpen: (Int32, FileStatus) -> Bool?

  private var mounted: Set<UInt64>?
  /// Which other device of the kernel's stands for one that files show, as was found before.
  private var aliases: [UInt64: UInt64] = [:]

  package init(
    mountedDevices: @escaping () -> Set<UInt64>,
    hasOpen: @escaping (Int32, FileStatus) -> Bool?
  ) {
    self.mountedDevices = mountedDevices
    self.hasOpen = hasOpen
  }

  /// Tells whether a lock is on a file.
  ///
  /// Some file systems, such as overlays and btrfs with its subvolumes, show files under another device than the
  /// kernel's table does. There the inode counts, and that the process has the file open.
  package func isLock(_ lock: KernelLock, on file: FileStatus) -> Bool {
    guard lock.inode == file.inode else { return false }
    if lock.device == file.device || lock.device == aliases[file.device] { return true }
    // A mounted device is named alike everywhere, so the lock is on a file of another one.
    let mounted = mounted ?? mountedDevices()
    self.mounted = mounted
    if mounted.contains(file.device) { return false }
    guard let process = lock.processIdentifier else { return true }
    // What cannot be told counts as locked.
    guard let isOpen = hasOpen(process, file) else { return true }
    if isOpen { aliases[file.device] = lock.device }
    return isOpen
  }
}

#if os(Linux)
  extension KernelLock {
    /// Whether a process is told its own locks.
    package static var tellsOwnLocks: Bool { true }

    /// Whether the locks of all processes of the system are told.
    package static var tellsAllLocks: Bool { ProcessTable.isOfWholeSystem }

    /// The locks on each of the files, read without opening one of them.
    ///
    /// The kernel shows the locks of the processes that this one can see.
    ///
    /// - Parameters:
    ///   - process: Whose locks are wanted, `nil` for everybody's.
    ///   - files: The files, which are looked for only when there is a lock to find.
    /// - Returns: The locks, in the order of the files; empty when there is none at all.
    /// - Throws: `FileError` with `.unsupported` when the table cannot be read, or numbers processes
    ///   otherwise than this one does; what `files` throws.
    package static func locks(
      of process: Int32? = nil, on files: () throws(FileError) -> [LockableFile]
    ) throws(FileError) -> [[KernelLock]] {
      let matching = LockMatching(
        mountedDevices: { ProcessTable.mountedDevices }, hasOpen: ProcessTable.hasOpen)
      func isWanted(_ holder: Int32?) -> Bool { process == nil || holder == process }
      let all = try all()
      // Else its own locks would go by another number, or be left out.
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
      // Between two pieces the table moves up when a lock in front is released, and one that is
      // held all the while is passed over. So a long table is read again, and every lock seen in
      // any reading counts.
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
