// The Swift of WhatChanged.md, compiled: WhatChangedTests finds each block of it here, and
// runs every function.

import Foundation
import Holdfast

func openNotes(at path: String, as author: String) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.historyAuthor = author
  let pool = try DatabasePool(path: path, configuration: configuration)
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Create note") { db in
    try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    try ChangeHistory.install(on: db, tables: ["note"])
  }
  try migrator.migrate(pool)
  return pool
}

func catchUp(_ pool: DatabasePool, as name: String) throws -> [String] {
  try pool.write { db in
    let token = try ChangeHistory.token(ofConsumer: name, db)
    let lines: [String]
    let next: ChangeHistory.Token
    switch try token.map({ try ChangeHistory.changes(db, after: $0, excluding: name) }) {
    case .changes(let changes, upTo: let last):
      lines = changes.map { "\($0.author ?? "unknown") \($0.kind)s \($0.table) \($0.key)" }
      next = last
    case .expired, nil:
      lines = try String.fetchAll(db, sql: "SELECT text FROM note")
      next = try ChangeHistory.currentToken(db)
    }
    try ChangeHistory.moveConsumer(name, to: next, db)
    return lines
  }
}

func tidy(_ pool: DatabasePool, now: Date) throws {
  try pool.write { db in
    try ChangeHistory.dropConsumers(unusedSince: now.addingTimeInterval(-90 * 86_400), db)
    try ChangeHistory.purge(db, olderThan: now.addingTimeInterval(-7 * 86_400))
  }
}
