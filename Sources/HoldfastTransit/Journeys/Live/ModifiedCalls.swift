/// The calls of a modified trip, next to those that it has in the timetable.
///
/// "The consumer should behave" where an update is for the modified trip "as if the static GTFS would have been
/// modified": such a trip begins and ends where it does after the change.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/feed-entities/trip-modifications/>
struct ModifiedCalls {
  /// The index of each call in the timetable's trip; `nil` for stops that are served instead.
  private let places: [Int?]
  /// The number of each call in the modified trip, from 1; 0 for one that is not served.
  fileprivate let numbers: [Int]

  /// Creates the calls; `nil` for a trip that is not modified.
  init?(_ stops: LiveCalls.Stops) {
    guard !stops.places.isEmpty else { return nil }
    (places, numbers) = (stops.places, stops.numbers)
  }

  /// Returns the index of a call of the timetable's trip; `nil` if it is not served.
  fileprivate func index(ofPlace place: Int) -> Int? {
    places.indices.first { places[$0] == place && numbers[$0] > 0 }
  }
}

extension LiveTrips.Trip {
  /// Returns the index of a call where riders stay on the vehicle.
  ///
  /// - Parameters:
  ///   - call: The call of the trip in the timetable; `nil` for the end or the beginning of the trip.
  ///   - isEnd: Whether riders come there with this trip, and do not leave with it.
  /// - Returns: The index; `nil` if the vehicle does not have the call.
  func index(ofStay call: Int?, isEnd: Bool) -> Int? {
    guard let modified else {
      guard let call else { return isEnd ? calls.count - 1 : 0 }
      return areScheduled ? call : nil
    }
    if let call { return modified.index(ofPlace: call) }
    return isEnd
      ? modified.numbers.lastIndex { $0 > 0 } : modified.numbers.firstIndex { $0 > 0 }
  }

  /// Returns where a modified trip begins for riders who stay on its vehicle.
  ///
  /// - Parameter call: The call of the trip in the timetable; `nil` for the beginning of the trip.
  /// - Returns: The beginning; `nil` if the vehicle does not have the call, or no time there.
  func beginning(ofStay call: Int?) -> LiveTrips.Beginning? {
    guard let modified, let index = index(ofStay: call, isEnd: false),
      calls[index].departure != JourneyTimetable.none
    else { return nil }
    return LiveTrips.Beginning(
      stop: Int(calls[index].stop), sequence: modified.numbers[index],
      departure: Int(calls[index].departure))
  }
}

extension LiveTrips {
  /// Where and when a trip begins for riders who stay on its vehicle.
  struct Beginning {
    /// The index of the stop; -1 if there is none.
    let stop: Int
    /// The `stop_sequence`, of a modified trip the one after the change.
    let sequence: Int
    /// The seconds of the service day.
    let departure: Int
  }
}
