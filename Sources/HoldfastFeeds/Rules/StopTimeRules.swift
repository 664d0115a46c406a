import HoldfastTransit

/// Rules for the stop times of trips, which are examined once for each different timing.
///
/// It belongs to one report and one thread.
final class StopTimeRules {
  /// Whether a stop occurs in any trip, by its number.
  private(set) var isServed: [Bool]
  private let stops: [FeedStop]
  private let positions: [Position?]
  /// The largest speed of each route's vehicles, in meters per second.
  private let speeds: [Double]
  private let report: ReportBuilder
  private var isReported: [Bool]

  /// From this distance on, stops are far from each other, in meters.
  private static let far = 10_000.0

  init(_ feed: Feed, _ report: ReportBuilder) {
    stops = feed.stops
    positions = feed.stops.map(\.position)
    speeds = feed.routes.map { Self.speed(of: RouteType(rawValue: $0.routeType).category) / 3.6 }
    self.report = report
    isServed = [Bool](repeating: false, count: stops.count)
    isReported = isServed
  }

  /// Examines the calls of a trip that differs from those before it.
  ///
  /// - Parameters:
  ///   - calls: The calls, in the order of their sequence.
  ///   - route: The number of the trip's route.
  ///   - isNewPattern: Whether the trip also has other stops than those before it.
  func examine(_ calls: [FeedCall], route: Int, isNewPattern: Bool) {
    if isNewPattern {
      for call in calls { examineStop(of: call) }
      examineDistances(calls)
    }
    examineBlankTimes(calls)
    if speeds.indices.contains(route) { examineSpeeds(calls, speeds[route]) }
  }

  private func examineStop(of call: FeedCall) {
    let stop = Int(call.stop)
    guard stop < isServed.count else { return }
    isServed[stop] = true
    // "Referenced locations must be stops/platforms, i.e. their stops.location_type value must be 0 or
    // empty."
    guard stops[stop].locationType != 0, !isReported[stop] else { return }
    isReported[stop] = true
    add(.callsAt(stops[stop].stopID, stops[stop].locationType), "stop_id", call)
  }

  private func examineDistances(_ calls: [FeedCall]) {
    var last: (distance: Double, stop: UInt32)?
    if let call = calls.first(where: { $0.detail.distance.map { $0 < 0 } == true }) {
      add(.negative("\(call.detail.distance ?? 0)"), "shape_dist_traveled", call)
    }
    for call in calls {
      guard let distance = call.detail.distance else { continue }
      if let last, distance <= last.distance, distance < last.distance || call.stop != last.stop {
        return add(
          .decreasingDistance(distance, after: last.distance), "shape_dist_traveled", call)
      }
      last = (distance, call.stop)
    }
  }

  private func examineBlankTimes(_ calls: [FeedCall]) {
    let blank = TimetableContent.Timing.blank
    if let call = calls.first(where: { ($0.arrival == blank) != ($0.departure == blank) }) {
      let field = call.arrival == blank ? "arrival_time" : "departure_time"
      add(.oneTimeOnly(), field, call)
    }
    if let call = calls.first(where: {
      $0.detail.timepoint == 1 && $0.first == nil && !$0.detail.hasWindow
    }) {
      add(.timepointWithoutTime(), "arrival_time", call)
    }
  }

  /// Reports the first two stops between which the trip is too fast.
  private func examineSpeeds(_ calls: [FeedCall], _ most: Double) {
    var start: (index: Int, time: Int32)?
    var distance = 0.0
    var from: Position?
    for (index, call) in calls.enumerated() {
      // An area, a window, or a stop without a coordinate interrupts the way.
      guard !call.detail.hasWindow, Int(call.stop) < positions.count,
        let position = positions[Int(call.stop)]
      else {
        (start, from, distance) = (nil, nil, 0)
        continue
      }
      if let from { distance += from.distance(to: position).meters }
      from = position
      guard let arrival = call.first, let departure = call.last else { continue }
      if let start, arrival >= start.time {
        // Many publishers round times to minutes.
        let isRounded = arrival % 60 == 0 && start.time % 60 == 0
        let seconds = Double(arrival - start.time) + (isRounded ? 60 : 1)
        if distance > most * seconds {
          let isFar = index > start.index + 1 && distance > Self.far
          return add(
            .fastTravel(
              isFar ? .fastTravelOverFarStops : .fastTravel, meters: distance, seconds: seconds),
            "arrival_time", call)
        }
      }
      (start, distance) = ((index, departure), 0)
    }
  }

  private func add(_ problem: FeedProblem, _ field: String, _ call: FeedCall) {
    report.add(problem.at(StopTimeTable.file, line: call.line == 0 ? nil : call.line, field: field))
  }

  /// Returns a speed that no vehicle of a kind exceeds, in kilometers per hour.
  private static func speed(of category: RouteType.Category) -> Double {
    switch category {
    case .cableTram: 30
    case .aerialLift, .funicular: 50
    case .ferry: 80
    case .tram: 100
    case .metro, .bus, .trolleybus, .monorail, .taxi: 150
    case .rail: 500
    case .air, .other: 1200
    }
  }
}

extension FeedCall {
  /// The time of the arrival, or of the departure if the former is blank; `nil` if both are.
  fileprivate var first: Int32? {
    if arrival != TimetableContent.Timing.blank { return arrival }
    return departure == TimetableContent.Timing.blank ? nil : departure
  }

  /// The time of the departure, or of the arrival if the former is blank; `nil` if both are.
  fileprivate var last: Int32? {
    departure == TimetableContent.Timing.blank ? first : departure
  }
}

extension FeedStop {
  /// The stop's position; `nil` if the feed has none.
  var position: Position? {
    guard let stopLat, let stopLon else { return nil }
    // Coordinates that are out of range refuse the feed.
    return try? Position(latitude: stopLat, longitude: stopLon)
  }
}
