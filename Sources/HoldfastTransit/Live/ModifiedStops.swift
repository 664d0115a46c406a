import Foundation
import Holdfast

/// The stops of a trip after trip modifications, with those that are no longer served.
///
/// The rules are quoted from <https://gtfs.org/documentation/realtime/reference/#message-modification>.
struct ModifiedStops {
  /// A reason for which modifications cannot be applied to a trip.
  enum Fault: String, Error {
    /// A modification names a stop that the trip does not have, or an end before its start.
    case unknownStop = "stop_selector"
    /// Two modifications are about the same stop.
    case overlap = "modifications"
    /// The times of travel decrease, or are before the stop from which they are counted.
    case decreasingTime = "travel_time_to_stop"
  }

  private struct Span {
    /// The indices of the stops that are not served; empty where stops are only inserted.
    let stops: Range<Int>
    let modification: TripModifications.Modification
  }

  private struct Element {
    /// The index in the trip of the timetable; `nil` for a stop that is served instead.
    let place: Int?
    let isServed: Bool
    /// Its times; a stop that is served is numbered from 1.
    let stopTime: ScheduledStopTime
  }

  private var elements: [Element] = []
  /// The numbers of the stops in the timetable.
  private let sequences: [Int]
  private var servedCount = 0
  /// The identifier of the modifications, which an update of the modified trip names.
  var id: String?

  /// Applies modifications to the stops of a trip.
  init(
    _ modifications: [TripModifications.Modification], to stopTimes: [ScheduledStopTime]
  ) throws(Fault) {
    sequences = stopTimes.map(\.stopSequence)
    var (next, delay) = (0, 0.0)
    for span in try Self.spans(modifications, in: stopTimes) {
      let (stops, modification) = (span.stops, span.modification)
      let propagated = (modification.propagatedModificationDelay ?? .zero) / .seconds(1)
      // "If a modification affects only the shape (i.e. neither end_stop_selector nor replacement_stops are
      // provided), then the delay propagation begins at the subsequent stop after start_stop_selector."
      let isWayOnly = modification.endStopSelector == nil && modification.replacementStops.isEmpty
      let start = stops.lowerBound + (isWayOnly ? 1 : 0)
      guard stops.lowerBound >= next else { throw .overlap }
      for place in next..<start { serve(place, of: stopTimes, after: delay) }
      let replacements = Set(modification.replacementStops.map { ExactText($0.stopID ?? "") })
      // A stop may be replaced by itself, at another time.
      for place in stops where !replacements.contains(ExactText(stopTimes[place].stopID)) {
        elements.append(Element(place: place, isServed: false, stopTime: stopTimes[place]))
      }
      try serve(modification.replacementStops, in: stops, of: stopTimes, delay, propagated)
      // "If multiple modifications apply to the same trip, the delays accumulate as the trip advances."
      delay += propagated
      next = max(start, stops.upperBound)
    }
    for place in next..<max(next, stopTimes.count) { serve(place, of: stopTimes, after: delay) }
  }

  /// Returns the parts of the trip that are modified, in their order.
  private static func spans(
    _ modifications: [TripModifications.Modification], in stopTimes: [ScheduledStopTime]
  ) throws(Fault) -> [Span] {
    let places = StopPlaces(stopTimes)
    func place(_ selector: TripModifications.StopSelector?, from first: Int) -> Int? {
      let numbered = selector?.stopSequence.flatMap(places.numbered)
      guard let stopID = selector?.stopID else { return numbered }
      if let numbered, stopTimes[numbered].stopID.hasSameBytes(as: stopID) { return numbered }
      return StopPlaces.first(of: places.named(stopID), from: first)
    }
    var spans: [Span] = []
    for modification in modifications {
      guard let first = place(modification.startStopSelector, from: 0) else { throw .unknownStop }
      var end = first
      // "If no stop_time is replaced, end_stop_selector must not be provided."
      if let selector = modification.endStopSelector {
        guard let last = place(selector, from: first), last >= first else { throw .unknownStop }
        end = last + 1
      }
      spans.append(Span(stops: first..<end, modification: modification))
    }
    // Of those at one place the message has the order.
    return spans.enumerated().sorted { one, other in
      let (first, second) = (one.element.stops, other.element.stops)
      return (first.lowerBound, first.upperBound, one.offset)
        < (second.lowerBound, second.upperBound, other.offset)
    }.map(\.element)
  }

  /// Adds a stop of the timetable that is served.
  private mutating func serve(
    _ place: Int, of stopTimes: [ScheduledStopTime], after delay: Double
  ) {
    var stop = stopTimes[place]
    servedCount += 1
    (stop.stopSequence, stop.arrival, stop.departure) = (
      servedCount, stop.arrival.map { $0 + delay }, stop.departure.map { $0 + delay }
    )
    elements.append(Element(place: place, isServed: true, stopTime: stop))
  }

