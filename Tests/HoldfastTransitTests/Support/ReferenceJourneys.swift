import Foundation

/// Journeys by exhaustive search, straight from the text files of a feed: slow, and easy to check.
///
/// In rounds, every vehicle on every day is boarded at each of its calls at which anything that was
/// reached before allows it, and left at each later one. It shares no code with the library but the
/// text files and days of ``ReferenceTimetable``.
///
/// It follows the rules that the library's article states: a change takes a minute and the walk, unless
/// the most specific row of `transfers.txt` says otherwise; of vehicles of which only the headway is
/// known, riders wait for a whole headway, except for the first one. Calls that are earlier than one
/// before them are not used.
struct ReferenceJourneys {
  /// A vehicle on a day; of a repetition the first one.
  struct Vehicle {
    /// The number of the kind: that of the trip, or one after those of all trips.
    var kind: Int
    let day: Date
    /// The start in seconds of the service day.
    var start: Int
    /// The index of each call in the timetable's trip; `nil` for one that the trip does not have.
    var places: [Int?]
    var stops: [Int]
    var arrivals: [Int?]
    var departures: [Int?]
    var boards: [Bool]
    var alights: [Bool]
    /// Whether updates say something of it.
    var isLive = false
    var isCanceled = false
    /// Whether trip modifications change its calls.
    var isModified = false
    /// The calls whose times are predicted.
    var predicted: Set<Int> = []
    /// The seconds between vehicles, and those from the first start to the end, where only they are
    /// known.
    var headway: (seconds: Int, length: Int)?

    /// Lets it call at the stops of a trip.
    mutating func call(at calls: [ReferenceTimetable.Call], shift: Int, stop: (String) -> Int) {
      places = Array(calls.indices)
      stops = calls.map { stop($0.stopID) }
      arrivals = calls.map { $0.arrival.map { $0 + shift } }
      departures = calls.map { $0.departure.map { $0 + shift } }
      boards = calls.map { $0.pickupType != "1" }
      alights = calls.map { $0.dropOffType != "1" }
    }

    /// Predicts a call.
    mutating func delay(_ call: Int, by seconds: Int) {
      predicted.insert(call)
      arrivals[call] = arrivals[call].map { $0 + seconds }
      departures[call] = departures[call].map { $0 + seconds }
    }

    /// Ends the repetition before one of its vehicles, and returns what there is of it afterwards.
    mutating func removeRepetition(at time: Int) -> Vehicle? {
      guard let (seconds, length) = headway, case let offset = time - start,
        offset >= 0, offset < length, offset.isMultiple(of: seconds)
      else { return nil }
      headway = (seconds, offset)
      var rest = self
      let shift = offset + seconds
      rest.start += shift
      rest.arrivals = arrivals.map { $0.map { $0 + shift } }
      rest.departures = departures.map { $0.map { $0 + shift } }
      rest.headway = (seconds, length - shift)
      return rest
    }

    /// Removes the planned times that are later than predicted ones of calls behind them, and the times that
    /// are before earlier ones.
    mutating func removeDecreasing() {
      for call in stops.indices where !predicted.contains(call) {
        let behind = predicted.filter { $0 > call }.compactMap { arrivals[$0] }
        if let departure = departures[call], behind.contains(where: { $0 < departure }) {
          (arrivals[call], departures[call]) = (nil, nil)
        }
      }
      var latest = Int.min
      for call in stops.indices {
        guard let arrival = arrivals[call], let departure = departures[call] else { continue }
        if arrival < latest || departure < arrival {
          (arrivals[call], departures[call]) = (nil, nil)
        } else {
          latest = departure
        }
      }
    }
  }

  private struct Rule {
    let from: (stop: String, route: String, trip: String)
    let to: (stop: String, route: String, trip: String)
    let type: String
    let seconds: Int?
  }

  let timetable: ReferenceTimetable
  private let stopIDs: [String]
  private let numbersOfStops: [String: Int]
  private let walks: ReferenceWalks
  private var vehicles: [Vehicle]
  /// The rules of changes between vehicles.
  private let changeRules: [Rule]
  /// The rules by which riders stay when a trip ends, by its identifier.
  private let stayRules: [String: [Rule]]
  /// The kinds of vehicles: the trips of the timetable, and those that live data add.
  private let kinds: [(trip: String, route: String)]
  /// The number of kinds of vehicles that rules tell apart: all, or 1 without such rules.
  private let kindCount: Int
  /// The seconds from alighting at a stop from a kind to boarding another one at another stop.
  private var changes: [[(to: Int, kind: Int, seconds: Int)]] = []
  private let served: Set<Int>

