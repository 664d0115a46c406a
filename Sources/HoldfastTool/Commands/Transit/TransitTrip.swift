import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit trip DB TRIP_ID [--date DATE] [--language CODE]`.
struct TransitTrip: Verb {
  private let database = Argument.timetable
  private let trip = Argument("TRIP_ID", "The trip_id of a trip.", .text)
  private let date = Option(
    "--date", "DATE", "Prints the instants of the calls on this service day.", .day)
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "trip", "Lists the stops of a trip with their times.", database, trip, date, language,
      example: "harbour.db T1-WD-0-0600 --date 2026-07-24")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let (tripID, day) = (arguments[trip], arguments[date])
    let translations = Translations(arguments[language])
    let found = try await timetable.reader.read { db in
      try Trip.fetchOne(db, tripID: tripID).map { try translations.translating($0, db) }
    }
    guard let found else { throw ToolError.noTrip(tripID, arguments[database].relativePath) }
    if let day, !found.runs(on: day) { throw ToolError.notRunning(tripID, day.description) }
    var keys: Set<String> = [
      "stop_sequence", "stop_id", "stop_name", "arrival_time", "departure_time",
    ]
    if found.calls.contains(where: { $0.window != nil }) {
      keys.formUnion(["start_pickup_drop_off_window", "end_pickup_drop_off_window"])
    }
    if found.calls.contains(where: { $0.locationID != nil }) { keys.insert("location_id") }
    if found.calls.contains(where: { $0.locationGroupID != nil }) {
      keys.insert("location_group_id")
    }
    if found.calls.contains(where: { $0.timepoint == 0 }) { keys.insert("timepoint") }
    if found.calls.contains(where: { $0.timepoint == nil && $0.isInterpolated }) {
      keys.insert("is_interpolated")
    }
    // Nobody boards where a trip ends, or alights where it begins.
    if found.calls.dropLast().contains(where: { $0.pickupType != 0 }) {
      keys.insert("pickup_type")
    }
    if found.calls.dropFirst().contains(where: { $0.dropOffType != 0 }) {
      keys.insert("drop_off_type")
    }
    output.note(
      found.calls.lazy.flatMap {
        [
          Booking(.boarding, $0.pickupBookingRule, in: $0.timeZone),
          Booking(.alighting, $0.dropOffBookingRule, in: $0.timeZone),
        ].compactMap(\.self)
      })
    for frequency in found.frequencies {
      let start = frequency.isExact ? "Runs exactly" : "Runs"
      try output.line(
        "\(start) \(HeadwayText(frequency.headway)) from \(frequency.startTime) to "
          + "\(frequency.endTime).")
    }
    if !found.frequencies.isEmpty {
      try output.line("The times of the stops only say how long the trip takes.\n")
    } else if day != nil {
      keys.subtract(["arrival_time", "departure_time"])
      keys.formUnion(["arrival", "departure"])
    }
    try output.records(
      of: "stops",
      as: TextTable.Layout(
        keys: keys,
        identifiers: [
          "stop_id", "location_id", "location_group_id", "arrival_time", "departure_time",
        ]),
      found.calls.lazy.map { OutputRecord(call: $0, of: found, on: day) })
    return .success
  }
}

extension OutputRecord {
  /// Creates the record of a trip's call, with GTFS's names.
  fileprivate init(call: Trip.Call, of trip: Trip, on day: ServiceDay?) {
    // Nothing runs at the times of a trip that is repeated.
    let instant = { (time: ServiceTime?) in
      (trip.frequencies.isEmpty ? day : nil).flatMap { day in
        time.map { day.start(in: trip.timeZone) + Double($0.seconds) }
      }
    }
    self = [
      "trip_id": .text(trip.tripID),
      "route_id": .text(trip.route.routeID),
      "service_id": .text(trip.serviceID),
      "service_date": Cell(day?.description),
      "trip_headsign": Cell(call.stopHeadsign ?? trip.tripHeadsign),
      "stop_sequence": Cell(call.stopSequence),
      "stop_id": Cell(call.stop?.stopID),
      "stop_name": Cell(call.stop?.stopName ?? call.areaName),
      "location_id": Cell(call.locationID),
      "location_group_id": Cell(call.locationGroupID),
      "arrival_time": Cell(call.arrivalTime?.description),
      "departure_time": Cell(call.departureTime?.description),
      "arrival": Cell(instant(call.arrivalTime), in: call.timeZone),
      "departure": Cell(instant(call.departureTime), in: call.timeZone),
      "is_interpolated": .bool(call.isInterpolated),
      "timepoint": Cell(call.timepoint),
      "start_pickup_drop_off_window": Cell(call.window?.start),
      "end_pickup_drop_off_window": Cell(call.window?.end),
      "pickup_booking_rule": Cell(call.pickupBookingRule.map(OutputRecord.init(rule:))),
      "drop_off_booking_rule": Cell(call.dropOffBookingRule.map(OutputRecord.init(rule:))),
      "pickup_type": Cell(call.pickupType),
      "drop_off_type": Cell(call.dropOffType),
      "shape_dist_traveled": Cell(call.shapeDistTraveled),
      "frequencies": .list(trip.frequencies.map { .record(OutputRecord(frequency: $0)) }),
    ]
  }

  private init(frequency: Trip.Frequency) {
    self = [
      "start_time": .text(frequency.startTime.description),
      "end_time": .text(frequency.endTime.description),
      "headway_secs": .integer(frequency.headway.components.seconds),
      "exact_times": .integer(frequency.isExact ? 1 : 0),
    ]
  }
}
