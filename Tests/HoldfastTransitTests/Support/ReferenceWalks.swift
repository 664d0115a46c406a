import Foundation

/// Walks straight from the text files of a feed, between all pairs of stops.
///
/// Pathways are combined by the algorithm of Floyd and Warshall. Whether a stop is reached directly or
/// through doors is decided by the rules of the library's article.
struct ReferenceWalks {
  /// A place on the street that belongs to a stop, and the seconds between both.
  private struct Point {
    let stop: Int
    let seconds: Int
  }

  /// How far and how fast riders walk, and the seconds that a change takes in addition.
  struct Pace {
    var (radius, speed, factor, change) = (500.0, 1.3, 1.3, 60)
  }

  let pace: Pace

  private let count: Int
  private let positions: [(latitude: Double, longitude: Double)?]
  /// The station of each stop, or else the stop itself.
  let stations: [Int]
  private let types: [String]
  private let served: Set<Int>
  /// The seconds of the pathways from each stop to each; `nil` if there are none.
  private var paths: [[Int?]]
  /// Whether pathways join two stops, in whatever direction.
  private var joined: [[Bool]]
  private var isInside: [Bool]
  /// Whether nothing is known of the insides of stations.
  private let isPlain: Bool
  /// The doors of the stops that are not reached directly.
  private var doors: [Int: (stops: [Int], byPathways: Bool)] = [:]

  init(_ feed: TextFeed, stopIDs: [String], served: Set<Int>, _ pace: Pace) {
    self.pace = pace
    let numbers = Dictionary(stopIDs.enumerated().map { ($1, $0) }) { first, _ in first }
    let rows = feed.rows(
      "stops.txt", "stop_lat", "stop_lon", "location_type", "parent_station", "stop_access")
    let count = stopIDs.count
    (self.count, self.served) = (count, served)
    positions = rows.map { row in
      guard let latitude = Double(row[0]), let longitude = Double(row[1]) else { return nil }
      // Feeds write 0, 0 for a place that they do not know.
      return (latitude, longitude) == (0, 0) ? nil : (latitude, longitude)
    }
    types = rows.map { $0[2] }
    var tops = rows.indices.map { numbers[rows[$0][3]] ?? $0 }
    for _ in 0..<3 { tops = tops.map { tops[$0] } }
    stations = tops
    paths = (0..<count).map { one in (0..<count).map { $0 == one ? 0 : nil } }
    joined = (0..<count).map { one in (0..<count).map { $0 == one } }
    isInside = [Bool](repeating: false, count: count)
    for row in feed.rows(
      "pathways.txt", "from_stop_id", "to_stop_id", "is_bidirectional", "traversal_time")
    {
      guard let from = numbers[row[0]], let to = numbers[row[1]], let time = Int(row[3]) else {
        continue
      }
      for (one, other) in row[2] == "1" ? [(from, to), (to, from)] : [(from, to)] {
        paths[one][other] = min(paths[one][other] ?? .max, time)
      }
      (joined[from][to], joined[to][from]) = (true, true)
      (isInside[from], isInside[to]) = (true, true)
    }
    // Others join nothing.
    for middle in 0..<count where isInside[middle] {
      for one in 0..<count {
        for other in 0..<count {
          if joined[one][middle], joined[middle][other] { joined[one][other] = true }
          guard let first = paths[one][middle], let second = paths[middle][other] else { continue }
          paths[one][other] = min(paths[one][other] ?? .max, first + second)
        }
      }
    }
    isPlain = !isInside.contains(true) && !rows.contains { $0[4] == "0" }
    for stop in served {
      let entrances = (0..<count).filter { types[$0] == "2" && stations[$0] == stations[stop] }
      let inside = entrances.filter { isInside[stop] && joined[$0][stop] }
      if rows[stop][4] == "1" { continue }
      if !inside.isEmpty {
        doors[stop] = (inside, true)
      } else if rows[stop][4] == "0", stations[stop] != stop {
        doors[stop] = (entrances.isEmpty ? [stations[stop]] : entrances, false)
      }
    }
  }

  func meters(_ one: Int, _ other: Int) -> Double? {
    guard let start = positions[one], let end = positions[other] else { return nil }
    let (a, b) = (start.latitude * .pi / 180, end.latitude * .pi / 180)
    let (north, east) = (b - a, (end.longitude - start.longitude) * .pi / 180)
    let haversine =
      sin(north / 2) * sin(north / 2) + cos(a) * cos(b) * sin(east / 2) * sin(east / 2)
    return 2 * 6_371_008.8 * asin(haversine.squareRoot())
  }

