// The Swift of GettingStarted.md, compiled: GettingStartedTests finds each block of it here, and runs
// every function. What needs SwiftUI is checked by Scripts/check-apple.

import Foundation
import Holdfast

struct Book: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

func openLibrary(at url: URL) throws -> DatabasePool {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Create book") { db in
    try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    try db.create(virtualTable: "book_ft", using: FTS5()) { t in
      t.synchronize(withTable: "book")
      t.tokenizer = .unicode61()
      t.column("title")
    }
  }
  let pool = try DatabasePool(path: url.path)
  try migrator.migrate(pool)
  return pool
}

func addBook(titled title: String, to pool: DatabasePool) async throws -> Book {
  try await pool.write { db in
    try Book(title: title).inserted(db)
  }
}

func books(in pool: DatabasePool) async throws -> [Book] {
  try await pool.read { db in
    try Book.fetchAll(db, sql: "SELECT * FROM book ORDER BY title")
  }
}

func books(matching text: String, in pool: DatabasePool) async throws -> [Book] {
  guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
  return try await pool.read { db in
    try Book.fetchAll(
      db,
      sql: """
        SELECT book.* FROM book_ft JOIN book ON book.id = book_ft.rowid
        WHERE book_ft MATCH ? ORDER BY rank
        """,
      arguments: [pattern])
  }
}

@MainActor func observedBooks(in pool: DatabasePool) -> ObservedValue<[Book]> {
  let observation = ValueObservation.tracking { db in
    try Book.fetchAll(db, sql: "SELECT * FROM book ORDER BY title")
  }
  return ObservedValue(observation, in: pool, initial: [])
}

#if canImport(SwiftUI)
  import SwiftUI

  struct BookList: View {
    let books: ObservedValue<[Book]>

    var body: some View {
      List(books.value) { book in
        Text(book.title)
      }
    }
  }
#endif
