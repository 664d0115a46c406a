import Foundation
import Holdfast

// How the updates of single stops apply to a whole trip. The rules are quoted from
// https://gtfs.org/documentation/realtime/feed-entities/trip-updates/ and from the reference.

extension TripUpdate {
  /// Returns the stops of a trip with what this update says of them.
  ///
  /// An update of a stop also applies to the stops after it, up to the next one with an update: its
  /// delay is added to their scheduled times. A skipped stop does not end that. An update without
  /// data ends it, and so does one without a prediction or with a relation that this library does not
  /// know. The stops before the first update have the trip's ``delay``, if it is given.
  ///
  /// If a time and a delay are given, the time counts. An arrival that is not predicted has the delay
  /// of the stop before it, but is not later than the departure; a departure that is not predicted
  /// has the delay of the arrival.
  ///
  /// An update belongs to the stop with its `stop_sequence`. If that stop has another `stop_id`, the
  /// update belongs to the stop with its `stop_id`; if the trip has no such stop, the vehicle serves
  /// the named stop instead of the scheduled one. Updates without a `stop_sequence` belong to the
  /// stops with their `stop_id`, in the order of the trip, and so do those of different stops that have one
  /// `stop_sequence`; of several visits of a stop that leave the
  /// later updates a place, to the one whose scheduled time is closest to the predicted one. Other
  /// updates are ignored.
  ///
  /// All stops of a trip that does not run are canceled. A replacement has the stops of
  /// ``liveStopTimes()``. If the trip's relation is unknown, nothing is predicted.
  ///
  /// - Parameter stopTimes: The stops of the trip in the timetable, in their order, with the times of
  ///   the service day; for a duplicate the copied trip's stops and times, moved to the new start.
  /// - Returns: The same stops in the same order; for a replacement the stops of the update.
  public func liveStopTimes(for stopTimes: [ScheduledStopTime]) -> [LiveStopTime] {
    switch trip.scheduleRelationship {
    case .canceled, .deleted:
      stopTimes.map { LiveStopTime($0, .canceled) }
    case .replacement where replacesStops:
      liveStopTimes()
    case .scheduled, .added, .unscheduled, .replacement, .duplicated, .new:
      withUsableSequences().propagated(over: stopTimes)
    default:
      stopTimes.map { LiveStopTime($0) }
    }
  }

  /// Returns the stops of a trip that is not in the timetable, or that replaces one of it.
  ///
  /// - Returns: The stops of the updates, in their order, with their own times. Updates without a
  ///   `stop_id` are left out.
  public func liveStopTimes() -> [LiveStopTime] {
    stopTimeUpdates.compactMap { update in
      guard var stop = LiveStopTime(update) else { return nil }
      switch update.scheduleRelationship {
      case .skipped: stop.skip(update)
      case .scheduled, .unscheduled: stop.predict(update, after: nil)
      default: break
      }
      return stop
    }
  }

  /// Returns the update without each `stop_sequence` that different stops of it have.
  ///
  /// Some servers, which know the stops by their `stop_id` alone, write 0 for each. Others send one number twice, and
  /// the others are those of the trip.
  func withUsableSequences() -> TripUpdate {
    var stops: [Int: ExactText] = [:]
    var repeated: Set<Int> = []
    for update in stopTimeUpdates {
      guard let sequence = update.stopSequence, let stop = update.stopID.map(ExactText.init) else {
        continue
      }
      if stops.updateValue(stop, forKey: sequence) ?? stop != stop { repeated.insert(sequence) }
    }
    guard !repeated.isEmpty else { return self }
    var usable = self
    for (index, update) in stopTimeUpdates.enumerated() where update.stopID != nil {
      guard let sequence = update.stopSequence, repeated.contains(sequence) else { continue }
      usable.stopTimeUpdates[index].stopSequence = nil
    }
    return usable
  }

