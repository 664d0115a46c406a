import Foundation
import HoldfastTestSupport

extension TextFeed {
  /// Returns a feed of a small city with what lies at the edges of the specification: trips of several
  /// days and of one stop, times that decrease or are equal, calls without times but with windows, and pairs of trips on which riders
  /// stay seated over midnight.
  func withEdges(_ random: inout SeededRandom) -> TextFeed {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ percent: Int) -> Bool { pick(1...100) <= percent }
    let stops = rows("stops.txt", "stop_id").map { $0[0] }.filter { $0.hasPrefix("S") }
    func stop() -> String { stops[pick(0...stops.count - 1)] }
    var calls =
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type,"
      + "start_pickup_drop_off_window,end_pickup_drop_off_window\n"
    var (lastTrip, lastTime) = ("", Int?.none)
    let modulo = chance(30)
    for row in rows(
      "stop_times.txt", "trip_id", "stop_sequence", "stop_id", "arrival_time", "departure_time",
      "pickup_type", "drop_off_type")
    {
      if row[0] != lastTrip, chance(10), !lastTrip.isEmpty {
        // On demand after the last stop, in a window.
        calls += "\(lastTrip),90,\(stop()),,,2,2,09:00:00,10:00:00\n"
      }
      var times = [row[3], row[4]].map { ReferenceTimetable.seconds($0) }
      // At the same time as the call before.
      if row[0] == lastTrip, let lastTime, chance(8) { times = [lastTime, lastTime] }
      (lastTrip, lastTime) = (row[0], times[1])
      if modulo { times = times.map { $0.map { $0 % 86400 } } }
      if chance(5) { times = times.map { $0.map { max(0, $0 - pick(1...30) * 60) } } }
      if chance(3) { times.reverse() }
      let texts = times.map { $0.map(Self.time) ?? "" }
      calls += "\(row[0]),\(row[1]),\(row[2]),\(texts[0]),\(texts[1]),\(row[5]),\(row[6]),,\n"
    }
    var trips = "trip_id,route_id,service_id\n"
    for row in rows("trips.txt", "trip_id", "route_id", "service_id") {
      trips += row.joined(separator: ",") + "\n"
    }
    func add(_ trip: String, _ list: [(stop: String, time: Int)]) {
      trips += "\(trip),R\(pick(0...3)),\(["W", "W", "A", "B"][pick(0...3)])\n"
      for (index, call) in list.enumerated() {
        calls +=
          "\(trip),\(index + 1),\(call.stop),\(Self.time(call.time)),\(Self.time(call.time)),,,,\n"
      }
    }
    for number in 0..<(chance(50) ? pick(1...2) : 0) {
      let start = pick(300...1500) * 60
      let length = pick(10...50) * 3600
      add("L\(number)", [(stop(), start), (stop(), start + length / 2), (stop(), start + length)])
    }
    if chance(30) { add("O", [(stop(), pick(300...1500) * 60)]) }
    var transfers =
      "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,"
      + "transfer_type,min_transfer_time\n"
    for row in rows(
      "transfers.txt", "from_stop_id", "to_stop_id", "from_route_id", "to_route_id",
      "from_trip_id", "to_trip_id", "transfer_type", "min_transfer_time")
    {
      transfers += row.joined(separator: ",") + "\n"
    }
    for number in 0..<(chance(70) ? pick(1...2) : 0) {
      // Until shortly before or after a midnight, and from then on.
      let (end, change) = (pick(1420...1470) + 1440 * (chance(20) ? 1 : 0), stop())
      add("M\(number)", [(stop(), (end - pick(5...30)) * 60), (change, end * 60)])
      let start = chance(70) ? pick(0...30) : pick(1430...1480)
      add(
        "N\(number)",
        [(change, start * 60), (stop(), (start + 10) * 60), (stop(), (start + 15) * 60)])
      transfers += ",,,,M\(number),N\(number),4,\n"
      if chance(15) { transfers += ",,,,M\(number),N\(number),5,\n" }
      if chance(15) { transfers += ",,,,N\(number),M\(number),4,\n" }
    }
    var feed = self
    feed.files["stop_times.txt"] = Data(calls.utf8)
    feed.files["trips.txt"] = Data(trips.utf8)
    feed.files["transfers.txt"] = Data(transfers.utf8)
    return feed
  }

  /// Returns the feed with entrances and pathways in its station, and with `stop_access`.
  func withEntrances(_ random: inout SeededRandom) -> TextFeed {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ percent: Int) -> Bool { pick(1...100) <= percent }
    var stops =
      "stop_id,stop_name,parent_station,stop_timezone,stop_lat,stop_lon,location_type,stop_access\n"
    var parts: [String] = []
    for row in rows(
      "stops.txt", "stop_id", "stop_name", "parent_station", "stop_timezone", "stop_lat",
      "stop_lon")
    {
      let isPart = row[2] == "X"
      if isPart { parts.append(row[0]) }
      let access = isPart ? ["", "0", "0", "1"][pick(0...3)] : ""
      stops += row.joined(separator: ",") + ",\(row[0] == "X" ? "1" : "0"),\(access)\n"
    }
    for number in 0..<pick(0...2) {
      let (north, east) = (52.5 + Double(pick(0...60)) / 1e4, 13.4 + Double(pick(0...80)) / 1e4)
      stops += "E\(number),Entrance \(number),X,,\(north),\(east),2,\n"
      parts.append("E\(number)")
    }
    stops += "K,Node,X,,52.5,13.4,3,\n"
    parts.append("K")
    var pathways =
      "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n"
    for number in 0..<(chance(30) ? 0 : pick(1...6)) {
      let (one, other) = (parts[pick(0...parts.count - 1)], parts[pick(0...parts.count - 1)])
      pathways += "Q\(number),\(one),\(other),1,\(pick(0...1)),\(pick(10...400))\n"
    }
    var feed = self
    feed.files["stops.txt"] = Data(stops.utf8)
    feed.files["pathways.txt"] = Data(pathways.utf8)
    return feed
  }

  /// Returns what live data may say of some vehicles on days around one.
  func liveChanges(
    _ random: inout SeededRandom, on days: [String]
  ) throws -> [ReferenceChange] {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let timetable = try ReferenceTimetable(self)
    let stops = rows("stops.txt", "stop_id").map { $0[0] }.filter { $0.hasPrefix("S") }
    let day = { (date: String) in timetable.day(named: date) }
    func ride(from start: Int) -> [(stopID: String, time: Int)] {
      var time = start
      return (0..<pick(2...4)).map { _ in
        time += pick(1...12) * 60
        return (stops[pick(0...stops.count - 1)], time)
      }
    }
    var (changes, known): ([ReferenceChange], Set<String>) = ([], [])
    for _ in 0..<pick(2...10) {
      let date = days[pick(0...days.count - 1)]
      guard let own = day(date) else { continue }
      let running = timetable.services(runningOn: own)
      let trip = timetable.trips[pick(0...timetable.trips.count - 1)]
      if pick(0...4) == 0 {
        changes.append(
          ReferenceChange(
            tripID: "", day: date, sequences: [],
            kind: .added(
              route: "R\(pick(0...3))",
              ride(from: [pick(360...600), pick(1380...1620)][pick(0...1)] * 60))))
        continue
      }
      guard let first = trip.calls.first?.departure, trip.calls.count > 1 else { continue }
      if trip.frequencies.isEmpty, pick(0...9) == 0 {
        changes.append(
          ReferenceChange(
            tripID: trip.tripID, day: date, sequences: [],
            kind: .duplicated(
              route: trip.routeID, start: max(0, first + pick(-90...90) * 60), trip.calls)))
        continue
      }
      guard running.contains(trip.serviceID) else { continue }
      var (start, isExact) = (Int?.none, true)
      if !trip.frequencies.isEmpty {
        guard let shift = timetable.shifts(of: trip).randomElement(using: &random) else { continue }
        (start, isExact) = (first + shift.0, shift.1)
      }
      guard known.insert("\(trip.tripID) \(date) \(start ?? -1)").inserted else { continue }
      let last = trip.calls.count - 1
      let kind: ReferenceChange.Kind =
        // Where only the headway is known, a vehicle may be missing.
        switch isExact ? pick(0...11) : 0 {
        case 0, 1: .canceled
        case 2...5:
          .delays(
            [(pick(0...last), pick(-5...40) * 60), (pick(0...last), pick(-2...20) * 60)].sorted {
              $0.0 < $1.0
            })
        case 10: .delays([(0, pick(-5...40) * 60), (pick(0...last), nil)])
        case 11: .delay(pick(-5...40) * 60)
        case 6: .skips([pick(0...last)])
        case 7: .skips([pick(0...last), pick(0...last)].sorted())
        case 8: .platform(call: pick(0...last), stopID: stops[pick(0...stops.count - 1)])
        default: .replacement(ride(from: start ?? first))
        }
      changes.append(
        ReferenceChange(
          tripID: trip.tripID, day: date, start: start, sequences: trip.calls.map(\.sequence),
          kind: kind))
    }
    return changes
  }

  private static func time(_ seconds: Int) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }
}
