import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The rules of `transfers.txt` for trips that live data let call at other platforms.
@Suite struct LiveTransferTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Trips that meet at the first platform of a station, whose other platforms have no other trips, or
  /// those of another route only.
  private func feed(_ rules: String) throws -> ImportedFeed {
    try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        X,Station,52.0,13.0,1,
        p1,Station,52.0,13.0,0,X
        p2,Station,52.0,13.0005,0,X
        p3,Station,52.0,13.001,0,X
        s1,One,52.1,13.0,0,
        s2,Two,52.2,13.0,0,
        s3,Three,52.3,13.0,0,

        """,
      calls: """
        from,08:00:00,08:00:00,s1,1
        from,08:10:00,08:10:00,p1,2
        soon,08:10:00,08:10:00,p1,1
        soon,08:40:00,08:40:00,s2,2
        later,08:16:00,08:16:00,p1,1
        later,08:50:00,08:50:00,s2,2
        other,07:00:00,07:00:00,s3,1
        other,07:10:00,07:10:00,p3,2

        """,
      files: [
        "trips.txt": """
        route_id,service_id,trip_id
        r1,D,from
        r2,D,soon
        r2,D,later
        r3,D,other

        """,
        "routes.txt":
          "route_id,agency_id,route_short_name,route_type\nr1,A,1,2\nr2,A,2,2\nr3,A,3,2\n",
        "transfers.txt": """
        from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,\
        transfer_type,min_transfer_time
        \(rules)

        """,
      ], in: directory)
  }

  private func moved(_ trip: String, _ sequence: Int, to stop: String) -> TripUpdate {
    TripUpdate(
      id: "moved", trip: TripDescriptor(tripID: trip, startDate: "20260610"),
      stopTimeUpdates: [
        StopTimeUpdate(
          stopSequence: sequence, properties: StopTimeProperties(assignedStopID: stop))
      ])
  }

  /// The first journey from the first stop to the second, by both searches, which agree.
  private func journey(_ feed: ImportedFeed, _ updates: TripUpdate...) throws -> String {
    let live = updates.isEmpty ? nil : TripUpdates(updates, timestamp: nil)
    let found = feed.summary(
      try feed.journeys("s1", "s2", at: "2026-06-10T07:55") { $0.updates = live })
    let before = try feed.journeys("s1", "s2", by: "2026-06-10T08:55") { $0.updates = live }
    let isToday = found.first?.hasSuffix("10T08:50") ?? false
    if isToday { #expect(feed.summary(before) == found) }
    return found.first ?? ""
  }

  @Test(arguments: [
    ("X,X,,,from,soon,1,", true), ("X,X,,r2,from,,1,", true), ("X,X,,,,soon,1,", true),
    ("X,X,r1,r2,,,1,", true), ("X,X,,r2,,,1,", true), ("X,X,,,,,1,", true),
    ("X,p1,r1,,,,1,", true), ("p1,p1,,,from,soon,1,", false),
  ])
  func `The rule of a station is for the platform to which a trip was moved`(
    rule: String, isOfStation: Bool
  ) throws {
    let feed = try feed(rule)
    #expect(try journey(feed) == "10T08:00 from+soon 10T08:40")
    for platform in ["p2", "p3"] {
      let found = try journey(feed, moved("from", 2, to: platform))
      #expect(found == "10T08:00 from+\(isOfStation ? "soon 10T08:40" : "later 10T08:50")")
    }
    // What was read for a message is not used for the next one.
    #expect(try journey(feed) == "10T08:00 from+soon 10T08:40")
    #expect(try journey(feed, moved("other", 2, to: "p2")) == "10T08:00 from+soon 10T08:40")
  }

  @Test func `A change that a station forbids is forbidden at every platform`() throws {
    for (rule, answer) in [
      ("X,X,,,from,later,3,", "10T08:00 from+soon 11T08:40"), ("X,X,r1,r2,,,3,", ""),
      ("X,X,,,,,2,600", "10T08:00 from+soon 11T08:40"), ("X,X,,r2,,,3,", ""),
    ] {
      let feed = try feed(rule)
      #expect(try journey(feed) == answer, "\(rule)")
      for platform in ["p2", "p3"] {
        #expect(
          try journey(feed, moved("from", 2, to: platform)) == answer, "\(rule), \(platform)")
      }
      #expect(try journey(feed, moved("later", 1, to: "p2")) == answer, "\(rule)")
    }
  }

  @Test func `An added trip has the rules of its route at platforms that the route never had`()
    throws
  {
    let feed = try feed("X,X,r1,r3,,,1,")
    let stop = { (stopID: String, time: String) throws -> StopTimeUpdate in
      let event = StopTimeEvent(time: try feed.instant("2026-06-10T\(time)"))
      return StopTimeUpdate(stopID: stopID, arrival: event, departure: event)
    }
    let trip = { (route: String) in
      TripUpdate(
        id: "extra",
        trip: TripDescriptor(
          tripID: "extra", routeID: route, startDate: "20260610", scheduleRelationship: .new),
        stopTimeUpdates: [try stop("p2", "08:10"), try stop("s2", "08:20")])
    }
    #expect(try journey(feed, try trip("r3")) == "10T08:00 from+extra 10T08:20")
    #expect(try journey(feed, try trip("r2")) == "10T08:00 from+later 10T08:50")
  }

  @Test func `A planned change is missed or not by the rule of the station`() throws {
    let feed = try feed("X,X,,,from,soon,1,")
    let planned = try #require(try feed.journeys("s1", "s2", at: "2026-06-10T07:55").first)
    var question = Journeys(
      from: .stop(try feed.sid("s1")), to: .stop(try feed.sid("s2")),
      .departing(planned.departure))
    question.updates = TripUpdates([moved("from", 2, to: "p2")], timestamp: nil)
    let status = try feed.queue.read { [question] db in try question.status(of: planned, db) }
    #expect(status.isPossible)
  }

  @Test func `A planned change between platforms where none is possible is named`() throws {
    let feed = try feed("X,X,,,,,3,\np1,p1,,,,,1,")
    let planned = try #require(try feed.journeys("s1", "s2", at: "2026-06-10T07:55").first)
    #expect(feed.summary([planned]) == ["10T08:00 from+soon 10T08:40"])
    var question = Journeys(
      from: .stop(try feed.sid("s1")), to: .stop(try feed.sid("s2")),
      .departing(planned.departure))
    question.updates = TripUpdates([moved("from", 2, to: "p2")], timestamp: nil)
    let status = try feed.queue.read { [question] db in try question.status(of: planned, db) }
    #expect(
      status.problems.map(\.description) == [
        "The change no longer works: 1 (trip from) stops at Station, and riders cannot change from "
          + "there to 2 (trip soon) at Station."
      ])
  }
}