  /// Returns whether a trip with this update may call anywhere in a span of time, without looking at its stops.
  ///
  /// - Parameters:
  ///   - interval: The span, in seconds since 1970.
  ///   - first: The first time of the trip in the timetable, in seconds since 1970.
  ///   - length: The seconds from the first time to the last one.
  /// - Returns: Whether it may; false only if no stop has a time in the span.
  func mayCall(within interval: ClosedRange<Int>, from first: Int, for length: Int) -> Bool {
    guard !replacesStops else { return true }
    var (earliest, latest) = (first, first + length)
    let delays = [delay] + stopTimeUpdates.flatMap { [$0.arrival?.delay, $0.departure?.delay] }
    for delay in delays.compactMap(\.self) {
      let seconds = Int(max(-1 << 40, min(1 << 40, delay.components.seconds)))
      (earliest, latest) = (min(earliest, first + seconds), max(latest, first + length + seconds))
    }
    for event in stopTimeUpdates.lazy.flatMap({ [$0.arrival, $0.departure] }) {
      let planned = event?.scheduledTime
      let late = planned.flatMap { planned in event?.delay.map { planned + $0 / .seconds(1) } }
      for time in [event?.time, planned, late].compactMap(\.self) {
        guard let seconds = LiveStopTime.seconds(time) else { continue }
        // The delay at this stop is that of the others.
        (earliest, latest) = (min(earliest, seconds - length), max(latest, seconds + length))
      }
    }
    return interval.overlaps(earliest - 1...latest + 1)
  }

  private func propagated(over stopTimes: [ScheduledStopTime]) -> [LiveStopTime] {
    // "Trip-level delay is only propagated until the next stop along the trip with a StopTimeUpdate
    // delay value specified."
    var delay = self.delay
    return zip(stopTimes, updates(of: stopTimes)).map { stopTime, update in
      var stop = LiveStopTime(stopTime)
      guard let update else {
        stop.predict(delay)
        return stop
      }
      stop.take(propertiesOf: update)
      switch update.scheduleRelationship {
      case .skipped:
        // "Delay from a previous stop in the trip does propagate over the SKIPPED stop."
        stop.status = .skipped
      case .scheduled, .unscheduled:
        stop.predict(update, after: delay)
        // Where the timetable has no time, as within a window, a prediction says nothing of those behind.
        let isUntimed = stopTime.arrival == nil && stopTime.departure == nil
        let own = stop.departure.delay ?? stop.arrival.delay
        delay = own ?? (isUntimed && stop.status == .live ? delay : nil)
      default:
        // "When set NO_DATA is propagated through subsequent stops."
        delay = nil
      }
      return stop
    }
  }

  /// Returns the update of each stop, if it has one.
  private func updates(of stopTimes: [ScheduledStopTime]) -> [StopTimeUpdate?] {
    var updates = [StopTimeUpdate?](repeating: nil, count: stopTimes.count)
    guard !stopTimeUpdates.isEmpty else { return updates }
    // "Updates should be sorted by stop_sequence (or stop_ids in the order they occur in the trip)."
    var next = 0
    let places = StopPlaces(stopTimes)
    let latest = latestPlaces(in: stopTimes, places)
    for (number, update) in stopTimeUpdates.enumerated() {
      let found =
        update.stopSequence == nil && !latest.isEmpty
        ? visit(of: update, next, latest[number], places) : nil
      guard let index = found ?? index(of: update, in: stopTimes, from: next, places) else {
        continue
      }
      updates[index] = update
      next = index + 1
    }
    return updates
  }

  /// Returns the number of updates of stops that the trip does not have.
  func unplacedCount(in stopTimes: [ScheduledStopTime]) -> Int {
    let places = StopPlaces(stopTimes)
    return withUsableSequences().stopTimeUpdates.count {
      index(of: $0, in: stopTimes, from: 0, places) == nil
    }
  }

