import Foundation

/// The files of a synthetic feed, written one after the other.
struct SyntheticFiles {
  static let agencyCount = 30

  private let network: SyntheticNetwork
  private var feed: SyntheticFeed { network.feed }

  init(_ feed: SyntheticFeed) {
    network = SyntheticNetwork(feed)
  }

  func write(_ archive: FeedArchive) {
    writeSmallFiles(archive)
    writeStops(archive)
    writeRoutes(archive)
    writeTrips(archive)
    writeStopTimes(archive)
  }

  private var routes: some Sequence<SyntheticRoute> {
    (0..<feed.routeCount).lazy.map { SyntheticRoute($0, of: network) }
  }

  private func writeSmallFiles(_ archive: FeedArchive) {
    archive.write(
      "agency.txt",
      header: "agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone"
    ) { text in
      for agency in 0..<Self.agencyCount {
        text.add("A\(agency),\(network.name(of: agency)) Transit,https://example.org/\(agency),")
        text.add("\(feed.timeZone),en,131500")
        text.endRow()
      }
    }
    let services = (0..<Self.agencyCount * SyntheticService.perAgency).map(SyntheticService.init)
    archive.write(
      "calendar.txt",
      header:
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    ) { text in
      for service in services {
        guard let days = service.days else { continue }
        text.add("\(service.id),\(days)")
        text.endRow()
      }
    }
    archive.write("calendar_dates.txt", header: "service_id,date,exception_type") { text in
      for service in services {
        for exception in service.exceptions {
          text.add("\(service.id),\(exception.date),\(exception.type)")
          text.endRow()
        }
      }
    }
    archive.write(
      "feed_info.txt",
      header:
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version"
    ) { text in
      text.add("Synthetic \(feed.name),https://example.org,en,20261101,20270131,")
      text.add("\(feed.seed).\(SyntheticFeed.version)")
      text.endRow()
    }
  }

  private func writeStops(_ archive: FeedArchive) {
    archive.write(
      "stops.txt",
      header: "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,"
        + "wheelchair_boarding,platform_code"
    ) { text in
      for stop in 0..<feed.stopCount {
        let (latitude, longitude) = network.position(of: stop)
        text.add("\(network.id(of: stop)),\(200_000 + stop),\"\(network.name(ofStop: stop))\",")
        text.add("\(Self.degrees(latitude)),\(Self.degrees(longitude)),")
        switch network.place(of: stop) {
        case .station: text.add("1,,1,")
        case .platform(let number):
          text.add("0,\(network.id(of: network.station(of: stop))),1,\(number)")
        case .street: text.add("0,,\(stop % 5 == 0 ? 2 : 1),")
        }
        text.endRow()
      }
    }
  }

  /// Degrees with seven decimals, without the cost of a format.
  private static func degrees(_ value: Double) -> String {
    let number = Int((abs(value) * 1e7).rounded())
    let decimals = String(number % 10_000_000)
    let zeros = String(repeating: "0", count: 7 - decimals.count)
    return "\(value < 0 ? "-" : "")\(number / 10_000_000).\(zeros)\(decimals)"
  }

  private func writeRoutes(_ archive: FeedArchive) {
    archive.write(
      "routes.txt",
      header:
        "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color"
    ) { text in
      for route in routes {
        let stops = route.patterns[0].stops
        let type = route.isTrain ? 2 : route.number % 5 == 4 ? 712 : 3
        text.add("\(Self.id(of: route)),A\(route.agency),\(100 + route.number),")
        text.add(
          "\"\(network.name(ofStop: stops[0])) to \(network.name(ofStop: stops[stops.count - 1]))\","
        )
        text.add("\(type),\(route.isTrain ? "F99D1C" : "00B5EF"),FFFFFF")
        text.endRow()
      }
    }
  }

  private static func id(of route: SyntheticRoute) -> String {
    "\(2400 + route.agency)_\(100 + route.number)"
  }

  /// The `trip_id`: a number, or for trains the names of the run and of the set with a number.
  private static func id(of trip: Int, _ route: SyntheticRoute) -> String {
    let order = trip - route.firstTrip
    let number = 1_000_000 + trip * 3 + trip % 3
    guard route.isTrain else { return "\(number)" }
    return "\(order)-\(route.number).\(route.trips[order].service).128.\(order % 8).B.8.5\(number)"
  }

  private func writeTrips(_ archive: FeedArchive) {
    archive.write(
      "trips.txt",
      header: "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,"
        + "wheelchair_accessible,bikes_allowed"
    ) { text in
      for route in routes {
        let headsigns = route.patterns.map { network.name(ofStop: $0.stops[$0.stops.count - 1]) }
        for (order, trip) in route.trips.enumerated() {
          let number = route.firstTrip + order
          text.add("\(Self.id(of: route)),\(SyntheticService(trip.service).id),")
          text.add("\(Self.id(of: number, route)),\"\(headsigns[trip.pattern])\",")
          text.add(route.isTrain ? "\(order)," : ",")
          text.add("\(route.patterns[trip.pattern].directionID),")
          // Some operators say which vehicle runs which trips.
          text.add(route.agency.isMultiple(of: 2) ? "\(trip.service)-\(number / 8),1,0" : ",1,0")
          text.endRow()
        }
      }
    }
  }

  private func writeStopTimes(_ archive: FeedArchive) {
    archive.write(
      "stop_times.txt",
      header: "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,"
        + "drop_off_type,shape_dist_traveled,timepoint"
    ) { text in
      for route in routes {
        let calls = route.patterns.map(callEnds)
        for (order, trip) in route.trips.enumerated() {
          let id = Array((Self.id(of: route.firstTrip + order, route) + ",").utf8)
          let timing = route.patterns[trip.pattern].timings[trip.timing]
          for (time, end) in zip(timing, calls[trip.pattern]) {
            text.add(id)
            text.add(time: trip.start + time.arrival)
            text.add(Self.comma)
            text.add(time: trip.start + time.departure)
            text.add(end)
            text.endRow()
          }
        }
      }
    }
  }

  private static let comma = [UInt8(ascii: ",")]

  /// What the rows of a pattern's trips have in common, behind the times.
  private func callEnds(_ pattern: SyntheticRoute.Pattern) -> [[UInt8]] {
    pattern.stops.enumerated().map { index, stop in
      let isLast = index == pattern.stops.count - 1
      let isTimepoint = index == 0 || isLast || index.isMultiple(of: 5)
      let end =
        ",\(network.id(of: stop)),\(index + 1),,\(isLast ? 1 : 0),\(index == 0 ? 1 : 0),"
        + "\(pattern.distances[index]),\(isTimepoint ? 1 : 0)"
      return Array(end.utf8)
    }
  }
}
