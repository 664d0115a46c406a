import Foundation
import HoldfastTestSupport

/// A file system in memory that is soon full; mounting it needs Linux and root.
struct SmallDisk {
  let folder: TemporaryDirectory
  let isMounted: Bool

  init(kilobytes: Int) throws {
    folder = try TemporaryDirectory()
    isMounted = Self.run(
      "mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.url.path)
  }

  func unmount() {
    if isMounted { _ = Self.run("umount", folder.url.path) }
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
