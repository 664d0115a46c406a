public import Foundation

/// A file system in memory with a size of some kilobytes, mounted until the test ends.
public final class SmallVolume: Sendable {
  /// The folder at which it is mounted.
  public let url: URL

  /// Whether this machine and user can mount one.
  public static let isPossible: Bool = {
    #if os(Linux)
      do {
        let directory = try TemporaryDirectory()
        return try withExtendedLifetime(directory) {
          try withExtendedLifetime(SmallVolume(at: directory.file("volume"), kilobytes: 64)) {
            true
          }
        }
      } catch {
        return false
      }
    #else
      return false
    #endif
  }()

  struct NotMounted: Error {}

  /// Mounts an empty volume of this size.
  public init(at url: URL, kilobytes: Int) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path)
  }

  deinit {
    try? Self.run("umount", url.path)
  }

  /// Makes the volume read-only.
  public func becomeReadOnly() throws {
    try Self.run("mount", "-o", "remount,ro", url.path)
  }

  static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotMounted() }
  }
}
