import Foundation
import Holdfast
import HoldfastTransit

/// A journey with what live data say of its legs besides their times.
struct JourneyAnswer: Sendable {
  let journey: Journey
  /// The alerts about each leg, with the texts that the messages have.
  let alerts: [[Alert]]
  /// The position of the vehicle of each leg, if it is a ride and its vehicle is known.
  let vehicles: [VehiclePosition?]

  /// Looks up the legs of a journey in a message.
  ///
  /// - Parameters:
  ///   - journey: The journey, with the texts that are shown.
  ///   - source: The journey with the texts of the feed, which are what alerts name.
  ///   - message: The message; `nil` if there is none.
  ///   - db: The connection of the current access.
  /// - Throws: The errors of ``RealtimeMessage/vehiclePosition(for:_:)``.
  init(_ journey: Journey, of source: Journey, _ message: RealtimeMessage?, _ db: Database) throws {
    self.journey = journey
    alerts = try source.legs.map { leg in
      switch leg {
      case .walk(let walk): try message?.alerts(for: walk, db) ?? []
      case .ride(let ride): try message?.alerts(for: ride, db) ?? []
      }
    }
    vehicles = try source.legs.map { leg in
      guard case .ride(let ride) = leg else { return nil }
      return try message?.vehiclePosition(for: ride, db)
    }
  }
}

extension OutputRecord {
  /// Creates the record of a journey; its legs have GTFS's names.
  ///
  /// - Parameters:
  ///   - answer: The journey with its alerts and vehicles.
  ///   - zones: The time zones of the legs.
  ///   - languages: The languages of the texts of alerts.
  init(answer: JourneyAnswer, in zones: JourneyZones, languages: [String]) {
    let journey = answer.journey
    let legs = journey.legs.indices.map { index in
      let leg = journey.legs[index]
      var record = OutputRecord(leg: leg, in: zones)
      let alerts = AlertTexts(answer.alerts[index], in: languages).records
      record.fields += (["alerts": .list(alerts.map(Cell.record))] as OutputRecord).fields
      if case .ride = leg {
        let vehicle = answer.vehicles[index].map(OutputRecord.init(vehicle:))
        record.fields += (["vehicle_position": Cell(vehicle)] as OutputRecord).fields
      }
      return record
    }
    self = [
      "departure": Cell(journey.departure, in: zones.departure(of: journey.legs.first)),
      "arrival": Cell(journey.arrival, in: zones.arrival(of: journey.legs.last)),
      "duration": .integer(journey.duration.components.seconds),
      "changes": Cell(journey.changes),
      "walking_distance": .real((journey.walkingDistance.meters * 10).rounded() / 10),
      "legs": .list(legs.map(Cell.record)),
    ]
  }

  private init(leg: Journey.Leg, in zones: JourneyZones) {
    switch leg {
    case .walk(let walk):
      self = [
        "type": .text("walk"),
        "from_stop_id": Cell(walk.from?.stopID),
        "to_stop_id": Cell(walk.to?.stopID),
        "entrance_stop_id": Cell(walk.entrance?.stopID),
        "departure": Cell(walk.departure, in: zones.departure(of: leg)),
        "arrival": Cell(walk.arrival, in: zones.arrival(of: leg)),
        "distance": Cell(walk.distance.map { ($0.meters * 10).rounded() / 10 }),
        "duration": .integer(walk.duration.components.seconds),
      ]
    case .ride(let ride):
      self = [
        "type": .text("ride"),
        "route_id": .text(ride.route.routeID),
        "route_short_name": .text(ride.route.routeShortName),
        "route_long_name": .text(ride.route.routeLongName),
        "trip_id": .text(ride.tripID),
        "trip_short_name": Cell(ride.tripShortName),
        "trip_headsign": Cell(ride.headsign),
        "direction_id": Cell(ride.directionID),
        "service_date": .text(ride.serviceDay.description),
        "headway_secs": Cell(ride.headway.map { Int($0.components.seconds) }),
        "is_continuation": .bool(ride.isContinuation),
        "calls": .list(
          ([ride.board] + ride.intermediateCalls + [ride.alight]).map {
            .record(OutputRecord(call: $0))
          }),
      ]
    }
  }

  private init(call: Journey.Call) {
    self = [
      "stop_id": .text(call.stop.stopID),
      "stop_name": .text(call.stop.stopName),
      "platform_code": Cell(call.stop.platformCode),
      "stop_sequence": Cell(call.stopSequence),
      "arrival": Cell(call.arrival, in: call.timeZone),
      "departure": Cell(call.departure, in: call.timeZone),
      "scheduled_arrival": Cell(call.scheduledArrival, in: call.timeZone),
      "scheduled_departure": Cell(call.scheduledDeparture, in: call.timeZone),
      "status": .text(call.status.name),
      "is_interpolated": .bool(call.isInterpolated),
      "timepoint": Cell(call.timepoint),
      "pickup_booking_rule": Cell(call.pickupBookingRule.map(OutputRecord.init(rule:))),
      "drop_off_booking_rule": Cell(call.dropOffBookingRule.map(OutputRecord.init(rule:))),
      "pickup_type": Cell(call.pickupType),
      "drop_off_type": Cell(call.dropOffType),
      "sid": Cell(call.stop.sid),
    ]
  }
}
