import Foundation

/// Journeys by exhaustive search, straight from the text files of a feed: slow, and easy to check.
///
/// In rounds, every vehicle on every day is boarded at each of its calls at which anything that was
/// reached before allows it, and left at each later one. It shares no code with the library but the
/// text files and days of ``ReferenceTimetable``.
///
/// It follows the rules that the library's article states: a change takes a minute and the walk, unless
/// the most specific row of `transfers.txt` says otherwise; of vehicles of which only the headway is
/// known, riders wait for a whole headway, except for the first one.
struct ReferenceJourneys {
  /// A vehicle on a day; of a repetition the first one.
  private struct Vehicle {
    let trip: Int
    let day: Date
    let stops: [Int]
    let arrivals: [Int?]
    let departures: [Int?]
    let boards: [Bool]
    let alights: [Bool]
    /// The seconds between vehicles, and those from the first start to the end, where only they are
    /// known.
    var headway: (seconds: Int, length: Int)?
  }

  private struct Rule {
    let from: (stop: String, route: String, trip: String)
    let to: (stop: String, route: String, trip: String)
    let type: String
    let seconds: Int?
  }

  static let (radius, speed, factor, change) = (500.0, 1.3, 1.3, 60)

  let timetable: ReferenceTimetable
  private let stopIDs: [String]
  private let positions: [(latitude: Double, longitude: Double)?]
  private let vehicles: [Vehicle]
  private let rules: [Rule]
  /// The number of kinds of vehicles that rules tell apart: all trips, or 1 without such rules.
  private let kindCount: Int
  /// The seconds from alighting at a stop from a kind to boarding another one at another stop.
  private var changes: [[(to: Int, kind: Int, seconds: Int)]] = []
  private let served: Set<Int>

