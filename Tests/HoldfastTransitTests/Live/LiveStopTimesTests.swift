import Foundation
import HoldfastTransit
import Testing

/// What an update of single stops means for a whole trip.
@Suite struct LiveStopTimesTests {
  private typealias Relation = StopTimeUpdate.ScheduleRelationship

  private static let start = Date(timeIntervalSince1970: 1_767_546_000)

  /// An instant, in seconds after the start of the trip.
  private func at(_ seconds: Double) -> Date { Self.start + seconds }

  /// A trip that arrives every ten minutes and stands for one; its stops are `S1`, `S2` and so on.
  private func trip(_ count: Int) -> [ScheduledStopTime] {
    (1...count).map { number in
      let arrival = at(Double(number - 1) * 600)
      return ScheduledStopTime(
        stopSequence: number, stopID: "S\(number)", arrival: arrival, departure: arrival + 60)
    }
  }

  private func delay(_ seconds: Int) -> StopTimeEvent { StopTimeEvent(delay: .seconds(seconds)) }

  private func update(
    as relationship: TripDescriptor.ScheduleRelationship = .scheduled, delay: Duration? = nil,
    _ stops: StopTimeUpdate...
  ) -> TripUpdate {
    TripUpdate(
      id: "1", trip: TripDescriptor(tripID: "T", scheduleRelationship: relationship),
      stopTimeUpdates: stops, delay: delay)
  }

  /// The delays of the departures in seconds; `nil` where nothing is predicted.
  private func delays(_ stops: [LiveStopTime]) -> [Int64?] {
    stops.map { $0.departure.delay?.components.seconds }
  }

  // MARK: - Loops

