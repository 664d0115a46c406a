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
    /// The vehicle of a ride, or the stop where riders board or alight now, is not for wheelchairs.
    case noWheelchairAccess(Journey.Ride, Stop?)
    /// The vehicle of the first ride leaves before riders are there.
    case leavesEarly(Journey.Ride, by: Duration)
    /// Riders arrive too late for the next ride, by this time.
    case missedChange(from: Journey.Ride, to: Journey.Ride, by: Duration)
    /// The vehicles stop elsewhere, and between these stops riders cannot change.
    case noChange(from: Journey.Ride, to: Journey.Ride)
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
    var (last, lastPlanned): (Journey.Ride?, Journey.Ride?)
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
        let ride = try live.ride(
          planned, network, db, needsWheelchairAccess: needsWheelchairAccess
        ) { status.problems.append($0) }
        status.journey.legs[index] = .ride(ride ?? planned)
        defer { (last, lastPlanned) = (ride, planned) }
        guard let ride, let departure = ride.board.departure else { continue }
        if let last, let arrival = last.alight.arrival {
          let needed = ride.isContinuation ? 0 : changeSeconds(from: last, to: ride, network)
          // The plan may be that of riders who walk farther.
          let isMoved =
            last.alight.stop.sid != lastPlanned?.alight.stop.sid
            || ride.board.stop.sid != planned.board.stop.sid
          let missing = arrival.timeIntervalSince(departure) + Double(needed ?? 0)
          if needed == nil, isMoved {
            status.problems.append(.noChange(from: last, to: ride))
          } else if missing > 0 {
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

  /// Returns the seconds that a change takes; `nil` if it is not possible.
  private func changeSeconds(
    from ride: Journey.Ride, to next: Journey.Ride, _ network: JourneyNetwork
  ) -> Int? {
    guard let start = network.stops.index(of: ride.alight.stop.sid),
      let end = network.stops.index(of: next.board.stop.sid)
    else { return nil }
    let side = { (ride: Journey.Ride) in
      TransferRule.Side(rid: ride.route.rid, tid: ride.tid ?? 0)
    }
    let from = network.transfers.alightingNodes.node(Int32(start), side(ride))
    let to = network.transfers.boardingNodes.node(Int32(end), side(next))
    let (seconds, choice) = network.change(from: Int(from), to: Int(to), profile)
    let ways = network.footpaths(profile)
    let ruled = ways.ruledWays.of(start).first { Int($0.target) == end }
    let isPossible =
      ruled.map { $0.seconds(choice) != nil }
      ?? ways.ways.of(start).contains { Int($0.target) == end }
    return isPossible ? seconds : nil
  }
}

extension LiveTrips {
  /// Returns a planned ride as it takes place; `nil` after calling a closure with the reason, if it does
  /// not.
  fileprivate func ride(
    _ planned: Journey.Ride, _ network: JourneyNetwork, _ db: Database,
    needsWheelchairAccess: Bool, _ fail: (JourneyStatus.Problem) -> Void
  ) throws -> Journey.Ride? {
    guard planned.headway == nil, let tid = planned.tid, let start = planned.start,
      starts(of: tid, replacedOn: planned.serviceDay).contains(start)
    else { return planned }
    guard let found = trip(tid, on: planned.serviceDay, start: start) else {
      fail(.canceled(planned))
      return nil
    }
    guard !needsWheelchairAccess || found.isAccessible else {
      fail(.noWheelchairAccess(planned, nil))
      return nil
    }
    let stops = try stops(of: found, network.cache, db)
    func index(of call: Journey.Call, after first: Int, _ bit: UInt8) throws -> Int? {
      let indices = found.calls.indices.dropFirst(first)
      let numbered = indices.first { index in
        call.stopSequence != nil && stops.scheduledIndex(index) != nil
          && stops.stopTimes[index].stopSequence == call.stopSequence
          && stops.stopTimes[index].status != .skipped
      }
      // The stops of a replaced trip have other numbers, and those that are served instead of others none.
      let index =
        numbered
        ?? indices.first { index in
          (call.stopSequence == nil || stops.scheduledIndex(index) == nil)
            && stops.stopTimes[index].stopID.hasSameBytes(as: call.stop.stopID)
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
      let stop = Int(found.calls[index].stop)
      guard !needsWheelchairAccess || network.stops.isAccessible[stop] else {
        fail(.noWheelchairAccess(planned, try network.cache.stop(network.stops.sids[stop], db)))
        return nil
      }
      return index
    }
    guard let board = try index(of: planned.board, after: 0, JourneyPatterns.Access.boarding),
      let last = try index(of: planned.alight, after: board + 1, JourneyPatterns.Access.alighting)
    else { return nil }
    return try found.ride(
      stops, board...last, !planned.intermediateCalls.isEmpty,
      isContinuation: planned.isContinuation, network, db)
  }
}
