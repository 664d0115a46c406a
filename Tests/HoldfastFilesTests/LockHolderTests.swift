import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

/// Who holds a lock, as the kernel's table tells.
@Suite struct LockHolderTests {
  private static let table = """
    1: POSIX  ADVISORY  READ 810 fd:01:9437 128 128
    2: FLOCK  ADVISORY  WRITE 812 fd:01:9437 0 EOF
    2: -> FLOCK  ADVISORY  WRITE 900 fd:01:9437 0 EOF
    3: FLOCK  ADVISORY  WRITE 813 fd:01:94370 0 EOF
    4: FLOCK  ADVISORY  WRITE 0 fd:01:17 0 EOF
    5: FLOCK  ADVISORY  WRITE 814 fd:01:18 0 EOF
    6: FLOCK  ADVISORY  WRITE 815 00:30:18 0 EOF
    half a line
    """

  @Test func oneWhoWaitsAndOneOfAnotherKindAreNotTakenForIt() {
    #expect(FileLock.holder(of: 9437, in: Self.table) == 812)
    #expect(FileLock.holder(of: 94370, in: Self.table) == 813)
  }

  @Test func whatIsNotSureIsNotSaid() {
    // Nobody, a process of another name space, and two files of one number.
    for inode: UInt64 in [1, 17, 18] {
      #expect(FileLock.holder(of: inode, in: Self.table) == nil)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks"), "no table of locks"))
  func theKernelsTableIsRead() throws {
    let folder = try TemporaryDirectory()
    let path = try FilePath(of: folder.file("lock"))
    #expect(FileLock.holder(of: path) == nil)
    let lock = try FileLock(at: path.url)
    #expect(FileLock.holder(of: path) == ProcessInfo.processInfo.processIdentifier)
    lock.release()
  }
}
