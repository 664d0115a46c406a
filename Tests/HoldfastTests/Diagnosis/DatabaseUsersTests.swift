import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

@Suite struct DatabaseUsersTests {
  /// A child has its parent's descriptors until it runs its own program, and never its locks.
  @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  func aFileThatIsOpenForAMomentIsNotInUse() throws {
    let folder = try TemporaryDirectory()
    let path = try FilePath(of: folder.file("t.db"))
    let other = Mutex(try OtherSQLite())
    let holdsLock = try ["CREATE TABLE t (a)", "BEGIN IMMEDIATE"].map { sql in
      _ = try other.withLock { try $0.run(sql, on: path.text) }
      let looks = SystemFault(
        atCall: 2,
        .overtake {
          do { try other.withLock { try $0.close(path.text) } } catch { Issue.record(error) }
        })
      let user = try SystemCalls.$fault.withValue(looks) {
        try DatabaseUsers.lastingUser(of: path)
      }
      let count = looks.callsSeen.count
      #expect(user == nil ? count > 1 : count == 1, "\(count) looks")
      return user?.holdsLock
    }
    #expect(holdsLock == [nil, true])
  }
}
