import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Live data that name the date of the clock for a trip that starts after midnight, and no start.
///
/// "The start date of the trip is the service day", and some servers take the date on which the vehicle departs.
@Suite struct NightDatesTests {
  @Test(arguments: [nil, "24:10:00", "00:10:00"])
  func `A trip that does not run on the date is the one in its night`(start: String?) throws {
    let night = try Night(days: Night.only(on: "20260601"))
    let late = night.updates("20260602", start: start, predicted: night.at(24.5), made: 24)
    #expect(try night.departures(late).map(\.departure) == [night.at(24.5)])
    let canceled = night.updates("20260602", .canceled, start: start, made: 12)
    #expect(try night.departures(canceled).map(\.status) == [.canceled])
    // It runs neither on this date nor in its night.
    let other = night.updates("20260603", .canceled, start: start, made: 24)
    #expect(try night.departures(other).map(\.status) == [.scheduled])
    let counts = try night.queue.read { db in
      try [late, canceled, other].map { try $0.incompleteCounts(db) }
    }
    #expect(counts == [[:], [:], ["start_date": 1]])
  }

  @Test func `A trip of each day is the one in the night if it is predicted for then`() throws {
    let night = try Night(days: Night.daily)
    for (hours, day) in [(24.5, 20_260_601), (48.5, 20_260_602)] {
      let updates = night.updates("20260602", predicted: night.at(hours), made: 24)
      let live = try night.departures(updates).filter { $0.status == .live }
      #expect(live.map(\.departure) == [night.at(hours)])
      #expect(live.map(\.serviceDay.number) == [day])
    }
    // A message may cancel a trip long before; the date is the service day.
    for made in [-30.0, 12, 24, 47] {
      let canceled = try night.departures(night.updates("20260602", .canceled, made: made))
        .filter { $0.status == .canceled }
      #expect(canceled.map(\.serviceDay.number) == [20_260_602])
    }
  }

  @Test(arguments: [true, false])
  func `A vehicle that is on its way is in the night`(runsEachDay: Bool) throws {
    let night = try Night(days: runsEachDay ? Night.daily : Night.only(on: "20260601"))
    let message = try night.message(vehicleOn: "20260602", at: 24.2)
    let departures = try night.departures(nil)
    let found = try night.queue.read { db in
      try departures.filter { try message.vehiclePosition(for: $0, db) != nil }
    }
    #expect(found.map(\.serviceDay.number) == [20_260_601])
  }

  /// A vehicle may be assigned at noon; the time of its position, or of a stop, is half a day early then.
  @Test(arguments: [TripDescriptor.ScheduleRelationship.scheduled, .canceled])
  func `A date on which alone a trip runs is the service day, whatever is predicted`(
    relationship: TripDescriptor.ScheduleRelationship
  ) throws {
    for (days, day) in [(Night.only(on: "20260602"), 20_260_602), (Night.daily, 20_260_601)] {
      let night = try Night(days: days)
      let updates = night.updates(
        "20260602", relationship, predicted: night.at(35.5), made: 35.5)
      let changed = try night.departures(updates).filter { $0.status != .scheduled }
      #expect(changed.map(\.status) == [relationship == .canceled ? .canceled : .live])
      #expect(changed.map(\.serviceDay.number) == [day])
    }
  }