  func seconds(ofMeters meters: Double) -> Int {
    Int((meters * pace.factor / pace.speed).rounded(.up))
  }

  private func street(_ one: Int, _ other: Int) -> Int? {
    meters(one, other).flatMap { $0 <= pace.radius ? seconds(ofMeters: $0) : nil }
  }

  private func points(_ stop: Int, leaving: Bool) -> [Point] {
    guard let own = doors[stop] else { return [Point(stop: stop, seconds: 0)] }
    return own.stops.compactMap { door in
      let seconds =
        own.byPathways
        ? (leaving ? paths[stop][door] : paths[door][stop])
        : meters(stop, door).map(seconds(ofMeters:))
      return seconds.map { Point(stop: door, seconds: $0) }
    }
  }

  /// Returns the seconds from one stop to another one on foot; `nil` if it is too far.
  func seconds(from one: Int, to other: Int) -> Int? {
    if one == other { return 0 }
    var best = paths[one][other]
    let areOfOneStation = stations[one] == stations[other]
    let areJoined =
      isInside[one] && isInside[other] && (joined[one][other] || areOfOneStation)
    let areDirect = doors[one] == nil && doors[other] == nil
    if !areJoined, areOfOneStation || areDirect, let own = street(one, other) {
      best = min(best ?? .max, own)
    }
    if !areDirect {
      for start in points(one, leaving: true) {
        for end in points(other, leaving: false) {
          guard let walk = street(start.stop, end.stop) else { continue }
          best = min(best ?? .max, start.seconds + walk + end.seconds)
        }
      }
    }
    return best
  }

  private func isStation(_ stop: Int) -> Bool {
    stations[stop] == stop && !served.contains(stop)
      && stations.indices.contains { $0 != stop && stations[$0] == stop }
  }

  /// The places from which riders of a station walk to others.
  private func streetPoints(ofStation station: Int) -> [Int] {
    let all = Set(doors.values.flatMap(\.stops))
    if isPlain {
      return [station] + (0..<count).filter { $0 != station && stations[$0] == station }
    }
    return [station]
      + (0..<count).filter {
        $0 != station && stations[$0] == station
          && (all.contains($0) || served.contains($0) && doors[$0] == nil)
      }
  }

  /// Returns the seconds between a place and each stop where vehicles call.
  func accesses(_ place: Int, isOrigin: Bool) -> [Int: Int] {
    var found: [Int: Int] = [:]
    func add(_ stop: Int, _ seconds: Int?) {
      if let seconds { found[stop] = min(found[stop] ?? .max, seconds) }
    }
    guard isStation(place) else {
      for stop in served {
        add(stop, isOrigin ? seconds(from: place, to: stop) : seconds(from: stop, to: place))
      }
      return found
    }
    for stop in served {
      if stations[stop] == place {
        if doors[stop]?.byPathways ?? false {
          add(stop, points(stop, leaving: !isOrigin).map(\.seconds).min())
        } else {
          add(stop, 0)
        }
      }
      for point in streetPoints(ofStation: place) {
        for end in points(stop, leaving: !isOrigin) {
          add(stop, street(point, end.stop).map { $0 + end.seconds })
        }
      }
    }
    return found
  }

  /// Returns the seconds from one place to another one on foot; `nil` if it is too far.
  func direct(from one: Int, to other: Int) -> Int? {
    func ends(_ place: Int, isOrigin: Bool) -> [Point] {
      guard isStation(place) else { return points(place, leaving: isOrigin) }
      let points = streetPoints(ofStation: place).dropFirst().filter {
        !isPlain || served.contains($0)
      }
      return (points.isEmpty ? [place] : Array(points)).map { Point(stop: $0, seconds: 0) }
    }
    var best: Int?
    for start in ends(one, isOrigin: true) {
      for end in ends(other, isOrigin: false) {
        guard let walk = street(start.stop, end.stop) else { continue }
        best = min(best ?? .max, start.seconds + walk + end.seconds)
      }
    }
    if isPlain { return best }
    let near = accesses(one, isOrigin: true)
    for (stop, seconds) in accesses(other, isOrigin: false) where seconds == 0 {
      if let own = near[stop] { best = min(best ?? .max, own) }
    }
    return best
  }
}
