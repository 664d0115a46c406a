import Foundation

/// The stops of a synthetic feed, in suburbs of fifty on a grid.
///
/// Every fourth suburb has a station with four platforms. The other stops are on both sides of a main
/// street. Everything is computed from the numbers, so that a country takes no memory.
struct SyntheticNetwork {
  private static let perSuburb = 50
  private static let platformCount = 4
  /// The distance of two suburbs, in degrees.
  private static let cell = 0.015

  let feed: SyntheticFeed
  let suburbCount: Int
  let columnCount: Int
  private let center: Int

  init(_ feed: SyntheticFeed) {
    self.feed = feed
    suburbCount = max(1, feed.stopCount / Self.perSuburb)
    columnCount = max(1, Int(Double(suburbCount).squareRoot()))
    center = min(suburbCount - 1, suburbCount / columnCount / 2 * columnCount + columnCount / 2)
  }

  /// The stops of a suburb: first a station with its platforms, if it has one, then those of the street.
  func stops(of suburb: Int) -> Range<Int> {
    let start = suburb * Self.perSuburb
    // The last one has the remainder.
    return start..<(suburb == suburbCount - 1 ? feed.stopCount : start + Self.perSuburb)
  }

  func hasStation(_ suburb: Int) -> Bool {
    suburb == center || (suburb % columnCount + 3 * (suburb / columnCount)).isMultiple(of: 4)
  }

  private func suburb(of stop: Int) -> Int {
    min(stop / Self.perSuburb, suburbCount - 1)
  }

  private func streetStart(of suburb: Int) -> Int {
    stops(of: suburb).lowerBound + (hasStation(suburb) ? 1 + Self.platformCount : 0)
  }

  enum Place {
    case station
    case platform(number: Int)
    case street
  }

  func place(of stop: Int) -> Place {
    let suburb = suburb(of: stop)
    let number = stop - stops(of: suburb).lowerBound
    guard hasStation(suburb), number <= Self.platformCount else { return .street }
    return number == 0 ? .station : .platform(number: number)
  }

  func station(of stop: Int) -> Int {
    stops(of: suburb(of: stop)).lowerBound
  }

  /// Returns a platform of a suburb's station; `nil` where it has none.
  func platform(of suburb: Int, _ number: Int) -> Int? {
    hasStation(suburb) ? stops(of: suburb).lowerBound + 1 + number % Self.platformCount : nil
  }

  /// Returns stops of a main street that follow each other, on one side.
  ///
  /// - Parameters:
  ///   - suburb: The suburb.
  ///   - start: The first, counted from the beginning of the street; fewer if there are not so many.
  ///   - count: The number of stops.
  ///   - isReturning: Whether they are on the other side, in the other direction.
  /// - Returns: The stops.
  func street(of suburb: Int, from start: Int, count: Int, isReturning: Bool) -> [Int] {
    let first = streetStart(of: suburb)
    let pairs = (stops(of: suburb).upperBound - first) / 2
    let start = min(start, max(0, pairs - count))
    let found = (start..<min(pairs, start + count)).map { first + 2 * $0 + (isReturning ? 1 : 0) }
    return isReturning ? found.reversed() : found
  }

  // MARK: - What is written about a stop

  func id(of stop: Int) -> String {
    "\(feed.stopPrefix)\(2_000_000 + stop * 7 + stop % 7)"
  }

  func name(of suburb: Int) -> String {
    let names = SyntheticNames.self
    let start = names.starts[suburb % names.starts.count]
    let end = names.ends[suburb / names.starts.count % names.ends.count]
    let others = suburb / (names.starts.count * names.ends.count)
    return others == 0 ? start + end : "\(names.sides[others % names.sides.count]) \(start)\(end)"
  }

  func name(ofStop stop: Int) -> String {
    let suburb = suburb(of: stop)
    switch place(of: stop) {
    case .station: return "\(name(of: suburb)) Station"
    case .platform(let number): return "\(name(of: suburb)) Station, Platform \(number)"
    case .street:
      let streets = SyntheticNames.streets
      // Both sides of a street have one name.
      let crossing = (stop - streetStart(of: suburb)) / 2
      let main = streets[(suburb * 31) % streets.count]
      let other = streets[(suburb * 17 + crossing * 13 + 1) % streets.count]
      return crossing.isMultiple(of: 6)
        ? "\(main) opp \(other), \(name(of: suburb))" : "\(main) at \(other), \(name(of: suburb))"
    }
  }

  /// The latitude and longitude of a stop, in degrees.
  func position(of stop: Int) -> (latitude: Double, longitude: Double) {
    let suburb = suburb(of: stop)
    var (x, y) = (0.5, 0.5)
    switch place(of: stop) {
    case .station: break
    case .platform(let number): x += Double(number) * 0.004
    case .street:
      var random = feed.random(.suburb, suburb)
      let angle = random.fraction() * .pi
      let pairs = (stops(of: suburb).upperBound - streetStart(of: suburb)) / 2
      let along = Double((stop - streetStart(of: suburb)) / 2) / Double(max(1, pairs)) - 0.5
      let side = stop.isMultiple(of: 2) ? 0.006 : -0.006
      x += along * 0.85 * cos(angle) + side
      y += along * 0.85 * sin(angle) - side
    }
    return (
      feed.corner.latitude + (Double(suburb / columnCount) + y) * Self.cell,
      feed.corner.longitude + (Double(suburb % columnCount) + x) * Self.cell
    )
  }

  /// Returns the distance of two stops by street, in metres.
  ///
  /// Stops are nearer to each other than in real cities, but trips take as long as there.
  func distance(_ from: Int, _ to: Int) -> Double {
    let (first, second) = (position(of: from), position(of: to))
    let north = (first.latitude - second.latitude) * 111_195
    let east =
      (first.longitude - second.longitude) * 111_195 * cos(first.latitude * .pi / 180)
    let usual = 180 + Double((from * 31 + to * 17) % 400)
    return max(usual, 1.2 * (north * north + east * east).squareRoot())
  }

  // MARK: - Ways

  /// Returns a suburb of which those in the middle are the likeliest.
  func destination(_ random: inout SeededRandom) -> Int {
    func coordinate(_ count: Int, _ fraction: Double) -> Int {
      let offset = (fraction - 0.5) * 2
      return min(count - 1, Int(Double(count) * (0.5 + 0.5 * offset * abs(offset))))
    }
    let rows = (suburbCount + columnCount - 1) / columnCount
    let column = coordinate(columnCount, random.fraction())
    let row = coordinate(rows, random.fraction())
    return min(suburbCount - 1, row * columnCount + column)
  }

  /// Returns the neighbour of a suburb that is nearer to another one.
  func step(from suburb: Int, to target: Int) -> Int {
    let (column, row) = (suburb % columnCount, suburb / columnCount)
    let (east, north) = (target % columnCount - column, target / columnCount - row)
    let next =
      abs(east) > abs(north)
      ? suburb + east.signum() : suburb + north.signum() * columnCount
    return min(suburbCount - 1, next)
  }
}
