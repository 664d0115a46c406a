import Foundation
import Holdfast

/// The updates of trips of the timetable, by what their descriptors name.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-tripdescriptor>
struct TripUpdateIndex: Sendable {
  private enum Key: Hashable {
    case trip(ExactText, startDate: Int?, startTime: Int?)
    case route(ExactText, directionID: Int?, startDate: Int, startTime: Int)
  }

  private struct Entry {
    /// The index of the update.
    var update: Int
    /// The start that the update names, in seconds.
    var startTime: Int?
    /// An instant at which the trip runs, or close to it; `nil` if the update says none.
    var moment: Date?
    /// The whole run of a replacement, if the update says when it begins and ends.
    var replacement: ClosedRange<Date>?
    /// Whether the instant is a predicted time, and not that of the message, which may be made long before.
    var isPredicted = false

    /// Whether an update without a day may be for this day's trip and not for another day's.
    ///
    /// The run and half of the rest of a day in each direction are assigned to exactly one of the days
    /// of a daily trip of less than a day; so is the middle of a replacement, whatever the trip's length.
    func isCloseEnough(to trip: TripInstance) -> Bool {
      let end = max(trip.start, trip.end ?? trip.start)
      if let replacement, trip.end != nil {
        let distance = replacement.middle.timeIntervalSince((trip.start...end).middle)
        return distance >= -43_200 && distance < 43_200
      }
      guard let moment else { return true }
      let margin = max(0, 43_200 - end.timeIntervalSince(trip.start) / 2)
      return moment >= trip.start - margin && moment < end + max(margin, 1)
    }

    /// Whether an update that names a date and no start is too early for the run whose service day the date is, so
    /// that the server means the run in the night of the date, if there is one.
    ///
    /// Only a predicted time tells: a message may cancel a trip long before.
    func isTooEarly(for start: Date, in night: ServiceNight?) -> Bool {
      guard let night, startTime == nil, isPredicted, let moment else { return false }
      // Halfway between the two runs.
      return moment < start - Double(night.count * 43_200)
    }
  }

  private var entries: [Key: Entry] = [:]
  /// The last update of each trip that is added, by its own `trip_id`.
  private var additions: [ExactText: Int] = [:]

  /// Creates the index; of two updates for one trip the later one counts.
  ///
  /// - Parameters:
  ///   - updates: The updates.
  ///   - timestamp: The moment at which they were made.
  ///   - includes: Whether an update counts.
  init(
    _ updates: [TripUpdate], timestamp: Date?,
    where includes: (TripUpdate) -> Bool = { _ in true }
  ) {
    for (index, update) in updates.enumerated() where includes(update) {
      let trip = update.trip
      guard !trip.scheduleRelationship.addsTrip else {
        if let tripID = update.properties?.tripID ?? trip.tripID {
          additions[ExactText(tripID)] = index
        }
        continue
      }
      let entry = Entry(
        update: index, startTime: trip.startTime.flatMap(Self.time),
        moment: update.moment ?? timestamp,
        replacement: update.replacement, isPredicted: update.statedTime != nil)
      for key in Self.keys(of: trip) { entries[key] = entry }
    }
  }

  private static func keys(of trip: TripDescriptor) -> [Key] {
    let startDate = trip.startDate.flatMap(Self.date)
    let startTime = trip.startTime.flatMap(Self.time)
    if let tripID = trip.tripID.map(ExactText.init) {
      // "For non frequency-based trips, this field is enough to uniquely identify the trip."
      let key = Key.trip(tripID, startDate: startDate, startTime: nil)
      guard let startTime else { return [key] }
      return [key, .trip(tripID, startDate: startDate, startTime: startTime)]
    }
    // "If the trip_id field can't be provided, then route_id, direction_id, start_date, and
    // start_time must all be provided."
    guard let routeID = trip.routeID.map(ExactText.init), let startDate, let startTime else {
      return []
    }
    return [
      .route(routeID, directionID: trip.directionID, startDate: startDate, startTime: startTime)
    ]
  }

  /// Returns the index of the last update of an added trip; `nil` when there is none.
  func addition(named tripID: String) -> Int? { additions[ExactText(tripID)] }

  /// Returns whether an update can be that of a trip, and is not one in whose place a later one counts.
  func mayCount(_ number: Int, of trip: TripDescriptor) -> Bool {
    Self.keys(of: trip).contains { entries[$0]?.update == number }
  }

