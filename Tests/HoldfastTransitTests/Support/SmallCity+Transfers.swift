import Foundation
import HoldfastTestSupport

extension TextFeed {
  /// Returns a feed of a small city with many rules in `transfers.txt` in place of its own: of all types,
  /// for stops and their station, for trips and routes on one side, on both or on none.
  ///
  /// Few stops, routes and trips make it likely that several rules apply to a change.
  func withManyTransfers(_ random: inout SeededRandom) -> TextFeed {
    let stops = rows("stops.txt", "stop_id").map { $0[0] }
    let trips = rows("trips.txt", "trip_id", "route_id")
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    let places = (0..<pick([1, 2, 3])).map { _ in pick(stops) } + ["X"]
    // The fields for a route and a trip.
    func side() -> (route: String, trip: String) {
      let trip = pick(trips)
      return switch pick([0, 1, 1, 2, 2, 2, 3]) {
      case 0: ("", "")
      case 1: (trip[1], "")
      case 2: ("", trip[0])
      default: (trip[1], trip[0])
      }
    }
    var transfers =
      "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,"
      + "transfer_type,min_transfer_time\n"
    for _ in 0..<pick([5, 20, 60]) {
      let (from, to) = (side(), side())
      let start = pick(places)
      let finish = pick([start, start, pick(places), pick(stops)])
      let type = pick(["0", "1", "2", "2", "3", "3", ""])
      transfers +=
        "\(start),\(finish),\(from.route),\(to.route),\(from.trip),\(to.trip),"
        + "\(type),\(pick([0, 30, 120, 300, 900]))\n"
    }
    for _ in 0..<pick([0, 0, 1, 3]) {
      // A stop on the way of a trip, at its end, or of another trip.
      let (start, finish) = (pick([pick(stops), ""]), pick([pick(stops), ""]))
      transfers +=
        "\(start),\(finish),,,\(pick(trips)[0]),\(pick(trips)[0]),"
        + "\(pick(["4", "4", "4", "5"])),\n"
    }
    var feed = self
    feed.files["transfers.txt"] = Data(transfers.utf8)
    return feed
  }
}
