import Foundation
import HoldfastTestSupport

@testable import HoldfastTransit

/// What live data say of one vehicle: as an update for the library, and applied to a vehicle of the
/// exhaustive search without the library's code.
struct ReferenceChange {
  enum Kind {
    case canceled
    /// The delays from some calls on, by their indices; `nil` where nothing is known from then on.
    case delays([(call: Int, seconds: Int?)])
    /// The delay of the whole trip.
    case delay(Int)
    case skips([Int])
    /// Another stop in place of one.
    case platform(call: Int, stopID: String)
    /// Stops and times in place of those of the trip.
    case replacement([(stopID: String, time: Int)])
    /// A trip of a route, which the timetable does not have.
    case added(route: String, [(stopID: String, time: Int)])
    /// A copy of the trip at another start, with the calls of the trip in the timetable.
    case duplicated(route: String, start: Int, [ReferenceTimetable.Call])
  }

  let tripID: String
  /// The service day, such as `20260329`.
  let day: String
  /// The start of the vehicle in seconds of the service day, if the trip repeats.
  var start: Int?
  /// The `stop_sequence`s of the trip.
  let sequences: [Int]
  let kind: Kind
  /// The identifier of the modifications whose trip is meant, with numbers of its own; `nil` for the trip of the
  /// timetable.
  var modificationsID: String?

  var addedRoute: String? {
    switch kind {
    case .added(let route, _), .duplicated(let route, _, _): route
    default: nil
    }
  }

  /// Whether another change is about the same vehicle.
  func isOfVehicle(of other: ReferenceChange) -> Bool {
    addedRoute == nil && other.addedRoute == nil
      && (tripID, day, start ?? -1) == (other.tripID, other.day, other.start ?? -1)
  }

  /// The stops that the change adds to those of the timetable.
  var namedStops: [String] {
    switch kind {
    case .replacement(let stops), .added(_, let stops): stops.map(\.stopID)
    case .platform(_, let stopID): [stopID]
    default: []
    }
  }

  /// The change as a server sends it.
  func update(_ number: Int, midnight: Int) -> TripUpdate {
    var trip = TripDescriptor(tripID: tripID, startDate: day)
    trip.startTime = start.map { ServiceTime(seconds: $0).description }
    if let modificationsID {
      // "The other fields of the TripDescriptor MUST be left empty."
      let selector = ModifiedTripSelector(
        modificationsID: modificationsID, affectedTripID: tripID, startTime: trip.startTime,
        startDate: day)
      trip = TripDescriptor()
      trip.modifiedTrip = selector
    }
    func stops(_ list: [(stopID: String, time: Int)]) -> [StopTimeUpdate] {
      list.enumerated().map { index, stop in
        let event = StopTimeEvent(
          time: Date(timeIntervalSince1970: Double(midnight + stop.time)))
        return StopTimeUpdate(
          stopSequence: index + 1, stopID: stop.stopID, arrival: event, departure: event)
      }
    }
    var (updates, properties): ([StopTimeUpdate], TripProperties?) = ([], nil)
    var tripDelay: Duration?
    switch kind {
    case .canceled: trip.scheduleRelationship = .canceled
    case .delays(let delays):
      updates = delays.map { delay in
        guard let seconds = delay.seconds else {
          return StopTimeUpdate(
            stopSequence: sequences[delay.call], scheduleRelationship: .noData)
        }
        let event = StopTimeEvent(delay: .seconds(seconds))
        return StopTimeUpdate(
          stopSequence: sequences[delay.call], arrival: event, departure: event)
      }
    case .delay(let seconds): tripDelay = .seconds(seconds)
    case .skips(let calls):
      updates = calls.map {
        StopTimeUpdate(stopSequence: sequences[$0], scheduleRelationship: .skipped)
      }
    case .platform(let call, let stopID):
      updates = [
        StopTimeUpdate(
          stopSequence: sequences[call],
          properties: StopTimeProperties(assignedStopID: stopID))
      ]
    case .replacement(let list):
      trip.scheduleRelationship = .replacement
      updates = stops(list)
    case .added(let route, let list):
      trip.scheduleRelationship = number % 2 == 0 ? .new : .added
      (trip.routeID, trip.tripID) = (route, "added\(number)")
      updates = stops(list)
    case .duplicated(_, let start, _):
      trip.scheduleRelationship = .duplicated
      properties = TripProperties(
        tripID: "copy\(number)", startDate: day,
        startTime: ServiceTime(seconds: start).description)
    }
    return TripUpdate(
      id: "\(number)", trip: trip, stopTimeUpdates: updates, delay: tripDelay,
      properties: properties)
  }

