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
    /// An instant at which the trip runs, or close to it; `nil` if the update says none.
    var moment: Date?

    /// Whether an update without a day may be for this day's trip and not for that of another day.
    ///
    /// Half a day in each direction is assigned to exactly one of the days of a daily trip.
    func isCloseEnough(to trip: TripInstance) -> Bool {
      guard let moment else { return true }
      return (-43_200..<43_200).contains(moment.timeIntervalSince(trip.start))
    }
  }

  private var entries: [Key: Entry] = [:]

  /// Creates the index; of two updates for one trip the later one counts.
  ///
  /// - Parameters:
  ///   - updates: The updates.
  ///   - timestamp: The moment at which they were made.
  init(_ updates: [TripUpdate], timestamp: Date?) {
    for (index, update) in updates.enumerated() where !update.trip.scheduleRelationship.addsTrip {
      let trip = update.trip
      let startDate = trip.startDate.flatMap(Self.date)
      let startTime = trip.startTime.flatMap(Self.time)
      let moment = startDate == nil ? update.firstTime ?? update.timestamp ?? timestamp : nil
      let entry = Entry(update: index, moment: moment)
      if let tripID = trip.tripID.map(ExactText.init) {
        // "For non frequency-based trips, this field is enough to uniquely identify the trip."
        entries[.trip(tripID, startDate: startDate, startTime: nil)] = entry
        guard let startTime else { continue }
        entries[.trip(tripID, startDate: startDate, startTime: startTime)] = entry
      } else if let routeID = trip.routeID.map(ExactText.init), let startDate, let startTime {
        // "If the trip_id field can't be provided, then route_id, direction_id, start_date, and
        // start_time must all be provided."
        entries[
          .route(
            routeID, directionID: trip.directionID, startDate: startDate, startTime: startTime)] =
          entry
      }
    }
  }

  /// Returns the index of the update of a trip; `nil` when there is none.
  func update(for trip: TripInstance) -> Int? {
    guard let startDate = Self.date(trip.startDate) else { return nil }
    let startTime = Int(clamping: trip.startTime.components.seconds)
    let tripID = ExactText(trip.tripID)
    for date in [startDate, nil] {
      // "For frequency-based trips defined in GTFS frequencies.txt, trip_id, start_time, and
      // start_date are all required."
      for time in trip.isFrequencyBased ? [startTime] : [startTime, nil] {
        if let entry = entries[.trip(tripID, startDate: date, startTime: time)],
          date != nil || entry.isCloseEnough(to: trip)
        {
          return entry.update
        }
      }
    }
    return entries[
      .route(
        ExactText(trip.routeID), directionID: trip.directionID, startDate: startDate,
        startTime: startTime)]?.update
  }

  // MARK: - GTFS's formats

  /// Returns the number `YYYYMMDD` of a date; `nil` when it does not have this form.
  private static func date(_ text: String) -> Int? {
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

extension TripDescriptor.ScheduleRelationship {
  /// Whether the trip runs in addition to those of the timetable.
  var addsTrip: Bool { [.added, .duplicated, .new].contains(self) }
}

extension TripUpdate {
  /// The first predicted time.
  var firstTime: Date? {
    stopTimeUpdates.lazy.compactMap { $0.arrival?.time ?? $0.departure?.time }.first
  }
}
