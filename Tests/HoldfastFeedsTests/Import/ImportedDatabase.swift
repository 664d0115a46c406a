import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTransit
import Testing

/// Checks that every imported database must pass.
struct ImportedDatabase {
  let url: URL

  /// Expects a sound file: its structure, its references, its search index and its journal mode.
  func expectSound(_ comment: Comment) throws {
    let header = try Data(contentsOf: url).prefix(100)
    #expect(header.starts(with: Data("SQLite format 3\0".utf8)), comment)
    // 1 is a rollback journal, with which the file can be read where nothing can be written.
    #expect(header[18] == 1 && header[19] == 1, comment)
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      #expect(try db.integrityProblems() == [], comment)
      #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty, comment)
      // With rank 1 the index is compared with its content table.
      try db.execute(
        sql: """
          INSERT INTO stops_fts_names (stops_fts_names, rank) VALUES ('integrity-check', 1)
          """)
      #expect(try db.headerNumber(.applicationID) == TimetableSchema.applicationID, comment)
      #expect(try db.headerNumber(.userVersion) == TimetableSchema.version, comment)
      #expect(
        try Int.fetchOne(db, sql: "PRAGMA freelist_count") == 0, "no empty pages: \(comment)")
    }
  }

  func count(_ table: String) throws -> Int? {
    let timetable = try Timetable(at: url)
    return try timetable.reader.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
    }
  }
}
