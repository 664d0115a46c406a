import Foundation

/// A file system in memory that is soon full; mounting it needs Linux and root.
public struct SmallDisk {
  /// The folder where it is mounted.
  public let folder: TemporaryDirectory

  private let size: String

  /// Mounts the file system; there is none where it cannot be mounted.
  ///
  /// - Parameter kilobytes: Its size.
  /// - Throws: A `CocoaError` when its folder cannot be made.
  public init?(kilobytes: Int) throws {
    folder = try TemporaryDirectory()
    size = "size=\(kilobytes)k"
    guard Self.run("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.url.path) else {
      print("A small disk cannot be mounted here; what needs it is left out.")
      return nil
    }
  }

  /// Lets nothing be written from now on, not even by root.
  ///
  /// - Returns: Whether it could be done.
  public func makeReadOnly() -> Bool {
    Self.run("mount", "-o", "remount,ro,\(size)", folder.url.path)
  }

  /// Takes the file system away.
  public func unmount() {
    _ = Self.run("umount", folder.url.path)
  }

  private static func run(_ command: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
