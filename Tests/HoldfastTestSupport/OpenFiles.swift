public import Foundation

/// The files that this process has open, as listed by the kernel.
public enum OpenFiles {
  /// Whether this system lists them.
  public static var areKnown: Bool { FileManager.default.fileExists(atPath: folder) }

  private static let folder = "/proc/self/fd"

  /// Returns the open files whose paths begin with a path, such as a database and its log.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  /// - Returns: Their paths.
  /// - Throws: A `CocoaError` where the kernel does not list them.
  public static func beginning(with path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { number in
      // A file that was closed since the folder was read is not open.
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + number)
    }
    .filter { $0.hasPrefix(path) }
  }

  /// Returns whether the kernel tells this process of changes in a folder.
  ///
  /// - Parameter url: The folder.
  /// - Returns: `false` also where there is no folder.
  /// - SeeAlso: <https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html>, "inotify files"
  public static func isWatched(_ url: URL) -> Bool {
    let descriptors = "/proc/self/fdinfo"
    guard let status = try? FileManager.default.attributesOfItem(atPath: url.path),
      let inode = status[.systemFileNumber] as? UInt64,
      let numbers = try? FileManager.default.contentsOfDirectory(atPath: descriptors)
    else { return false }
    return numbers.contains { number in
      // One that was closed since the folder was read watches nothing.
      let info = try? String(contentsOfFile: descriptors + "/" + number, encoding: .utf8)
      return info?.contains(" ino:\(String(inode, radix: 16)) ") == true
    }
  }
}
