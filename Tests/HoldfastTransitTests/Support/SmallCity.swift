import HoldfastTestSupport

/// A random feed of a few stops and trips with everything that makes journeys difficult.
enum SmallCity {
  /// Returns a feed in the time zone of Berlin, around the last Sunday of March 2026, on which clocks
  /// are put forward.
  ///
  /// - Parameters:
  ///   - random: The source of all that is random.
  ///   - hasHeadways: Whether there are trips of which only the headway is known.
  /// - Returns: The feed.
  static func feed(_ random: inout SeededRandom, hasHeadways: Bool) -> TextFeed {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ percent: Int) -> Bool { pick(1...100) <= percent }
    func time(_ minutes: Int) -> String {
      let (hours, rest) = (minutes / 60, minutes % 60)
      return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest):00"
    }
    let stopCount = pick(4...8)
    var stops =
      "stop_id,stop_name,parent_station,stop_timezone,stop_lat,stop_lon\nX,Station,,,52.5,13.4\n"
    for stop in 0..<stopCount {
      // About half of all pairs are in reach of each other.
      let (north, east) = (52.5 + Double(pick(0...120)) / 1e4, 13.4 + Double(pick(0...200)) / 1e4)
      stops += "S\(stop),Stop \(stop),\(stop < 2 ? "X" : ""),,\(north),\(east)\n"
    }
    var (trips, calls, frequencies) = (
      "trip_id,route_id,service_id\n",
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type\n",
      "trip_id,start_time,end_time,headway_secs,exact_times\n"
    )
    var number = 0
    for route in 0..<pick(2...4) {
      // Loops are likely.
      let way = (0..<pick(2...5)).map { _ in pick(0...stopCount - 1) }
      for _ in 0..<pick(1...4) {
        let trip = "T\(number)"
        number += 1
        trips += "\(trip),R\(route),\(["W", "W", "A", "B"][pick(0...3)])\n"
        var minutes = chance(20) ? pick(1380...1620) : pick(360...600)
        if chance(hasHeadways ? 40 : 15) {
          let start = pick(360...480)
          let isExact = !hasHeadways || chance(50)
          frequencies +=
            "\(trip),\(time(start)),\(time(start + pick(0...60))),\(pick(5...20) * 60),\(isExact ? 1 : 0)\n"
        }
        for (index, stop) in way.enumerated() {
          let arrival = minutes
          minutes += chance(30) ? pick(0...4) : 0
          let isBlank = index > 0 && index < way.count - 1 && chance(15)
          let times = isBlank ? "," : "\(time(arrival)),\(time(minutes))"
          calls +=
            "\(trip),\(index * 2),S\(stop),\(times),\(chance(10) ? "1" : ""),\(chance(10) ? "1" : "")\n"
          // Some overtake others.
          minutes += pick(1...12)
        }
      }
    }
    var transfers =
      "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
    for _ in 0..<(chance(30) ? 0 : pick(0...5)) {
      func stop() -> String { chance(20) ? "X" : "S\(pick(0...stopCount - 1))" }
      let hasVehicles = chance(50)
      func route() -> String { hasVehicles && chance(40) ? "R\(pick(0...1))" : "" }
      func trip() -> String { hasVehicles && chance(30) ? "T\(pick(0...number - 1))" : "" }
      let from = stop()
      transfers +=
        "\(from),\(chance(40) ? from : stop()),\(route()),\(route()),\(trip()),\(trip()),\(pick(0...3)),\(pick(0...15) * 60)\n"
    }
    for _ in 0..<(chance(40) ? pick(1...2) : 0) {
      transfers +=
        ",,,,T\(pick(0...number - 1)),T\(pick(0...number - 1)),\(chance(85) ? 4 : 5),\n"
    }
    return TextFeed([
      "agency.txt": "agency_id,agency_timezone\nA,Europe/Berlin\n",
      "routes.txt": "route_id,route_short_name,route_type,agency_id\n"
        + (0..<4).map { "R\($0),\($0),3,A\n" }.joined(),
      "stops.txt": stops, "trips.txt": trips, "stop_times.txt": calls,
      "frequencies.txt": frequencies, "transfers.txt": transfers,
      "calendar.txt": """
      service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
      W,1,1,1,1,1,1,1,20260320,20260405
      A,0,0,0,0,0,1,1,20260320,20260405
      """,
      "calendar_dates.txt":
        "service_id,date,exception_type\nB,20260329,1\nW,20260329,\(pick(1...2))\n",
    ])
  }
}