  /// - Parameters:
  ///   - feed: The feed.
  ///   - start: The first instant that matters.
  ///   - hours: The time from then on that matters.
  ///   - changes: What live data change.
  ///   - modifications: How trips are modified.
  ///   - pace: How riders walk.
  /// - Throws: ``TextFeedError`` when the time zone of the first agency is unknown.
  init(
    _ feed: TextFeed, from start: Date, hours: Double, _ changes: [ReferenceChange] = [],
    _ modifications: [ReferenceModification] = [], pace: ReferenceWalks.Pace = .init()
  ) throws {
    let timetable = try ReferenceTimetable(feed)
    self.timetable = timetable
    stopIDs = timetable.stopIDs
    let rules = feed.rows(
      "transfers.txt", "from_stop_id", "to_stop_id", "from_route_id", "to_route_id",
      "from_trip_id", "to_trip_id", "transfer_type", "min_transfer_time"
    ).map { row in
      Rule(
        from: (row[0], row[2], row[4]), to: (row[1], row[3], row[5]), type: row[6],
        seconds: Int(row[7]))
    }
    changeRules = rules.filter { !["4", "5"].contains($0.type) }
    stayRules = Dictionary(
      grouping: rules.filter { rule in
        rule.type == "4"
          && !rules.contains {
            $0.type == "5" && $0.from.trip == rule.from.trip && $0.to.trip == rule.to.trip
          }
      }, by: { $0.from.trip })
    let hasKinds = rules.contains {
      !($0.from.route + $0.from.trip + $0.to.route + $0.to.trip).isEmpty
    }
    let kinds: [(trip: String, route: String)] =
      timetable.trips.map { ($0.tripID, $0.routeID) }
      + changes.compactMap { $0.addedRoute.map { ("", $0) } }
    self.kinds = kinds
    kindCount = hasKinds ? kinds.count : 1
    let numbers = Dictionary(stopIDs.enumerated().map { ($1, $0) }) { first, _ in first }
    var vehicles: [Vehicle] = []
    for day in timetable.days(from: start, to: start + hours * 3600) {
      let running = timetable.services(runningOn: day)
      let midnight = Int(day.noon.timeIntervalSince1970) - 12 * 3600
      for (index, trip) in timetable.trips.enumerated() where running.contains(trip.serviceID) {
        let first = trip.calls.first?.departure ?? trip.calls.lazy.compactMap(\.arrival).first ?? 0
        func add(_ shift: Int, _ headway: (Int, Int)?) {
          var vehicle = Vehicle(
            kind: index, day: day.noon, start: first + shift, places: [], stops: [], arrivals: [],
            departures: [], boards: [], alights: [], headway: headway)
          vehicle.call(at: trip.calls, shift: midnight + shift) { numbers[$0] ?? -1 }
          vehicles.append(vehicle)
        }
        let inexact = trip.frequencies.filter { !$0.isExact && $0.start < $0.end }
        for frequency in inexact {
          add(frequency.start - first, (frequency.headway, frequency.end - frequency.start))
        }
        if trip.frequencies.isEmpty || inexact.count < trip.frequencies.count {
          for (shift, isExact) in timetable.shifts(of: trip) where isExact { add(shift, nil) }
        }
      }
    }
    func apply(_ changes: [ReferenceChange], firstKind: Int) {
      var kind = firstKind
      for change in changes {
        let midnight = timetable.midnight(of: change.day)
        change.apply(to: &vehicles, kind: kind, midnight: midnight) { tripID, vehicle in
          kinds[vehicle.kind].trip == tripID
            && Int(vehicle.day.timeIntervalSince1970) - 43200 == midnight
        } stop: {
          numbers[$0] ?? -1
        }
        if change.addedRoute != nil { kind += 1 }
      }
    }
    // "If no such TripUpdate is found, TripUpdates for the original trip_id will apply to the modified trip."
    let ofModified = changes.filter { $0.modificationsID != nil }
    let planned = vehicles
    apply(
      changes.filter { change in
        change.modificationsID == nil && !ofModified.contains { $0.isOfVehicle(of: change) }
      }, firstKind: timetable.trips.count)
    for index in planned.indices where planned[index].headway == nil {
      let trip = timetable.trips[planned[index].kind]
      guard
        let own = modifications.last(where: {
          $0.isOf(
            trip.tripID, day: timetable.name(of: planned[index].day), start: planned[index].start,
            isRepeated: !trip.frequencies.isEmpty)
        }), own.isValid, !vehicles[index].isCanceled,
        vehicles[index].places.contains(where: { $0 != nil })
      else { continue }
      own.apply(to: &vehicles[index], planned: planned[index]) { numbers[$0] ?? -1 }
    }
    apply(ofModified, firstKind: kinds.count)
    self.vehicles = vehicles
    numbersOfStops = numbers
    served = Set(timetable.trips.flatMap { $0.calls.compactMap { numbers[$0.stopID] } })
      .union(changes.flatMap { $0.namedStops.compactMap { numbers[$0] } })
      .union(vehicles.lazy.filter(\.isModified).flatMap(\.stops).filter { $0 >= 0 })
    walks = ReferenceWalks(feed, stopIDs: stopIDs, served: served, pace)
    let ranks = (0..<stopIDs.count * kindCount).map { place in
      var ranks = Ranks()
      for (number, rule) in changeRules.enumerated() {
        if let own = rank(rule.from, place / kindCount, place % kindCount) {
          ranks.from.append((number, own))
        }
        ranks.to[number] = rank(rule.to, place / kindCount, place % kindCount)
      }
      return ranks
    }
    self.changes = ranks.indices.map { place in allChanges(from: place, ranks) }
    delayContinuations()
    for index in self.vehicles.indices { self.vehicles[index].removeDecreasing() }
  }

