import Foundation
import Testing

@testable import HoldfastTransit

/// Which update belongs to a trip on a day.
@Suite struct TripUpdateIndexTests {
  /// 8 o'clock of the first day, in UTC.
  private static let start = Date(timeIntervalSince1970: 1_767_600_000)

  /// The trip `T` of route `R`, which starts at 8:00 each day.
  private func instance(
    _ tripID: String = "T", day: Int = 0, at time: Duration = .seconds(8 * 3600),
    byFrequency: Bool = false
  ) -> TripInstance {
    TripInstance(
      tripID: tripID, routeID: "R", directionID: 0, startDate: "\(20_260_105 + day)",
      startTime: time, start: Self.start + Double(day) * 86_400 + (time / .seconds(1)) - 28_800,
      isFrequencyBased: byFrequency)
  }

  private func updates(_ trips: TripDescriptor..., timestamp: Date? = nil) -> TripUpdates {
    TripUpdates(
      trips.enumerated().map { TripUpdate(id: "\($0)", trip: $1) }, timestamp: timestamp)
  }

  @Test func `an update is found by trip and service day`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startDate: "20260105"),
      TripDescriptor(tripID: "T", startDate: "20260106"),
      TripDescriptor(tripID: "U", startDate: "20260105"))
    #expect(updates.update(for: instance())?.id == "0")
    #expect(updates.update(for: instance(day: 1))?.id == "1")
    #expect(updates.update(for: instance("U"))?.id == "2")
    #expect(updates.update(for: instance(day: 2)) == nil)
    #expect(updates.update(for: instance("U", day: 1)) == nil)
    #expect(updates.update(for: instance("X")) == nil)
  }

  @Test func `a start does not matter to a trip that the timetable names once`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startTime: "09:00:00", startDate: "20260105"))
    #expect(updates.update(for: instance())?.id == "0")
  }

  @Test func `the equal start is preferred`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startTime: "8:00:00", startDate: "20260105"),
      TripDescriptor(tripID: "T", startTime: "10:00:00", startDate: "20260105"))
    #expect(updates.update(for: instance())?.id == "0")
  }

  @Test func `trips by frequency are distinguished by their start`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startTime: "08:00:00", startDate: "20260105"),
      TripDescriptor(tripID: "T", startTime: "08:10:00", startDate: "20260105"),
      TripDescriptor(tripID: "V", startDate: "20260105"))
    let at = { (minutes: Int) in
      updates.update(
        for: instance(at: .seconds(8 * 3600 + minutes * 60), byFrequency: true))?.id
    }
    #expect(at(0) == "0" && at(10) == "1" && at(20) == nil)
    // Without a start it is unknown which one is meant.
    #expect(updates.update(for: instance("V", byFrequency: true)) == nil)
  }

  @Test func `a start after midnight belongs to the day before`() {
    let updates = updates(
      TripDescriptor(tripID: "N", startTime: "25:15:35", startDate: "20260105"))
    let night = instance("N", at: .seconds(25 * 3600 + 15 * 60 + 35), byFrequency: true)
    #expect(updates.update(for: night)?.id == "0")
  }

  /// OpenTripPlanner and MOTIS read such a start as a moment, too.
  @Test(arguments: [false, true])
  func `a start after midnight is found by the date and time of the clock`(byFrequency: Bool) {
    func night(_ day: Int) -> TripInstance {
      instance("N", day: day, at: .seconds(86_400 + 600), byFrequency: byFrequency)
    }
    let trip = TripDescriptor(tripID: "N", startTime: "00:10:00", startDate: "20260106")
    let route = TripDescriptor(
      routeID: "R", directionID: 0, startTime: "00:10:00", startDate: "20260106")
    // 00:10 of the second day, and of the third.
    let (first, second) = (night(0).start, night(1).start)
    for trip in [trip, route] {
      for moment in [nil, first - 36_000, first + 3600] {
        let updates = updates(trip, timestamp: moment)
        #expect(updates.update(for: night(0)) != nil)
        #expect(updates.update(for: night(1)) == nil)
      }
      // The server counts times from midnight, and names the service day.
      for moment in [second - 36_000, second] {
        let updates = updates(trip, timestamp: moment)
        #expect(updates.update(for: night(0)) == nil)
        #expect(updates.update(for: night(1)) != nil)
      }
      #expect(updates(trip).update(for: night(-1)) == nil)
      #expect(updates(trip).update(for: night(2)) == nil)
    }
    // What the timetable says word for word comes first.
    let both = updates(
      trip, TripDescriptor(tripID: "N", startTime: "24:10:00", startDate: "20260105"))
    #expect(both.update(for: night(0))?.id == "1" && both.update(for: night(1)) == nil)
    // Without a day it is the run that is close to the prediction.
    let undated = updates(TripDescriptor(tripID: "N", startTime: "00:10:00"), timestamp: first)
    #expect(undated.update(for: night(0)) != nil && undated.update(for: night(1)) == nil)
    // A server that names no start names the service day.
    let dated = updates(TripDescriptor(tripID: "N", startDate: "20260106"), timestamp: first)
    #expect((dated.update(for: night(1)) != nil) == !byFrequency)
    #expect(dated.update(for: night(0)) == nil)
  }

  /// WMATA's servers name the date of the clock, and no start.
  @Test(arguments: [(-600, 0), (36_000, 0), (50_000, 1), (86_400, 1), (130_000, 1)])
  func `a date without a start is that of the night before if a predicted time says so`(
    seconds: Double, day: Int
  ) {
    let start = instance(at: .seconds(87_000)).start
    let stop = StopTimeUpdate(
      stopSequence: 5, arrival: StopTimeEvent(time: start + seconds, scheduledTime: nil))
    let updates = TripUpdates(
      [
        TripUpdate(
          id: "0", trip: TripDescriptor(tripID: "N", startDate: "20260106"),
          stopTimeUpdates: [stop])
      ], timestamp: start)
    let days = [-1, 0, 1, 2].filter {
      updates.update(for: instance("N", day: $0, at: .seconds(87_000))) != nil
    }
    #expect(days == [day])
  }

  @Test(arguments: [(0, false), (5, false), (13, false), (15, true), (5, true)])
  func `a long run after midnight is meant until it ends`(hours: Double, isPredicted: Bool) {
    let moment = instance(at: .seconds(87_000)).start + hours * 3600
    for (length, day) in [(6.0, !isPredicted && hours > 6 || hours > 12 ? 1 : 0), (16, 0)] {
      let event = StopTimeEvent(time: isPredicted ? moment : nil)
      let updates = TripUpdates(
        [
          TripUpdate(
            id: "0",
            trip: TripDescriptor(tripID: "N", startTime: "00:10:00", startDate: "20260106"),
            stopTimeUpdates: [StopTimeUpdate(stopSequence: 5, arrival: event)], timestamp: moment)
        ], timestamp: nil)
      let days = [-1, 0, 1, 2].filter { day in
        var night = instance("N", day: day, at: .seconds(87_000))
        night.end = night.start + length * 3600
        return updates.update(for: night) != nil
      }
      #expect(days == [day])
    }
  }

  @Test(arguments: [(-12, true), (-1, true), (0, true), (3, true), (11, true), (12, false)])
  func `an update without a day is for the day that is closest to its moment`(
    hours: Double, isToday: Bool
  ) {
    let updates = updates(
      TripDescriptor(tripID: "T"), timestamp: Self.start + hours * 3600)
    #expect((updates.update(for: instance()) != nil) == isToday)
    // Of three days exactly one is meant.
    let days = [-1, 0, 1].filter { updates.update(for: instance(day: $0)) != nil }
    #expect(days == [isToday ? 0 : 1])
  }

  @Test(arguments: [(-7, false), (-6, true), (0, true), (12, true), (17, true), (18, false)])
  func `a long trip is found by its whole run`(hours: Double, isToday: Bool) {
    var days: [Int] = []
    for day in [-1, 0, 1] {
      var trip = instance(day: day)
      trip.end = trip.start + 12 * 3600
      let updates = updates(TripDescriptor(tripID: "T"), timestamp: Self.start + hours * 3600)
      if updates.update(for: trip) != nil { days.append(day) }
    }
    // Of three days of a daily trip exactly one is meant.
    #expect(days == [isToday ? 0 : (hours < 0 ? -1 : 1)])
  }

  @Test func `the nearest run within half a day is meant`() {
    let zone = TimetableZone(.gmt)
    let monday = ServiceDay(daysSince1970: 4)
    func runs(weekly: Bool) -> (ServiceDay) -> Bool {
      { day in !weekly || (day.daysSince1970 - monday.daysSince1970).isMultiple(of: 7) }
    }
    func day(_ hours: Int, weekly: Bool = true) -> Int? {
      let moment = monday.daysSince1970 * 86_400 + hours * 3600
      let day = zone.day(
        nearestTo: moment, whereRuns: runs(weekly: weekly), latest: 60 * 3600, from: 8 * 3600,
        through: 60 * 3600)
      return day.map { $0.daysSince1970 - monday.daysSince1970 }
    }
    #expect([-5, -4, 8, 59, 72, 73].map { day($0) } == [nil, 0, 0, 0, 0, nil])
    // Of two runs that both are under way the later one is meant.
    #expect(day(40, weekly: false) == 1)
  }

  @Test func `a predicted time says more of the day than the time of the message`() {
    let trip = TripDescriptor(tripID: "T")
    let tomorrow = StopTimeUpdate(
      stopSequence: 1, departure: StopTimeEvent(time: Self.start + 86_400))
    let updates = TripUpdates(
      [
        TripUpdate(
          id: "0", trip: trip, stopTimeUpdates: [tomorrow], timestamp: Self.start - 86_400)
      ], timestamp: Self.start)
    #expect(updates.update(for: instance()) == nil)
    #expect(updates.update(for: instance(day: 1)) != nil)
    let measured = TripUpdates(
      [TripUpdate(id: "0", trip: trip, timestamp: Self.start + 86_400)], timestamp: Self.start)
    #expect(
      measured.update(for: instance(day: 1)) != nil && measured.update(for: instance()) == nil)
  }

  @Test func `without day and moment the trip's identifier decides`() {
    let updates = updates(TripDescriptor(tripID: "T"))
    #expect(updates.update(for: instance(day: 5)) != nil)
  }

  @Test func `an update for the day is preferred to one without`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startDate: "20260105"), TripDescriptor(tripID: "T"),
      timestamp: Self.start)
    #expect(updates.update(for: instance())?.id == "0")
  }

  @Test(arguments: ["2026-01-05", "", "2026010٥", "202601050"])
  func `a day in another format counts as none`(text: String) {
    let updates = updates(
      TripDescriptor(tripID: "T", startDate: text), timestamp: Self.start)
    #expect(updates.update(for: instance()) != nil && updates.update(for: instance(day: 1)) == nil)
  }

  @Test func `a trip without identifier is found by route, direction, day and start`() {
    let trip = TripDescriptor(
      routeID: "R", directionID: 0, startTime: "08:00:00", startDate: "20260105")
    #expect(updates(trip).update(for: instance()) != nil)
    #expect(updates(trip).update(for: instance(day: 1)) == nil)
    #expect(updates(trip).update(for: instance(at: .seconds(60))) == nil)
    let changes: [(inout TripDescriptor) -> Void] = [
      { $0.routeID = "Q" }, { $0.routeID = nil }, { $0.directionID = 1 },
      { $0.directionID = nil }, { $0.startTime = nil }, { $0.startDate = nil },
      { $0.startTime = "8 o'clock" },
    ]
    for (number, change) in changes.enumerated() {
      var other = trip
      change(&other)
      #expect(updates(other).update(for: instance()) == nil, "change \(number)")
    }
    // The direction says nothing of a feed without directions.
    var undirected = instance()
    undirected.directionID = nil
    #expect(updates(trip).update(for: undirected) != nil)
    // The trip's own update is preferred.
    let both = updates(trip, TripDescriptor(tripID: "T", startDate: "20260105"))
    #expect(both.update(for: instance())?.id == "1")
  }

  @Test(arguments: [TripDescriptor.ScheduleRelationship.added, .duplicated, .new])
  func `a trip that is added is not an update of the trip that it copies`(
    relationship: TripDescriptor.ScheduleRelationship
  ) {
    let updates = updates(
      TripDescriptor(tripID: "T", startDate: "20260105", scheduleRelationship: relationship),
      TripDescriptor(tripID: "U", startDate: "20260105", scheduleRelationship: .canceled))
    #expect(updates.update(for: instance()) == nil)
    #expect(updates.additions.map(\.id) == ["0"])
    #expect(updates.update(for: instance("U"))?.trip.scheduleRelationship == .canceled)
  }

  @Test func `of two updates for one trip the later one counts`() {
    let trip = TripDescriptor(tripID: "T", startDate: "20260105")
    #expect(updates(trip, trip).update(for: instance())?.id == "1")
    let start = { (time: String) in
      TripDescriptor(routeID: "R", startTime: time, startDate: "20260105")
    }
    // The others are not looked for: a line may have thousands of trips with one start.
    let named = updates(
      trip, start("8:00:00"), start("08:00:00"), start("09:00:00"), TripDescriptor(), trip)
    #expect(named.updates.indices.filter(named.mayCount) == [2, 3, 5])
  }

  @Test func `identifiers are compared by their bytes`() {
    let updates = updates(TripDescriptor(tripID: "caf\u{E9}", startDate: "20260105"))
    #expect(updates.update(for: instance("cafe\u{301}")) == nil)
    #expect(updates.update(for: instance("caf\u{E9}")) != nil)
  }

  @Test func `extreme values are compared without an overflow`() {
    let updates = updates(
      TripDescriptor(tripID: "T", startTime: "999:59:59", startDate: "99999999"),
      TripDescriptor(tripID: "U"), timestamp: .distantFuture)
    var extreme = instance("U", at: .seconds(Int64.max))
    #expect(updates.update(for: extreme) == nil)
    extreme.startDate = "yesterday"
    #expect(updates.update(for: extreme) == nil)
  }
}
