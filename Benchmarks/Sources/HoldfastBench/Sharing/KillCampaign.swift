import Foundation
import Holdfast

/// Kills writing processes at random moments and counts what is missing afterwards.
struct KillCampaign {
  /// How many commits are missing that had returned, or are there by half.
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
      // From the first commit on, so that no time is spent on killing processes that just begin.
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
      // One more may have been committed whose byte was not printed any more.
      lostCount += max(0, returned - pairs) + abs(rows - 2 * pairs) + max(0, pairs - returned - 1)
      try pool.close()
    }
  }
}
