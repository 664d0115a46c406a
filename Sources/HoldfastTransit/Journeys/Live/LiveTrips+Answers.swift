import Foundation
import Holdfast

extension LiveTrips.Trip {
  /// Returns the ride between two calls.
  ///
  /// - Parameters:
  ///   - stops: The stops of the trip.
  ///   - range: The indices of the calls.
  ///   - includesIntermediateCalls: Whether the ride lists the calls in between.
  ///   - isContinuation: Whether riders stay on the vehicle of the ride before.
  ///   - network: The network.
  ///   - db: The connection of the current access.
  /// - Returns: The ride, with the times that live data give.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  func ride(
    _ stops: LiveCalls.Stops, _ range: ClosedRange<Int>, _ includesIntermediateCalls: Bool,
    isContinuation: Bool, _ network: JourneyNetwork, _ db: Database
  ) throws -> Journey.Ride {
    let board = try departure(stops, range.lowerBound, network, db)
    return Journey.Ride(
      tid: board.tid, tripID: board.tripID, tripShortName: board.tripShortName,
      route: board.route, headsign: board.headsign, directionID: board.directionID,
      serviceDay: board.serviceDay, board: try call(stops, range.lowerBound, network, db),
      alight: try call(stops, range.upperBound, network, db),
      intermediateCalls: includesIntermediateCalls
        ? try range.dropFirst().dropLast().filter { calls[$0].stop >= 0 }
          .map { try call(stops, $0, network, db) } : [],
      isContinuation: isContinuation, start: board.start)
  }

  /// Returns a call with the times that a search uses.
  private func call(
    _ stops: LiveCalls.Stops, _ index: Int, _ network: JourneyNetwork, _ db: Database
  ) throws -> Journey.Call {
    let departure = try departure(stops, index, network, db)
    let times = stops.stopTimes[index]
    let isKnown =
      calls[index].arrival != JourneyTimetable.none || times.status == .skipped
    let date = { (event: CallEvent) -> Date? in
      (isKnown ? times.instant(event) : nil).map { Date(timeIntervalSince1970: Double($0)) }
    }
    let scheduled = stops.call(index, sid: departure.stop.sid).scheduledCall
    return Journey.Call(
      stop: departure.stop, stopSequence: departure.stopSequence, arrival: date(.arrival),
      departure: date(.departure), scheduledArrival: departure.scheduledArrival,
      scheduledDeparture: departure.scheduledDeparture, status: departure.status,
      timeZone: departure.timeZone, isInterpolated: departure.isInterpolated,
      timepoint: departure.timepoint, pickupBookingRule: departure.bookingRule,
      dropOffBookingRule: try scheduled.flatMap {
        try network.cache.bookingRule(.arrival, of: $0, in: zone, db)
      },
      pickupType: departure.pickupType, dropOffType: departure.dropOffType)
  }

  private func departure(
    _ stops: LiveCalls.Stops, _ index: Int, _ network: JourneyNetwork, _ db: Database
  ) throws -> Departure {
    let sid = network.stops.sids[Int(calls[index].stop)]
    return try LiveCalls().answer(stops.call(index, sid: sid), .departure, network.cache, db).call
  }
}
