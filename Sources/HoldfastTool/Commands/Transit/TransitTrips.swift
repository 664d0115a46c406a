import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit trips DB ROUTE_ID [--date DATE] [--at TIME] [--language CODE]`.
struct TransitTrips: Verb {
  private let database = Argument.timetable
  private let route = Argument("ROUTE_ID", "The route_id of a route.", .text)
  private let date = Option(
    "--date", "DATE", "Lists the trips of this service day. Otherwise today's.", .day)
  private let time = Option(
    "--at", "TIME",
    "Lists those that depart from then on: a time of the day where they depart, in ISO 8601, which may have its "
      + "date.",
    .instant)
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "trips", "Lists the trips of a route on a day.", database, route, date, time, language,
      example: "harbour.db F1 --date 2026-07-24")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let routeID = arguments[route]
    let instant = try InstantText.combined(arguments[time], arguments[date])
    let (path, translations) = (arguments[database].relativePath, Translations(arguments[language]))
    let (trips, isRepeated, validity) = try await timetable.reader.read {
      db -> ([OutputRecord], Bool, FeedValidity?) in
      guard let route = try Route.fetchOne(db, routeID: routeID) else {
        throw ToolError.noRoute(routeID, path)
      }
      let now = try FeedValidity(db, at: Date())
      // Without a known time zone there is no today.
      let zone = now.timeZone ?? .gmt
      guard let day = instant?.day ?? now.timeZone.flatMap({ instant?.day(in: $0) }) ?? now.day
      else { return ([], false, now) }
      var trips = try RouteTrips(of: route.rid, on: day).fetchAll(db).map {
        try translations.translating($0, db)
      }
      if let instant, instant.seconds != nil {
        trips.removeAll { trip in
          // A local time is that of the stop where the trip departs, as the table has it.
          let first = instant.date(in: trip.departureTimeZone)
          return trip.lastDeparture(on: day).map { $0 < first } ?? false
        }
      }
      guard trips.isEmpty else {
        return (
          trips.map { OutputRecord(trip: $0, of: route, on: day) },
          trips.contains { $0.frequency != nil }, nil
        )
      }
      let noon = day.start(in: zone) + 43200
      return ([], false, try FeedValidity(db, at: noon))
    }
    output.explainEmptyAnswer(validity)
    var keys: Set = [
      "departure", "arrival", "origin", "destination", "trip_headsign", "trip_id",
    ]
    if isRepeated { keys.formUnion(["headway_secs", "end_time"]) }
    let layout = TextTable.Layout(
      keys: keys, identifiers: ["trip_id", "end_time"], dispensable: ["trip_headsign"])
    try output.records(of: "trips", as: layout, trips)
    return .success
  }
}

extension RouteTrip {
  /// The departure of the last vehicle; `nil` when it is not known.
  fileprivate func lastDeparture(on day: ServiceDay) -> Date? {
    // A trip with a headway departs until its end, which is not included.
    guard let end = frequency?.endTime else { return departure }
    return day.start(in: timeZone) + Double(end.seconds) - 1
  }
}

extension OutputRecord {
  /// Creates the record of a trip, with GTFS's names.
  fileprivate init(trip: RouteTrip, of route: Route, on day: ServiceDay) {
    self = [
      "departure": Cell(trip.departure, in: trip.departureTimeZone),
      "arrival": Cell(trip.arrival, in: trip.arrivalTimeZone),
      "service_date": .text(day.description),
      "departure_time": Cell(trip.departureTime?.description),
      "arrival_time": Cell(trip.arrivalTime?.description),
      "route_id": .text(route.routeID),
      "service_id": .text(trip.serviceID),
      "trip_id": .text(trip.tripID),
      "trip_headsign": Cell(trip.tripHeadsign),
      "trip_short_name": Cell(trip.tripShortName),
      "direction_id": Cell(trip.directionID),
      "origin": Cell(trip.origin?.stopName),
      "origin_stop_id": Cell(trip.origin?.stopID),
      "destination": Cell(trip.destination?.stopName),
      "destination_stop_id": Cell(trip.destination?.stopID),
      "wheelchair_accessible": Cell(trip.wheelchairAccessible),
      "bikes_allowed": Cell(trip.bikesAllowed),
      "headway_secs": Cell(trip.frequency.map { Int($0.headway.components.seconds) }),
      "end_time": Cell(trip.frequency?.endTime.description),
      "exact_times": trip.frequency.map { Cell.integer($0.isExact ? 1 : 0) } ?? .null,
      "rid": Cell(route.rid),
      "tid": Cell(trip.tid),
    ]
  }
}
