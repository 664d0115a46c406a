import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Riders who stay on vehicles whose trips are modified: "as if the static GTFS would have been modified".
@Suite struct ModifiedStaysTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A vehicle from `a` to `d1` that goes on from there to `c`, by way of `b` both times, and to `e`.
  private func feed(rule: String = ",,p,q,4\n") throws -> ImportedFeed {
    try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        a,a,52.0,13.0,,
        b,b,52.2,13.0,,
        c,c,52.4,13.0,,
        d,d,52.6,13.0,1,
        d1,d,52.6,13.0,,d
        d2,d,52.6,13.1,,d
        e,e,52.8,13.0,,

        """,
      calls: """
        p,08:00:00,08:00:00,a,1
        p,08:10:00,08:10:00,b,2
        p,08:20:00,08:20:00,d1,3
        q,08:25:00,08:25:00,d1,1
        q,08:30:00,08:30:00,b,2
        q,08:50:00,08:50:00,c,3
        r,08:52:00,08:52:00,c,1
        r,09:10:00,09:10:00,e,2

        """,
      files: [
        "transfers.txt": "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n" + rule
      ], in: directory)
  }

  /// A modification that replaces the stops from one number to another one.
  private func modified(
    _ trip: String, _ sequences: ClosedRange<Int>, delay: Int = 0,
    _ stops: KeyValuePairs<String, Int> = [:]
  ) -> TripModifications {
    var part = TripModifications.Modification()
    part.startStopSelector = TripModifications.StopSelector(stopSequence: sequences.lowerBound)
    part.endStopSelector = TripModifications.StopSelector(stopSequence: sequences.upperBound)
    part.propagatedModificationDelay = .seconds(delay)
    part.replacementStops = stops.map {
      TripModifications.ReplacementStop(stopID: $0.key, travelTime: .seconds($0.value))
    }
    var entity = TripModifications(id: "m-" + trip)
    var selected = TripModifications.SelectedTrips()
    selected.tripIDs = [trip]
    (entity.selectedTrips, entity.serviceDates) = ([selected], ["20260610"])
    entity.modifications = [part]
    return entity
  }

  private func late(_ trip: String, minutes: Int) -> TripUpdate {
    TripUpdate(
      id: trip, trip: TripDescriptor(tripID: trip, startDate: "20260610"),
      delay: .seconds(minutes * 60))
  }

  /// The arrivals of the day's journeys to a stop without a change, which are those by an instant too.
  private func arrivals(
    _ feed: ImportedFeed, _ modifications: TripModifications..., from: String = "a",
    to: String = "c", updates: TripUpdate...
  ) throws -> [String] {
    let message = TripUpdates(updates, tripModifications: modifications, timestamp: nil)
    func change(_ question: inout Journeys) {
      (question.updates, question.maximumChanges) = (message, 0)
    }
    let journeys = [
      feed.summary(try feed.journeys(from, to, at: "2026-06-10T07:55", change)),
      feed.summary(try feed.journeys(from, to, by: "2026-06-10T10:00", change)),
    ].map { $0.filter { $0.hasPrefix("10T") } }
    #expect(journeys[0] == journeys[1])
    return journeys[0].map { String($0.suffix(5)) }
  }

  @Test func `Riders stay where detours end and begin trips at another stop`() throws {
    let feed = try feed()
    let end = modified("p", 3...3, ["b": 600])
    let begin = modified("q", 1...1, ["b": 0])
    #expect(try arrivals(feed, updates: late("p", minutes: 0)) == ["08:50"])
    #expect(try arrivals(feed, end, begin) == ["08:50"])
    #expect(try arrivals(feed, end).isEmpty)
    #expect(try arrivals(feed, begin).isEmpty)
    // They are also joined where the ends are only left out.
    #expect(try arrivals(feed, modified("p", 3...3), modified("q", 1...1)) == ["08:50"])
    #expect(try arrivals(feed, modified("p", 3...3)).isEmpty)
    // Other platforms of the station.
    #expect(try arrivals(feed, modified("p", 3...3, ["d2": 660])) == ["08:50"])
    #expect(try arrivals(feed, modified("q", 1...1, ["d2": 0])) == ["08:50"])
  }

  @Test func `Riders stay at a stop on the way of a trip with a detour elsewhere`() throws {
    let feed = try feed(rule: "b,b,p,q,4\n")
    #expect(try arrivals(feed, modified("p", 3...3, ["d2": 660])) == ["08:50"])
    #expect(try arrivals(feed, modified("p", 1...1, ["d2": 0])).isEmpty)
    #expect(try arrivals(feed, modified("p", 1...1, ["d2": -60]), from: "d2") == ["08:50"])
    #expect(try arrivals(feed, modified("q", 1...1, ["d2": 0])) == ["08:50"])
    #expect(try arrivals(feed, modified("q", 3...3, ["d2": 60, "c": 1200])) == ["08:50"])
    // Where the stop itself is not served, nobody stays.
    #expect(try arrivals(feed, modified("p", 2...2, ["d2": 60])).isEmpty)
    #expect(try arrivals(feed, modified("q", 2...2, ["d2": 60])).isEmpty)
  }

  @Test func `A modified trip begins when its late vehicle is there`() throws {
    let feed = try feed()
    // It would begin at 8:20, five minutes earlier than the trip in the timetable.
    let early = modified("q", 1...1, ["d2": -300])
    #expect(try arrivals(feed, early, updates: late("p", minutes: 10)) == ["09:00"])
    // The detour of four minutes behind the stop where riders stay.
    let way = try self.feed(rule: "b,b,p,q,4\n")
    let detour = modified("q", 3...3, ["d2": 300, "c": 1440])
    #expect(
      try arrivals(way, detour, updates: late("p", minutes: 25)) == ["08:59"])
  }

  @Test func `A third trip is late by the detour and by the late start of the second`() throws {
    let feed = try feed(rule: ",,p,q,4\n,,q,r,4\n")
    // At 8:54, four minutes late.
    let detour = modified("q", 3...3, ["d2": 300, "c": 1440])
    #expect(try arrivals(feed, detour, to: "e") == ["09:12"])
    // Five minutes later.
    let behind = late("p", minutes: 10)
    #expect(try arrivals(feed, detour, to: "e", updates: behind) == ["09:17"])
    #expect(try arrivals(feed, detour, from: "c", to: "e", updates: behind) == ["09:17"])
    #expect(try arrivals(feed, to: "e", updates: behind) == ["09:13"])
  }
}
