// The Swift of README.md, compiled: ReadmeTests finds each block of it here, line by line, and runs every
// function. Imports of the blocks are the imports of this file.

import Foundation
import Holdfast

/// Keeps the names apart from those of other examples.
struct ReadmeExamples {
  struct Ferry: Codable, FetchableRecord, PersistableRecord {
    var id: Int64?
    var name: String
  }

  func openFerries(in folder: URL) async throws -> DatabasePool {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create ferry") { db in
      try db.execute(sql: "CREATE TABLE ferry (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    return try await DatabasePool.shared(
      at: folder.appending(path: "ferries.sqlite"), migrator: migrator)
  }

  func addFerry(named name: String, to pool: DatabasePool) async throws {
    try await pool.write { db in try Ferry(name: name).insert(db) }
  }

  @MainActor func followFerries(in pool: DatabasePool, show: ([Ferry]) -> Void) async throws {
    let observation = ValueObservation.tracking { db in try Ferry.fetchAll(db) }
    for try await ferries in observation.values(in: pool) { show(ferries) }
  }
}
