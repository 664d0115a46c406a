import Foundation

/// The locks that this process holds on a database and its `-shm`, as the kernel lists them.
///
/// It does not use the library's `LockTable`, which must not verify itself.
enum HeldLocks {
  static func onDatabase(at path: String) throws -> [String] {
    let inodes = Set(
      [path, path + "-shm", path + "-wal"].compactMap { file in
        (try? FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber]) as? Int
      })
    // Read for each open file: the table of all locks is returned in pieces, and a read of it can
    // miss lines when locks on other files change in between.
    let folder = "/proc/self/fdinfo"
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder)
    let locks = descriptors.flatMap { descriptor in
      // A file closed in the meantime has no locks.
      let text = (try? String(contentsOfFile: folder + "/" + descriptor, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { $0.hasPrefix("lock:") }.map(String.init)
    }
    // Like `lock:	1: POSIX  ADVISORY  READ 812 fd:01:9437 128 128`.
    return locks.filter { line in
      line.split(separator: " ").contains { field in
        let numbers = field.split(separator: ":")
        return numbers.count == 3 && numbers.last.flatMap { Int($0) }.map(inodes.contains) == true
      }
    }
  }
}
