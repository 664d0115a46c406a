import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The article about stops by position, kinds of routes and validity.
@Suite struct StopsNearbyTests {
  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("StopsNearby", of: "HoldfastTransit").expectExamples(count: 4)
  }

  @Test func theExamplesAnswer() async throws {
    let directory = try TemporaryDirectory()
    let database = directory.file("harbour.db")
    _ = try FeedImporter(feed: PackageFolder.portMerrow, output: database).run()
    let timetable = try Timetable(at: database)
    let nearby = try await stopsNearby(latitude: -43.805, longitude: 172.965, in: timetable)
    #expect(nearby.count == 5)
    #expect(nearby.first == "Circular Quay, 0 m")

    let quay = try Position(latitude: -43.805, longitude: 172.965)
    let onMap = try await stopsOnMap(
      around: quay, latitudeDelta: 0.002, longitudeDelta: 0.003, in: timetable)
    #expect(onMap.first?.stopName == "Circular Quay")
    #expect((2...20).contains(onMap.count))

    let routes = try await timetable.reader.read { db in try Route.fetchAll(db) }
    let badges = routes.map(badge)
    #expect(badges.contains { $0.hasPrefix("ferry.fill #") && $0.hasSuffix(" Ferry") })
    #expect(badges.contains { $0.hasSuffix(" Rail Replacement Bus Service") })

    let days = ["2025-06-01", "2026-06-01", "2028-06-01"]
    var hints: [String?] = []
    for day in days {
      let noon = try Date("\(day)T12:00:00Z", strategy: .iso8601)
      hints.append(try await hint(about: timetable, at: noon))
    }
    #expect(
      hints == [
        "This timetable begins on 2026-01-01.", nil, "This timetable ended on 2027-12-31.",
      ])
  }
}