  /// A trip `A B C A`, without sequences in its updates.
  @Test func `a loop's update without a sequence is for the visit that fits`() {
    let loop = zip(["A", "B", "C", "A"], trip(4)).map { stopID, stop in
      ScheduledStopTime(
        stopSequence: stop.stopSequence, stopID: stopID, arrival: stop.arrival,
        departure: stop.departure)
    }
    func delays(_ stops: StopTimeUpdate...) -> [Int64?] {
      TripUpdate(id: "1", trip: TripDescriptor(tripID: "T"), stopTimeUpdates: stops)
        .liveStopTimes(for: loop).map { $0.arrival.delay?.components.seconds }
    }
    func time(_ stopID: String, _ seconds: Double) -> StopTimeUpdate {
      StopTimeUpdate(stopID: stopID, arrival: StopTimeEvent(time: at(seconds)))
    }
    func late(_ stopID: String, _ seconds: Int) -> StopTimeUpdate {
      StopTimeUpdate(stopID: stopID, departure: delay(seconds))
    }
    // The predicted time tells the visits apart.
    #expect(delays(time("A", 1860)) == [nil, nil, nil, 60])
    #expect(delays(time("A", 30)) == [30, 30, 30, 30])
    // The updates that follow need a place, however late the vehicle is.
    #expect(
      delays(time("A", 1500), time("B", 2100), time("C", 2700), time("A", 3300))
        == [1500, 1500, 1500, 1500])
    #expect(delays(late("C", 120), late("A", 60)) == [nil, nil, 120, 120])
    #expect(delays(late("A", 60), late("A", 180)).last == 60)
    // A vehicle does not arrive where it begins.
    #expect(delays(StopTimeUpdate(stopID: "A", arrival: delay(240))) == [nil, nil, nil, 240])
  }

  /// Some servers know stops by their identifiers alone, and write 0 as the sequence of each.
  @Test func `a sequence that several stops have names none`() {
    func late(_ stopID: String, _ seconds: Int) -> StopTimeUpdate {
      StopTimeUpdate(stopSequence: 0, stopID: stopID, departure: delay(seconds))
    }
    let stops = ["A", "B", "A"].enumerated().map { index, stopID in
      ScheduledStopTime(
        stopSequence: index, stopID: stopID, arrival: at(Double(index) * 600),
        departure: at(Double(index) * 600))
    }
    #expect(
      delays(update(late("A", 0), late("B", 60), late("A", 120)).liveStopTimes(for: stops))
        == [0, 60, 120])
    // A platform that is named in place of another one is not served at the stop with that sequence.
    let live = update(late("A", 0), late("X", 60)).liveStopTimes(for: stops)
    #expect(live.map(\.stopID) == ["A", "B", "A"])
    #expect(delays(live) == [0, 0, 0])
  }

  /// Servers have sent a number twice; the others are those of the trip.
  @Test func `A sequence that is sent twice leaves the others what they are`() {
    func late(_ sequence: Int, _ stopID: String, _ seconds: Int) -> StopTimeUpdate {
      StopTimeUpdate(stopSequence: sequence, stopID: stopID, departure: delay(seconds))
    }
    let stops = zip(["A", "B", "C", "A", "D"], trip(5)).map { stopID, stop in
      ScheduledStopTime(
        stopSequence: stop.stopSequence, stopID: stopID, arrival: stop.arrival,
        departure: stop.departure)
    }
    // The second visit of A is known by its number alone, and so is the platform in place of D.
    let live = update(late(2, "B", 60), late(2, "C", 120), late(4, "A", 30), late(5, "D2", 90))
      .liveStopTimes(for: stops)
    #expect(delays(live) == [nil, 60, 120, 30, 90])
    #expect(live.map(\.stopID) == ["A", "B", "C", "A", "D2"])
    // The same stop twice: the later one counts.
    #expect(
      delays(update(late(2, "B", 60), late(2, "B", 90)).liveStopTimes(for: stops))
        == [nil, 90, 90, 90, 90])
    // A number is that of one stop, also where others are between.
    #expect(
      delays(update(late(2, "B", 60), late(3, "C", 30), late(2, "D", 90)).liveStopTimes(for: stops))
        == [nil, 60, 30, 30, 90])
  }

  // MARK: - The examples of the specification

  /// - SeeAlso: <https://gtfs.org/documentation/realtime/feed-entities/trip-updates/>
  @Test func `a delay of 0 means that the rest of the trip is on time`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 5, arrival: delay(0), departure: delay(0))
    ).liveStopTimes(for: trip(20))
    #expect(delays(stops) == [nil, nil, nil, nil] + Array(repeating: 0, count: 16))
    #expect(
      stops.map(\.status) == Array(repeating: .scheduled, count: 4)
        + Array(repeating: .live, count: 16))
    #expect(stops[19].arrival.time == at(19 * 600) && stops[19].departure.time == at(19 * 600 + 60))
  }

  @Test func `a delay lasts until the next update, and no data until the end`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 3, departure: delay(300)),
      StopTimeUpdate(stopSequence: 8, departure: delay(60)),
      StopTimeUpdate(stopSequence: 10, scheduleRelationship: .noData)
    ).liveStopTimes(for: trip(20))
    #expect(
      delays(stops) == [nil, nil, 300, 300, 300, 300, 300, 60, 60]
        + Array(repeating: nil, count: 11))
    // The scheduled times remain known.
    #expect(stops[9].departure.scheduledTime == at(9 * 600 + 60) && stops[9].departure.time == nil)
    #expect(stops[9].status == .scheduled)
  }

  @Test func `a skipped stop does not end a delay, and is not propagated`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 2, departure: delay(120)),
      StopTimeUpdate(
        stopSequence: 3, departure: delay(999), scheduleRelationship: .skipped)
    ).liveStopTimes(for: trip(5))
    #expect(stops.map(\.status) == [.scheduled, .live, .skipped, .live, .live])
    #expect(delays(stops) == [nil, 120, nil, 120, 120])
    #expect(stops[2].departure == StopTimeEvent(scheduledTime: at(2 * 600 + 60)))
  }

  @Test func `the trip's delay lasts until the first stop with an update`() {
    let stops = update(
      delay: .seconds(45), StopTimeUpdate(stopSequence: 3, arrival: delay(90))
    ).liveStopTimes(for: trip(4))
    #expect(delays(stops) == [45, 45, 90, 90])
    #expect(delays(update(delay: .seconds(45)).liveStopTimes(for: trip(2))) == [45, 45])
  }

  // MARK: - Times and delays

  @Test func `a time takes precedence over a delay, and its own delay is propagated`() {
    let event = StopTimeEvent(
      delay: .seconds(5), time: at(600 + 60 + 200), uncertainty: .seconds(30))
    let stops = update(StopTimeUpdate(stopSequence: 2, departure: event))
      .liveStopTimes(for: trip(3))
    #expect(
      stops[1].departure
        == StopTimeEvent(
          delay: .seconds(200), time: at(860), uncertainty: .seconds(30),
          scheduledTime: at(660)))
    #expect(delays(stops) == [nil, 200, 200])
    // How certain a prediction is says nothing of the next stop.
    #expect(stops[2].departure.uncertainty == nil)
  }

  @Test func `arrival and departure may have different delays, and the departure's is propagated`()
  {
    let stops = update(
      StopTimeUpdate(stopSequence: 1, arrival: delay(100), departure: delay(40))
    ).liveStopTimes(for: trip(2))
    #expect(stops[0].arrival.time == at(100) && stops[0].departure.time == at(100))
    #expect(stops[1].arrival.delay == .seconds(40) && stops[1].departure.delay == .seconds(40))
  }

  @Test func `a departure that is not predicted has the delay of the arrival`() {
    let stops = update(StopTimeUpdate(stopSequence: 1, arrival: delay(-30)))
      .liveStopTimes(for: trip(2))
    #expect(stops[0].departure.time == at(30) && delays(stops) == [-30, -30])
  }

  @Test func `an arrival that is not predicted has the delay of the stop before`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 1, departure: delay(90)),
      StopTimeUpdate(stopSequence: 2, departure: delay(60)),
      StopTimeUpdate(stopSequence: 3, departure: delay(-10))
    ).liveStopTimes(for: trip(3))
    // Of the first stop, the departure's own.
    #expect(stops[0].arrival.delay == .seconds(90))
    #expect(stops[1].arrival.delay == .seconds(90) && stops[1].arrival.time == at(690))
    // No vehicle arrives after it has departed.
    #expect(stops[2].departure.time == at(1250))
    #expect(stops[2].arrival.time == at(1250) && stops[2].arrival.delay == .seconds(50))
  }

  @Test(
    arguments: [
      nil, StopTimeEvent(), StopTimeEvent(uncertainty: .seconds(60)),
    ] as [StopTimeEvent?])
  func `an update without a prediction ends what was known`(event: StopTimeEvent?) {
    let stops = update(
      StopTimeUpdate(stopSequence: 1, departure: delay(90)),
      StopTimeUpdate(stopSequence: 2, arrival: event, departure: event)
    ).liveStopTimes(for: trip(3))
    #expect(delays(stops) == [90, nil, nil])
    #expect(stops.map(\.status) == [.live, .scheduled, .scheduled])
  }

  @Test func `a relation that is not known predicts nothing`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 1, departure: delay(90)),
      StopTimeUpdate(
        stopSequence: 2, departure: delay(90), scheduleRelationship: Relation(rawValue: 77))
    ).liveStopTimes(for: trip(3))
    #expect(delays(stops) == [90, nil, nil])
    let whole = update(
      as: .init(rawValue: 77), StopTimeUpdate(stopSequence: 1, departure: delay(90))
    ).liveStopTimes(for: trip(2))
    #expect(whole.map(\.status) == [.scheduled, .scheduled])
  }

  @Test func `trips by headway have the times of their updates`() {
    let stops = update(
      as: .unscheduled,
      StopTimeUpdate(
        stopSequence: 1, departure: StopTimeEvent(time: at(240)),
        scheduleRelationship: .unscheduled)
    ).liveStopTimes(for: trip(2))
    #expect(stops.map(\.status) == [.live, .live])
    #expect(stops.map(\.departure.time) == [at(240), at(840)])
  }

  @Test func `stops without scheduled times have a delay only, or the predicted time`() {
    let stops = [
      ScheduledStopTime(stopSequence: 1, stopID: "A", arrival: nil, departure: nil),
      ScheduledStopTime(stopSequence: 2, stopID: "B", arrival: nil, departure: at(60)),
    ]
    #expect(stops[1].arrival == at(60))
    let late = update(StopTimeUpdate(stopSequence: 1, departure: delay(30)))
      .liveStopTimes(for: stops)
    #expect(late.map(\.departure.time) == [nil, at(90)] && late[0].status == .live)
    let timed = update(StopTimeUpdate(stopSequence: 1, departure: StopTimeEvent(time: at(5))))
      .liveStopTimes(for: stops)
    // From what is scheduled at no time no delay follows.
    #expect(timed.map(\.departure.time) == [at(5), nil])
  }

  // MARK: - Which stop

  @Test func `stops are named by their identifiers in the order of the trip`() {
    var loop = trip(5)
    loop[4].stopID = "S1"
    let stops = update(
      StopTimeUpdate(stopID: "S1", departure: delay(10)),
      StopTimeUpdate(stopID: "S3", departure: delay(30)),
      StopTimeUpdate(stopID: "S1", departure: delay(50))
    ).liveStopTimes(for: loop)
    #expect(delays(stops) == [10, 10, 30, 30, 50])
  }

  @Test func `updates in another order belong to the same stops`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 4, departure: delay(40)),
      StopTimeUpdate(stopID: "S2", departure: delay(20))
    ).liveStopTimes(for: trip(5))
    #expect(delays(stops) == [nil, 20, 20, 40, 40])
  }

  @Test func `sequences that differ from the timetable's give way to identifiers`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 2, stopID: "S3", departure: delay(30)),
      StopTimeUpdate(stopSequence: 40, stopID: "S4", departure: delay(40))
    ).liveStopTimes(for: trip(4))
    #expect(delays(stops) == [nil, nil, 30, 40])
    #expect(stops.map(\.stopID) == ["S1", "S2", "S3", "S4"])
  }

  @Test func `a stop that the trip does not have is another platform`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 2, stopID: "S2-B", departure: delay(30)),
      StopTimeUpdate(
        stopSequence: 3, scheduleRelationship: .noData,
        properties: StopTimeProperties(assignedStopID: "S3-C", stopHeadsign: "Quay"))
    ).liveStopTimes(for: trip(4))
    #expect(stops.map(\.stopID) == ["S1", "S2-B", "S3-C", "S4"])
    #expect(delays(stops) == [nil, 30, nil, nil])
    #expect(stops[2].properties?.stopHeadsign == "Quay")
  }

  @Test func `identifiers are compared by their bytes`() {
    var accented = trip(1)
    accented[0].stopID = "caf\u{E9}"
    let stops = update(StopTimeUpdate(stopID: "cafe\u{301}", departure: delay(30)))
      .liveStopTimes(for: accented)
    #expect(delays(stops) == [nil])
  }

  @Test func `updates of stops that the trip does not have are ignored`() {
    let stops = update(
      StopTimeUpdate(departure: delay(10)), StopTimeUpdate(stopID: "X", departure: delay(20)),
      StopTimeUpdate(stopSequence: 9, departure: delay(30))
    ).liveStopTimes(for: trip(2))
    #expect(stops.map(\.status) == [.scheduled, .scheduled])
    #expect(update().liveStopTimes(for: []) == [])
  }

  @Test func `of two updates for one stop the later one counts`() {
    let stops = update(
      StopTimeUpdate(stopSequence: 1, departure: delay(10)),
      StopTimeUpdate(stopSequence: 1, departure: delay(20))
    ).liveStopTimes(for: trip(1))
    #expect(delays(stops) == [20])
  }

  // MARK: - Whole trips

  @Test(arguments: [TripDescriptor.ScheduleRelationship.canceled, .deleted])
  func `no stop of a canceled trip is served`(relationship: TripDescriptor.ScheduleRelationship) {
    let stops = update(
      as: relationship, StopTimeUpdate(stopSequence: 1, departure: delay(10))
    ).liveStopTimes(for: trip(3))
    #expect(stops.map(\.status) == [.canceled, .canceled, .canceled])
    #expect(stops.map(\.departure.scheduledTime) == [at(60), at(660), at(1260)])
    #expect(delays(stops) == [nil, nil, nil])
  }

  @Test func `a new trip has the stops of its update`() {
    let update = update(
      as: .new,
      StopTimeUpdate(
        stopSequence: 1, stopID: "A",
        departure: StopTimeEvent(time: at(90), scheduledTime: at(60))),
      StopTimeUpdate(stopSequence: 2, stopID: "B", scheduleRelationship: .skipped),
      StopTimeUpdate(stopSequence: 7, departure: StopTimeEvent(time: at(100))),
      StopTimeUpdate(
        stopSequence: 3, stopID: "C",
        arrival: StopTimeEvent(scheduledTime: at(600)), scheduleRelationship: .noData),
      StopTimeUpdate(
        stopSequence: 4, stopID: "D",
        arrival: StopTimeEvent(delay: .seconds(20), scheduledTime: at(900))))
    let stops = update.liveStopTimes()
    #expect(stops.map(\.stopID) == ["A", "B", "C", "D"])
    #expect(stops.map(\.status) == [.live, .skipped, .scheduled, .live])
    #expect(stops[0].departure.delay == .seconds(30))
    #expect(stops[2].arrival == StopTimeEvent(scheduledTime: at(600)))
    #expect(stops[3].arrival.time == at(920))
  }

  @Test func `a replacement has the stops of its update, and without any those of the timetable`() {
    let replaced = update(
      as: .replacement, StopTimeUpdate(stopID: "X", departure: StopTimeEvent(time: at(90))))
    #expect(replaced.liveStopTimes(for: trip(3)).map(\.stopID) == ["X"])
    #expect(
      update(as: .replacement).liveStopTimes(for: trip(2)).map(\.status) == [
        .scheduled, .scheduled,
      ])
  }

  @Test(arguments: [TripDescriptor.ScheduleRelationship.added, .duplicated])
  func `a duplicate has the delays of its own start`(
    relationship: TripDescriptor.ScheduleRelationship
  ) {
    let stops = update(
      as: relationship, StopTimeUpdate(stopSequence: 2, departure: delay(30))
    ).liveStopTimes(for: trip(3))
    #expect(delays(stops) == [nil, 30, 30])
  }

  @Test func `a time where the timetable has none does not end the delay before it`() {
    var stops = trip(4)
    (stops[1].arrival, stops[1].departure) = (nil, nil)
    let late = StopTimeUpdate(stopSequence: 1, departure: delay(300))
    let seen = StopTimeUpdate(stopSequence: 2, arrival: StopTimeEvent(time: at(1000)))
    #expect(delays(update(late, seen).liveStopTimes(for: stops)) == [300, nil, 300, 300])
    // One without a prediction does.
    let unknown = StopTimeUpdate(stopSequence: 2)
    #expect(delays(update(late, unknown).liveStopTimes(for: stops)) == [300, nil, nil, nil])
  }
}
