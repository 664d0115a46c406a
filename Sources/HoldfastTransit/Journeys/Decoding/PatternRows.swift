import Holdfast

/// The rows of the patterns of a network, whose calls are decoded on other threads while more is read.
struct PatternRows {
  let pids: [Int64]
  let rids: [Int64]
  private let parts: ConcurrentMap<Result<StoredCalls, TransitError>>

  /// The number of patterns that are decoded at once.
  private static let share = 1024

  /// Reads the rows, and begins to decode them.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError` when the database cannot be read.
  init(_ db: Database) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT pid, rid, calls FROM patterns ORDER BY pid")
    var (pids, rids, blobs) = ([Int64](), [Int64](), BlobList())
    while let row = try rows.next() {
      let pid: Int64 = try row.decode(atIndex: 0)
      do {
        try blobs.append(row, atIndex: 2)
      } catch {
        throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
      }
      pids.append(pid)
      rids.append(try row.decode(atIndex: 1))
    }
    (self.pids, self.rids) = (pids, rids)
    let (count, path) = (pids.count, db.path)
    parts = ConcurrentMap((count + Self.share - 1) / Self.share) { [pids, blobs] part in
      let first = part * Self.share
      return Result { () throws(TransitError) in
        try StoredCalls(pids[first..<min(first + Self.share, count)], blobs, path)
      }
    }
  }

  /// Takes the calls, part by part, once.
  ///
  /// - Throws: ``TransitError`` with `.damaged`.
  func calls() throws -> [StoredCalls] {
    try parts.all().map { try $0.get() }
  }
}
