import Foundation
import Holdfast

/// A database as GRDB 7 leaves it when the app's last version has run, before it noted what is read.
///
/// GRDB's statements are written by hand here, because GRDB cannot be downloaded where this is tested.
enum FileFromGRDB {
  /// Writes the file.
  static func write(to url: URL) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: migrations)
      try db.execute(sql: books)
    }
    try queue.close()
  }

  private static let migrations = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "author" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE);
    CREATE TABLE "book" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "authorId" INTEGER NOT NULL REFERENCES "author"("id") ON DELETE CASCADE,
      "title" TEXT NOT NULL, "addedAt" DATETIME NOT NULL);
    CREATE INDEX "book_on_authorId" ON "book"("authorId");
    INSERT INTO grdb_migrations (identifier) VALUES ('Create author and book');
    CREATE VIRTUAL TABLE "book_ft" USING fts5(
      "title", tokenize='''unicode61''', content='book', content_rowid='id');
    CREATE TRIGGER "__book_ft_ai" AFTER INSERT ON "book" BEGIN
      INSERT INTO "book_ft" ("rowid", "title") VALUES (new."id", new."title");
    END;
    CREATE TRIGGER "__book_ft_ad" AFTER DELETE ON "book" BEGIN
      INSERT INTO "book_ft" ("book_ft", "rowid", "title") VALUES ('delete', old."id", old."title");
    END;
    CREATE TRIGGER "__book_ft_au" AFTER UPDATE ON "book" BEGIN
      INSERT INTO "book_ft" ("book_ft", "rowid", "title") VALUES ('delete', old."id", old."title");
      INSERT INTO "book_ft" ("rowid", "title") VALUES (new."id", new."title");
    END;
    INSERT INTO "book_ft" ("book_ft") VALUES ('rebuild');
    INSERT INTO grdb_migrations (identifier) VALUES ('Search titles');
    """

  private static let books = """
    INSERT INTO "author" ("name") VALUES ('Jane Austen'), ('Mary Shelley');
    INSERT INTO "book" ("authorId", "title", "addedAt") VALUES
      (1, 'Persuasion', '2025-11-02 18:30:00.000'),
      (2, 'Frankenstein', '2025-11-09 09:15:00.500');
    """
}
