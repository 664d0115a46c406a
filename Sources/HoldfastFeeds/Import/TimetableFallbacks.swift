/// The values that a timetable database has where the feed has none, for the report.
struct TimetableFallbacks {
  private let feed: Feed
  private let places: StopPlaces

  init(_ feed: Feed, _ places: StopPlaces) {
    self.feed = feed
    self.places = places
  }

  /// One problem for each kind of fallback, with the number of affected rows.
  var problems: [(problem: FeedProblem, count: Int)] {
    (stopNames + stopCoordinates + routeNames).filter { $0.count > 0 }
  }

  private var stopNames: [(problem: FeedProblem, count: Int)] {
    let sources = feed.stops.map { places.name(of: $0).source }
    let fallbacks: [(StopPlaces.Source, (Int) -> FeedProblem)] = [
      (.station, FeedProblem.nameOfStation), (.code, FeedProblem.nameOfCode),
      (.identifier, FeedProblem.nameOfIdentifier),
    ]
    return fallbacks.map { source, problem in
      let count = sources.count { $0 == source }
      return (problem(count).at(StopTable.file, field: "stop_name"), count)
    }
  }

  private var stopCoordinates: [(problem: FeedProblem, count: Int)] {
    let coordinates = feed.stops.map { places.coordinate(of: $0) }
    let taken = coordinates.count { $0?.source == .station }
    let missing = coordinates.count { $0 == nil }
    return [
      (.coordinateFallback(taken).at(StopTable.file, field: "stop_lat"), taken),
      (.noCoordinate(missing).at(StopTable.file, field: "stop_lat"), missing),
    ]
  }

  private var routeNames: [(problem: FeedProblem, count: Int)] {
    [("route_short_name", \FeedRoute.routeShortName), ("route_long_name", \.routeLongName)].map {
      field, name in
      let count = feed.routes.count { $0[keyPath: name] == nil }
      return (.emptyRouteName(count).at(RouteTable.file, field: field), count)
    }
  }
}
