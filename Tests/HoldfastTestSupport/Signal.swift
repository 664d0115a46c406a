import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A named pipe by which one process signals another.
///
/// A signal stays in the pipe until it is read, as long as the process that created the pipe keeps
/// its `Signal`.
public final class Signal: Sendable {
  /// The path of the pipe.
  public let path: String

  private let pipe: FileHandle

  /// Opens the pipe of another process, or creates it.
  ///
  /// - Parameter path: The path of the pipe.
  /// - Throws: A `CocoaError` when it cannot be opened.
  public init(at path: String) throws {
    self.path = path
    if !FileManager.default.fileExists(atPath: path) {
      _ = unsafe mkfifo(path, 0o600)
    }
    // Opened for both directions, so that neither side waits for the other to open its end.
    pipe = try FileHandle(forUpdating: URL(filePath: path))
  }

  /// Lets one `wait()` return.
  public func send() throws {
    try pipe.write(contentsOf: Data([1]))
  }

  /// Blocks the calling thread until a signal arrives.
  public func wait() throws {
    _ = try pipe.read(upToCount: 1)
  }
}
