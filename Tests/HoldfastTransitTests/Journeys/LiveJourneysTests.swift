import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Journeys with live data: late, canceled, added and replaced trips, and what is said of planned ones.
@Suite struct LiveJourneysTests {
  let feed: ImportedFeed
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    feed = try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon
        s1,One,52.0,13.0
        s2,Two,52.02,13.0
        s3,Three,52.04,13.0
        s4,Four,52.06,13.0
        bus,Square,52.08,13.0

        """,
      calls: """
        one,08:00:00,08:00:00,s1,1
        one,08:10:00,08:11:00,s2,2
        one,08:20:00,08:20:00,s4,3
        two,08:15:00,08:15:00,s2,1
        two,08:30:00,08:30:00,s3,2
        three,08:45:00,08:45:00,s2,1
        three,09:00:00,09:00:00,s3,2
        night,23:50:00,23:50:00,s4,1
        night,24:10:00,24:10:00,s2,2
        dawn,00:12:00,00:12:00,s2,1
        dawn,00:30:00,00:30:00,s3,2
        often,00:00:00,00:00:00,s4,1
        often,00:10:00,00:10:00,s1,2

        """,
      files: [
        "transfers.txt":
          "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n,,night,dawn,4\n",
        "frequencies.txt":
          "trip_id,start_time,end_time,headway_secs,exact_times\noften,10:00:00,11:00:00,1200,1\n",
      ], in: directory)
  }

  private func update(
    _ trip: String?, on day: String = "20260610",
    _ relationship: TripDescriptor.ScheduleRelationship = .scheduled, start: String? = nil,
    route: String? = nil, delays: [Int: Int] = [:], stops: [StopTimeUpdate] = []
  ) -> TripUpdate {
    let delayed = delays.sorted { $0.key < $1.key }.map { sequence, minutes in
      let event = StopTimeEvent(delay: .seconds(minutes * 60))
      return StopTimeUpdate(stopSequence: sequence, arrival: event, departure: event)
    }
    return TripUpdate(
      id: "u",
      trip: TripDescriptor(
        tripID: trip, routeID: route, startTime: start, startDate: day,
        scheduleRelationship: relationship), stopTimeUpdates: delayed + stops)
  }

  private func stop(_ stopID: String, _ time: String) throws -> StopTimeUpdate {
    let event = StopTimeEvent(time: try feed.instant("2026-06-10T\(time)"))
    return StopTimeUpdate(stopID: stopID, arrival: event, departure: event)
  }

  private func journeys(
    _ from: String, _ to: String, at start: String, _ updates: TripUpdate...
  ) throws -> [String] {
    feed.summary(
      try feed.journeys(from, to, at: "2026-06-\(start)") {
        $0.updates = TripUpdates(updates, timestamp: nil)
      })
  }

  @Test func `A late vehicle misses its connection, and one that is later still is reached`() throws
  {
    #expect(try journeys("s1", "s3", at: "10T07:50") == ["10T08:00 one+two 10T08:30"])
    #expect(
      try journeys("s1", "s3", at: "10T07:50", update("one", delays: [1: 10]))
        == ["10T08:10 one+three 10T09:00"])
    #expect(
      try journeys(
        "s1", "s3", at: "10T07:50", update("one", delays: [1: 10]), update("two", delays: [1: 7]))
        == ["10T08:10 one+two 10T08:37"])
    // Riders who come late still catch it, and the next day's runs as planned.
    #expect(
      try journeys("s1", "s4", at: "10T08:05", update("one", delays: [1: 10]))
        == ["10T08:10 one 10T08:30"])
    #expect(
      try journeys("s1", "s3", at: "11T07:50", update("one", delays: [1: 10]))
        == ["11T08:00 one+two 11T08:30"])
  }

  @Test func `A ride has predicted times next to those of the timetable`() throws {
    let found = try feed.journeys("s1", "s4", at: "2026-06-10T07:50") {
      $0.updates = TripUpdates([update("one", delays: [2: 5])], timestamp: nil)
      $0.includesIntermediateCalls = true
    }
    let ride = try #require(found.first?.rides.first)
    #expect(ride.board.status == .scheduled)
    #expect(ride.board.delay == nil)
    let middle = try #require(ride.intermediateCalls.first)
    #expect((middle.status, middle.delay) == (.live, .seconds(300)))
    #expect(ride.alight.scheduledArrival == (try feed.instant("2026-06-10T08:20")))
    #expect(ride.alight.arrival == (try feed.instant("2026-06-10T08:25")))
    #expect(ride.tid != nil)
    #expect(ride.serviceDay.description == "2026-06-10")
  }

  @Test func `Canceled and deleted trips and skipped stops are not used`() throws {
    for relationship in [TripDescriptor.ScheduleRelationship.canceled, .deleted] {
      #expect(
        try journeys("s1", "s3", at: "10T07:50", update("two", relationship))
          == ["10T08:00 one+three 10T09:00"])
    }
    let skipped = StopTimeUpdate(stopSequence: 2, scheduleRelationship: .skipped)
    #expect(
      try journeys("s1", "s3", at: "10T07:50", update("one", stops: [skipped]))
        == ["10T08:00 one+night+=dawn 11T00:30"])
    #expect(
      try journeys("s1", "s4", at: "10T07:50", update("one", stops: [skipped]))
        == ["10T08:00 one 10T08:20"])
  }

  @Test func `Added, replaced and moved trips are used, at stops without any other service too`()
    throws
  {
    let added = try update(
      "extra", .new, route: "r2", stops: [stop("s1", "08:02"), stop("s3", "08:12")])
    #expect(try journeys("s1", "s3", at: "10T07:50", added) == ["10T08:02 extra 10T08:12"])
    let ride = try feed.journeys("s1", "s3", at: "2026-06-10T07:50") {
      $0.updates = TripUpdates([added], timestamp: nil)
    }.first?.rides.first
    #expect(ride?.tid == nil && ride?.route.routeID == "r2")
    #expect(ride?.board.scheduledDeparture == nil)
    let square = try update(
      "two", .replacement, stops: [stop("s2", "08:16"), stop("bus", "08:25"), stop("s3", "08:40")])
    #expect(try journeys("s1", "bus", at: "10T07:50", square) == ["10T08:00 one+two 10T08:25"])
    #expect(try journeys("s1", "s3", at: "10T07:50", square) == ["10T08:00 one+two 10T08:40"])
    #expect(try journeys("bus", "s3", at: "10T07:50", square) == ["10T08:25 two 10T08:40"])
    #expect(try journeys("bus", "s3", at: "10T07:50").isEmpty)
    let platform = StopTimeUpdate(
      stopSequence: 2, properties: StopTimeProperties(assignedStopID: "bus"))
    #expect(
      try journeys("s1", "bus", at: "10T07:50", update("one", stops: [platform]))
        == ["10T08:00 one 10T08:10"])
    // A copy, at another start.
    var copy = update("one", .duplicated)
    copy.properties = TripProperties(
      tripID: "copy", startDate: "20260610", startTime: "12:00:00")
    #expect(try journeys("s1", "s4", at: "10T11:30", copy) == ["10T12:00 copy 10T12:20"])
  }

  @Test func `Of a trip that repeats, live data change one vehicle`() throws {
    let late = update("often", start: "10:20:00", delays: [1: 5])
    #expect(try journeys("s4", "s1", at: "10T10:10", late) == ["10T10:25 often 10T10:35"])
    let canceled = update("often", .canceled, start: "10:20:00")
    #expect(try journeys("s4", "s1", at: "10T10:10", canceled) == ["10T10:40 often 10T10:50"])
    #expect(try journeys("s4", "s1", at: "10T09:50", canceled) == ["10T10:00 often 10T10:10"])
  }

  @Test func `Riders stay on a late vehicle, unless the other trip leaves without it`() throws {
    #expect(try journeys("s4", "s3", at: "10T23:30") == ["10T23:50 night+=dawn 11T00:30"])
    let late = update("night", delays: [1: 1])
    #expect(try journeys("s4", "s3", at: "10T23:30", late) == ["10T23:51 night+=dawn 11T00:30"])
    let both = [update("night", delays: [1: 9]), update("dawn", on: "20260611", delays: [1: 9])]
    #expect(
      try journeys("s4", "s3", at: "10T23:30", both[0], both[1])
        == ["10T23:59 night+=dawn 11T00:39"])
    // The vehicle is the same, whether the server says so or not.
    #expect(
      try journeys("s4", "s3", at: "10T23:30", update("night", delays: [1: 9]))
        == ["10T23:59 night+=dawn 11T00:37"])
    #expect(
      try journeys("s2", "s3", at: "11T00:00", update("night", delays: [1: 9]))
        == ["11T00:19 dawn 11T00:37"])
    let onTime = update("dawn", on: "20260611", delays: [1: 0])
    #expect(
      try journeys("s4", "s3", at: "10T23:30", update("night", delays: [1: 9]), onTime).first?
        .contains("=dawn") != true)
    #expect(
      try journeys("s4", "s3", at: "11T23:30", update("night", delays: [1: 9]))
        == ["11T23:50 night+=dawn 12T00:30"])
  }

  @Test func `A train waits at each stop for the late one that joins it there`() throws {
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n"
        + "s1,One,52.0,13.0\ns2,Two,52.2,13.0\ns3,Three,52.4,13.0\ns4,Four,52.6,13.0\n",
      calls: """
        front,08:00:00,08:00:00,s4,1
        front,08:10:00,08:10:00,s1,2
        rear,08:00:00,08:00:00,s4,1
        rear,08:20:00,08:20:00,s2,2
        train,08:10:00,08:10:00,s1,1
        train,08:20:00,08:20:00,s2,2
        train,08:30:00,08:30:00,s3,3

