import Foundation
import Holdfast

/// The trip modifications of a message, by the trips and service days that they change.
struct ModifiedTrips: Sendable {
  private struct Key: Hashable {
    let tripID: ExactText
    let date: Int
    let startTime: Int?
  }

  private var numbers: [Key: Int] = [:]
  /// How often other modifications of a trip on a day count in place of some, by the numbers of these.
  private(set) var overriddenCounts: [Int: Int] = [:]
  /// The updates of modified trips, by the trips of the timetable.
  private var updates: TripUpdateIndex

  /// Creates the index; of several modifications of a trip on a day the last ones count.
  ///
  /// - Parameters:
  ///   - modifications: The modifications.
  ///   - updates: The updates, which name the trips of the timetable.
  ///   - timestamp: The moment at which they were made.
  init(_ modifications: [TripModifications], _ updates: [TripUpdate], timestamp: Date?) {
    self.updates = TripUpdateIndex(updates, timestamp: timestamp) { $0.trip.modifiedTrip != nil }
    for (number, entity) in modifications.enumerated() {
      let dates = entity.serviceDates.compactMap(TripUpdateIndex.date)
      let times = entity.startTimes.isEmpty ? [nil] : entity.startTimes.map(TripUpdateIndex.time)
      for tripID in entity.tripIDs.lazy.map(ExactText.init) {
        for date in dates {
          for time in times {
            let key = Key(tripID: tripID, date: date, startTime: time)
            guard let earlier = numbers.updateValue(number, forKey: key), earlier != number else {
              continue
            }
            overriddenCounts[earlier, default: 0] += 1
          }
        }
      }
    }
  }

  /// Returns the same modifications with other updates.
  func replacingUpdates(with others: [TripUpdate], timestamp: Date?) -> ModifiedTrips {
    var copy = self
    copy.updates = TripUpdateIndex(others, timestamp: timestamp) { $0.trip.modifiedTrip != nil }
    return copy
  }

  /// Returns whether an update of a modified trip is not one in whose place a later one counts.
  func mayCount(_ number: Int, of trip: TripDescriptor) -> Bool {
    updates.mayCount(number, of: trip)
  }

  /// Returns the index of the modifications of a trip; `nil` when there are none.
  func number(of trip: TripInstance) -> Int? {
    guard !numbers.isEmpty, let date = TripUpdateIndex.date(trip.startDate) else { return nil }
    let tripID = ExactText(trip.tripID)
    let start = Int(clamping: trip.startTime.components.seconds)
    // Without a start it is unknown which of the vehicles are meant.
    let starts = trip.isFrequencyBased ? [start] : [start, nil]
    return starts.lazy.compactMap { time in
      numbers[Key(tripID: tripID, date: date, startTime: time)]
    }.first
  }

  /// Returns the index of the update of a modified trip; `nil` when there is none.
  func update(for trip: TripInstance, isOnItsDay: Bool) -> Int? {
    updates.update(for: trip, isOnItsDay: isOnItsDay)
  }
}

extension TripModifications {
  /// Returns an update of a modified trip for each day and start, which says nothing else; none if only the way is
  /// another one.
  ///
  /// They are made one after another, because a message may name hundreds of thousands.
  ///
  /// - Parameters:
  ///   - tripID: The trip.
  ///   - includes: Whether a service day matters.
  /// - Returns: The updates.
  func updates(
    of tripID: String, where includes: (ServiceDay) -> Bool
  ) -> some Sequence<TripUpdate> {
    let days = modifications.isEmpty ? [] : dates(where: includes)
    let times: [String?] = startTimes.isEmpty ? [nil] : startTimes
    return days.lazy.flatMap { date in
      times.lazy.map { time in
        TripUpdate(
          id: id, trip: TripDescriptor(tripID: tripID, startTime: time, startDate: date))
      }
    }
  }

  /// Returns the service days that matter, each once.
  func dates(where includes: (ServiceDay) -> Bool) -> [String] {
    Set(serviceDates).filter { ServiceDay($0).map(includes) ?? false }.sorted()
  }
}

extension TripModifications {
  /// Changes each identifier of trips, stops and alerts.
  mutating func rename(_ named: (String?) -> String?) {
    for index in selectedTrips.indices {
      selectedTrips[index].tripIDs = selectedTrips[index].tripIDs.map { named($0) ?? $0 }
      selectedTrips[index].shapeID = named(selectedTrips[index].shapeID)
    }
    for index in modifications.indices {
      let alert = modifications[index].serviceAlertID
      modifications[index].serviceAlertID = named(alert)
      let (start, end) = (
        modifications[index].startStopSelector?.stopID,
        modifications[index].endStopSelector?.stopID
      )
      modifications[index].startStopSelector?.stopID = named(start)
      modifications[index].endStopSelector?.stopID = named(end)
      for number in modifications[index].replacementStops.indices {
        let stopID = modifications[index].replacementStops[number].stopID
        modifications[index].replacementStops[number].stopID = named(stopID)
      }
    }
  }
}

extension TripDescriptor {
  /// Changes each identifier of trips and routes.
  mutating func rename(_ named: (String?) -> String?) {
    (tripID, routeID) = (named(tripID), named(routeID))
    let affected = modifiedTrip?.affectedTripID
    modifiedTrip?.affectedTripID = named(affected)
  }

  /// The trip of the timetable, also where only the modified trip is named.
  var affected: TripDescriptor {
    guard let modifiedTrip, tripID == nil else { return self }
    var trip = self
    trip.tripID = modifiedTrip.affectedTripID
    trip.startTime = modifiedTrip.startTime ?? startTime
    trip.startDate = modifiedTrip.startDate ?? startDate
    return trip
  }
}
