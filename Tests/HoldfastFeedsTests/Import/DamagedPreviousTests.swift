import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

/// A previous database with numbers that no import assigned.
@Suite struct DamagedPreviousTests {
  @Test(arguments: [
    ("packed_stops", "sid", "9223372036854775807"), ("packed_stops", "sid", "-5"),
    ("packed_stops", "sid", "0"), ("dict_route", "rid", "'one'"), ("dict_route", "rid", "1e300"),
    ("dict_route", "rid", "4503599627370497"),
  ])
  func aDamagedPreviousDatabaseIsRefused(table: String, column: String, number: String) throws {
    let (feeds, directory) = (try Folder(), try TemporaryDirectory())
    let feed = try FeedFixture().writeFolder(in: feeds)
    let previous = directory.file("previous.db")
    try FeedImporter.replacing(feed: feed, output: previous).run()
    let queue = try DatabaseQueue(path: previous.path)
    try queue.write { db in
      let stored = table == "packed_stops" ? "packed_stops (sid, id)" : "dict_route (rid, route_id)"
      try db.execute(sql: "INSERT INTO \(stored) VALUES (\(number), 'GONE')")
    }
    try queue.close()

    let output = directory.file("new.db")
    let error = #expect(throws: FeedError.self) {
      try FeedImporter.replacing(feed: feed, output: output, previous: previous).run()
    }
    #expect(error?.code == .damaged)
    #expect(error?.file == "previous.db")
    #expect(error?.message.contains("'previous.db'") == true)
    #expect(error?.message.contains("\(column) in its table \(table)") == true)
    #expect(error?.advice != nil)
    #expect(try directory.names == ["previous.db"])
  }

  /// 2^52: the numbers after it are still exact as floating point.
  @Test func theHighestNumberLeavesRoomForTheNext() throws {
    let (feeds, directory) = (try Folder(), try TemporaryDirectory())
    let feed = try FeedFixture().writeFolder(in: feeds)
    let previous = directory.file("previous.db")
    try FeedImporter.replacing(feed: feed, output: previous).run()
    let queue = try DatabaseQueue(path: previous.path)
    try queue.write { db in
      try db.execute(
        sql: """
          DELETE FROM packed_stops;
          INSERT INTO packed_stops (sid, id) VALUES (4503599627370496, 'GONE')
          """)
    }
    try queue.close()

    let output = directory.file("new.db")
    try FeedImporter.replacing(feed: feed, output: output, previous: previous).run()
    let made = try DatabaseQueue(path: output.path)
    let numbers = try made.read { db in
      try Int64.fetchAll(db, sql: "SELECT sid FROM dict_stop ORDER BY sid")
    }
    #expect(numbers.prefix(2) == [4_503_599_627_370_496, 4_503_599_627_370_497])
    #expect(Set(numbers.map(Double.init)).count == numbers.count)
  }
}
