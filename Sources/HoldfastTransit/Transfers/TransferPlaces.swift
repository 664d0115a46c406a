/// The stops to which a row of `transfers.txt` applies, if it names a station.
struct TransferPlaces {
  private let stops: JourneyStops
  private let patterns: JourneyPatterns
  private let isServed: [Bool]
  private var parts: [Int: Set<Int32>] = [:]
  /// The stops of each route that was asked for.
  private var stopsOfRoutes: [Int64: Set<Int32>]?
  /// The stops at which live data let vehicles call, by the vehicles' route alone and with their trip.
  private var liveStops: [TransferRule.Side: Set<Int32>] = [:]

  init(_ stops: JourneyStops, _ patterns: JourneyPatterns, _ live: [LiveTrips.Trip]) {
    (self.stops, self.patterns) = (stops, patterns)
    var isServed = [Bool](repeating: false, count: stops.count)
    for stop in patterns.stops where stop >= 0 { isServed[Int(stop)] = true }
    for trip in live {
      let served = trip.calls.lazy.map(\.stop).filter { $0 >= 0 }
      for stop in served { isServed[Int(stop)] = true }
      liveStops[TransferRule.Side(rid: trip.rid), default: []].formUnion(served)
      guard let tid = trip.tid else { continue }
      liveStops[TransferRule.Side(rid: trip.rid, tid: tid), default: []].formUnion(served)
    }
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
    let own =
      pattern.map { Set(patterns.calls(of: $0).map { patterns.stops[$0] }) }
      ?? stops(ofRoute: side.rid)
    return own.union(liveStops[side] ?? []).intersection(served).sorted()
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