        """,
      files: [
        "transfers.txt": """
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        s1,s1,front,train,4
        s2,s2,rear,train,4

        """
      ], in: directory)
    for updates in [
      [update("front", delays: [1: 5]), update("rear", delays: [1: 15])],
      [update("rear", delays: [1: 15]), update("front", delays: [1: 5])],
    ] {
      func journey(_ from: String, _ to: String) throws -> [String] {
        feed.summary(
          try feed.journeys(from, to, at: "2026-06-10T08:01") {
            $0.updates = TripUpdates(updates, timestamp: nil)
          })
      }
      #expect(try journey("s4", "s3") == ["10T08:15 rear+=train 10T08:45"])
      #expect(try journey("s1", "s3") == ["10T08:15 train 10T08:45"])
      #expect(try journey("s4", "s1") == ["10T08:05 front 10T08:15"])
    }
  }

  @Test func `Boards have a late vehicle under its next trip, as journeys do`() throws {
    let start = try feed.instant("2026-06-11T00:00")
    func boards(_ updates: TripUpdate...) throws -> [String] {
      let (from, to) = (try feed.sid("s2"), try feed.sid("s3"))
      let live = TripUpdates(updates, timestamp: nil)
      return try feed.queue.read { db in
        let departures = try Departures(at: [from], from: start, limit: 1, updates: live)
          .fetchAll(db)
        let arrivals = try Arrivals(at: [to], from: start, limit: 1, updates: live).fetchAll(db)
        let minutes = { (date: Date) in Int(date.timeIntervalSince(start)) / 60 }
        return departures.map {
          "\($0.tripID) \(minutes($0.departure))\($0.status == .live ? " live" : "")"
        } + arrivals.map { "\($0.tripID) \(minutes($0.arrival))" }
      }
    }
    let late = update("night", delays: [1: 9])
    #expect(try boards() == ["dawn 12", "dawn 30"])
    #expect(try boards(late) == ["dawn 19 live", "dawn 37"])
    #expect(try boards(update("night", delays: [1: 1])) == ["dawn 12", "dawn 30"])
    let onTime = update("dawn", on: "20260611", delays: [1: 0])
    #expect(try boards(late, onTime) == ["dawn 12 live", "dawn 30"])
  }

  @Test func `A late vehicle that never pauses is not late for ever`() throws {
    let feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\ns1,One,52.0,13.0\ns2,Two,52.02,13.0\n",
      calls: """
        day,00:00:00,00:00:00,s1,1
        day,12:00:00,12:00:00,s2,2
        night,12:00:00,12:00:00,s2,1
        night,24:00:00,24:00:00,s1,2

