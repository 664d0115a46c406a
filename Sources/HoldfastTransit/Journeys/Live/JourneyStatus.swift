import Foundation
public import Holdfast

/// The status of a journey that was planned before, by live data.
public struct JourneyStatus: Hashable, Sendable {
  /// A reason for which a planned journey does not work as it was planned.
  public indirect enum Problem: Hashable, Sendable {
    /// The trip of a ride does not run.
    case canceled(Journey.Ride)
    /// The vehicle of a ride runs, but does not stop where riders board or alight.
    case notServed(Journey.Ride, Stop)
    /// The vehicle of a ride stops where riders board or alight, and they may not do so there.
    case noAccess(Journey.Ride, Stop)
    /// It is not known when the vehicle of a ride is where riders board or alight: live data have no time
    /// there, or one that does not fit those of other stops.
    case noTime(Journey.Ride, Stop)
    /// The vehicle of the first ride leaves before riders are there.
    case leavesEarly(Journey.Ride, by: Duration)
    /// Riders arrive too late for the next ride, by this time.
    case missedChange(from: Journey.Ride, to: Journey.Ride, by: Duration)
  }

  /// The journey with the predicted times, as far as its rides take place.
  public var journey: Journey
  /// Why it does not work, in the order of travel; empty if it does.
  public var problems: [Problem]

  /// Whether riders can travel as planned.
  public var isPossible: Bool { problems.isEmpty }
}

extension Journeys {
  /// Returns what the question's ``updates`` say of a journey that was planned without them, or with
  /// earlier ones.
  ///
  /// - Parameters:
  ///   - journey: The journey, of this database.
  ///   - db: The connection of the current access, to a timetable database.
  /// - Returns: The journey with its predicted times, and why it does not work, if it does not. Without
  ///   updates it is as it was planned.
  /// - Throws: The errors of ``fetchAll(_:)``.
  public func status(of journey: Journey, _ db: Database) throws -> JourneyStatus {
    try db.deferringTemporaryObjects { try liveStatus(of: journey, db) }
  }

  private func liveStatus(of journey: Journey, _ db: Database) throws -> JourneyStatus {
    var status = JourneyStatus(journey: journey, problems: [])
    guard let network = try network(db), let live = network.live else { return status }
    var last: Journey.Ride?
    var instant = journey.departure
    for (index, leg) in journey.legs.enumerated() {
      switch leg {
      case .walk(var walk):
        // Riders leave for the first vehicle as planned.
        if index > 0 { walk.departure = instant }
        walk.arrival = walk.departure + walk.duration / .seconds(1)
        instant = walk.arrival
        status.journey.legs[index] = .walk(walk)
      case .ride(let planned):
        let ride = try live.ride(planned, network, db) { status.problems.append($0) }
        status.journey.legs[index] = .ride(ride ?? planned)
        defer { last = ride }
        guard let ride, let departure = ride.board.departure else { continue }
        if let last, let arrival = last.alight.arrival {
          let needed = ride.isContinuation ? 0 : changeSeconds(from: last, to: ride, network)
          let missing = arrival.timeIntervalSince(departure) + Double(needed)
          if missing > 0 {
            status.problems.append(.missedChange(from: last, to: ride, by: .seconds(missing)))
          }
        } else if index == 0 || last == nil, planned.headway == nil {
          let early = instant.timeIntervalSince(departure)
          if early > 0 { status.problems.append(.leavesEarly(ride, by: .seconds(early))) }
        }
        instant = ride.alight.arrival ?? instant
      }
    }
    status.journey.arrival = instant
    return status
  }

  private func changeSeconds(
    from ride: Journey.Ride, to next: Journey.Ride, _ network: JourneyNetwork
  ) -> Int {
    guard let start = network.stops.index(of: ride.alight.stop.sid),
      let end = network.stops.index(of: next.board.stop.sid)
    else { return 0 }
    let side = { (ride: Journey.Ride) in
      TransferRule.Side(rid: ride.route.rid, tid: ride.tid ?? 0)
    }
    let from = network.transfers.alightingNodes.node(Int32(start), side(ride))
    let to = network.transfers.boardingNodes.node(Int32(end), side(next))
    return network.change(from: Int(from), to: Int(to), profile).seconds
  }
}

extension LiveTrips {
  /// Returns a planned ride as it takes place; `nil` after calling a closure with the reason, if it does
  /// not.
  fileprivate func ride(
    _ planned: Journey.Ride, _ network: JourneyNetwork, _ db: Database,
    _ fail: (JourneyStatus.Problem) -> Void
  ) throws -> Journey.Ride? {
    guard planned.headway == nil, let tid = planned.tid,
      let start = try start(of: planned, tid, network, db),
      starts(of: tid, replacedOn: planned.serviceDay).contains(start)
    else { return planned }
    let found = trips.first { $0.tid == tid && $0.day == planned.serviceDay && $0.start == start }
    guard let found else {
      fail(.canceled(planned))
      return nil
    }
    let stops = try stops(of: found, network.cache, db)
    func index(of call: Journey.Call, after first: Int, _ bit: UInt8) -> Int? {
      let index = found.calls.indices.dropFirst(first).first { index in
        let stop = stops.stopTimes[index]
        // The stops of a replaced trip have other numbers, and those that are served instead of others none.
        return call.stopSequence != nil && stops.scheduledIndex(index) != nil
          ? stop.stopSequence == call.stopSequence
          : stop.stopID.hasSameBytes(as: call.stop.stopID)
      }
      guard let index, found.calls[index].stop >= 0,
        [.scheduled, .live].contains(stops.stopTimes[index].status)
      else {
        fail(.notServed(planned, call.stop))
        return nil
      }
      guard found.calls[index].access & bit != 0 else {
        fail(.noAccess(planned, call.stop))
        return nil
      }
      guard found.calls[index].arrival != JourneyTimetable.none else {
        fail(.noTime(planned, call.stop))
        return nil
      }
      return index
    }
    guard let board = index(of: planned.board, after: 0, JourneyPatterns.Access.boarding),
      let last = index(of: planned.alight, after: board + 1, JourneyPatterns.Access.alighting)
    else { return nil }
    return try found.ride(
      stops, board...last, !planned.intermediateCalls.isEmpty,
      isContinuation: planned.isContinuation, network, db)
  }

  /// Returns the start of a planned ride's vehicle in the timetable, in seconds of the service day.
  private func start(
    of planned: Journey.Ride, _ tid: Int64, _ network: JourneyNetwork, _ db: Database
  ) throws -> Int? {
    let tables = TripTables(checked: db)
    guard let trip = try tables.trip(tid) else { return nil }
    let pattern = try network.cache.pattern(trip.pid, tables)
    let sequence = planned.board.stopSequence
    guard let run = pattern.run(tid) else { return nil }
    // Earlier live data may have given the trip other times.
    guard !network.cache.headways(of: tid).isEmpty else { return Int(run.start) }
    guard let departure = planned.board.scheduledDeparture,
      let index = pattern.calls.firstIndex(where: { Int($0.sequence) == sequence }),
      let offset = pattern.time(.departure, run.timing, index)
    else { return nil }
    let midnight = pattern.zone.start(of: planned.serviceDay)
    return LiveStopTime.seconds(departure).map { $0 - midnight - offset }
  }
}
