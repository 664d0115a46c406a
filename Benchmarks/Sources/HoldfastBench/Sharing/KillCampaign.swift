import Foundation
import Holdfast

/// A campaign that kills writing processes at random moments and counts lost commits.
struct KillCampaign {
  /// The number of commits that had returned and are missing, or are incomplete.
  private(set) var lostCount = 0

  init(count: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = Random(state: 5)
    for _ in 0..<count {
      let path = folder.appending(path: "\(UUID()).db").path
      let pool = try DatabasePool(path: path)
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE pair (number INTEGER, side TEXT, pad BLOB)")
      }
      let child = try ChildProcess(.writePairs, path)
      // Waits for the first commit, so that no process is killed while it is still starting.
      let first = try child.read(upToCount: 1).count
      random.linger(upTo: 10_000)
      child.end()
      let returned = first + (try child.readToEnd().count)
      let (pairs, rows) = try pool.read { db in
        try (
          Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'") ?? 0,
          Int.fetchOne(db, sql: "SELECT count(*) FROM pair") ?? 0
        )
      }
      // One more commit may have been made whose byte was not printed.
      lostCount += max(0, returned - pairs) + abs(rows - 2 * pairs) + max(0, pairs - returned - 1)
      try pool.close()
    }
  }
}
