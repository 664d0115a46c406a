import Holdfast

/// The names and coordinates that parts of stations inherit where the feed leaves them blank.
struct StopPlaces {
  /// The source of a value in the database.
  enum Source: Hashable {
    case itself, station, code, identifier
  }

  private let stops: [FeedStop]
  /// The positions of the stops to which others belong.
  private let parents: [ExactText: Int]

  init(_ stops: [FeedStop]) {
    let named = Set(stops.lazy.compactMap(\.parentStation).map(ExactText.init))
    var parents: [ExactText: Int] = [:]
    for index in named.isEmpty ? 0..<0 : stops.indices {
      let id = ExactText(stops[index].stopID)
      if named.contains(id), parents[id] == nil { parents[id] = index }
    }
    (self.stops, self.parents) = (stops, parents)
  }

  /// Returns the position of the stop to which a stop belongs.
  func parentIndex(of stop: FeedStop) -> Int? {
    stop.parentStation.flatMap { parents[ExactText($0)] }
  }

  func parent(of stop: FeedStop) -> FeedStop? { parentIndex(of: stop).map { stops[$0] } }

  /// Returns a name for riders: the stop's own, its station's, its code, or its `stop_id`.
  func name(of stop: FeedStop) -> (text: String, source: Source) {
    if let name = stop.stopName { return (name, .itself) }
    if let name = station(of: stop, with: \.stopName)?.stopName { return (name, .station) }
    if let code = stop.stopCode { return (code, .code) }
    return (stop.stopID, .identifier)
  }

  /// Returns the stop's own coordinate, or its station's.
  func coordinate(of stop: FeedStop) -> (latitude: Double, longitude: Double, source: Source)? {
    if let own = stop.coordinate { return (own.latitude, own.longitude, .itself) }
    return station(of: stop, with: \.coordinate)?.coordinate.map {
      ($0.latitude, $0.longitude, .station)
    }
  }

  /// Returns the nearest ancestor that has a value: the parent, or the parent's parent.
  ///
  /// A boarding area is two levels below its station; deeper or circular references are not
  /// followed.
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
