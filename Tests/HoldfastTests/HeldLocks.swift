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
    // The kernel gives the table out by the page, and what comes and goes between two pages may hide
    // a line. One that is there is seen in one of several readings.
    let table = try (0..<4).map { _ in try text(of: "/proc/locks") }.joined(separator: "\n")
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

  private static func text(of path: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    var bytes = Data()
    // A short piece is not the end.
    while let piece = try file.read(upToCount: 1 << 16), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}
