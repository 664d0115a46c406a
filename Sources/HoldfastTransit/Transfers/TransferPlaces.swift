/// The stops to which a row of `transfers.txt` applies, if it names a station.
struct TransferPlaces {
  private let stops: JourneyStops
  private let patterns: JourneyPatterns
  private let isServed: [Bool]
  private var parts: [Int: Set<Int32>] = [:]
  /// The stops of each route that was asked for.
  private var stopsOfRoutes: [Int64: Set<Int32>]?

  init(_ stops: JourneyStops, _ patterns: JourneyPatterns) {
    (self.stops, self.patterns) = (stops, patterns)
    var isServed = [Bool](repeating: false, count: stops.count)
    for stop in patterns.stops where stop >= 0 { isServed[Int(stop)] = true }
    self.isServed = isServed
  }

  /// Returns the stops where the vehicles of a rule call, among a stop and its parts.
  ///
  /// - Parameters:
  ///   - stop: The stop or station that the row names.
  ///   - side: The vehicles.
  ///   - pattern: The pattern of a trip.
  /// - Returns: The stops, sorted.
  mutating func stops(of stop: Int, _ side: TransferRule.Side, pattern: Int?) -> [Int32] {
    let served = served(stop)
    // A trip calls at one platform of many.
    guard served.count > 1, side != TransferRule.Side() else { return served.sorted() }
    if let pattern {
      return Set(patterns.calls(of: pattern).map { patterns.stops[$0] }).intersection(served)
        .sorted()
    }
    return served.intersection(stops(ofRoute: side.rid)).sorted()
  }

  private mutating func served(_ stop: Int) -> Set<Int32> {
    if let known = parts[stop] { return known }
    let served = Set(stops.parts(of: stop).filter { isServed[$0] }.map { Int32($0) })
    parts[stop] = served
    return served
  }

  private mutating func stops(ofRoute rid: Int64) -> Set<Int32> {
    if let stopsOfRoutes { return stopsOfRoutes[rid] ?? [] }
    var found: [Int64: Set<Int32>] = [:]
    for pattern in 0..<patterns.count {
      for call in patterns.calls(of: pattern) where patterns.stops[call] >= 0 {
        found[patterns.rids[pattern], default: []].insert(patterns.stops[call])
      }
    }
    stopsOfRoutes = found
    return found[rid] ?? []
  }
}