  /// Returns the index of the update of a trip.
  ///
  /// - Parameters:
  ///   - trip: The trip and its service day.
  ///   - isOnItsDay: Whether the day is known to be the one that an update without a day is for.
  /// - Returns: The index; `nil` when there is none.
  func update(for trip: TripInstance, isOnItsDay: Bool = false) -> Int? {
    guard let startDate = Self.date(trip.startDate) else { return nil }
    let startTime = Int(clamping: trip.startTime.components.seconds)
    let tripID = ExactText(trip.tripID)
    let night = ServiceNight(ServiceDay(number: startDate), start: startTime)
    for date in [startDate, nil] {
      // "For frequency-based trips defined in GTFS frequencies.txt, trip_id, start_time, and
      // start_date are all required."
      for time in trip.isFrequencyBased ? [startTime] : [startTime, nil] {
        if let entry = entries[.trip(tripID, startDate: date, startTime: time)],
          date != nil || isOnItsDay || entry.isCloseEnough(to: trip),
          // Which night such a start is in is decided below.
          date == nil || night == nil || entry.startTime != night?.time,
          date == nil || !trip.neighbors.hasPrevious
            || !entry.isTooEarly(for: trip.start, in: night)
        {
          return entry.update
        }
      }
    }
    if let entry = self.entry(ofRoute: trip, on: startDate, at: startTime) { return entry.update }
    guard let night else { return nil }
    if let entry = entries[.trip(tripID, startDate: nil, startTime: night.time)],
      isOnItsDay || entry.isCloseEnough(to: trip)
    {
      return entry.update
    }
    if !trip.isFrequencyBased,
      let entry = entries[.trip(tripID, startDate: night.nextDate, startTime: nil)],
      !trip.neighbors.hasNext
        || entry.isTooEarly(for: trip.start + Double(night.count * 86_400), in: night)
    {
      return entry.update
    }
    for date in [night.nextDate, startDate] {
      if let entry = entries[.trip(tripID, startDate: date, startTime: night.time)]
        ?? self.entry(ofRoute: trip, on: date, at: night.time),
        night.isMeant(
          by: date, at: entry.moment, isPredicted: entry.isPredicted, from: trip.start,
          seconds: trip.end?.timeIntervalSince(trip.start) ?? 0)
      {
        return entry.update
      }
    }
    return nil
  }

  private func entry(ofRoute trip: TripInstance, on startDate: Int, at startTime: Int) -> Entry? {
    let routeID = ExactText(trip.routeID)
    // Where the feed has no directions, it does not matter which one the server names.
    let directions: [Int?] = trip.directionID.map { [$0] } ?? [nil, 0, 1]
    return directions.lazy.compactMap { direction in
      entries[
        .route(routeID, directionID: direction, startDate: startDate, startTime: startTime)]
    }.first
  }

  // MARK: - GTFS's formats

  /// Returns the number `YYYYMMDD` of a date; `nil` when it does not have this form.
  static func date(_ text: String) -> Int? {
    text.utf8.count == 8 ? digits(text[...]) : nil
  }

  /// Returns the seconds of a time such as `8:05:00` or `25:15:35`; `nil` when it has another form.
  static func time(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, (1...3).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts[2].utf8.count == 2, let hours = digits(parts[0]), let minutes = digits(parts[1]),
      let seconds = digits(parts[2])
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  private static func digits(_ text: Substring) -> Int? {
    text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(text) : nil
  }
}

/// A start at 24:00 or later as servers say it that count from midnight: 00:10:00 for 24:10:00.
///
/// Their `start_date` is that of the next day, or the service day all the same; then the moment of an update decides.
struct ServiceNight {
  /// On which service days next to that of a run the trip runs, too.
  ///
  /// A server that names a date may mean two runs: the one whose service day it is, and the one in the night of the
  /// date, whose service day is earlier. Only where the timetable has both it is to be decided.
  struct Neighbors: Hashable, Sendable {
    /// Whether a run of an earlier service day starts on the date of this one.
    var hasPrevious = true
    /// Whether the date on which the run starts is a service day of the trip.
    var hasNext = true
  }

  /// The number of midnights before the start.
  let count: Int
  /// The seconds since the last midnight.
  let time: Int
  /// The service day as `YYYYMMDD`.
  let date: Int
  /// The date that begins at that midnight.
  let next: ServiceDay
  /// The service day whose run starts on the date of this one.
  let previous: ServiceDay

  var nextDate: Int { next.number }

  /// `nil` for a start before the first midnight.
  init?(_ day: ServiceDay?, start: Int) {
    (count, time) = start.quotientAndRemainder(dividingBy: 86_400)
    guard let day, (1..<30).contains(count) else { return nil }
    date = day.number
    next = ServiceDay(daysSince1970: day.daysSince1970 + count)
    previous = ServiceDay(daysSince1970: day.daysSince1970 - count)
  }

  /// Returns whether a run with this start is the one that a server means by a date and the ``time``.
  ///
  /// - Parameters:
  ///   - date: The date, as `YYYYMMDD`.
  ///   - moment: An instant at which the run takes place, or before it; `nil` if the server says none, and counts
  ///     from midnight.
  ///   - isPredicted: Whether the instant is a predicted time.
  ///   - start: The instant of the start.
  ///   - seconds: How long the run takes.
  /// - Returns: Whether it is, of the runs in the two nights that the date may mean.
  func isMeant(
    by date: Int, at moment: Date?, isPredicted: Bool, from start: Date, seconds: TimeInterval
  ) -> Bool {
    let isNext = date == nextDate
    guard isNext || date == self.date else { return false }
    // Halfway to the run in the next or the last such night; a message is hardly about a run that is long over.
    let span = Double(count * 86_400)
    let margin = max(seconds, isPredicted ? span / 2 : 4 * 3600)
    let isEarlier = moment.map { $0 < start + margin - (isNext ? 0 : span) } ?? true
    return isEarlier == isNext
  }
}

extension TripDescriptor.ScheduleRelationship {
  /// Whether the trip runs in addition to the trips of the timetable.
  var addsTrip: Bool { [.added, .duplicated, .new].contains(self) }
}

extension TripUpdate {
  /// The first time of a stop, or else the moment of the measurement.
  var moment: Date? { statedTime ?? timestamp }

