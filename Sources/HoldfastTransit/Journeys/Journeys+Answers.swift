import Foundation
import Holdfast

extension Journeys {
  /// Returns the journey of a plan.
  func journey(
    _ plan: JourneyPlan, _ search: JourneySearch, _ db: Database
  ) throws -> Journey {
    let cache = search.network.cache
    let stopOf = { (place: Place) throws -> Stop? in
      guard case .stop(let sid) = place else { return nil }
      return try cache.stop(sid, db)
    }
    var legs: [Journey.Leg] = []
    var (instant, stop) = (plan.departure, try stopOf(origin))
    func walk(
      _ seconds: Int, from: Stop?, to: Stop?, through entrance: Stop? = nil,
      startingAt start: Int
    ) {
      legs.append(
        .walk(
          Journey.Walk(
            from: from, to: to, entrance: entrance, distance: distance(from, to, entrance),
            duration: .seconds(seconds),
            departure: Date(timeIntervalSince1970: Double(start)),
            arrival: Date(timeIntervalSince1970: Double(start + seconds)))))
    }
    if plan.legs.isEmpty {
      walk(plan.walks[0], from: stop, to: try stopOf(destination), startingAt: instant)
    }
    for (index, leg) in plan.legs.enumerated() {
      let ride = try ride(leg, search, db)
      if index == 0 {
        if plan.walks[0] > 0 {
          let entrance = try search.entrance(at: leg.pattern, leg.board, isBefore: true)
            .map { try cache.stop($0, db) }
          walk(
            plan.walks[0], from: stop, to: ride.board.stop, through: entrance,
            startingAt: instant)
        }
      } else if stop?.sid != ride.board.stop.sid, !leg.isContinuation {
        let entrance = try search.entrance(from: plan.legs[index - 1], to: leg)
          .map { try cache.stop($0, db) }
        walk(
          plan.walks[index], from: stop, to: ride.board.stop, through: entrance,
          startingAt: instant)
      }
      legs.append(.ride(ride))
      (instant, stop) = (search.arrival(leg), ride.alight.stop)
    }
    if let last = plan.walks.last, last > 0, let leg = plan.legs.last {
      let entrance = try search.entrance(at: leg.pattern, leg.alight, isBefore: false)
        .map { try cache.stop($0, db) }
      walk(last, from: stop, to: try stopOf(destination), through: entrance, startingAt: instant)
    }
    return Journey(
      legs: legs, departure: Date(timeIntervalSince1970: Double(plan.departure)),
      arrival: Date(timeIntervalSince1970: Double(plan.arrival)))
  }

  /// Returns the estimated length of a way; a place without a stop is the question's own.
  private func distance(_ from: Stop?, _ to: Stop?, _ entrance: Stop?) -> Distance? {
    func position(_ stop: Stop?, _ place: Place) -> Position? {
      if let stop { return stop.position.flatMap { $0.isUnknownPlace ? nil : $0 } }
      if case .position(let position) = place { return position }
      return nil
    }
    guard let start = position(from, origin), let end = position(to, destination) else {
      return nil
    }
    let factor = walking.detourFactor.isFinite ? min(max(1, walking.detourFactor), 100) : 1
    var meters = start.distance(to: end).meters
    if let middle = entrance?.position {
      meters = start.distance(to: middle).meters + middle.distance(to: end).meters
    }
    return Distance(validMeters: meters * factor)
  }

  private func ride(
    _ leg: JourneyPlan.Leg, _ search: JourneySearch, _ db: Database
  ) throws -> Journey.Ride {
    let range = leg.board...leg.alight
    if let live = search.network.live, let trip = live.trip(ofPattern: leg.pattern) {
      return try trip.ride(
        live.stops(of: trip, search.network.cache, db), range, includesIntermediateCalls,
        isContinuation: leg.isContinuation, search.network, db)
    }
    let (network, cache) = (search.network, search.network.cache)
    let tid = search.timetable.runs[leg.run].tid
    let pattern = try cache.pattern(network.patterns.pids[leg.pattern], TripTables(checked: db))
    guard let run = pattern.run(tid), leg.alight < pattern.calls.count else {
      throw TransitError.damaged(path: db.path, table: "patterns", row: pattern.pid)
    }
    let repetition =
      leg.unit.repetition < 0 ? nil : search.timetable.repetitions[Int(leg.unit.repetition)]
    func call(_ index: Int) throws -> Journey.Call? {
      let stored = pattern.calls[index]
      guard stored.sid != 0 else { return nil }
      // A time that is before an earlier one of the trip is not used.
      let isKnown =
        search.timetable.time(.arrival, leg.pattern, leg.timing, index) != JourneyTimetable.none
      let date = { (event: CallEvent) -> Date? in
        guard isKnown, let offset = pattern.time(event, run.timing, index) else { return nil }
        return Date(timeIntervalSince1970: Double(leg.dayStart + leg.start + offset))
      }
      let (arrival, departure) = (date(.arrival), date(.departure))
      return Journey.Call(
        stop: try cache.stop(stored.sid, db), stopSequence: Int(stored.sequence),
        arrival: arrival, departure: departure, scheduledArrival: arrival,
        scheduledDeparture: departure, status: .scheduled,
        timeZone: try cache.zone(ofStop: stored.sid, db) ?? pattern.zone.zone,
        isInterpolated: pattern.isInterpolated(run.timing, index),
        timepoint: stored.timepoint.map { Int($0) },
        pickupBookingRule: try cache.bookingRule(.departure, of: stored, in: pattern.zone, db),
        dropOffBookingRule: try cache.bookingRule(.arrival, of: stored, in: pattern.zone, db),
        pickupType: Int(stored.pickupType ?? 0), dropOffType: Int(stored.dropOffType ?? 0))
    }
    guard let board = try call(leg.board), let alight = try call(leg.alight) else {
      throw TransitError.damaged(path: db.path, table: "patterns", row: pattern.pid)
    }
    let headsign = pattern.calls[leg.board].headsign
    return Journey.Ride(
      tid: tid, tripID: try cache.tripID(tid, db),
      tripShortName: try cache.text(run.shortName, db), route: try cache.route(pattern.rid, db),
      headsign: try cache.text(headsign == 0 ? run.headsign : headsign, db),
      directionID: pattern.directionID.map { Int($0) }, serviceDay: leg.day, board: board,
      alight: alight,
      intermediateCalls: includesIntermediateCalls
        ? try range.dropFirst().dropLast().compactMap { try call($0) } : [],
      headway: repetition.flatMap { $0.isExact ? nil : .seconds($0.headway) },
      isContinuation: leg.isContinuation, start: leg.start)
  }
}