  @Test func `A vehicle that waits for the trip of the night is its vehicle`() throws {
    let night = try Night(days: Night.only(on: "20260602"))
    let message = try night.message(vehicleOn: "20260602", at: 35.5)
    let departures = try night.departures(nil)
    let arrivals = Arrivals(
      at: [try #require(night.written.sids["D"])], from: night.at(24), for: .seconds(48 * 3600))
    let journeys = try night.journeys(from: 36)
    try night.queue.read { db in
      #expect(try departures.map { try message.vehiclePosition(for: $0, db)?.id } == ["v"])
      let arrived = try arrivals.fetchAll(db)
      #expect(try arrived.map { try message.vehiclePosition(for: $0, db)?.id } == ["v"])
      let rides = try journeys.fetchAll(db).flatMap(\.rides)
      #expect(try rides.map { try message.vehiclePosition(for: $0, db)?.id } == ["v"])
    }
  }

  /// The update names the same date as the vehicle, and where the vehicle stops instead.
  @Test func `A vehicle in the night is on its way to the stop that an update of the night names`()
    throws
  {
    let night = try Night(days: Night.only(on: "20260601"))
    let trip = Wire.text(1, "night") + Wire.text(3, "20260602")
    let stop = Wire.message(2, Wire.number(1, 2), Wire.message(6, Wire.text(1, "A2")))
    let update = Wire.message(2, Wire.text(1, "u"), Wire.message(3, Wire.bytes(1, trip), stop))
    let message = try night.message(vehicleOn: "20260602", at: 24.2, update)
    let departures = try night.departures(nil)
    let stops = try night.queue.read { db in
      try departures.map { try message.vehiclePosition(for: $0, db)?.stopID }
    }
    #expect(stops == ["A2"])
  }

  @Test(arguments: ["20260601", "20260602", "20260603"], [nil, "24:10:00"])
  func `An alert about the date is about the trip in its night`(
    day: String, start: String?
  ) throws {
    let night = try Night(days: Night.only(on: "20260601"))
    let named = start.map { Wire.text(2, $0) } ?? []
    let trip = Wire.text(1, "night") + named + Wire.text(3, day)
    let alert = Wire.message(5, Wire.message(5, Wire.bytes(4, trip)))
    let message = try RealtimeMessage(
      feedMessage: Data(Wire.header + Wire.bytes(2, Wire.text(1, "a") + alert)))
    let departures = try night.departures(nil)
    let counts = try night.queue.read { db in
      try departures.map { try message.alerts(for: $0, db).count }
    }
    #expect(counts == [day == "20260603" ? 0 : 1])
  }

  @Test(arguments: ["20260601", "20260602"])
  func `Journeys do not take a trip that is canceled in the night`(day: String) throws {
    let night = try Night(days: Night.only(on: day))
    let isOnItsDay = day == "20260602"
    var journeys = try night.journeys(from: isOnItsDay ? 48 : 24)
    journeys.updates = night.updates(
      "20260602", .canceled, predicted: isOnItsDay ? night.at(35.5) : nil,
      made: isOnItsDay ? 35.5 : 24)
    let found = try night.queue.read { [journeys] db in try journeys.fetchAll(db) }
    #expect(found.isEmpty)
  }
}

/// A timetable with one trip, which starts ten minutes after the midnight of its service day.
private struct Night {
  let written: WrittenFeed
  let queue: DatabaseQueue
  let directory: TemporaryDirectory

  /// Monday, 1 June 2026, in Sydney (UTC+10).
  private static let midnight = Date(timeIntervalSince1970: 1_780_236_000)

  init(days: String) throws {
    directory = try TemporaryDirectory()
    written = WrittenFeed(
      TextFeed.ferries(
        calls: """
          night,1,A,24:10:00,24:10:00,,,
          night,2,B,24:20:00,24:20:00,,,
          night,3,D,24:30:00,24:30:00,,,
          """, calendar: days))
    queue = try written.database(at: directory.file("night.db"))
  }

  static func only(on day: String) -> String { "W,1,1,1,1,1,1,1,\(day),\(day)\n" }

  static let daily = "W,1,1,1,1,1,1,1,20260101,20261231\n"

  func at(_ hours: Double) -> Date { Self.midnight + hours * 3600 }

  func departures(_ updates: TripUpdates?) throws -> [Departure] {
    var question = Departures(
      at: [try #require(written.sids["B"])], from: at(-24), for: .seconds(120 * 3600), limit: 20,
      updates: updates)
    question.includesCanceled = true
    return try queue.read { [question] db in try question.fetchAll(db) }
  }

  func journeys(from hours: Double) throws -> Journeys {
    Journeys(
      from: .stop(try #require(written.sids["A"])), to: .stop(try #require(written.sids["D"])),
      .departing(at(hours)))
  }

  /// Returns a message with the vehicle of the trip on a date, on its way to the second stop.
  func message(
    vehicleOn day: String, at hours: Double, _ others: [UInt8] = []
  ) throws -> RealtimeMessage {
    let trip = Wire.text(1, "night") + Wire.text(3, day)
    let vehicle = Wire.message(
      4, Wire.bytes(1, trip), Wire.number(3, 2),
      Wire.number(5, Int(at(hours).timeIntervalSince1970)))
    return try RealtimeMessage(
      feedMessage: Data(Wire.header + others + Wire.message(2, Wire.text(1, "v"), vehicle)))
  }

  func updates(
    _ day: String, _ relationship: TripDescriptor.ScheduleRelationship = .scheduled,
    start: String? = nil, predicted: Date? = nil, made: Double
  ) -> TripUpdates {
    let stop = StopTimeUpdate(stopSequence: 2, departure: StopTimeEvent(time: predicted))
    return TripUpdates(
      [
        TripUpdate(
          id: "u",
          trip: TripDescriptor(
            tripID: "night", startTime: start, startDate: day, scheduleRelationship: relationship),
          stopTimeUpdates: predicted == nil ? [] : [stop])
      ], timestamp: at(made))
  }
}
