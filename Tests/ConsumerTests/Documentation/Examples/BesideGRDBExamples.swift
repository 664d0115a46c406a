// The Swift of BesideGRDB.md, compiled: BesideGRDBTests finds each block of it here, and runs every
// function.

import Foundation
import Holdfast
import HoldfastPacks

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

func notifyObservations(of writer: some GRDB.DatabaseWriter, at url: URL) async throws {
  var changes = try ExternalChanges(databaseAt: url).makeAsyncIterator()
  var seen: Int?
  repeat {
    // Commits of other connections change the number, and those of GRDB's writer do not.
    let version = try await writer.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA data_version")
    }
    guard version != seen else { continue }
    seen = version
    try await writer.write { db in try db.notifyChanges(in: .fullDatabase) }
  } while await changes.next() != nil
}

func openWithoutCheckpoints(_ url: URL) throws -> GRDB.DatabaseQueue {
  var configuration = GRDB.Configuration()
  configuration.prepareDatabase { db in
    try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
  }
  return try GRDB.DatabaseQueue(path: url.path, configuration: configuration)
}

func checkpoint(_ url: URL) async throws {
  try await Database.checkpoint(databaseAt: url)
}

func suspendGRDBToo(_ center: NotificationCenter = .default) -> [any NSObjectProtocol] {
  typealias Scheduler = DatabaseBackgroundScheduler
  return [
    (Scheduler.databaseWillSuspendNotification, GRDB.Database.suspendNotification),
    (Scheduler.databaseDidResumeNotification, GRDB.Database.resumeNotification),
  ].map { ours, theirs in
    center.addObserver(forName: ours, object: nil, queue: nil) { _ in
      center.post(name: theirs, object: nil)
    }
  }
}

func openGuide(in store: PackStore) throws -> (GRDB.DatabaseQueue, GenerationLease)? {
  guard let lease = try store.hold(PackName("guide")),
    let url = lease.generation.url(ofFileAt: "places.db")
  else { return nil }
  var configuration = GRDB.Configuration()
  configuration.readonly = true
  return (try GRDB.DatabaseQueue(path: url.path, configuration: configuration), lease)
}
