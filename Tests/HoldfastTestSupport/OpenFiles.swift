import Foundation

/// The files that this process has open, as the kernel tells.
public enum OpenFiles {
  /// Whether the kernel tells it here.
  public static var areKnown: Bool { FileManager.default.fileExists(atPath: folder) }

  private static let folder = "/proc/self/fd"

  /// Returns the open files whose paths begin with a path, such as a database and its log.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  /// - Returns: Their paths.
  /// - Throws: A `CocoaError` where the kernel does not tell.
  public static func beginning(with path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { number in
      // One that was closed since the folder was read is not open.
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + number)
    }
    .filter { $0.hasPrefix(path) }
  }
}