  /// Lets vehicles of which updates say nothing begin when they are there, in place of earlier.
  private mutating func delayContinuations() {
    var late = vehicles.indices.filter { vehicles[$0].isLive || vehicles[$0].isModified }
    var concluded: Set<Int> = []
    while !late.isEmpty {
      /// The latest arrivals at the calls of vehicles, by their indices.
      var arrivals: [Int: [Int: Int]] = [:]
      for index in late {
        var vehicle = vehicles[index]
        vehicle.removeDecreasing()
        for next in continuations(of: vehicle, boardedAt: -1) {
          guard !vehicles[next.vehicle].isLive || concluded.contains(next.vehicle),
            let arrival = vehicle.arrivals[next.exit]
          else { continue }
          let known = arrivals[next.vehicle]?[next.entry] ?? arrival
          arrivals[next.vehicle, default: [:]][next.entry] = max(known, arrival)
        }
      }
      late = []
      for (index, own) in arrivals {
        for (entry, arrival) in own.sorted(by: { $0.key < $1.key }) {
          guard let departure = vehicles[index].departures[entry], arrival > departure else {
            continue
          }
          for call in vehicles[index].stops.indices.dropFirst(entry) {
            vehicles[index].delay(call, by: arrival - departure)
          }
          vehicles[index].isLive = true
          if late.last != index { late.append(index) }
        }
      }
      concluded.formUnion(late)
    }
  }

  // MARK: - Changes

  /// How specific one side of a rule is.
  private typealias Rank = (vehicle: Int, stop: Int)

  /// How specific the rules are that begin or end at a place, by their numbers.
  private struct Ranks {
    var from: [(rule: Int, rank: Rank)] = []
    var to: [Int: Rank] = [:]
  }

  private func allChanges(
    from place: Int, _ ranks: [Ranks]
  ) -> [(to: Int, kind: Int, seconds: Int)] {
    guard served.contains(place / kindCount) else { return [] }
    return served.flatMap { end in
      (0..<kindCount).compactMap { other in
        change(from: place, to: end * kindCount + other, ranks).map { (end, other, $0) }
      }
    }
  }

  private func change(from place: Int, to other: Int, _ ranks: [Ranks]) -> Int? {
    let (stop, end) = (place / kindCount, other / kindCount)
    var best: (rank: Int, rule: Rule)?
    for (number, start) in ranks[place].from {
      guard let finish = ranks[other].to[number] else { continue }
      // Trips before routes before stops, and then stops before their stations.
      let order = [[0, 3, 9], [3, 6, 12], [9, 12, 15]][start.vehicle][finish.vehicle]
      let rank = order + start.stop + finish.stop
      if best.map({ $0.rank < rank }) ?? true { best = (rank, changeRules[number]) }
    }
    let walk = walks.seconds(from: stop, to: end)
    // Where riders cannot walk, a rule is all that is known.
    let usual = (walk ?? walks.seconds(ofMeters: walks.meters(stop, end) ?? 0)) + walks.pace.change
    switch best?.rule.type {
    case nil: return walk == nil ? nil : usual
    case "1": return 0
    case "2": return best?.rule.seconds ?? usual
    case "3": return nil
    default: return usual
    }
  }

