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
  ///
  /// - Parameters:
  ///   - url: The folder, which is created if it does not exist.
  ///   - kilobytes: The space for the content of files.
  ///   - files: The number of files and links that fit; any number by default.
  /// - Throws: An error when it cannot be mounted.
  public init(at url: URL, kilobytes: Int, files: Int? = nil) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url
    let size = Self.options(kilobytes: kilobytes, files: files)
    try Self.run("mount", "-t", "tmpfs", "-o", size, "tmpfs", url.path)
  }

  /// Makes room for as many kilobytes and any number of files.
  public func grow(toKilobytes kilobytes: Int) throws {
    let size = Self.options(kilobytes: kilobytes, files: 1 << 20)
    try Self.run("mount", "-o", "remount,\(size)", url.path)
  }

  private static func options(kilobytes: Int, files: Int?) -> String {
    // The volume's own folder is one of its files.
    "size=\(kilobytes)k" + (files.map { ",nr_inodes=\($0 + 1)" } ?? "")
  }

  deinit {
    // Retried, because a process that another test is starting has copies of the open files until it
    // runs its own program. A volume that stays is reported at the end of the tests.
    for _ in 1...100 {
      if (try? Self.run("umount", url.path)) != nil { return }
    }
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
