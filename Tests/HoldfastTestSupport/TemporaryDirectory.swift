public import Foundation

/// A folder that dies with the test.
public final class TemporaryDirectory: Sendable {
  /// The folder, with every symbolic link resolved.
  public let url: URL

  /// Folders on file systems of different kinds, as far as this machine has them: the system's
  /// temporary folder, and one in memory.
  public static let volumes: [URL] = {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    return [FileManager.default.temporaryDirectory] + (isThere ? [memory] : [])
  }()

  /// Makes an empty folder with a name of its own.
  ///
  /// - Parameter volume: where it is made; the system's temporary folder by default.
  /// - Throws: a `CocoaError` when the folder cannot be made.
  public init(in volume: URL = FileManager.default.temporaryDirectory) throws {
    url = volume.resolvingSymlinksInPath()
      .appending(path: "holdfast-" + UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // Again when a file goes meanwhile by itself, as one does by which a watch is signalled: then the
    // removal ends with an error and the folder stays.
    for _ in 1...100 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// The place of a file in the folder.
  ///
  /// - Parameter name: its name, kept byte for byte.
  /// - Returns: a file URL.
  public func file(_ name: String) -> URL {
    url.appending(path: name, directoryHint: .notDirectory)
  }

  /// The names of all that lies in the folder, hidden files included, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
