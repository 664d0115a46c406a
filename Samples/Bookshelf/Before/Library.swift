import Foundation
import GRDB

/// The user's books.
struct Library: Sendable {
  let database: DatabasePool

  /// Opens the library in the app's own folder.
  init(in documents: URL) throws {
    database = try DatabasePool(path: documents.appending(path: "books.sqlite").path)
    try Self.migrator.migrate(database)
  }

  /// The versions of the schema.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create author and book") { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("author", onDelete: .cascade).notNull()
        t.column("title", .text).notNull()
        t.column("addedAt", .datetime).notNull()
      }
    }
    migrator.registerMigration("Search titles") { db in
      try db.create(virtualTable: "book_ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.tokenizer = .unicode61()
        t.column("title")
      }
    }
    migrator.registerMigration("Note what is read") { db in
      try db.alter(table: "book") { t in
        t.add(column: "isRead", .boolean).notNull().defaults(to: false)
      }
    }
    return migrator
  }

  /// Adds a book, and its author when there is none of that name.
  func add(_ title: String, by name: String) async throws -> Book {
    try await database.write { db in
      var author = try Author.filter { $0.name == name }.fetchOne(db) ?? Author(name: name)
      try author.save(db)
      guard let authorId = author.id else { throw DatabaseError(message: "An author has no id.") }
      return try Book(authorId: authorId, title: title, addedAt: Date()).inserted(db)
    }
  }

  /// Notes that a book was read.
  func markAsRead(_ title: String) async throws {
    _ = try await database.write { db in
      try Book.filter { $0.title == title }.updateAll(db) { $0.isRead.set(to: true) }
    }
  }

  /// Returns the books whose titles contain the words that the user typed, the best match first.
  func search(_ text: String) async throws -> [Book] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
    return try await database.read { db in
      try Book.fetchAll(
        db,
        sql: """
          SELECT book.* FROM book JOIN book_ft ON book_ft.rowid = book.id
          WHERE book_ft MATCH ? ORDER BY rank
          """,
        arguments: [pattern])
    }
  }

  /// Returns the books of an author.
  func books(by name: String) async throws -> [Book] {
    try await database.read { db in
      try Author.filter { $0.name == name }.fetchOne(db)?.books.order(\.title).fetchAll(db) ?? []
    }
  }

  /// The titles that are still to be read, again after each change.
  func unreadTitles() -> AsyncValueObservation<[String]> {
    ValueObservation
      .tracking { db in try Book.all().unread().fetchAll(db).map(\.title) }
      .removeDuplicates()
      .values(in: database)
  }
}
