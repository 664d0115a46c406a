import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The article about SQL on a timetable.
@Suite struct QueryingATimetableWithSQLTests {
  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("QueryingATimetableWithSQL", of: "HoldfastTransit").expectExamples(count: 3)
  }

  @Test func theExamplesAnswer() async throws {
    let directory = try TemporaryDirectory()
    let database = directory.file("harbour.db")
    _ = try FeedImporter(feed: PackageFolder.portMerrow, output: database).run()
    let timetable = try Timetable(at: database)
    let ferries = try await firstFerries(from: "CQ-A", in: timetable)
    #expect(ferries.count == 3 && ferries == ferries.sorted())
    let queue = try openForSQL(database.path)
    let trips = try await queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT trip_id FROM stop_times WHERE pickup_type IN (2, 3)")
    }
    for trip in trips.prefix(2) {
      let stops = try await stopsOnRequest(of: trip, in: timetable)
      #expect(!stops.isEmpty)
    }
    try queue.close()
  }
}
