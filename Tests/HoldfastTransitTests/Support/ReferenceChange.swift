import Foundation
import HoldfastTestSupport

@testable import HoldfastTransit

/// What live data say of one vehicle: as an update for the library, and applied to a vehicle of the
/// exhaustive search without the library's code.
struct ReferenceChange {
  enum Kind {
    case canceled
    /// The delays from some calls on, by their indices.
    case delays([(call: Int, seconds: Int)])
    case skips([Int])
    /// Another stop in place of one.
    case platform(call: Int, stopID: String)
    /// Stops and times in place of those of the trip.
    case replacement([(stopID: String, time: Int)])
    /// A trip of a route, which the timetable does not have.
    case added(route: String, [(stopID: String, time: Int)])
  }

  let tripID: String
  /// The service day, such as `20260329`.
  let day: String
  /// The start of the vehicle in seconds of the service day, if the trip repeats.
  var start: Int?
  /// The `stop_sequence`s of the trip.
  let sequences: [Int]
  let kind: Kind

  var addedRoute: String? {
    if case .added(let route, _) = kind { return route }
    return nil
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
    func stops(_ list: [(stopID: String, time: Int)]) -> [StopTimeUpdate] {
      list.enumerated().map { index, stop in
        let event = StopTimeEvent(
          time: Date(timeIntervalSince1970: Double(midnight + stop.time)))
        return StopTimeUpdate(
          stopSequence: index + 1, stopID: stop.stopID, arrival: event, departure: event)
      }
    }
    var updates: [StopTimeUpdate] = []
    switch kind {
    case .canceled: trip.scheduleRelationship = .canceled
    case .delays(let delays):
      updates = delays.map { delay in
        let event = StopTimeEvent(delay: .seconds(delay.seconds))
        return StopTimeUpdate(
          stopSequence: sequences[delay.call], arrival: event, departure: event)
      }
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
    }
    return TripUpdate(id: "\(number)", trip: trip, stopTimeUpdates: updates)
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
      vehicle.callsAsPlanned = false
      vehicle.stops = list.map { stop($0.stopID) }
      vehicle.arrivals = list.map { midnight + $0.time }
      vehicle.departures = vehicle.arrivals
      vehicle.boards = list.indices.map { $0 < list.count - 1 }
      vehicle.alights = list.map { _ in true }
      vehicle.predicted = Set(list.indices)
    }
    if case .added(_, let list) = kind {
      var vehicle = ReferenceJourneys.Vehicle(
        kind: number, day: Date(timeIntervalSince1970: Double(midnight + 43200)), start: 0,
        stops: [], arrivals: [], departures: [], boards: [], alights: [])
      replace(&vehicle, list)
      vehicles.append(vehicle)
      return
    }
    for index in vehicles.indices
    where isOf(tripID, vehicles[index]) && (start ?? vehicles[index].start) == vehicles[index].start
      && vehicles[index].headway == nil
    {
      vehicles[index].isLive = true
      switch kind {
      case .canceled:
        vehicles[index].boards = vehicles[index].boards.map { _ in false }
        vehicles[index].arrivals = vehicles[index].arrivals.map { _ in nil }
        vehicles[index].departures = vehicles[index].arrivals
      case .delays(let delays):
        var delay = 0
        for call in vehicles[index].stops.indices {
          delay = delays.last { $0.call == call }?.seconds ?? delay
          if delays.contains(where: { $0.call <= call }) { vehicles[index].predicted.insert(call) }
          vehicles[index].arrivals[call] = vehicles[index].arrivals[call].map { $0 + delay }
          vehicles[index].departures[call] = vehicles[index].departures[call].map { $0 + delay }
        }
      case .skips(let calls):
        for call in calls {
          (vehicles[index].arrivals[call], vehicles[index].departures[call]) = (nil, nil)
        }
      case .platform(let call, let stopID): vehicles[index].stops[call] = stop(stopID)
      case .replacement(let list): replace(&vehicles[index], list)
      case .added: break
      }
    }
  }
}