  /// The first time of a stop.
  var statedTime: Date? { stopTimeUpdates.lazy.compactMap(\.firstTime).first }

  /// Whether the stops of the update take the place of the trip's.
  var replacesStops: Bool {
    trip.scheduleRelationship == .replacement && !stopTimeUpdates.isEmpty
  }

  /// The run of a replacement, of which an update names all stops; `nil` if it has no times.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-tripupdate>, "stop_time_updates must be
  ///   provided for all stops in the new or replacement trip, including stops with times in the past".
  var replacement: ClosedRange<Date>? {
    guard replacesStops, let first = statedTime,
      let last = stopTimeUpdates.lazy.compactMap(\.lastTime).last
    else { return nil }
    return first...max(first, last)
  }

  /// Returns an instant, and the seconds after the start of the trip to which it is compared to find the day.
  ///
  /// - Parameters:
  ///   - stopTimes: The stops of the trip, with times after a start at the second 0.
  ///   - timestamp: The moment at which the message was made.
  ///   - station: Returns the `stop_id` of the station to which a stop belongs, or else its own.
  /// - Returns: The first time of a stop and the time of that stop; the middle of a replacement that has no stop of
  ///   the trip, and the middle of the trip; or else the moment of the measurement or of the message, and the
  ///   whole run. `nil` if there is none.
  func reference(
    in stopTimes: [ScheduledStopTime], _ timestamp: Date?, station: (String) throws -> String
  ) rethrows -> (seconds: Int, offsets: ClosedRange<Int>)? {
    if let (update, stop) = try placedUpdate(in: stopTimes, station),
      let seconds = update.firstTime.flatMap(LiveStopTime.seconds),
      let offset = stop.arrival.flatMap(LiveStopTime.seconds)
    {
      return (seconds, offset...offset)
    }
    let times = stopTimes.flatMap { [$0.arrival, $0.departure] }
      .compactMap { $0.flatMap(LiveStopTime.seconds) }
    let run = min(0, times.min() ?? 0)...max(0, times.max() ?? 0)
    guard let seconds = (replacement?.middle ?? moment ?? timestamp).flatMap(LiveStopTime.seconds)
    else { return nil }
    guard replacement != nil else { return (seconds, run) }
    let middle = (run.lowerBound + run.upperBound) / 2
    return (seconds, middle...middle)
  }

  /// Returns the first update of a stop that has a time, and the stop; `nil` if the trip does not stop there once.
  private func placedUpdate(
    in stopTimes: [ScheduledStopTime], _ station: (String) throws -> String
  ) rethrows -> (StopTimeUpdate, ScheduledStopTime)? {
    let updates = stopTimeUpdates.lazy.filter { $0.firstTime != nil }
    guard replacesStops else {
      guard let first = updates.first else { return nil }
      if let stop = first.place(in: stopTimes) { return (first, stop) }
      // Another platform, or the station alone.
      guard first.stopSequence == nil, let own = try first.stopID.map(station) else { return nil }
      let there = try stopTimes.filter { try station($0.stopID).hasSameBytes(as: own) }
      return there.count == 1 ? (first, there[0]) : nil
    }
    // Its stops have numbers of their own.
    let stops = Dictionary(grouping: stopTimes) { ExactText($0.stopID) }
    return updates.compactMap { update in
      guard let named = update.stopID.flatMap({ stops[ExactText($0)] }), named.count == 1 else {
        return nil
      }
      return (update, named[0])
    }.first
  }
}

extension StopTimeUpdate {
  /// The planned time of a replacement, or else the predicted one.
  fileprivate var firstTime: Date? {
    arrival?.scheduledTime ?? arrival?.time ?? departure?.scheduledTime ?? departure?.time
  }

  fileprivate var lastTime: Date? {
    departure?.scheduledTime ?? departure?.time ?? arrival?.scheduledTime ?? arrival?.time
  }

  /// Returns the stop of a trip that the update is about: the one with its number, or else, or if that is another
  /// stop than the named one, the only one with its identifier.
  fileprivate func place(in stopTimes: [ScheduledStopTime]) -> ScheduledStopTime? {
    let numbered = stopTimes.first { $0.stopSequence == stopSequence }
    guard let stopID else { return numbered }
    let named = stopTimes.filter { $0.stopID.hasSameBytes(as: stopID) }
    if let numbered, named.isEmpty || named.contains(numbered) { return numbered }
    // A stop of a loop is not the only one of its name.
    return named.count == 1 ? named[0] : nil
  }
}

extension ClosedRange<Date> {
  fileprivate var middle: Date { lowerBound + upperBound.timeIntervalSince(lowerBound) / 2 }
}
