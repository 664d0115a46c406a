import Foundation

/// A feed of a city or a country that does not exist, made from a seed.
///
/// Equal seeds give equal archives. What decides how well a timetable can be stored is as in the feeds of
/// cities: many trips repeat the timing of another trip of their pattern, some routes have hundreds of
/// trips and most have few, stations in the middle are on many routes, and `trip_id`s are long numbers.
struct SyntheticFeed {
  /// Raised whenever the same seed makes another archive.
  static let version = 1

  let name: String
  let stopCount: Int
  let routeCount: Int
  let patternCount: Int
  let tripCount: Int

  /// The number by which the lengths of patterns are drawn; trips have about as many calls on average.
  let callCount: Int

  /// The coordinates of the south-western corner.
  let corner: (latitude: Double, longitude: Double)

  let timeZone: String

  /// What is before the number in a `stop_id`.
  let stopPrefix: String

  var seed: UInt64 = 1

  static let city = SyntheticFeed(
    name: "city", stopCount: 30_000, routeCount: 4600, patternCount: 12_000, tripCount: 171_000,
    callCount: 31, corner: (-34.05, 150.95), timeZone: "Australia/Sydney", stopPrefix: "")

  static let country = SyntheticFeed(
    name: "country", stopCount: 500_000, routeCount: 25_000, patternCount: 60_000,
    tripCount: 800_000, callCount: 24, corner: (46.2, 6.5), timeZone: "Europe/Zurich",
    stopPrefix: "ch:1:stop:")

  /// The same with a hundredth of everything.
  var small: SyntheticFeed {
    SyntheticFeed(
      name: "small-\(name)", stopCount: stopCount / 100, routeCount: routeCount / 100,
      patternCount: patternCount / 100, tripCount: tripCount / 100, callCount: callCount,
      corner: corner, timeZone: timeZone, stopPrefix: stopPrefix, seed: seed)
  }

  /// Returns the archive, which is made once and kept in the folder of the benchmarks.
  ///
  /// - Returns: The archive.
  /// - Throws: ``BenchmarkError`` when it cannot be written.
  func archive() throws -> URL {
    try BenchFolder.archive("\(name)-\(seed)-v\(Self.version)") { SyntheticFiles(self).write($0) }
  }

  /// Returns the random numbers of a part of the feed, which are the same each time.
  ///
  /// - Parameters:
  ///   - part: The kind of part.
  ///   - number: The number of the part.
  /// - Returns: A generator.
  func random(_ part: Part, _ number: Int) -> SeededRandom {
    var random = SeededRandom(
      unprinted: seed &* 0x1000_0000_01B3 ^ UInt64(number) << 3 ^ part.rawValue)
    // Neighbours differ from their first number on.
    return SeededRandom(unprinted: random.next())
  }

  enum Part: UInt64 {
    case suburb = 1, route
  }
}

extension SeededRandom {
  /// Returns a number from 0 up to a limit, which is not included.
  mutating func below(_ limit: Int) -> Int {
    Int(next() >> 33) % limit
  }

  /// Returns a number from 0 to 1.
  mutating func fraction() -> Double {
    Double(next() >> 11) / Double(1 << 53)
  }
}
