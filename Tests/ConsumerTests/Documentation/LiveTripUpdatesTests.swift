import Foundation
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The article on live trip updates shows no Swift that does not compile and run.
@Suite struct LiveTripUpdatesTests {
  /// Midnight of Monday, 5 January 2026, in Port Merrow.
  private let midnight = Date(timeIntervalSince1970: 1_767_524_400)

  private var message: Data {
    get throws {
      try Data(
        contentsOf: PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb"))
    }
  }

  private func updates() throws -> TripUpdates {
    try #require(try freshUpdates(in: message, now: midnight + 6 * 3600 + 400))
  }

  @Test func `every block of the article is an example`() throws {
    try Article("LiveTripUpdates", of: "HoldfastTransit").expectExamples(count: 5)
  }

  @Test func `an outdated message is not used`() throws {
    #expect(try freshUpdates(in: message, now: midnight + 7 * 3600) == nil)
    #expect(try updates().updates.count == 5)
  }

  @Test func `what a server sends instead is explained`() throws {
    let error = try #require(throws: TransitError.self) {
      _ = try freshUpdates(in: Data("<html>".utf8), now: midnight)
    }
    #expect(explain(error) == "The server did not send a feed message.")
  }

  @Test func `a trip's board has live, skipped and canceled stops`() throws {
    let stopTimes = [(3, "2003", 4), (4, "2004", 5), (6, "CQ-1", 9), (13, "2011", 21)].map {
      let time = midnight + 6 * 3600 + Double($2) * 60
      return ScheduledStopTime(stopSequence: $0, stopID: $1, arrival: time, departure: time)
    }
    var trip = TripInstance(
      tripID: "T1-WD-0-0600", routeID: "T1", directionID: 0, startDate: "20260105",
      startTime: .seconds(6 * 3600), start: midnight + 6 * 3600)
    let updates = try updates()
    #expect(
      board(of: trip, at: stopTimes, with: updates) == [
        "2003: 120.0 seconds late", "2004: 120.0 seconds late", "CQ-1: no stop",
        "2011: 0.0 seconds late",
      ])
    #expect(stops(of: trip, at: stopTimes, with: updates) == ["2003", "2004", "2011"])
    trip.startDate = "20260106"
    #expect(
      board(of: trip, at: [stopTimes[0]], with: updates) == [
        "2003: as scheduled, as far as known"
      ])
    trip.tripID = "T1-WD-1-0615"
    trip.startDate = "20260105"
    #expect(board(of: trip, at: [stopTimes[0]], with: updates) == ["2003: canceled"])
  }

  @Test func `a ferry that is not in the timetable departs`() throws {
    let times = extraDepartures(at: "CQ-A", with: try updates())
    #expect(times == [midnight + 6 * 3600 + 20 * 60])
  }
}
