// The Swift of BesideGRDB.md, compiled: BesideGRDBTests finds each block of it here, and runs every
// function.

import Foundation
import Holdfast

func writers(of url: URL) throws -> [String] {
  try LockTable(ofDatabaseAt: url).locks
    .filter { $0.mode == .write }
    .map { "\($0.processName ?? "?") holds \($0.name)" }
}

func foreignChanges(
  _ pool: DatabasePool, after token: ChangeHistory.Token
) throws -> [ChangeHistory.Change] {
  try pool.read { db in
    guard case .changes(let changes, upTo: _) = try ChangeHistory.changes(db, after: token) else {
      return []
    }
    return changes.filter { $0.author == nil }
  }
}