  /// Returns the last place that each update can have so that those after it have one, too; empty if
  /// no trip's stop occurs twice, or if the updates are not in the order of the trip.
  private func latestPlaces(
    in stopTimes: [ScheduledStopTime], _ stops: StopPlaces
  ) -> [Int] {
    guard stopTimeUpdates.contains(where: { $0.stopSequence == nil }), stops.haveLoop else {
      return []
    }
    var places = [Int](repeating: 0, count: stopTimeUpdates.count)
    var end = stopTimes.count
    for (number, update) in stopTimeUpdates.enumerated().reversed() {
      places[number] = end - 1
      let own = update.places(in: stops)
      if let place = StopPlaces.last(of: own, before: end) {
        (places[number], end) = (place, place)
      } else if !own.isEmpty {
        return []
      }
    }
    return places
  }

  /// Returns which visit of its stop an update without a sequence is about.
  private func visit(
    of update: StopTimeUpdate, _ first: Int, _ last: Int, _ places: StopPlaces
  ) -> Int? {
    guard first <= last else { return nil }
    let visits = StopPlaces.places(update.places(in: places), in: first..<last + 1)
    return places.nearest(visits, to: update)
  }

  private func index(
    of update: StopTimeUpdate, in stopTimes: [ScheduledStopTime], from next: Int,
    _ places: StopPlaces
  ) -> Int? {
    let sequenced = update.stopSequence.flatMap(places.numbered)
    guard let stopID = update.stopID else { return sequenced }
    if let sequenced, stopTimes[sequenced].stopID.hasSameBytes(as: stopID) { return sequenced }
    let named = places.named(stopID)
    return StopPlaces.first(of: named, from: next) ?? named.first ?? sequenced
  }
}

extension LiveStopTime {
  /// Adds the delay of the stop before this one to the scheduled times, if it is known.
  fileprivate mutating func predict(_ delay: Duration?) {
    guard let delay else { return }
    (arrival, departure) = (arrival.delayed(by: delay), departure.delayed(by: delay))
    status = .live
  }

  /// Leaves out the stop of a trip that is not in the timetable.
  ///
  /// Without a schedule only the times of the update say when riders would wait there.
  fileprivate mutating func skip(_ update: StopTimeUpdate) {
    status = .skipped
    if arrival.scheduledTime == nil { arrival.time = update.arrival?.time }
    if departure.scheduledTime == nil { departure.time = update.departure?.time }
  }

  /// Takes the predictions of an update, and derives the one that it lacks.
  ///
  /// - Parameters:
  ///   - update: The update of this stop.
  ///   - delay: The delay of the stop before this one, if it is known.
  fileprivate mutating func predict(_ update: StopTimeUpdate, after delay: Duration?) {
    let predicted = (
      arrival: update.arrival?.resolved(scheduled: arrival.scheduledTime),
      departure: update.departure?.resolved(scheduled: departure.scheduledTime)
    )
    switch predicted {
    // "If the prediction is unknown or too uncertain, the delay (or time) field should be empty."
    case (nil, nil):
      return
    case (let arrival?, let departure?):
      (self.arrival, self.departure) = (arrival, departure)
    case (let arrival?, nil):
      self.arrival = arrival
      departure = departure.delayed(by: arrival.delay)
    case (nil, let departure?):
      self.departure = departure
      arrival = arrival.delayed(by: delay ?? departure.delay)
      if let time = arrival.time, let latest = departure.time, time > latest {
        arrival = StopTimeEvent(time: latest).resolved(scheduled: arrival.scheduledTime) ?? arrival
      }
    }
    status = .live
  }
}

extension StopTimeUpdate {
  /// Returns the places that the update names by its sequence, or without one by its identifier.
  fileprivate func places(in places: StopPlaces) -> [Int] {
    if let stopSequence { return places.numbered(stopSequence).map { [$0] } ?? [] }
    return stopID.map(places.named) ?? []
  }
}
