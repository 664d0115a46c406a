import HoldfastTransit

/// Rules for the stops of trips along their shapes, examined once for each sequence of stops.
struct TripShapeRules {
  private struct Pair: Hashable {
    var pattern: UInt32
    var shape: Int
  }

  /// A stop and a shape.
  private struct Place: Hashable {
    var stop: UInt32
    var shape: Int
  }

  /// The distance in meters from which on a stop is beyond the end of a shape.
  private static let beyond = 11.1

  private let points: ShapePoints
  private let ids: InternTable<UInt8>
  private let report: ReportBuilder

  init(_ points: ShapePoints, _ ids: InternTable<UInt8>, _ report: ReportBuilder) {
    (self.points, self.ids, self.report) = (points, ids, report)
  }

  /// Reports what is wrong with the stops of trips.
  func examine(_ schedule: FeedSchedule, _ feed: Feed) {
    let stops = feed.stops
    var seen: Set<Pair> = []
    var far: Set<Place> = []
    var line: (shape: Int, line: ShapeLine?)?
    // Those of one shape one after the other, so that its points are sorted once.
    var trips: [(shape: Int, trip: Int)] = []
    for (number, trip) in schedule.trips.enumerated()
    where trip.shape >= 0 && trip.route != TripAssembler.dropped {
      guard let shape = ids.number(of: schedule.assembler.texts[Int(trip.shape)]) else { continue }
      if seen.insert(Pair(pattern: schedule.assembler.places[number].pattern, shape: shape))
        .inserted
      {
        trips.append((shape, number))
      }
    }
    trips.sort { ($0.shape, $0.trip) < ($1.shape, $1.trip) }
    for (shape, trip) in trips {
      if line?.shape != shape {
        line = (shape, points.line(shape).map { ShapeLine(points: $0) })
      }
      guard var path = line?.line else { continue }
      // Stations of railways are long, and their places in their middle.
      let route = feed.routes[Int(schedule.trips[trip].route)]
      if RouteType(rawValue: route.routeType).category == .rail { path.far *= 4 }
      let calls = schedule.assembler.pattern(schedule.assembler.places[trip].pattern).calls
      let numbers = calls.map(\.0)
      func add(_ problem: FeedProblem) {
        report.add(
          problem.at(TripTable.file, line: Int(schedule.trips[trip].line), field: "shape_id"))
      }
      let places = numbers.map { $0 == TripAssembler.area ? nil : stops[Int($0)].position }
      let findings = path.findings(places) { far.contains(Place(stop: numbers[$0], shape: shape)) }
      for finding in findings {
        switch finding {
        case .far(let index, let meters):
          guard far.insert(Place(stop: numbers[index], shape: shape)).inserted else { continue }
          add(.farFromShape(stops[Int(numbers[index])].stopID, ids.text(shape), meters: meters))
        case .outOfOrder(let index):
          add(.stopOutOfOrder(stops[Int(numbers[index])].stopID, ids.text(shape)))
        }
      }
      if let problem = distanceProblem(calls, places, path, ids.text(shape)) { add(problem) }
    }
  }

  /// Returns the problem of a trip whose last distance is beyond the end of its shape, and its stop too.
  private func distanceProblem(
    _ calls: [(UInt32, Int32, CallDetail)], _ places: [Position?], _ path: ShapeLine,
    _ shape: String
  ) -> FeedProblem? {
    let measured = path.points.filter { !$0.distance.isNaN }
    guard let last = calls.indices.last(where: { calls[$0].2.distance != nil }),
      let distance = calls[last].2.distance,
      let end = measured.max(by: { $0.distance < $1.distance }), end.distance > 0
    else { return nil }
    // Both are rounded by many publishers, so that the places decide.
    guard distance > end.distance,
      let stop = places[last],
      // Points out of range were left out, so that there is no error.
      let point = try? Position(latitude: end.latitude, longitude: end.longitude),
      stop.distance(to: point).meters > Self.beyond
    else { return nil }
    return .distanceBeyondShape(distance, shape, end: end.distance)
  }
}
