import Foundation
import HoldfastTransit

/// `holdfast transit live FILE`.
struct TransitLive: Verb {
  private let file = Argument(
    "FILE", "A GTFS-Realtime feed message in the binary format, as a server sends it.", .path)

  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "live", "Lists what a GTFS-Realtime feed message says of trips, alerts and vehicles.",
      file, language,
      example: "Samples/port-merrow-live/trip-updates.pb")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let content = try RealtimeMessage(contentsOf: arguments[file])
    let (message, alerts) = (
      content.tripUpdates,
      AlertTexts(content.alerts, in: arguments[language], withEntities: true)
    )
    if output.format == .json {
      try output.records(of: "trip updates") { listing in
        for update in message.updates {
          try listing.write(OutputRecord(update: update, of: message))
        }
        for entity in message.tripModifications {
          try listing.write(["trip_modifications": .record(OutputRecord(modifications: entity))])
        }
        for alert in alerts.records { try listing.write(["alert": .record(alert)]) }
        for vehicle in content.vehiclePositions {
          try listing.write(OutputRecord(listed: vehicle))
        }
      }
    } else {
      // A message of alerts alone has no table.
      let hasOthers =
        !alerts.lines.isEmpty || !content.vehiclePositions.isEmpty
        || !message.tripModifications.isEmpty
      if !message.updates.isEmpty || !hasOthers { try output.updateTable(message.updates) }
      for entity in message.tripModifications { try output.line(entity.line.escapingControls) }
      for line in alerts.lines { try output.line(line.escapingControls) }
      for vehicle in content.vehiclePositions { try output.line(vehicle.line.escapingControls) }
    }
    output.note(summary(of: content))
    if let sentence = message.unappliedSentence { output.note(sentence) }
    return .success
  }

  private func summary(of content: RealtimeMessage) -> String {
    let message = content.tripUpdates
    let made = message.timestamp.map { ", made at \($0.timestamp(in: .gmt))" } ?? ""
    let listed = [
      (message.tripModifications.count, "trip modification"), (content.alerts.count, "alert"),
      (content.vehiclePositions.count, "vehicle position"),
    ].filter { $0.0 > 0 }.map { ", \(Count.of($0.0, $0.1))" }.joined()
    let kinds = ["shape", "stop", "other"]
    let others = kinds.reduce(0) { $0 + (message.unappliedCounts[$1] ?? 0) }
    return "GTFS-Realtime \(message.gtfsRealtimeVersion)\(made): "
      + Count.of(message.updates.count, "trip update") + listed
      + (others == 0
        ? "."
        : others == 1
          ? ", and 1 entity of another kind, not listed."
          : ", and \(others) entities of other kinds, not listed.")
  }
}

extension OutputRecord {
  /// Creates the record of an update, with the names of GTFS-Realtime.
  fileprivate init(update: TripUpdate, of message: TripUpdates) {
    self = [
      "header": .record([
        "gtfs_realtime_version": .text(message.gtfsRealtimeVersion),
        "timestamp": Cell(message.timestamp),
        "feed_version": Cell(message.feedVersion),
      ]),
      "id": .text(update.id),
      "trip": .record(OutputRecord(trip: update.trip)),
      "vehicle": Cell(update.vehicle.map(OutputRecord.init(vehicle:))),
      "stop_time_update": .list(
        update.stopTimeUpdates.map { Cell.record(OutputRecord(update: $0)) }),
      "timestamp": Cell(update.timestamp),
      "delay": Cell(update.delay),
      "trip_properties": Cell(update.properties.map(OutputRecord.init(properties:))),
    ]
  }

  /// Creates the record of a trip.
  init(trip: TripDescriptor) {
    self = [
      "trip_id": Cell(trip.tripID),
      "route_id": Cell(trip.routeID),
      "direction_id": Cell(trip.directionID),
      "start_time": Cell(trip.startTime),
      "start_date": Cell(trip.startDate),
      "schedule_relationship": .text(trip.scheduleRelationship.description),
      "modified_trip": Cell(trip.modifiedTrip.map(OutputRecord.init(selector:))),
    ]
  }

  private init(selector: ModifiedTripSelector) {
    self = [
      "modifications_id": Cell(selector.modificationsID),
      "affected_trip_id": Cell(selector.affectedTripID),
      "start_time": Cell(selector.startTime),
      "start_date": Cell(selector.startDate),
    ]
  }

  private init(vehicle: VehicleDescriptor) {
    self = [
      "id": Cell(vehicle.id),
      "label": Cell(vehicle.label),
      "license_plate": Cell(vehicle.licensePlate),
      "wheelchair_accessible": Cell(vehicle.wheelchairAccessible),
    ]
  }

  private init(properties: TripProperties) {
    self = [
      "trip_id": Cell(properties.tripID),
      "start_date": Cell(properties.startDate),
      "start_time": Cell(properties.startTime),
      "shape_id": Cell(properties.shapeID),
      "trip_headsign": Cell(properties.tripHeadsign),
      "trip_short_name": Cell(properties.tripShortName),
    ]
  }

  private init(update: StopTimeUpdate) {
    self = [
      "stop_sequence": Cell(update.stopSequence),
      "stop_id": Cell(update.stopID),
      "arrival": Cell(update.arrival.map(OutputRecord.init(event:))),
      "departure": Cell(update.departure.map(OutputRecord.init(event:))),
      "schedule_relationship": .text(update.scheduleRelationship.description),
      "departure_occupancy_status": Cell(update.departureOccupancyStatus),
      "stop_time_properties": Cell(update.properties.map(OutputRecord.init(properties:))),
    ]
  }

  private init(event: StopTimeEvent) {
    self = [
      "delay": Cell(event.delay),
      "time": Cell(event.time),
      "uncertainty": Cell(event.uncertainty),
      "scheduled_time": Cell(event.scheduledTime),
    ]
  }

  private init(properties: StopTimeProperties) {
    self = [
      "assigned_stop_id": Cell(properties.assignedStopID),
      "stop_headsign": Cell(properties.stopHeadsign),
      "pickup_type": Cell(properties.pickupType),
      "drop_off_type": Cell(properties.dropOffType),
    ]
  }
}

extension Cell {
  fileprivate init(_ time: Date?) {
    self = time.map { .text($0.timestamp(in: .gmt)) } ?? .null
  }

  fileprivate init(_ duration: Duration?) {
    self = duration.map { .integer($0.components.seconds) } ?? .null
  }
}

extension OutputRecord {
  /// Creates the record of a vehicle in the list of a message.
  fileprivate init(listed vehicle: VehiclePosition) {
    self = [
      "vehicle_position": .record(OutputRecord(vehicle: vehicle)),
      "trip": Cell(vehicle.trip.map(OutputRecord.init(trip:))),
    ]
  }
}
