import Foundation

/// The files that this process has open, as the kernel tells.
public enum OpenFiles {
  /// Whether the kernel tells it here.
  public static var areKnown: Bool { FileManager.default.fileExists(atPath: folder) }

  private static let folder = "/proc/self/fd"

  /// Returns the paths of the open files that begin with a path, such as a database's and its
  /// write-ahead log's.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  public static func beginning(with path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { number in
      // One that was closed since the folder was read is not open.
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + number)
    }
    .filter { $0.hasPrefix(path) }
  }
}
