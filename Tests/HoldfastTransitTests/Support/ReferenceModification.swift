import Foundation

@testable import HoldfastTransit

/// What trip modifications say of some trips: as the library takes it, and applied to a vehicle of the
/// exhaustive search, by the text of the specification.
///
/// "Modifications are applied on the schedule information, like if a static GTFS (CSV) was modified." An update
/// of the trip in the timetable then counts for the stops that are left, with its times before the change.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/feed-entities/trip-modifications/>
struct ReferenceModification {
  struct Part {
    /// The index of the first call that is not served, or before which others are served.
    let start: Int
    /// The index of the last call that is not served; `nil` if all are.
    let end: Int?
    /// The seconds by which the trip is later afterwards.
    let delay: Int
    /// The stops that are served instead, with the seconds from the arrival at the reference stop.
    let stops: [(stopID: String, travelTime: Int?)]

    /// The index of the last call that the part is about; if it only inserts stops, that before ``start``.
    var last: Int { end ?? (stops.isEmpty ? start : start - 1) }
  }

  let id: String
  let tripIDs: [String]
  /// The service days, such as `20260329`.
  let days: [String]
  /// The starts of the vehicles in seconds of the service day, if `frequencies.txt` describes the trip.
  let starts: [Int]
  /// The `stop_sequence`s of the trips.
  let sequences: [Int]
  let parts: [Part]

  /// Whether the specification allows it: parts do not overlap, and times of travel do not decrease.
  var isValid: Bool {
    let sorted = sortedParts
    let areApart = zip(sorted, sorted.dropFirst()).allSatisfy { $0.last < $1.start }
    return areApart
      && parts.allSatisfy { part in
        let times = part.stops.compactMap(\.travelTime)
        return times == times.sorted() && (part.start == 0 || times.first ?? 0 >= 0)
      }
  }

  /// The parts in the order of the trip; stops are inserted before those that are not served.
  private var sortedParts: [Part] { parts.sorted { ($0.start, $0.last) < ($1.start, $1.last) } }

  /// The number of calls of the modified trips, which are numbered from 1.
  var callCount: Int {
    parts.reduce(sequences.count) { count, part in
      count + part.stops.count - (part.end.map { $0 - part.start + 1 } ?? 0)
    }
  }

  /// The modifications as a server sends them.
  var entity: TripModifications {
    var entity = TripModifications(id: id)
    var selected = TripModifications.SelectedTrips()
    selected.tripIDs = tripIDs
    entity.selectedTrips = [selected]
    entity.serviceDates = days
    entity.startTimes = starts.map { ServiceTime(seconds: $0).description }
    entity.modifications = parts.map { part in
      func selector(_ call: Int) -> TripModifications.StopSelector {
        TripModifications.StopSelector(stopSequence: sequences[call])
      }
      var own = TripModifications.Modification()
      (own.startStopSelector, own.endStopSelector) = (selector(part.start), part.end.map(selector))
      own.propagatedModificationDelay = .seconds(part.delay)
      own.replacementStops = part.stops.map { stop in
        TripModifications.ReplacementStop(
          stopID: stop.stopID, travelTime: stop.travelTime.map { .seconds($0) })
      }
      return own
    }
    return entity
  }

  /// Returns whether a trip is modified, of which `frequencies.txt` may have several vehicles.
  func isOf(_ tripID: String, day: String, start: Int, isRepeated: Bool) -> Bool {
    tripIDs.contains(tripID) && days.contains(day)
      && (starts.isEmpty ? !isRepeated : starts.contains(start))
  }

  /// A call of the modified trip.
  private struct Call {
    /// The index in the timetable's trip.
    let place: Int?
    let stop: Int
    var arrival, departure: Int?
    let boards, alights: Bool
  }

