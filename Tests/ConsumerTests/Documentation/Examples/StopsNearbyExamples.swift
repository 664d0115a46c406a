// The Swift of StopsNearby.md, compiled: StopsNearbyTests finds each block of it here, and runs every
// function.

import Foundation
import Holdfast
import HoldfastTransit

func stopsNearby(
  latitude: Double, longitude: Double, in timetable: Timetable
) async throws -> [String] {
  let position = try Position(latitude: latitude, longitude: longitude)
  let query = NearbyStops(to: position, within: try Distance(meters: 800), limit: 5)
  let stops = try await timetable.reader.read { db in try query.fetchAll(db) }
  return stops.map { "\($0.stop.stopName), \(Int($0.distance.meters.rounded())) m" }
}

func stopsOnMap(
  around center: Position, latitudeDelta: Double, longitudeDelta: Double, in timetable: Timetable
) async throws -> [Stop] {
  let visible = try BoundingBox(
    center: center, latitudeDelta: latitudeDelta, longitudeDelta: longitudeDelta)
  return try await timetable.reader.read { db in try StopsInRegion(visible).fetchAll(db) }
}

func badge(of route: Route) -> String {
  let category = route.routeType.category
  let symbol =
    switch category {
    case .ferry: "ferry.fill"
    case .tram, .cableTram: "tram.fill"
    case .metro, .rail, .monorail, .funicular: "train.side.front.car"
    default: "bus.fill"
    }
  return "\(symbol) #\(route.routeColor ?? category.color) \(route.routeType.name)"
}

func hint(about timetable: Timetable, at instant: Date = .now) async throws -> String? {
  let validity = try await timetable.reader.read { db in try FeedValidity(db, at: instant) }
  switch validity.status {
  case .valid, .unknown: return nil
  case .upcoming: return "This timetable begins on \(validity.firstDay?.description ?? "")."
  case .expired: return "This timetable ended on \(validity.lastDay?.description ?? "")."
  }
}
