import Foundation
@testable import HoldfastTransit

/// What another decoder reads of a feed message; `nil` where a field is not set.
///
/// The names are those of the specification, without underscores.
struct FeedContent: Decodable {
  struct Event: Decodable {
    var delay: Int?
    var time: Int64?
    var uncertainty: Int?
    var scheduledTime: Int64?

    var event: StopTimeEvent {
      StopTimeEvent(
        delay: delay.map { .seconds($0) }, time: Instant.date(time),
        uncertainty: uncertainty.map { .seconds($0) }, scheduledTime: Instant.date(scheduledTime))
    }
  }

  struct StopProperties: Decodable {
    var assignedStopId: String?
    var stopHeadsign: String?
    var pickupType: Int?
    var dropOffType: Int?

    var properties: StopTimeProperties {
      StopTimeProperties(
        assignedStopID: assignedStopId.nonEmpty, stopHeadsign: stopHeadsign.nonEmpty,
        pickupType: pickupType, dropOffType: dropOffType)
    }
  }

  struct Stop: Decodable {
    var stopSequence: Int?
    var stopId: String?
    var scheduleRelationship: Int?
    var departureOccupancyStatus: Int32?
    var arrival: Event?
    var departure: Event?
    var properties: StopProperties?

    var update: StopTimeUpdate {
      var update = StopTimeUpdate(
        stopSequence: stopSequence, stopID: stopId.nonEmpty, arrival: arrival?.event,
        departure: departure?.event,
        scheduleRelationship: .init(rawValue: scheduleRelationship ?? 0),
        properties: properties?.properties)
      update.departureOccupancy = departureOccupancyStatus
      return update
    }
  }

  struct ModifiedTrip: Decodable {
    var modificationsId: String?
    var affectedTripId: String?
    var startTime: String?
    var startDate: String?

    var selector: ModifiedTripSelector {
      ModifiedTripSelector(
        modificationsID: modificationsId.nonEmpty, affectedTripID: affectedTripId.nonEmpty,
        startTime: startTime.nonEmpty, startDate: startDate.nonEmpty)
    }
  }

  struct Trip: Decodable {
    var tripId: String?
    var routeId: String?
    var directionId: Int?
    var startTime: String?
    var startDate: String?
    var scheduleRelationship: Int?
    var modifiedTrip: ModifiedTrip?

    var trip: TripDescriptor {
      var trip = TripDescriptor(
        tripID: tripId.nonEmpty, routeID: routeId.nonEmpty, directionID: directionId,
        startTime: startTime.nonEmpty, startDate: startDate.nonEmpty,
        scheduleRelationship: .init(rawValue: scheduleRelationship ?? 0))
      trip.modifiedTrip = modifiedTrip?.selector
      return trip
    }
  }

  struct Vehicle: Decodable {
    var id: String?
    var label: String?
    var licensePlate: String?
    var wheelchairAccessible: Int?

    var vehicle: VehicleDescriptor {
      VehicleDescriptor(
        id: id.nonEmpty, label: label.nonEmpty, licensePlate: licensePlate.nonEmpty,
        wheelchairAccessible: wheelchairAccessible)
    }
  }

  struct Properties: Decodable {
    var tripId: String?
    var startDate: String?
    var startTime: String?
    var shapeId: String?
    var tripHeadsign: String?
    var tripShortName: String?

    var properties: TripProperties {
      TripProperties(
        tripID: tripId.nonEmpty, startDate: startDate.nonEmpty, startTime: startTime.nonEmpty,
        shapeID: shapeId.nonEmpty, tripHeadsign: tripHeadsign.nonEmpty,
        tripShortName: tripShortName.nonEmpty)
    }
  }

  struct Update: Decodable {
    var id: String
    var trip: Trip
    var vehicle: Vehicle?
    var stops: [Stop]
    var timestamp: UInt64?
    var delay: Int?
    var properties: Properties?

    var update: TripUpdate {
      TripUpdate(
        id: id, trip: trip.trip, vehicle: vehicle?.vehicle, stopTimeUpdates: stops.map(\.update),
        timestamp: Instant.date(timestamp), delay: delay.map { .seconds($0) },
        properties: properties?.properties)
    }
  }

  var version: String
  var timestamp: UInt64?
  var feedVersion: String?
  var others: Int
  var updates: [Update]
}

/// The instants that a feed can mean.
enum Instant {
  static func date(_ seconds: (some BinaryInteger)?) -> Date? {
    guard let seconds, (1...253_402_300_799).contains(Int(clamping: seconds)) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }
}

extension TripUpdate {
  /// Whether the enumerations have values that the specification names.
  var hasOnlyKnownNumbers: Bool {
    [0, 1, 2, 3, 5, 6, 7, 8].contains(trip.scheduleRelationship.rawValue)
      && (0...3).contains(vehicle?.wheelchairAccessible ?? 0)
      && stopTimeUpdates.allSatisfy {
        (0...3).contains($0.scheduleRelationship.rawValue)
          && (0...3).contains($0.properties?.pickupType ?? 0)
          && (0...3).contains($0.properties?.dropOffType ?? 0)
      }
  }
}

extension String? {
  /// The text; `nil` when it is empty.
  var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
