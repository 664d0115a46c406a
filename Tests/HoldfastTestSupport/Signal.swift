import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A named pipe by which one process tells another that something happened.
///
/// What is sent waits for whoever comes to read it, as long as the process that made the pipe
/// keeps its `Signal`.
public final class Signal: Sendable {
  /// Where the pipe lies.
  public let path: String

  private let pipe: FileHandle

  /// Opens the pipe of another process, or makes it.
  ///
  /// - Parameter path: Where it lies, or where it is made.
  /// - Throws: A `CocoaError` when it cannot be opened.
  public init(at path: String) throws {
    self.path = path
    if !FileManager.default.fileExists(atPath: path) {
      _ = unsafe mkfifo(path, 0o600)
    }
    // Open for both directions, so that neither side waits for the other to open its end.
    pipe = try FileHandle(forUpdating: URL(filePath: path))
  }

  /// Lets one `wait()` return.
  public func send() throws {
    try pipe.write(contentsOf: Data([1]))
  }

  /// Holds the calling thread until somebody sent.
  public func wait() throws {
    _ = try pipe.read(upToCount: 1)
  }
}
