extension FileLock {
  /// The process that holds the lock with a file, where the system tells: on Linux, and only when it
  /// is sure which one it is.
  ///
  /// - Parameter path: The lock's own file.
  /// - Returns: The number of the process.
  /// - SeeAlso: proc_locks(5)
  package static func holder(of path: FilePath) -> Int32? {
    #if os(Linux)
      do {
        let inode = try SystemCalls.status(of: path.text).inode
        var reading = try FileReading(FilePath("/proc/locks"))
        var table: [UInt8] = []
        while case let count = try reading.next(), count > 0 { table += reading.buffer[..<count] }
        return holder(of: inode, in: String(decoding: table, as: UTF8.self))
      } catch _ {
        return nil
      }
    #else
      return nil
    #endif
  }

  /// The process that the kernel's table names for a lock of flock(2) on a file.
  ///
  /// A line is like `3: FLOCK  ADVISORY  WRITE 812 fd:01:9437 0 EOF`; one who waits has an arrow
  /// before the kind. Devices are left out, because some file systems show another one there.
  static func holder(of inode: UInt64, in table: String) -> Int32? {
    var holders: Set<Int32> = []
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", let pid = Int32(fields[4]), pid > 0,
        fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode
      else { continue }
      holders.insert(pid)
    }
    return holders.count == 1 ? holders.first : nil
  }
}
