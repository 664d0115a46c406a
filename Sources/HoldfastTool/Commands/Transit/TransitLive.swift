import Foundation
import HoldfastTransit

/// `holdfast transit live FILE`.
struct TransitLive: Verb {
  private let file = Argument(
    "FILE", "A GTFS-Realtime feed message in the binary format, as a server sends it.", .path)

  var declaration: Declaration {
    Declaration(
      "live", "Lists the trip updates of a GTFS-Realtime feed message.", file,
      example: "Samples/port-merrow-live/trip-updates.pb")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let message = try TripUpdates(contentsOf: arguments[file])
    if output.format == .json {
      try output.records(
        of: "trip updates", message.updates.lazy.map { OutputRecord(update: $0, of: message) })
    } else {
      try output.updateTable(message.updates)
    }
    output.note(summary(of: message))
    return .success
  }

  private func summary(of message: TripUpdates) -> String {
    let made = message.timestamp.map { ", made at \($0.timestamp(in: .gmt))" } ?? ""
    let others = message.otherEntityCount
    return "GTFS-Realtime \(message.gtfsRealtimeVersion)\(made): "
      + Count.of(message.updates.count, "trip update")
      + (others == 0 ? "." : ", and \(others) of other kinds, which are not listed.")
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
      "vehicle": update.vehicle.map { Cell.record(OutputRecord(vehicle: $0)) } ?? .null,
      "stop_time_update": .list(
        update.stopTimeUpdates.map { Cell.record(OutputRecord(update: $0)) }),
      "timestamp": Cell(update.timestamp),
      "delay": Cell(update.delay),
      "trip_properties": update.properties.map { Cell.record(OutputRecord(properties: $0)) }
        ?? .null,
    ]
  }

  private init(trip: TripDescriptor) {
    self = [
      "trip_id": Cell(trip.tripID),
      "route_id": Cell(trip.routeID),
      "direction_id": Cell(trip.directionID),
      "start_time": Cell(trip.startTime),
      "start_date": Cell(trip.startDate),
      "schedule_relationship": .text(trip.scheduleRelationship.description),
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
      "arrival": update.arrival.map { Cell.record(OutputRecord(event: $0)) } ?? .null,
      "departure": update.departure.map { Cell.record(OutputRecord(event: $0)) } ?? .null,
      "schedule_relationship": .text(update.scheduleRelationship.description),
      "stop_time_properties": update.properties.map { Cell.record(OutputRecord(properties: $0)) }
        ?? .null,
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