  /// How specific one side of a rule is: the vehicle 2 for a trip and 1 for a route, the stop 1 for
  /// itself and 0 for its station.
  private func rank(
    _ side: (stop: String, route: String, trip: String), _ stop: Int, _ kind: Int
  ) -> Rank? {
    let isItself = side.stop == stopIDs[stop]
    guard isItself || timetable.stops(below: side.stop).contains(stopIDs[stop]) else { return nil }
    if kindCount == 1 { return (0, isItself ? 1 : 0) }
    let trip = kinds[kind]
    if !side.trip.isEmpty { return side.trip == trip.trip ? (2, isItself ? 1 : 0) : nil }
    if !side.route.isEmpty { return side.route == trip.route ? (1, isItself ? 1 : 0) : nil }
    return (0, isItself ? 1 : 0)
  }

  // MARK: - Answers

  private func accesses(_ stopID: String, isOrigin: Bool) -> [Int: Int] {
    stopIDs.firstIndex(of: stopID).map { walks.accesses($0, isOrigin: isOrigin) } ?? [:]
  }

  /// Returns the earliest arrivals with each number of rides, from 0 on.
  ///
  /// They are the largest number if there is none, and not earlier with fewer rides.
  func arrivals(from start: String, to end: String, departing: Int, rides: Int) -> [Int] {
    let (accesses, exits) = (
      accesses(start, isOrigin: true), accesses(end, isOrigin: false)
    )
    var best = Int.max
    if let one = stopIDs.firstIndex(of: start), let other = stopIDs.firstIndex(of: end) {
      best = walks.direct(from: one, to: other).map { departing + $0 } ?? .max
    }
    var answers = [best]
    var ready = [Int](repeating: .max, count: stopIDs.count * kindCount)
    for (stop, seconds) in accesses {
      for kind in 0..<kindCount { ready[stop * kindCount + kind] = departing + seconds }
    }
    for _ in 0..<rides {
      let reached = reached(ready)
      for (place, time) in reached.enumerated() where time < .max {
        if let seconds = exits[place / kindCount] { best = min(best, time + seconds) }
        for change in changes[place] {
          let index = change.to * kindCount + change.kind
          ready[index] = min(ready[index], time + change.seconds)
        }
      }
      answers.append(best)
    }
    return answers
  }

  /// Returns the arrivals at each stop from each kind of vehicle by one more ride.
  private func reached(_ ready: [Int]) -> [Int] {
    var reached = [Int](repeating: .max, count: ready.count)
    /// The first call at which each vehicle is boarded.
    var boarded = [Int](repeating: .max, count: vehicles.count)
    func alight(_ vehicle: Vehicle, after call: Int, shift: Int) {
      let kind = kindCount == 1 ? 0 : vehicle.kind
      for exit in call + 1..<max(call + 1, vehicle.stops.count) where vehicle.alights[exit] {
        guard vehicle.stops[exit] >= 0, let arrival = vehicle.arrivals[exit] else { continue }
        let place = vehicle.stops[exit] * kindCount + kind
        reached[place] = min(reached[place], arrival + shift)
      }
    }
    for (index, vehicle) in vehicles.enumerated() {
      let kind = kindCount == 1 ? 0 : vehicle.kind
      for call in vehicle.stops.indices.dropLast() where vehicle.boards[call] {
        guard vehicle.stops[call] >= 0, let departure = vehicle.departures[call] else { continue }
        let time = ready[vehicle.stops[call] * kindCount + kind]
        guard time < .max else { continue }
        if let headway = vehicle.headway {
          let shift = time <= departure ? 0 : time + headway.seconds - departure
          if shift < headway.length { alight(vehicle, after: call, shift: shift) }
        } else if time <= departure {
          boarded[index] = min(boarded[index], call)
          alight(vehicle, after: call, shift: 0)
        }
      }
    }
    var pending = vehicles.indices.filter { boarded[$0] < .max }
    while let index = pending.popLast() {
      for (next, entry) in stays(vehicles[index], boardedAt: boarded[index]) {
        // From there on, even if it was boarded on its way before.
        alight(vehicles[next], after: entry, shift: 0)
        if entry < boarded[next] { pending.append(next) }
        boarded[next] = min(boarded[next], entry)
      }
    }
    return reached
  }

