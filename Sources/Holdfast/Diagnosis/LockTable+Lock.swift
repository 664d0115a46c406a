internal import HoldfastFiles

extension LockTable {
  /// A lock of one process on one file.
  public struct Lock: Hashable, Sendable {
    /// The process that holds the lock or waits for it; `nil` if the system does not report it.
    public var processIdentifier: Int32?

    /// The name of the process, of which Linux keeps 15 bytes; `nil` if the process has ended or
    /// the system does not report it.
    public var processName: String?

    /// The name of the file, without its folder.
    public var file: String

    /// The name of the lock in SQLite.
    public var name: Name

    /// Whether the lock is shared or exclusive.
    public var mode: Mode

    /// The locked bytes; up to `Int64.max` if the lock covers the rest of the file.
    public var bytes: ClosedRange<Int64>

    /// Whether the process does not hold the lock but waits for it.
    ///
    /// SQLite does not wait for locks in the kernel: it retries. Other users of the files may wait.
    public var isWaiting: Bool
  }

  /// The mode of a lock.
  public enum Mode: String, Hashable, Sendable, CustomStringConvertible {
    /// A shared lock, which excludes exclusive locks on the same bytes.
    case read
    /// An exclusive lock, which excludes all other locks on the same bytes.
    case write

    /// The mode as one word.
    public var description: String { rawValue }
  }
}

extension LockTable.Lock: CustomStringConvertible {
  /// The holder, the lock and the file, in one line.
  public var description: String {
    "\(holder): \(name), \(mode), on \(file)" + (isWaiting ? ", waiting" : "")
  }

  /// The name and number of the process, as far as they are known.
  package var holder: String {
    switch (processName, processIdentifier) {
    case (let name?, let number?): "\(name) (\(number))"
    case (nil, let number?): "process \(number)"
    default: "an unknown process"
    }
  }

  /// Translates a lock of the kernel into one lock for each of SQLite's locks that it covers.
  static func locks(
    _ lock: KernelLock, on path: FilePath, _ part: LockTable.Part
  ) -> [LockTable.Lock] {
    let mode: LockTable.Mode = lock.isExclusive ? .write : .read
    let pieces =
      lock.owner == .flock && part != .log
      ? [(.file, lock.bytes)] : part.pieces(of: lock.bytes, mode)
    return pieces.map { (name: LockTable.Name, bytes) in
      LockTable.Lock(
        processIdentifier: lock.processIdentifier, processName: nil, file: path.name, name: name,
        mode: mode, bytes: bytes, isWaiting: lock.isWaiting)
    }
  }
}
