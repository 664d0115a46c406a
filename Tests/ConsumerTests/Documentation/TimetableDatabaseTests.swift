import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The article about a timetable database's tables.
@Suite struct TimetableDatabaseTests {
  @Test func theArticleNamesEveryTableAndColumn() throws {
    let directory = try TemporaryDirectory()
    let database = directory.file("timetable.db")
    try Museum.makeTimetable(at: database)
    let article = try SourceTree.ofThisPackage().text(
      "Sources/HoldfastTransit/HoldfastTransit.docc/TimetableDatabase.md")
    let queue = try DatabaseQueue(path: database.path)
    let names = try queue.read { db in
      try String.fetchAll(
        db,
        sql: """
          -- The files of a feed and their columns are those of the GTFS reference.
          SELECT name FROM sqlite_schema
          WHERE type IN ('table', 'view') AND name NOT GLOB 'stops_fts_*' AND name NOT GLOB 'gtfs_*'
          UNION
          SELECT columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
          WHERE tables.type IN ('table', 'view') AND tables.name NOT GLOB 'stops_fts*'
            AND tables.name NOT GLOB 'gtfs_*'
            -- GTFS's columns without a place of their own, and the feed's.
            AND tables.name NOT GLOB 'other_[sra]*'
          """)
    }
    try queue.close()
    #expect(names.count > 40)
    #expect(names.filter { !article.contains("`\($0)`") } == [])
  }
}