  /// Changes the calls of a vehicle.
  ///
  /// - Parameters:
  ///   - vehicle: The vehicle with what an update says of the trip in the timetable, if there is one.
  ///   - planned: The vehicle in the timetable.
  ///   - stop: Returns the number of a stop; -1 for one that the timetable does not have.
  func apply(
    to vehicle: inout ReferenceJourneys.Vehicle, planned: ReferenceJourneys.Vehicle,
    stop: (String) -> Int
  ) {
    var calls: [Call] = []
    var (next, delay) = (0, 0)
    func keep(_ places: Range<Int>) {
      for place in places {
        calls.append(
          Call(
            place: place, stop: vehicle.stops[place],
            arrival: planned.arrivals[place].map { $0 + delay },
            departure: planned.departures[place].map { $0 + delay },
            boards: vehicle.boards[place], alights: vehicle.alights[place]))
      }
    }
    for part in sortedParts {
      // "If a modification affects only the shape, then the delay propagation begins at the subsequent stop
      // after start_stop_selector."
      let first = part.start + (part.end == nil && part.stops.isEmpty ? 1 : 0)
      keep(next..<first)
      // "The departure_time always equals the arrival_time. The optional fields of stop_times.txt are all set to
      // their default values."
      for (own, time) in zip(part.stops, times(of: part, planned, after: delay)) {
        calls.append(
          Call(
            place: nil, stop: stop(own.stopID), arrival: time, departure: time, boards: true,
            alights: true))
      }
      delay += part.delay
      next = part.end.map { $0 + 1 } ?? first
    }
    keep(next..<planned.stops.count)
    var predicted: Set<Int> = []
    for index in calls.indices {
      guard let place = calls[index].place else { continue }
      let isSkipped = vehicle.arrivals[place] == nil && planned.arrivals[place] != nil
      if vehicle.predicted.contains(place) { predicted.insert(index) }
      if vehicle.predicted.contains(place) || isSkipped {
        calls[index].arrival = vehicle.arrivals[place]
        calls[index].departure = vehicle.departures[place]
      }
    }
    vehicle.isModified = true
    vehicle.predicted = predicted
    vehicle.places = calls.map(\.place)
    vehicle.stops = calls.map(\.stop)
    (vehicle.arrivals, vehicle.departures) = (calls.map(\.arrival), calls.map(\.departure))
    (vehicle.boards, vehicle.alights) = (calls.map(\.boards), calls.map(\.alights))
  }

  /// Returns the arrivals at the stops that are served instead.
  ///
  /// "The reference stop is the stop prior to start_stop_selector. If the modification begins at the first
  /// stop of the trip, then the first stop of the trip is the reference stop." Times that are not given are spread
  /// evenly between those around them, if these do not decrease; at an end of the trip, the trip begins and ends
  /// when it did.
  private func times(
    of part: Part, _ planned: ReferenceJourneys.Vehicle, after delay: Int
  ) -> [Int?] {
    guard let reference = planned.arrivals[max(0, part.start - 1)].map({ $0 + delay }) else {
      return part.stops.map { _ in nil }
    }
    var times = part.stops.map { $0.travelTime.map { reference + $0 } }
    // The places of the known times: -1 for the stop before, and the number of stops for the one behind.
    var known = times.indices.compactMap { index in times[index].map { (index, $0) } }
    if part.start > 0 {
      known.insert((-1, reference), at: 0)
    } else if times.first == .some(nil) {
      known.insert((0, reference), at: 0)
    }
    let behind = part.end.map { $0 + 1 } ?? part.start
    if behind < planned.stops.count {
      if let arrival = planned.arrivals[behind] {
        known.append((times.count, arrival + delay + part.delay))
      }
    } else if times.last == .some(nil), let arrival = planned.arrivals[behind - 1] {
      known.append((times.count - 1, arrival + delay))
    }
    for index in times.indices where times[index] == nil {
      guard let before = known.last(where: { $0.0 <= index }),
        let after = known.first(where: { $0.0 >= index })
      else { continue }
      guard before.0 < after.0 else {
        times[index] = before.1
        continue
      }
      guard before.1 <= after.1 else { continue }
      let share = Double(index - before.0) / Double(after.0 - before.0)
      times[index] = before.1 + Int((Double(after.1 - before.1) * share).rounded())
    }
    return times
  }
}
