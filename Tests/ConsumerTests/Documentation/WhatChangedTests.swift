import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The article on the change history shows no Swift that does not compile and run.
@Suite struct WhatChangedTests {
  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("WhatChanged").expectExamples(count: 3)
  }

  @Test func anAppHearsWhatItsWidgetDid() throws {
    let folder = try TemporaryDirectory()
    let app = try openNotes(at: folder.file("a.db").path, as: "app")
    let widget = try openNotes(at: folder.file("a.db").path, as: "widget")
    #expect(try catchUp(app, as: "app") == [])
    try app.write { db in try db.execute(sql: "INSERT INTO note VALUES (1, 'ours')") }
    try widget.write { db in try db.execute(sql: "INSERT INTO note VALUES (2, 'theirs')") }
    #expect(try catchUp(app, as: "app") == ["widget inserts note [2]"])
    #expect(try catchUp(app, as: "app") == [])

    try app.write { db in try ChangeHistory.dropConsumer("app", db) }
    try tidy(app, now: Date(timeIntervalSinceNow: 8 * 86_400))
    #expect(try catchUp(app, as: "app") == ["ours", "theirs"])
  }

  @Test func aReaderThatMustStartOverReadsTheTables() throws {
    let folder = try TemporaryDirectory()
    let app = try openNotes(at: folder.file("a.db").path, as: "app")
    #expect(try catchUp(app, as: "app") == [])
    try app.write { db in
      try db.execute(
        sql: """
          DROP TABLE note; CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
          INSERT INTO note VALUES (1, 'all there is')
          """)
      try ChangeHistory.install(on: db)
    }
    #expect(try catchUp(app, as: "app") == ["all there is"])
    #expect(try catchUp(app, as: "app") == [])
  }
}