  /// Adds the stops that are served instead of others.
  private mutating func serve(
    _ replacements: [TripModifications.ReplacementStop], in span: Range<Int>,
    of stopTimes: [ScheduledStopTime], _ delay: Double, _ propagated: Double
  ) throws(Fault) {
    guard !replacements.isEmpty else { return }
    // "The reference stop is the stop prior to start_stop_selector. If the modification begins at the first stop of
    // the trip, then the first stop of the trip is the reference stop."
    let isAtStart = span.lowerBound == 0
    let reference = stopTimes[max(0, span.lowerBound - 1)].arrival.map { $0 + delay }
    var times = replacements.map { stop in stop.travelTime.map { $0 / .seconds(1) } }
    // "This value MUST be monotonically increasing and may only be a negative number if the first stop of the
    // original trip is the reference stop."
    var least = isAtStart ? -Double.infinity : 0
    for time in times.lazy.compactMap(\.self) {
      guard time >= least else { throw .decreasingTime }
      least = time
    }
    func travelTime(to place: Int, _ delay: Double) -> Double? {
      guard stopTimes.indices.contains(place), let arrival = stopTimes[place].arrival else {
        return nil
      }
      return reference.map { (arrival + delay).timeIntervalSince($0) }
    }
    // "Otherwise, the arrival_time can be be interpolated based on the total duration of the modification in the
    // original trip."
    if isAtStart, times[0] == nil {
      times[0] = min(0, times.lazy.compactMap(\.self).first ?? 0)
      least = max(least, 0)
    }
    if span.upperBound == stopTimes.count, !span.isEmpty, times[times.count - 1] == nil {
      // A feed may end the trip before its stops: no time at the end is known then.
      let end = travelTime(to: span.upperBound - 1, delay)
      times[times.count - 1] = end.flatMap { $0 >= least ? $0 : nil }
    }
    times = Self.interpolated(
      times, from: isAtStart ? nil : 0, to: travelTime(to: span.upperBound, delay + propagated))
    for (stop, time) in zip(replacements, times) {
      let instant = reference.flatMap { reference in time.map { reference + $0 } }
      servedCount += 1
      elements.append(
        Element(
          place: nil, isServed: true,
          // "The departure_time always equals the arrival_time."
          stopTime: ScheduledStopTime(
            stopSequence: servedCount, stopID: stop.stopID ?? "", arrival: instant,
            departure: instant)))
    }
  }

  /// Returns times in whole seconds, of which those between two known ones are spread evenly.
  ///
  /// They stay unknown where the one behind is, or is earlier than the one before.
  private static func interpolated(
    _ times: [Double?], from start: Double?, to end: Double?
  ) -> [Double?] {
    var times = times
    var last = start.map { (index: -1, time: $0) }
    var index = 0
    while index < times.count {
      if let time = times[index] {
        last = (index, time)
        index += 1
        continue
      }
      let next = times[index...].firstIndex { $0 != nil } ?? times.count
      let after = next < times.count ? times[next] : end
      if let last, let after, after >= last.time {
        for place in index..<next {
          let part = Double(place - last.index) / Double(next - last.index)
          times[place] = (last.time + (after - last.time) * part).rounded()
        }
      }
      index = next
    }
    return times
  }

  // MARK: - Stops

  /// The stops that are served, with new numbers from 1.
  ///
  /// "stop_sequence for all stop times are replaced by a new value of 1 to n."
  var served: [ScheduledStopTime] { elements.filter(\.isServed).map(\.stopTime) }

  /// The index in the timetable's trip of each stop, also of those that are skipped; `nil` for one that is
  /// served instead.
  var places: [Int?] { elements.map(\.place) }

  /// The number of each stop in the modified trip, from 1; 0 for one that is not served.
  var numbers: [Int] { elements.map { $0.isServed ? $0.stopTime.stopSequence : 0 } }

  /// Returns all stops with what an update says of the trip: with the numbers of the timetable, in which the
  /// stops that are served instead have none.
  ///
  /// - Parameters:
  ///   - update: The update, of the modified trip or of the trip in the timetable.
  ///   - stopTimes: The stops of the trip in the timetable.
  ///   - station: Returns the `stop_id` of the station to which a stop belongs, or else its own.
  /// - Returns: The stops; those that are not served are skipped.
  /// - Throws: The errors of the closure.
  func liveStopTimes(
    _ update: TripUpdate, for stopTimes: [ScheduledStopTime], station: (String) throws -> String
  ) rethrows -> [LiveStopTime] {
    let isOfModifiedTrip = update.trip.modifiedTrip.map { $0.modificationsID == id } ?? false
    let named = isOfModifiedTrip ? served : stopTimes
    let live = try update.placed(in: named, station: station).liveStopTimes(for: named)
    var next = 0
    return elements.map { element in
      defer { next += element.isServed ? 1 : 0 }
      var stop = LiveStopTime(element.stopTime)
      if !element.isServed {
        stop.status = .skipped
      } else if isOfModifiedTrip {
        stop = live[next]
      } else if let place = element.place {
        // "The static GTFS information used should be from the static GTFS before any TripModifications applied."
        stop = live[place].moved(to: element.stopTime)
      } else if let first = live.first, first.status == .canceled {
        stop.status = .canceled
      }
      stop.stopSequence = element.place.map { sequences[$0] }
      return stop
    }
  }
}

extension LiveStopTime {
  /// Returns the predictions for a stop whose scheduled times are other ones.
  fileprivate func moved(to stopTime: ScheduledStopTime) -> LiveStopTime {
    var stop = self
    func moved(_ event: StopTimeEvent, _ scheduled: Date?) -> StopTimeEvent {
      guard event.time != nil else {
        return StopTimeEvent(delay: event.delay, scheduledTime: scheduled)
      }
      var event = event
      event.delay = nil
      return event.resolved(scheduled: scheduled) ?? event
    }
    stop.arrival = moved(arrival, stopTime.arrival)
    stop.departure = moved(departure, stopTime.departure)
    return stop
  }
}