        """,
      files: [
        "transfers.txt": """
        from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type
        ,,day,night,4
        ,,night,day,4

        """
      ], in: directory)
    let instant = Int(try feed.instant("2026-06-10T08:00").timeIntervalSince1970)
    let updates = TripUpdates([update("day", delays: [1: 10])], timestamp: nil)
    let count = try feed.queue.read { db in
      try LiveTrips(updates, at: instant, JourneyNetwork.of(db), db).trips.count
    }
    #expect(count == 1 + LiveTrips.mostContinuations)
  }

  /// Servers say that a vehicle leaves before it arrives.
  @Test func `Predicted times that decrease are not used`() throws {
    #expect(
      try journeys("s1", "s4", at: "10T07:50", update("one", delays: [1: 30, 3: 0]))
        == ["11T08:00 one 11T08:20"])
  }

  /// Servers send times of other years, also one beside another of the same call.
  @Test(arguments: [1, 3]) func `A call of which one time is impossible is not used`(
    sequence: Int
  ) throws {
    let time = try feed.instant(sequence == 1 ? "2026-06-10T08:00" : "2026-06-10T08:20")
    let wrong = update(
      "one",
      stops: [
        StopTimeUpdate(
          stopSequence: sequence, arrival: StopTimeEvent(time: time - 60 * 86400),
          departure: StopTimeEvent(time: time))
      ])
    #expect(try journeys("s1", "s4", at: "10T07:50", wrong) == ["11T08:00 one 11T08:20"])
    let before = try feed.journeys("s1", "s4", by: "2026-06-10T08:30") {
      $0.updates = TripUpdates([wrong], timestamp: nil)
    }
    #expect(feed.summary(before) == ["09T08:00 one 09T08:20"])
  }

  /// Servers leave out the stops that a vehicle has passed.
  @Test func `A vehicle that passed stops early is boarded at the stops that are predicted`() throws
  {
    let early = update("one", delays: [2: -12])
    #expect(try journeys("s2", "s4", at: "10T07:55", early) == ["10T07:59 one 10T08:08"])
    #expect(try journeys("s1", "s4", at: "10T07:50", early) == ["11T08:00 one 11T08:20"])
    // Where nothing is predicted, earlier predictions still count.
    let none = StopTimeUpdate(stopSequence: 3, scheduleRelationship: .noData)
    #expect(
      try journeys("s2", "s4", at: "10T07:50", update("one", delays: [2: 30], stops: [none]))
        == ["11T08:11 one 11T08:20"])
  }

  @Test func `The journeys by an instant and in a window are those of live data too`() throws {
    let late = update("one", delays: [1: 10])
    let updates = TripUpdates([late], timestamp: nil)
    #expect(
      feed.summary(try feed.journeys("s1", "s3", by: "2026-06-10T09:30") { $0.updates = updates })
        == ["10T08:10 one+three 10T09:00"])
    #expect(
      feed.summary(
        try feed.journeys("s1", "s3", at: "2026-06-10T07:00") {
          $0.updates = updates
          $0.window = .seconds(7200)
        }) == ["10T08:10 one+three 10T09:00"])
  }

  // MARK: - Planned journeys

  private func status(_ updates: TripUpdate...) throws -> JourneyStatus {
    let planned = try #require(try feed.journeys("s1", "s3", at: "2026-06-10T07:50").first)
    var question = Journeys(
      from: .stop(try feed.sid("s1")), to: .stop(try feed.sid("s3")),
      .departing(planned.departure))
    question.updates = TripUpdates(updates, timestamp: nil)
    return try feed.queue.read { [question] db in try question.status(of: planned, db) }
  }

  @Test func `What no longer works of a planned journey is said`() throws {
    let fine = try status(update("one", delays: [1: 3]))
    #expect(fine.isPossible)
    #expect(fine.journey.rides.map(\.alight.status) == [.live, .scheduled])
    let late = try status(update("one", delays: [1: 10]))
    #expect(
      late.problems.map(\.description) == [
        "The change at Two no longer works: 1 (trip one) arrives 6 min too late for 1 (trip two)."
      ])
    #expect(
      try status(update("one", delays: [1: 10]), update("two", delays: [1: 30])).isPossible)
    #expect(
      try status(update("one", delays: [1: 10]), update("two", delays: [1: 30])).journey.arrival
        == feed.instant("2026-06-10T09:00"))
    #expect(
      try status(update("two", .canceled)).problems.map(\.description) == [
        "1 (trip two) from Two does not run."
      ])
    let skipped = StopTimeUpdate(stopSequence: 2, scheduleRelationship: .skipped)
    #expect(
      try status(update("one", stops: [skipped])).problems.map(\.description) == [
        "1 (trip one) from One does not stop at Two."
      ])
    #expect(
      try status(update("one", delays: [1: -3])).problems.map(\.description) == [
        "1 (trip one) leaves One 3 min too early."
      ])
    #expect(try status().isPossible)
  }

  @Test func `A vehicle or a platform that is not for wheelchairs is named`() throws {
    let feed = try ImportedFeed(
      stops: """
        stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding
        a,A,52.0,13.0,1
        b,B,52.1,13.0,1
        c,C,52.2,13.0,2

