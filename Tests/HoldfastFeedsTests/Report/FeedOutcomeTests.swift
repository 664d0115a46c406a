import Foundation
import Testing

@testable import HoldfastFeeds

/// The outcome of reading each real feed.
@Suite(.enabled(if: SharedFeeds.arePresent, SharedFeeds.absence))
struct FeedOutcomeTests {
  enum Outcome: Equatable {
    case imported(stops: Int, routes: Int)
    case refused(FeedError.Code, String, line: Int? = nil, field: String? = nil)
  }

  static let feeds: [String: Outcome] = [
    "amazon-2017-ext-types": .imported(stops: 35, routes: 50),
    "amtrak-2021": .imported(stops: 672, routes: 64),
    "bart-2009": .imported(stops: 46, routes: 11),
    "bom-all-files": .imported(stops: 9, routes: 5),
    "brown-county-flex": .refused(.badData, "calendar.txt"),
    "cairns": .imported(stops: 416, routes: 22),
    "calendar-dates-only-berlin": .imported(stops: 10, routes: 1),
    "calendar-dates-only-sample": .imported(stops: 9, routes: 5),
    "caltrain-2016": .imported(stops: 95, routes: 4),
    "caltrain-2018": .imported(stops: 64, routes: 6),
    "car-jaune-reunion": .imported(stops: 458, routes: 15),
    "donanbus-japan-translations": .imported(stops: 706, routes: 74),
    "fiji-antimeridian": .imported(stops: 2, routes: 1),
    "gl-bom-realworld": .imported(stops: 10, routes: 1),
    "hart-tampa": .imported(stops: 2349, routes: 45),
    "headers-only-empty": .refused(.badData, "agency.txt"),
    "island-transit-2009": .imported(stops: 410, routes: 23),
    "israel-hebrew-2126": .imported(stops: 18, routes: 1),
    "kodis-ostrava-2018": .imported(stops: 2876, routes: 458),
    "macosx-junk": .imported(stops: 5, routes: 2),
    "metra-padded-headers": .imported(stops: 240, routes: 11),
    "na-times-zurich-toy": .imported(stops: 14, routes: 4),
    "nested-dir-ambiguous": .refused(.notAFeed, "nested-dir-ambiguous.zip"),
    "nested-dir": .imported(stops: 9, routes: 5),
    "nested-zip": .refused(.notAFeed, "example-nested-zip/example.zip"),
    "nyc-subway-2018": .imported(stops: 1223, routes: 22),
    "nyc-subway-2024": .imported(stops: 273, routes: 2),
    "otp-simple-pathways": .imported(stops: 28, routes: 19),
    "region-nord-latin1": .refused(.badData, "stops.txt", line: 2, field: "stop_name"),
    "sample-feed-google": .imported(stops: 9, routes: 5),
    "seattle-area-2017": .imported(stops: 259, routes: 14),
    "subdirectory": .imported(stops: 5, routes: 1),
    "trimet-calendar-dates-only-2014": .imported(stops: 76, routes: 3),
    "turlock-fares-v2": .imported(stops: 116, routes: 6),
    "vta-blank-latlon": .imported(stops: 27, routes: 1),
    "zug-swiss-ext-types": .imported(stops: 905, routes: 94),
  ]

