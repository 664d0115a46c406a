import Foundation

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
}