  /// - Parameters:
  ///   - feed: The feed.
  ///   - start: The first instant that matters.
  ///   - hours: The time from then on that matters.
  /// - Throws: ``TextFeedError`` when the time zone of the first agency is unknown.
  init(_ feed: TextFeed, from start: Date, hours: Double) throws {
    timetable = try ReferenceTimetable(feed)
    stopIDs = timetable.stopIDs
    positions = feed.rows("stops.txt", "stop_lat", "stop_lon").map { row in
      Double(row[0]).flatMap { latitude in Double(row[1]).map { (latitude, $0) } }
    }
    rules = feed.rows(
      "transfers.txt", "from_stop_id", "to_stop_id", "from_route_id", "to_route_id",
      "from_trip_id", "to_trip_id", "transfer_type", "min_transfer_time"
    ).map { row in
      Rule(
        from: (row[0], row[2], row[4]), to: (row[1], row[3], row[5]), type: row[6],
        seconds: Int(row[7]))
    }
    let hasKinds = rules.contains {
      !($0.from.route + $0.from.trip + $0.to.route + $0.to.trip).isEmpty
    }
    kindCount = hasKinds ? timetable.trips.count : 1
    let numbers = Dictionary(stopIDs.enumerated().map { ($1, $0) }) { first, _ in first }
    var vehicles: [Vehicle] = []
    for day in timetable.days(from: start, to: start + hours * 3600) {
      let running = timetable.services(runningOn: day)
      let midnight = Int(day.noon.timeIntervalSince1970) - 12 * 3600
      for (index, trip) in timetable.trips.enumerated() where running.contains(trip.serviceID) {
        let first = trip.calls.first?.departure ?? trip.calls.lazy.compactMap(\.arrival).first ?? 0
        func add(_ shift: Int, _ headway: (Int, Int)?) {
          vehicles.append(
            Vehicle(
              trip: index, day: day.noon, stops: trip.calls.map { numbers[$0.stopID] ?? -1 },
              arrivals: trip.calls.map { $0.arrival.map { midnight + shift + $0 } },
              departures: trip.calls.map { $0.departure.map { midnight + shift + $0 } },
              boards: trip.calls.map { $0.pickupType != "1" },
              alights: trip.calls.map { $0.dropOffType != "1" }, headway: headway))
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
    self.vehicles = vehicles
    served = Set(timetable.trips.flatMap { $0.calls.compactMap { numbers[$0.stopID] } })
    changes = (0..<stopIDs.count * kindCount).map { place in allChanges(from: place) }
  }

  // MARK: - Changes

  private func allChanges(from place: Int) -> [(to: Int, kind: Int, seconds: Int)] {
    let (stop, kind) = (place / kindCount, place % kindCount)
    guard served.contains(stop) else { return [] }
    return served.flatMap { end in
      (0..<kindCount).compactMap { other in
        change(from: stop, kind, to: end, other).map { (end, other, $0) }
      }
    }
  }

  private func change(from stop: Int, _ kind: Int, to end: Int, _ other: Int) -> Int? {
    var best: (rank: Int, rule: Rule)?
    for rule in rules where !["4", "5"].contains(rule.type) {
      guard let start = rank(rule.from, stop, kind), let finish = rank(rule.to, end, other) else {
        continue
      }
      // Trips before routes before stops, and then stops before their stations.
      let order = [[0, 3, 9], [3, 6, 12], [9, 12, 15]][start.vehicle][finish.vehicle]
      let rank = order + start.stop + finish.stop
      if best.map({ $0.rank < rank }) ?? true { best = (rank, rule) }
    }
    let distance = stop == end ? 0 : meters(positions[stop], positions[end])
    let usual =
      Int(((distance ?? 0) * Self.factor / Self.speed).rounded(.up)) + Self.change
    switch best?.rule.type {
    case nil: return distance.map { $0 <= Self.radius } ?? false ? usual : nil
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
  ) -> (vehicle: Int, stop: Int)? {
    let isItself = side.stop == stopIDs[stop]
    guard isItself || timetable.stops(below: side.stop).contains(stopIDs[stop]) else { return nil }
    if kindCount == 1 { return (0, isItself ? 1 : 0) }
    let trip = timetable.trips[kind]
    if !side.trip.isEmpty { return side.trip == trip.tripID ? (2, isItself ? 1 : 0) : nil }
    if !side.route.isEmpty { return side.route == trip.routeID ? (1, isItself ? 1 : 0) : nil }
    return (0, isItself ? 1 : 0)
  }

  private func meters(
    _ one: (latitude: Double, longitude: Double)?, _ other: (latitude: Double, longitude: Double)?
  ) -> Double? {
    guard let one, let other else { return nil }
    let (a, b) = (one.latitude * .pi / 180, other.latitude * .pi / 180)
    let (north, east) = (b - a, (other.longitude - one.longitude) * .pi / 180)
    let haversine =
      sin(north / 2) * sin(north / 2) + cos(a) * cos(b) * sin(east / 2) * sin(east / 2)
    return 2 * 6_371_008.8 * asin(haversine.squareRoot())
  }

  private func walk(_ one: Int, _ other: Int) -> Int? {
    meters(positions[one], positions[other]).flatMap {
      $0 <= Self.radius ? Int(($0 * Self.factor / Self.speed).rounded(.up)) : nil
    }
  }

  // MARK: - Answers

  /// The stops where vehicles call, of a stop or station, or else itself.
  private func places(_ stopID: String) -> [Int] {
    let parts = timetable.stops(below: stopID).compactMap { stopIDs.firstIndex(of: $0) }
    let served = parts.filter(served.contains)
    return served.isEmpty ? [parts[0]] : served
  }

  /// The seconds of walking from a stop, or a station, to each stop.
  private func accesses(_ stopID: String) -> [Int: Int] {
    let parts = timetable.stops(below: stopID).compactMap { stopIDs.firstIndex(of: $0) }
    var seconds: [Int: Int] = [:]
    for part in parts {
      for stop in served {
        guard let own = stop == part ? 0 : walk(part, stop) else { continue }
        seconds[stop] = min(seconds[stop] ?? .max, own)
      }
    }
    return seconds
  }

  /// Returns the earliest arrivals with each number of rides, from 0 on.
  ///
  /// They are the largest number if there is none, and not earlier with fewer rides.
  func arrivals(from start: String, to end: String, departing: Int, rides: Int) -> [Int] {
    let (accesses, exits) = (accesses(start), accesses(end))
    var best = Int.max
    for one in places(start) {
      for other in places(end) {
        best = min(best, walk(one, other).map { departing + $0 } ?? .max)
      }
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
    var isOnBoard = [Bool](repeating: false, count: vehicles.count)
    func alight(_ vehicle: Vehicle, after call: Int, shift: Int) {
      let kind = kindCount == 1 ? 0 : vehicle.trip
      for exit in call + 1..<max(call + 1, vehicle.stops.count) where vehicle.alights[exit] {
        guard vehicle.stops[exit] >= 0, let arrival = vehicle.arrivals[exit] else { continue }
        let place = vehicle.stops[exit] * kindCount + kind
        reached[place] = min(reached[place], arrival + shift)
      }
    }
    for (index, vehicle) in vehicles.enumerated() {
      let kind = kindCount == 1 ? 0 : vehicle.trip
      for call in vehicle.stops.indices.dropLast() where vehicle.boards[call] {
        guard vehicle.stops[call] >= 0, let departure = vehicle.departures[call] else { continue }
        let time = ready[vehicle.stops[call] * kindCount + kind]
        guard time < .max else { continue }
        if let headway = vehicle.headway {
          let shift = time <= departure ? 0 : time + headway.seconds - departure
          if shift < headway.length { alight(vehicle, after: call, shift: shift) }
        } else if time <= departure {
          isOnBoard[index] = true
          alight(vehicle, after: call, shift: 0)
        }
      }
    }
    var pending = vehicles.indices.filter { isOnBoard[$0] }
    while let index = pending.popLast() {
      for next in stays(vehicles[index]) {
        // From its beginning, even if it was boarded on its way before.
        alight(vehicles[next], after: 0, shift: 0)
        if !isOnBoard[next] { pending.append(next) }
        isOnBoard[next] = true
      }
    }
    return reached
  }

  /// Returns the vehicles on which the riders of one stay at its end.
  private func stays(_ vehicle: Vehicle) -> [Int] {
    guard kindCount > 1, vehicle.headway == nil else { return [] }
    let trip = timetable.trips[vehicle.trip]
    guard trip.frequencies.isEmpty else { return [] }
    let next = rules.filter { rule in
      rule.type == "4" && rule.from.trip == trip.tripID
        && !rules.contains {
          $0.type == "5" && $0.from.trip == rule.from.trip && $0.to.trip == rule.to.trip
        }
    }.map(\.to.trip)
    return vehicles.indices.filter { index in
      let other = vehicles[index]
      guard next.contains(timetable.trips[other.trip].tripID), other.day == vehicle.day,
        timetable.trips[other.trip].frequencies.isEmpty, other.trip != vehicle.trip,
        let arrival = vehicle.arrivals.last ?? nil, let departure = other.departures.first ?? nil
      else { return false }
      return arrival <= departure
    }
  }

  /// Returns the instants at which vehicles are caught from a place, reached on foot.
  func departures(from start: String, between range: ClosedRange<Int>) -> [Int] {
    let accesses = accesses(start)
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
