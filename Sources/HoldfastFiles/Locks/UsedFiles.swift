/// The files that processes have open, or hold locks on, at one moment.
///
/// Reading them costs about as much as looking for the processes that use one file, however many files
/// are asked for.
package struct UsedFiles: Sendable {
  private struct File: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private var open: Set<File> = []
  /// Without their devices, of which the table of locks may have other numbers.
  private var lockedInodes: Set<UInt64> = []

  /// Reads the system's tables of descriptors and of locks; `nil` where there are none.
  package init?() {
    #if os(Linux)
      do {
        try SystemCalls.examiningProcesses {
          guard try ProcessTable.hasOwnProcess else { throw Errno.notSupported }
          lockedInodes = Set(try KernelLock.parse(KernelText("/proc/locks").bytes).map(\.inode))
          ProcessTable.visitOpenFiles { status in
            open.insert(File(device: status.device, inode: status.inode))
          }
        }
      } catch _ {
        // Whoever asks looks for the users of each file.
        return nil
      }
    #else
      return nil
    #endif
  }

  /// Whether a process may use a file; `false` is as certain as the tables are complete.
  package func mayContain(_ file: FileStatus) -> Bool {
    lockedInodes.contains(file.inode)
      || open.contains(File(device: file.device, inode: file.inode))
  }
}
