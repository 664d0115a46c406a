import Foundation

/// A route of a synthetic feed with its patterns and trips.
///
/// It is made from its number each time it is needed, so that a feed of any size takes the memory of one
/// route.
struct SyntheticRoute {
  struct Pattern {
    let directionID: Int
    let stops: [Int]
    /// The distance of each stop from the first one, in metres.
    let distances: [Double]
    let tripCount: Int
    /// Arrivals and departures in seconds from the first departure, of the timings that the trips repeat.
    let timings: [[(arrival: Int, departure: Int)]]
  }

  struct Trip {
    let pattern: Int
    let timing: Int
    let service: Int
    /// The first departure, in seconds after the beginning of the service day.
    let start: Int
  }

  let number: Int
  let agency: Int
  /// The number of the first trip among those of the feed.
  let firstTrip: Int
  let patterns: [Pattern]

  /// The trips in the order in which they are written: by service and time.
  let trips: [Trip]

  /// Whether the route has trains, of which there are few.
  var isTrain: Bool { number.isMultiple(of: 50) }

  init(_ number: Int, of network: SyntheticNetwork) {
    let feed = network.feed
    self.number = number
    agency = number % SyntheticFiles.agencyCount
    var random = feed.random(.route, number)
    let patternCount = feed.patternsBefore(number + 1) - feed.patternsBefore(number)
    firstTrip = feed.tripsBefore(number)
    let counts = Self.tripCounts(feed.tripsBefore(number + 1) - firstTrip, patternCount)
    let way = Self.way(network, &random)
    // Most times of real feeds are whole minutes.
    let precision = random.below(10) < 7 ? 60 : 1
    patterns = counts.enumerated().map { index, count in
      Self.pattern(index, of: way, tripCount: count, precision, network, &random)
    }
    let agency = agency
    trips = patterns.enumerated().flatMap { index, pattern in
      (0..<pattern.tripCount).map { trip in
        Self.trip(trip, of: pattern, index, agency, &random)
      }
    }.sorted { ($0.service, $0.start, $0.pattern) < ($1.service, $1.start, $1.pattern) }
  }

  /// Distributes the trips of a route to its patterns: each has one, and the first ones have most.
  private static func tripCounts(_ tripCount: Int, _ patternCount: Int) -> [Int] {
    let weights = (0..<patternCount).map { 1 / Double(1 + $0 / 2 * 3) }
    let sum = weights.reduce(0, +)
    var counts = weights.map { 1 + Int(Double(tripCount - patternCount) * $0 / sum) }
    counts[0] += tripCount - counts.reduce(0, +)
    return counts
  }

  // MARK: - Patterns

  /// A part of a route's way through one suburb.
  private struct Part {
    let suburb: Int
    let start: Int
    let count: Int
  }

  private static func way(_ network: SyntheticNetwork, _ random: inout SeededRandom) -> [Part] {
    let callCount = network.feed.callCount
    let length = callCount / 3 + random.below(callCount * 4 / 5) + random.below(callCount * 4 / 5)
    var suburb = random.below(network.suburbCount)
    var target = network.destination(&random)
    var parts: [Part] = []
    var count = 0
    while count < length {
      // Half of all routes use the stops at the beginning of a street.
      let start = [0, 0, 0, 6, 12, 18][random.below(6)]
      let part = Part(suburb: suburb, start: start, count: min(length - count, 2 + random.below(6)))
      parts.append(part)
      count += part.count + (network.hasStation(suburb) ? 1 : 0)
      if suburb == target { target = network.destination(&random) }
      suburb = network.step(from: suburb, to: target)
    }
    return parts
  }

  private static func pattern(
    _ index: Int, of way: [Part], tripCount: Int, _ precision: Int, _ network: SyntheticNetwork,
    _ random: inout SeededRandom
  ) -> Pattern {
    let isReturning = !index.isMultiple(of: 2)
    var stops: [Int] = []
    for part in isReturning ? way.reversed() : way {
      let street = network.street(
        of: part.suburb, from: part.start, count: part.count, isReturning: isReturning)
      let platform = network.platform(of: part.suburb, part.start / 6 + (isReturning ? 1 : 0))
      // A suburb that is passed twice in a row, at a border of the grid, is not called at twice.
      let recent = stops.suffix(12)
      stops += (street + (platform.map { [$0] } ?? [])).filter { !recent.contains($0) }
    }
    if index > 1 {
      // The other patterns are shorter at one end.
      let cut = 1 + random.below(max(1, stops.count / 3))
      stops = Array(random.below(2) == 0 ? stops.dropFirst(cut) : stops.dropLast(cut))
    }
    var distances = [0.0]
    for (from, to) in zip(stops, stops.dropFirst()) {
      let distance = distances[distances.count - 1] + network.distance(from, to)
      distances.append((distance * 10).rounded() / 10)
    }
    // One timing for several trips, but at least one: in real feeds a fifth of all rows is left.
    let timingCount = max(1, Int(Double(tripCount) * (0.1 + 0.2 * random.fraction())))
    return Pattern(
      directionID: isReturning ? 1 : 0, stops: stops, distances: distances, tripCount: tripCount,
      timings: (0..<timingCount).map { _ in timing(stops, distances, precision, network, &random) })
  }

  private static func timing(
    _ stops: [Int], _ distances: [Double], _ precision: Int, _ network: SyntheticNetwork,
    _ random: inout SeededRandom
  ) -> [(arrival: Int, departure: Int)] {
    // Metres per second: a bus in traffic.
    let speed = 5.5 + 3 * random.fraction()
    var time = 0.0
    return stops.indices.map { index in
      if index > 0 {
        time +=
          12 + (distances[index] - distances[index - 1]) / speed * (0.9 + 0.2 * random.fraction())
      }
      let arrival = Int(time) / precision * precision
      if index > 0, index < stops.count - 1, case .platform = network.place(of: stops[index]) {
        time += Double(precision == 60 ? 60 : 30)
      }
      return (arrival, Int(time) / precision * precision)
    }
  }

  // MARK: - Trips

  private static func trip(
    _ index: Int, of pattern: Pattern, _ patternIndex: Int, _ agency: Int,
    _ random: inout SeededRandom
  ) -> Trip {
    // From 5:00 to 25:30.
    let minute = 300 + index * 1230 / pattern.tripCount + random.below(12)
    let band = min(pattern.timings.count - 1, (minute - 300) * pattern.timings.count / 1242)
    return Trip(
      pattern: patternIndex, timing: band,
      service: agency * SyntheticService.perAgency + SyntheticService.kind(random.below(100)),
      start: minute * 60)
  }
}

extension SyntheticFeed {
  /// The number of patterns of the routes before one.
  ///
  /// The first routes have more of them than the last.
  func patternsBefore(_ route: Int) -> Int {
    let rest = 1 - Double(route) / Double(routeCount)
    return route + Int(Double(patternCount - routeCount) * (1 - rest * rest * rest))
  }

  /// The number of trips of the routes before one: each pattern has one, and a few routes have hundreds.
  func tripsBefore(_ route: Int) -> Int {
    let rest = 1 - Double(route) / Double(routeCount)
    let share = 0.85 * (1 - pow(rest, 3)) + 0.15 * (1 - pow(rest, 40))
    return patternsBefore(route) + Int(Double(tripCount - patternCount) * share)
  }
}
