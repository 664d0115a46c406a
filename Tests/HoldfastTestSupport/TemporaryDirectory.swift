public import Foundation

/// A temporary folder that is removed with its object.
public final class TemporaryDirectory: Sendable {
  /// The folder, with every symbolic link resolved.
  public let url: URL

  /// Folders on different kinds of file systems, as far as this machine has them: one on a disk, and
  /// then one in memory.
  public static let volumes: [URL] = {
    let temporary = FileManager.default.temporaryDirectory
    if let disk { return [disk, temporary] }
    let memory =
      folder("HOLDFAST_MEMORY") ?? URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    return [temporary] + (isThere ? [memory] : [])
  }()

  /// A folder on another volume than the system's temporary folder; `nil` where there is none.
  public static var otherVolume: URL? { disk ?? (volumes.count > 1 ? volumes.last : nil) }

  private static let disk = folder("HOLDFAST_DISK")

  /// Returns a folder that `Scripts/run-tests` names, and removes whatever becomes of the tests.
  private static func folder(_ variable: String) -> URL? {
    ProcessInfo.processInfo.environment[variable].map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
  }

  /// Creates an empty folder with a unique name.
  ///
  /// - Parameter volume: the parent folder; the system's temporary folder by default.
  /// - Throws: a `CocoaError` when the folder cannot be created.
  public init(in volume: URL = FileManager.default.temporaryDirectory) throws {
    url = volume.resolvingSymlinksInPath()
      .appending(path: "holdfast-" + UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // Retried when a file disappears meanwhile, such as the signal file of a watch: then the
    // removal fails and the folder stays.
    for _ in 1...100 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// Returns the URL of a file in the folder.
  ///
  /// - Parameter name: the file's name, kept byte for byte.
  /// - Returns: a file URL.
  public func file(_ name: String) -> URL {
    url.appending(path: name, directoryHint: .notDirectory)
  }

  /// The sorted names of all files in the folder, including hidden ones.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