  /// Applies the change to the vehicles.
  ///
  /// - Parameters:
  ///   - vehicles: The vehicles.
  ///   - number: The number of the kind of an added vehicle.
  ///   - midnight: The start of the service day, in seconds since 1970.
  ///   - isOf: Whether a vehicle is of a trip, on the day of the change.
  ///   - stop: Returns the number of a stop.
  func apply(
    to vehicles: inout [ReferenceJourneys.Vehicle], kind number: Int, midnight: Int,
    isOf: (String, ReferenceJourneys.Vehicle) -> Bool, stop: (String) -> Int
  ) {
    func replace(_ vehicle: inout ReferenceJourneys.Vehicle, _ list: [(stopID: String, time: Int)])
    {
      vehicle.places = list.map { _ in nil }
      vehicle.stops = list.map { stop($0.stopID) }
      vehicle.arrivals = list.map { midnight + $0.time }
      vehicle.departures = vehicle.arrivals
      vehicle.boards = list.indices.map { $0 < list.count - 1 }
      vehicle.alights = list.map { _ in true }
      vehicle.predicted = Set(list.indices)
    }
    if addedRoute != nil {
      var vehicle = ReferenceJourneys.Vehicle(
        kind: number, day: Date(timeIntervalSince1970: Double(midnight + 43200)), start: 0,
        places: [], stops: [], arrivals: [], departures: [], boards: [], alights: [])
      switch kind {
      case .added(_, let list): replace(&vehicle, list)
      case .duplicated(_, let start, let calls):
        // "Scheduled arrival and departure times for the duplicated trip are calculated based on the offset
        // between the original trip departure_time and this field."
        let shift = midnight + start - (calls.first?.departure ?? 0)
        vehicle.call(at: calls, shift: shift, stop: stop)
      default: break
      }
      vehicles.append(vehicle)
      return
    }
    if case .canceled = kind, let start {
      for index in vehicles.indices where isOf(tripID, vehicles[index]) {
        if let rest = vehicles[index].removeRepetition(at: start) { vehicles.append(rest) }
      }
    }
    for index in vehicles.indices
    where isOf(tripID, vehicles[index]) && (start ?? vehicles[index].start) == vehicles[index].start
      && vehicles[index].headway == nil
    {
      vehicles[index].isLive = true
      switch kind {
      case .canceled:
        vehicles[index].isCanceled = true
        vehicles[index].boards = vehicles[index].boards.map { _ in false }
        vehicles[index].arrivals = vehicles[index].arrivals.map { _ in nil }
        vehicles[index].departures = vehicles[index].arrivals
      case .delays(let delays):
        var delay: Int?
        for call in vehicles[index].stops.indices {
          if let own = delays.last(where: { $0.call == call }) { delay = own.seconds }
          if let delay { vehicles[index].delay(call, by: delay) }
        }
      case .delay(let seconds):
        for call in vehicles[index].stops.indices { vehicles[index].delay(call, by: seconds) }
      case .skips(let calls):
        for call in calls {
          (vehicles[index].arrivals[call], vehicles[index].departures[call]) = (nil, nil)
        }
      case .platform(let call, let stopID): vehicles[index].stops[call] = stop(stopID)
      case .replacement(let list): replace(&vehicles[index], list)
      case .added, .duplicated: break
      }
    }
  }
}
