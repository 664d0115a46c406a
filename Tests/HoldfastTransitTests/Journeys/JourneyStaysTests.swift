import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Riders who stay on vehicles that become one.
@Suite struct JourneyStaysTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Two vehicles from `a` join a third one: `first` at its first stop, `second` farther on.
  private func feed(_ first: String, _ second: String) throws -> ImportedFeed {
    let stops = ["a", "w", "v", "x", "y"].enumerated().map { index, stop in
      "\(stop),\(stop),\(52 + Double(index) / 10),13.0\n"
    }
    return try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(),
      calls: """
        \(first),08:00:00,08:00:00,a,1
        \(first),08:20:00,08:20:00,w,2
        \(second),08:00:00,08:00:00,a,1
        \(second),08:33:00,08:33:00,x,2
        on,08:25:00,08:25:00,w,1
        on,08:30:00,08:30:00,v,2
        on,08:35:00,08:35:00,x,3
        on,08:50:00,08:50:00,y,4

        """,
      files: [
        "transfers.txt": """
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        w,w,\(first),on,4
        x,x,\(second),on,4

        """
      ], in: directory)
  }

  /// Whichever of them is followed first: behind the stop where one is known, all were reached as early.
  @Test(arguments: [("m", "n"), ("n", "m")])
  func `A vehicle that several become is followed from the first stop at which riders are on it`(
    first: String, second: String
  ) throws {
    let feed = try feed(first, second)
    func journeys(to stop: String) throws -> [String] {
      let forward = feed.summary(
        try feed.journeys("a", stop, at: "2026-06-10T07:55") {
          $0.maximumDuration = .seconds(3600)
        })
      let backward = feed.summary(
        try feed.journeys("a", stop, by: "2026-06-10T08:55") {
          $0.maximumDuration = .seconds(3600)
        })
      #expect(forward.map { $0.suffix(8) } == backward.map { $0.suffix(8) })
      return forward
    }
    #expect(try journeys(to: "v") == ["10T08:00 \(first)+=on 10T08:30"])
    #expect(try journeys(to: "y").map { $0.suffix(8) } == ["10T08:50"])
    #expect(try journeys(to: "x") == ["10T08:00 \(second) 10T08:33"])
  }

  /// A vehicle that ends at `d1` goes on from there; `b` and the platforms of `d` are far from each other.
  private func chain() throws -> ImportedFeed {
    try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
        a,a,52.0,13.0,,
        b,b,52.2,13.0,,
        c,c,52.4,13.0,,
        d,d,52.6,13.0,1,
        d1,d,52.6,13.0,,d
        d2,d,52.6,13.1,,d

        """,
      calls: """
        p,08:00:00,08:00:00,a,1
        p,08:20:00,08:20:00,d1,2
        q,08:25:00,08:25:00,d1,1
        q,08:50:00,08:50:00,c,2

        """,
      files: [
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n,,p,q,4\n"
      ], in: directory)
  }

  @Test func `Riders stay where a replaced trip ends at the station of the next one`() throws {
    let feed = try chain()
    func replacement(_ trip: String, _ stops: (id: String, time: String)...) throws -> TripUpdate {
      try TripUpdate(
        id: trip,
        trip: TripDescriptor(
          tripID: trip, startDate: "20260610", scheduleRelationship: .replacement),
        stopTimeUpdates: stops.map { stop in
          let event = StopTimeEvent(time: try feed.instant("2026-06-10T\(stop.time)"))
          return StopTimeUpdate(stopID: stop.id, arrival: event, departure: event)
        })
    }
    func arrivals(_ updates: TripUpdate...) throws -> [String] {
      let message = TripUpdates(updates, timestamp: nil)
      let forward = feed.summary(
        try feed.journeys("a", "c", at: "2026-06-10T07:55") { $0.updates = message })
      let backward = feed.summary(
        try feed.journeys("a", "c", by: "2026-06-10T10:00") { $0.updates = message })
      // On other days the trips run as planned.
      let found = [forward, backward].map { $0.filter { $0.hasPrefix("10T") } }
      #expect(found[0] == found[1])
      return found[0].map { String($0.suffix(5)) }
    }
    func delays(_ updates: TripUpdate...) throws -> [Duration?] {
      let question = Departures(
        at: [try feed.sid("d1")], from: try feed.instant("2026-06-10T08:00"),
        for: .seconds(7200), updates: TripUpdates(updates, timestamp: nil))
      return try feed.queue.read { db in try question.fetchAll(db).map(\.delay) }
    }
    #expect(try arrivals() == ["08:50"])
    #expect(try arrivals(replacement("p", ("a", "08:00"), ("b", "08:20"))) == [])
    #expect(try arrivals(replacement("q", ("b", "08:25"), ("c", "08:50"))) == [])
    #expect(try arrivals(replacement("p", ("a", "08:00"), ("d2", "08:22"))) == ["08:50"])
    // Both are at another place.
    #expect(
      try arrivals(
        replacement("p", ("a", "08:00"), ("b", "08:20")),
        replacement("q", ("b", "08:30"), ("c", "08:55"))) == ["08:55"])
    // It says nothing of when the next trip begins, unless it ends there.
    #expect(try delays(replacement("p", ("a", "08:00"), ("b", "09:00"))) == [nil])
    #expect(try delays(replacement("p", ("a", "08:00"), ("d2", "09:00"))) == [.seconds(2100)])
  }
}
