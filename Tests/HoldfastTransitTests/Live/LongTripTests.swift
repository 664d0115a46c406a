import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// A ship that departs each day, and takes longer than a day: which of the two at sea live data without a day mean.
@Suite struct LongTripTests {
  let queue: DatabaseQueue
  let written: WrittenFeed
  let directory: TemporaryDirectory

  /// Monday, 1 June 2026, in Sydney (UTC+10).
  private static let midnight = Date(timeIntervalSince1970: 1_780_236_000)

  init() throws {
    directory = try TemporaryDirectory()
    written = WrittenFeed(
      TextFeed.ferries(
        calls: """
          ship,1,A,08:00:00,08:00:00,,,
          ship,2,B,20:00:00,21:00:00,,,
          ship,3,D,34:00:00,34:00:00,,,
          """))
    queue = try written.database(at: directory.file("ships.db"))
  }

  private func at(_ hours: Double) -> Date { Self.midnight + hours * 3600 }

  /// The service days, counted from Monday, on which a ship does not depart from A as in the timetable.
  private func changedDays(_ updates: TripUpdates) throws -> [Int] {
    let monday = try #require(ServiceDay("2026-06-01"))
    return try queue.read { db in
      let found = try Departures(
        at: [try #require(written.sids["A"])], from: at(-48), for: .seconds(120 * 3600),
        updates: updates
      ).fetchAll(db)
      let left = found.filter { $0.status == .scheduled }
        .map { $0.serviceDay.daysSince1970 - monday.daysSince1970 }
      return Set(-2...2).subtracting(left).sorted()
    }
  }

  private func replacement(
    _ stops: [(String, Double)], isPredicted: Bool = true, made: Double
  ) -> TripUpdates {
    let updates = stops.enumerated().map { index, stop in
      let event = StopTimeEvent(
        time: isPredicted ? at(stop.1) : nil, scheduledTime: isPredicted ? nil : at(stop.1))
      return StopTimeUpdate(
        stopSequence: index + 1, stopID: stop.0, arrival: event, departure: event,
        scheduleRelationship: isPredicted ? .scheduled : .noData)
    }
    return TripUpdates(
      [
        TripUpdate(
          id: "r", trip: TripDescriptor(tripID: "ship", scheduleRelationship: .replacement),
          stopTimeUpdates: updates)
      ], timestamp: at(made))
  }

  @Test(
    arguments: [
      // Earlier than the timetable, with a stop of the trip, and without one.
      [("C", 5), ("D", 33)], [("C", 5), ("A2", 33)], [("A2", 2), ("C", 30)],
      // Only the end of the trip; its first stop is not the first of the trip.
      [("D", 33), ("C", 35)], [("B", 20), ("D", 34)],
    ] as [[(String, Double)]])
  func `A replacement is for the day of its own stops`(stops: [(String, Double)]) throws {
    for isPredicted in [true, false] {
      for made in [-20.0, stops[0].1] {
        let updates = replacement(stops, isPredicted: isPredicted, made: made)
        #expect(try changedDays(updates) == [0])
      }
    }
  }

  @Test func `A replacement of a run is found by the middle of both`() {
    func instance(_ day: Int) -> TripInstance {
      TripInstance(
        tripID: "ship", routeID: "F1", directionID: nil, startDate: "\(20_260_601 + day)",
        startTime: .seconds(8 * 3600), start: at(Double(8 + 24 * day)),
        end: at(Double(34 + 24 * day)))
    }
    for (start, day) in [(-6.0, -1), (-5, 0), (5, 0), (18, 0), (19, 1)] {
      let updates = replacement([("C", start), ("A2", start + 28)], made: 0)
      #expect([-1, 0, 1].filter { updates.update(for: instance($0)) != nil } == [day])
    }
  }

  @Test func `A stop whose number is another stop's is where its name says`() throws {
    // At D 26 hours after the start; as number 1 it would be the ship that starts two hours before.
    for sequence in [nil, 1, 3, 9] {
      let stop = StopTimeUpdate(
        stopSequence: sequence, stopID: "D", arrival: StopTimeEvent(time: at(34.5)))
      let update = TripUpdate(
        id: "u", trip: TripDescriptor(tripID: "ship"), stopTimeUpdates: [stop])
      let arrivals = try queue.read { db in
        try Arrivals(
          at: [try #require(written.sids["D"])], from: at(11), for: .seconds(47 * 3600),
          updates: TripUpdates([update], timestamp: at(34))
        ).fetchAll(db)
      }
      #expect(arrivals.map(\.arrival) == [at(34.5)])
    }
  }

  @Test(
    arguments: [
      // At the end of one day's run, while the next day's has begun, and after the timetable's end.
      (3, 33.5, 0), (3, 36, 0), (1, 33.5, 1), (2, 21, 0), (2, 44.5, 1),
    ] as [(Int, Double, Int)], [nil, "1.6.2026", "2026/06/01"])
  func `A vehicle is that of the day on which it is at its stop`(
    run: (sequence: Int, hours: Double, day: Int), date: String?
  ) throws {
    let (sequence, hours, day) = run
    // A date in another form is none.
    let trip = Wire.text(1, "ship") + (date.map { Wire.text(3, $0) } ?? [])
    let vehicle = Wire.message(
      4, Wire.bytes(1, trip), Wire.number(3, sequence),
      Wire.number(5, Int(at(hours).timeIntervalSince1970)))
    let message = try RealtimeMessage(
      feedMessage: Data(Wire.header + Wire.bytes(2, Wire.text(1, "v") + vehicle)))
    try queue.read { db in
      let departures = try Departures(
        at: [try #require(written.sids["A"])], from: at(-24), for: .seconds(96 * 3600)
      ).fetchAll(db)
      let found = try departures.filter { try message.vehiclePosition(for: $0, db) != nil }
      #expect(found.map(\.departure) == [at(Double(8 + 24 * day))])
    }
  }
}
