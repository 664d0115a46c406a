import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

/// The holder of a lock, from the kernel's table.
@Suite struct LockHolderTests {
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks"), "no table of locks"))
  func theKernelTableIsRead() throws {
    let folder = try TemporaryDirectory()
    let path = try FilePath(of: folder.file("lock"))
    #expect(FileLock.holder(of: path) == nil)
    let lock = try FileLock(at: path.url)
    #expect(FileLock.holder(of: path) == ProcessInfo.processInfo.processIdentifier)
    lock.release()
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks"), "no table of locks"))
  func aLockOfAnotherKindIsIgnored() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("lock")
    try Data().write(to: url)
    let file = try FileHandle(forUpdating: url)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    #expect(unsafe fcntl(file.fileDescriptor, F_SETLK, &range) == 0)
    #expect(FileLock.holder(of: try FilePath(of: url)) == nil)
    try file.close()
  }
}