  /// Returns the vehicles on which the riders of one stay, and the calls from which on they do.
  private func stays(_ vehicle: Vehicle, boardedAt call: Int) -> [(vehicle: Int, entry: Int)] {
    continuations(of: vehicle, boardedAt: call).filter { next in
      guard let arrival = vehicle.arrivals[next.exit],
        let departure = vehicles[next.vehicle].departures[next.entry]
      else { return false }
      return arrival <= departure
    }.map { ($0.vehicle, $0.entry) }
  }

  /// A vehicle as which another one goes on, with the calls between which riders stay.
  private typealias Continuation = (vehicle: Int, exit: Int, entry: Int)

  private func continuations(of vehicle: Vehicle, boardedAt call: Int) -> [Continuation] {
    guard kindCount > 1, vehicle.headway == nil, vehicle.kind < timetable.trips.count else {
      return []
    }
    let trip = timetable.trips[vehicle.kind]
    guard trip.frequencies.isEmpty else { return [] }
    return stayRules[trip.tripID, default: []].flatMap {
      continuations(of: vehicle, boardedAt: call, by: $0)
    }
  }

  private func continuations(
    of vehicle: Vehicle, boardedAt call: Int, by rule: Rule
  ) -> [Continuation] {
    let calls = timetable.trips[vehicle.kind].calls
    let named = calls.lastIndex { $0.stopID == rule.from.stop } ?? 0
    let last = calls.count - 1
    let isOnWay = 0 < named && named < last
    let plannedExit = calls[isOnWay ? named : last]
    let exit = isOnWay ? vehicle.places.firstIndex(of: named) : vehicle.stops.count - 1
    guard let exit, call < exit, let end = planned(vehicle, plannedExit.arrival) else { return [] }
    return vehicles.indices.compactMap { index in
      let other = vehicles[index]
      guard other.kind < timetable.trips.count, other.kind != vehicle.kind,
        timetable.trips[other.kind].tripID == rule.to.trip,
        timetable.trips[other.kind].frequencies.isEmpty
      else { return nil }
      let calls = timetable.trips[other.kind].calls
      let named = calls.firstIndex { $0.stopID == rule.to.stop } ?? 0
      let entry = named < calls.count - 1 ? named : 0
      let call = entry == 0 ? 0 : other.places.firstIndex(of: entry)
      guard let call, other.stops.count > call,
        let begin = planned(other, calls[entry].departure),
        canStay(
          from: (plannedExit.stopID, vehicle.stops[exit]),
          to: (calls[entry].stopID, other.stops[call]))
      else { return nil }
      // The first day, from that of the vehicle on, on which the other one begins after its end.
      let shift = timetable.dayCount(from: vehicle.day, to: other.day)
      guard shift >= 0, begin >= end else { return nil }
      if shift > 0 {
        let before = Int(timetable.noon(before: other.day).timeIntervalSince(other.day))
        guard begin + before < end else { return nil }
      }
      guard shift < 2 || begin - end <= 43200 else { return nil }
      return (index, exit, call)
    }
  }

  /// Whether riders can stay: both vehicles are at their stops of the timetable, or at one place.
  private func canStay(
    from stop: (planned: String, now: Int), to other: (planned: String, now: Int)
  ) -> Bool {
    func areOnePlace(_ one: Int, _ other: Int) -> Bool {
      one == other || one >= 0 && other >= 0 && walks.stations[one] == walks.stations[other]
    }
    return areOnePlace(numbersOfStops[stop.planned] ?? -1, stop.now)
      && areOnePlace(numbersOfStops[other.planned] ?? -1, other.now)
      || stop.now >= 0 && areOnePlace(stop.now, other.now)
  }

  /// The instant of a time of a trip in the timetable, on the day of a vehicle.
  private func planned(_ vehicle: Vehicle, _ time: Int?) -> Int? {
    time.map { Int(vehicle.day.timeIntervalSince1970) - 43200 + $0 }
  }

  /// Returns the instants at which vehicles are caught from a place, reached on foot.
  func departures(from start: String, between range: ClosedRange<Int>) -> [Int] {
    let accesses = accesses(start, isOrigin: true)
    var found: Set<Int> = []
    for vehicle in vehicles {
      for (stop, departure) in zip(vehicle.stops, vehicle.departures) {
        guard let departure, let seconds = accesses[stop] else { continue }
        if range.contains(departure - seconds) { found.insert(departure - seconds) }
      }
    }
    return found.sorted()
  }
}
