import Holdfast
public import Foundation

/// A stop within a trip of the timetable, with its times on one service day.
public struct ScheduledStopTime: Hashable, Sendable {
  /// The `stop_sequence` in `stop_times.txt`.
  public var stopSequence: Int
  /// The `stop_id` of the stop.
  public var stopID: String
  /// The arrival; `nil` if the timetable has no time for this stop.
  public var arrival: Date?
  /// The departure; `nil` if the timetable has no time for this stop.
  public var departure: Date?

  /// Creates a stop with its times.
  ///
  /// - Parameters:
  ///   - stopSequence: The `stop_sequence`.
  ///   - stopID: The `stop_id`.
  ///   - arrival: The arrival; `nil` means at the departure.
  ///   - departure: The departure; `nil` means at the arrival.
  public init(stopSequence: Int, stopID: String, arrival: Date?, departure: Date?) {
    (self.stopSequence, self.stopID) = (stopSequence, stopID)
    (self.arrival, self.departure) = (arrival ?? departure, departure ?? arrival)
  }
}

/// The places of stops in a trip, for messages with many updates of its stops.
final class StopPlaces {
  private let stopTimes: [ScheduledStopTime]
  private lazy var numbers = Dictionary(
    stopTimes.indices.map { (stopTimes[$0].stopSequence, $0) },
    uniquingKeysWith: { first, _ in first })
  private lazy var stops = Dictionary(grouping: stopTimes.indices) {
    ExactText(stopTimes[$0].stopID)
  }

  init(_ stopTimes: [ScheduledStopTime]) {
    self.stopTimes = stopTimes
  }

  /// Whether a stop has several places.
  var haveLoop: Bool { stops.values.contains { $0.count > 1 } }

  /// Returns the place with a `stop_sequence`.
  func numbered(_ stopSequence: Int) -> Int? { numbers[stopSequence] }

  /// Returns the places of a stop, in their order.
  func named(_ stopID: String) -> [Int] { stops[ExactText(stopID)] ?? [] }

  /// Returns the first of some places that is not before another one.
  static func first(of places: [Int], from start: Int) -> Int? {
    let index = count(of: places, before: start)
    return index < places.count ? places[index] : nil
  }

  /// Returns the last of some places before another one.
  static func last(of places: [Int], before end: Int) -> Int? {
    let index = count(of: places, before: end)
    return index > 0 ? places[index - 1] : nil
  }

  /// Returns those of some places that are in a range.
  static func places(_ places: [Int], in range: Range<Int>) -> [Int] {
    let first = count(of: places, before: range.lowerBound)
    return Array(places[first..<max(first, count(of: places, before: range.upperBound))])
  }

  private static func count(of places: [Int], before end: Int) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < end { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