        """,
      calls: "t,08:00:00,08:00:00,a,1\nt,08:30:00,08:30:00,b,2\n",
      files: [
        "trips.txt": "route_id,service_id,trip_id,wheelchair_accessible\nr1,D,t,1\n"
      ], in: directory)
    let planned = try #require(
      try feed.journeys("a", "b", at: "2026-06-10T07:50") { $0.needsWheelchairAccess = true }.first)
    func problems(_ change: (inout TripUpdate) -> Void, needsAccess: Bool = true) throws -> [String]
    {
      var update = update("t", delays: [1: 1])
      change(&update)
      var question = Journeys(
        from: .stop(try feed.sid("a")), to: .stop(try feed.sid("b")), .departing(planned.departure))
      question.needsWheelchairAccess = needsAccess
      question.updates = TripUpdates([update], timestamp: nil)
      return try feed.queue.read { [question] db in
        try question.status(of: planned, db).problems.map(\.description)
      }
    }
    #expect(try problems({ _ in }).isEmpty)
    let replaced = { (update: inout TripUpdate) in
      update.vehicle = VehicleDescriptor(wheelchairAccessible: 3)
    }
    #expect(try problems(replaced) == ["1 (trip t) from A is not known to be for wheelchairs."])
    #expect(try problems(replaced, needsAccess: false).isEmpty)
    #expect(
      try problems {
        $0.stopTimeUpdates.append(
          StopTimeUpdate(
            stopSequence: 2, properties: StopTimeProperties(assignedStopID: "c")))
      } == ["1 (trip t) stops at C, which is not known to be for wheelchairs."])
  }
}
