import Foundation

/// The locks that this process holds on a database and its `-shm`, as the kernel lists them.
///
/// Read here without the library's own `LockTable`, which must not prove itself.
enum HeldLocks {
  static func onDatabase(at path: String) throws -> [String] {
    let inodes = Set(
      [path, path + "-shm", path + "-wal"].compactMap { file in
        (try? FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber]) as? Int
      })
    // The kernel gives the table out in pieces, and what comes and goes between two of them may hide
    // a line. One that is there is seen in one of several readings.
    let table = try (0..<8).map { _ in
      try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    }.joined(separator: "\n")
    let pid = String(ProcessInfo.processInfo.processIdentifier)
    let lines = table.split(separator: "\n").map(String.init).filter { line in
      let fields = line.split(separator: " ").map(String.init)
      guard let place = fields.firstIndex(of: pid), fields.indices.contains(place + 1) else {
        return false
      }
      let inode = fields[place + 1].split(separator: ":").last.flatMap { Int($0) }
      return inode.map(inodes.contains) ?? false
    }
    return lines
  }
}
