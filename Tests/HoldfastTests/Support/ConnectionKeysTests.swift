import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The run of all tests with encrypted databases encrypts them, and the other run does not.
@Suite struct ConnectionKeysTests {
  @Test(.enabled(if: ForeignWriter.areThere, "sqlite3 or python3 is missing"))
  func aFileIsEncryptedIfTheTestsSaySo() throws {
    let folder = try TemporaryDirectory()
    let (ours, theirs) = (folder.file("ours.db"), folder.file("theirs.db"))
    let queue = try DatabaseQueue(path: ours.path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    try queue.close()
    try ForeignWriter.python.run("CREATE TABLE t (a);", on: theirs.path)
    for file in [ours, theirs] {
      let isReadable = try Data(contentsOf: file).starts(with: Data("SQLite format 3".utf8))
      #expect(isReadable != ConnectionKeys.areUsed, "\(file.lastPathComponent)")
      #expect(try DatabaseQueue(path: file.path).read { db in try db.tableExists("t") })
    }
  }
}
