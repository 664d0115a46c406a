internal import HoldfastFiles

extension LockTable {
  /// One lock of one process on one file.
  public struct Lock: Hashable, Sendable {
    /// The process that holds the lock or waits for it; `nil` when the system does not tell.
    public var processIdentifier: Int32?

    /// What the process is called, of which Linux keeps 15 bytes; `nil` when it has ended or the
    /// system does not tell.
    public var processName: String?

    /// The name of the file, without its folder.
    public var file: String

    /// Which of SQLite's locks it is.
    public var name: Name

    /// Whether others may hold the same lock.
    public var mode: Mode

    /// The bytes that are locked; up to `Int64.max` when it is the rest of the file.
    public var bytes: ClosedRange<Int64>

    /// Whether it is not held, but waited for.
    ///
    /// SQLite does not wait in this way: it asks again. Other locks on the files may be waited for.
    public var isWaiting: Bool
  }

  /// Whether others may hold the same lock.
  public enum Mode: String, Hashable, Sendable, CustomStringConvertible {
    /// A shared lock, which keeps writers of the same bytes out.
    case read
    /// An exclusive lock, which keeps everybody else out.
    case write

    /// The mode in one word.
    public var description: String { rawValue }
  }
}

extension LockTable.Lock: CustomStringConvertible {
  /// Who holds what, in one line.
  public var description: String {
    "\(holder): \(name), \(mode), on \(file)" + (isWaiting ? ", waiting" : "")
  }

  /// The process, by its name and its number as far as they are known.
  package var holder: String {
    switch (processName, processIdentifier) {
    case (let name?, let number?): "\(name) (\(number))"
    case (nil, let number?): "process \(number)"
    default: "an unknown process"
    }
  }

  /// What a lock of the kernel is in SQLite's words: one lock for each of SQLite's that it covers.
  static func locks(
    _ lock: KernelLock, on path: FilePath, _ part: LockTable.Part
  ) -> [LockTable.Lock] {
    let mode: LockTable.Mode = lock.isExclusive ? .write : .read
    let pieces =
      lock.owner == .flock ? [(.file, lock.bytes)] : part.pieces(of: lock.bytes, mode)
    return pieces.map { (name: LockTable.Name, bytes) in
      LockTable.Lock(
        processIdentifier: lock.processIdentifier, processName: nil, file: path.name, name: name,
        mode: mode, bytes: bytes, isWaiting: lock.isWaiting)
    }
  }
}