  static let brokenFeeds: [String: Outcome] = [
    "au-sydney-entrances": .refused(.badData, "routes.txt"),
    "bad_date_format": .imported(stops: 10, routes: 5),
    "bad_eol": .imported(stops: 9, routes: 5),
    "bad_utf8": .refused(.badData, "agency.txt", line: 1, field: "badheader�"),
    "contains_null": .refused(.badData, "stops.txt", line: 9, field: "stop_name"),
    // The row repeats another one.
    "duplicate_schedule_id": .imported(stops: 9, routes: 5),
    "duplicate_stop": .imported(stops: 10, routes: 5),
    "duplicate_stop_sequence": .imported(stops: 5, routes: 1),
    "empty_file": .refused(.badData, "agency.txt"),
    "extra_row_cells": .imported(stops: 9, routes: 5),
    "filter_unusual_trips": .imported(stops: 9, routes: 5),
    "flatten_feed": .imported(stops: 9, routes: 8),
    "good_feed": .imported(stops: 10, routes: 5),
    "googletransit__good_feed": .imported(stops: 10, routes: 5),
    "invalid_agency_ids": .imported(stops: 9, routes: 5),
    "invalid_route_agency": .imported(stops: 9, routes: 5),
    "missing_agency": .refused(.badData, "agency.txt"),
    "missing_calendar": .refused(.badData, "calendar.txt"),
    "missing_column": .refused(.badData, "agency.txt", line: 1, field: "agency_name"),
    "missing_departure_time": .imported(stops: 5, routes: 1),
    "missing_endpoint_times": .imported(stops: 9, routes: 5),
    "missing_routes": .refused(.badData, "routes.txt"),
    "missing_row_cells": .imported(stops: 9, routes: 5),
    "missing_stop_times": .refused(.badData, "stop_times.txt"),
    "missing_stops": .refused(.badData, "stops.txt"),
    "missing_trips": .refused(.badData, "trips.txt"),
    "missing_weekday_column": .refused(.badData, "calendar.txt", line: 1, field: "thursday"),
    "negative_stop_sequence": .imported(stops: 9, routes: 5),
    "only_calendar_dates": .imported(stops: 9, routes: 5),
    "repeated_route_name": .imported(stops: 9, routes: 6),
    "same_short_long_name": .imported(stops: 9, routes: 5),
    "undefined_stop": .imported(stops: 9, routes: 5),
    "unknown_file": .imported(stops: 10, routes: 5),
    "unknown_format": .refused(.notAFeed, "unknown_format.zip"),
    "unrecognized_columns": .imported(stops: 9, routes: 5),
    "unused_stop": .imported(stops: 10, routes: 5),
    "upgrade_translations__new-feed": .refused(.badData, "agency.txt"),
    "upgrade_translations__old-feed": .refused(.badData, "agency.txt"),
    "utf16": .refused(.badData, "agency.txt", line: 1),
    "utf8bom": .imported(stops: 9, routes: 5),
  ]

  private static let all =
    feeds.map { ("feeds/\($0).zip", $1) }.sorted { $0.0 < $1.0 }
    + brokenFeeds.map { ("broken-feeds/\($0).zip", $1) }.sorted { $0.0 < $1.0 }

  @Test func everySharedFeedHasAnOutcome() throws {
    let names = try SharedFeeds.names(in: "feeds") + SharedFeeds.names(in: "broken-feeds")
    #expect(Self.all.map(\.0) == names)
    #expect(Self.feeds.count == 36)
    #expect(Self.brokenFeeds.count == 40)
  }

  @Test(arguments: all)
  func theFeedIsImportedOrRefusedAsExpected(name: String, expected: Outcome) throws {
    do {
      let (feed, report) = try Feed.read(from: SharedFeeds.root.appending(path: name))
      #expect(.imported(stops: feed.stops.count, routes: feed.routes.count) == expected)
      #expect(report.rows["stops.txt"] == feed.stops.count)
      #expect(report.rows["routes.txt"] == feed.routes.count)
      #expect(report.errorCount == 0)
    } catch let error as FeedError {
      let file = try #require(error.file)
      #expect(
        .refused(error.code, file, line: error.line, field: error.field) == expected)
      #expect(error.message.contains(file))
      if let line = error.line { #expect(error.message.contains("line \(line)")) }
      if let field = error.field { #expect(error.message.contains("field \(field)")) }
      #expect(error.advice != nil)
    }
  }

  @Test func examiningAgreesWithReading() throws {
    // The large feeds spend their time in stop times, whose text is all alike to the reader.
    for (name, outcome) in Self.all {
      let url = SharedFeeds.root.appending(path: name)
      let size =
        try FileManager.default.attributesOfItem(
          atPath: url.path(percentEncoded: false))[.size] as? Int
      if try #require(size) > 300_000 { continue }
      switch outcome {
      case .imported: #expect(try FeedReport.examine(url).errorCount == 0, "\(name)")
      case .refused(.badData, let file, let line, _):
        let error = try FeedReport.examine(url).firstError
        #expect(error?.file == file && error?.line == line, "\(name)")
      case .refused: #expect(throws: FeedError.self, "\(name)") { try FeedReport.examine(url) }
      }
    }
  }

  @Suite(.enabled(if: SharedFeeds.counts != nil, "there is no python3 to count with"))
  struct IndependentCounts {
    @Test(arguments: FeedOutcomeTests.all)
    func theExpectedCountsEqualAnIndependentCount(name: String, expected: Outcome) throws {
      guard case .imported(let stops, let routes) = expected else { return }
      let counts = try #require(SharedFeeds.counts?[name])
      #expect(counts["stops.txt"] == stops)
      #expect(counts["routes.txt"] == routes)
    }
  }
}
