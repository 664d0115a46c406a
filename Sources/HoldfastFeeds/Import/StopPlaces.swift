import Holdfast

/// What a part of a station takes from the place it belongs to, where the feed leaves it blank.
struct StopPlaces {
  /// Where a value of the database comes from.
  enum Source: Hashable {
    case itself, station, code, identifier
  }

  private let stops: [ExactText: FeedStop]

  init(_ stops: [FeedStop]) {
    self.stops = Dictionary(stops.map { (ExactText($0.stopID), $0) }) { first, _ in first }
  }

  func parent(of stop: FeedStop) -> FeedStop? {
    stop.parentStation.flatMap { stops[ExactText($0)] }
  }

  /// A name that riders can read: its own, its station's, its code, or its name in the feed.
  func name(of stop: FeedStop) -> (text: String, source: Source) {
    if let name = stop.stopName { return (name, .itself) }
    if let name = station(of: stop, with: \.stopName)?.stopName { return (name, .station) }
    if let code = stop.stopCode { return (code, .code) }
    return (stop.stopID, .identifier)
  }

  /// Where it is: its own coordinate, or its station's.
  func coordinate(of stop: FeedStop) -> (latitude: Double, longitude: Double, source: Source)? {
    if let own = stop.coordinate { return (own.latitude, own.longitude, .itself) }
    return station(of: stop, with: \.coordinate)?.coordinate.map {
      ($0.latitude, $0.longitude, .station)
    }
  }

  /// The nearest place it belongs to that has a value: its parent, or the parent's parent.
  ///
  /// A boarding area is two levels below its station; a feed that goes on, or in a circle, is cut
  /// there.
  private func station<Value>(of stop: FeedStop, with value: (FeedStop) -> Value?) -> FeedStop? {
    guard let parent = parent(of: stop) else { return nil }
    if value(parent) != nil { return parent }
    return self.parent(of: parent).flatMap { value($0) == nil ? nil : $0 }
  }
}

extension FeedStop {
  fileprivate var coordinate: (latitude: Double, longitude: Double)? {
    guard let stopLat, let stopLon else { return nil }
    return (stopLat, stopLon)
  }
}
