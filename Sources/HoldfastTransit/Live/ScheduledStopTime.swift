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

  /// Whether every stop has both times, and they never decrease.
  private lazy var areSorted =
    stopTimes.allSatisfy { $0.arrival != nil && $0.departure != nil }
    && zip(stopTimes, stopTimes.dropFirst()).allSatisfy { stop, next in
      stop.arrival ?? .distantPast <= next.arrival ?? .distantPast
        && stop.departure ?? .distantPast <= next.departure ?? .distantPast
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
  static func places(_ places: [Int], in range: Range<Int>) -> ArraySlice<Int> {
    let first = count(of: places, before: range.lowerBound)
    return places[first..<max(first, count(of: places, before: range.upperBound))]
  }

  private static func count(of places: [Int], before end: Int) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < end { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the one of several places whose scheduled time is closest to the predicted one.
  func nearest(_ visits: ArraySlice<Int>, to update: StopTimeUpdate) -> Int? {
    guard visits.count > 1 else { return visits.first }
    if update.arrival?.time != nil || update.departure?.time != nil {
      let nearest =
        areSorted ? sortedNearest(visits, to: update) : unsortedNearest(visits, to: update)
      if let nearest { return nearest }
    }
    // No vehicle departs from the end, or arrives where it begins.
    let ends = update.departure == nil && update.arrival != nil
    return visits.first { !ends || $0 > 0 } ?? visits.first
  }

  /// The stops of a loop and the updates of one may be thousands.
  private func sortedNearest(_ visits: ArraySlice<Int>, to update: StopTimeUpdate) -> Int? {
    let arrival = update.arrival?.time
    guard let time = arrival ?? update.departure?.time else { return nil }
    func scheduled(_ visit: Int) -> Date {
      (arrival == nil ? stopTimes[visit].departure : stopTimes[visit].arrival) ?? time
    }
    func first(from time: Date) -> Int {
      var (low, high) = (visits.startIndex, visits.endIndex)
      while low < high {
        let middle = (low + high) / 2
        if scheduled(visits[middle]) < time { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let next = first(from: time)
    guard next > visits.startIndex else { return visits.first }
    // Of those before it that have the same time the first one, as of those at the same distance.
    let last = first(from: scheduled(visits[next - 1]))
    guard next < visits.endIndex else { return visits[last] }
    let isBefore =
      time.timeIntervalSince(scheduled(visits[last]))
      <= scheduled(visits[next]).timeIntervalSince(time)
    return visits[isBefore ? last : next]
  }

  private func unsortedNearest(_ visits: ArraySlice<Int>, to update: StopTimeUpdate) -> Int? {
    let distances = visits.compactMap { index -> (index: Int, distance: TimeInterval)? in
      let events = [
        (update.arrival?.time, stopTimes[index].arrival),
        (update.departure?.time, stopTimes[index].departure),
      ]
      let pairs = events.compactMap { event in
        event.0.flatMap { time in event.1.map { time.timeIntervalSince($0).magnitude } }
      }
      return pairs.first.map { (index, $0) }
    }
    return distances.min { $0.distance < $1.distance }?.index
  }
}
