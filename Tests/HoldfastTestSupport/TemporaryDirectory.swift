public import Foundation

/// A folder that dies with the test.
public final class TemporaryDirectory: Sendable {
  /// The folder, with every symbolic link resolved.
  public let url: URL

  /// Makes an empty folder with a name of its own.
  ///
  /// - Parameter folder: where it lies, the system's temporary folder when `nil`.
  /// - Throws: a `CocoaError` when it cannot be made.
  public init(in folder: URL? = nil) throws {
    url = (folder ?? FileManager.default.temporaryDirectory).resolvingSymlinksInPath()
      .appending(path: "holdfast-" + UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
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
