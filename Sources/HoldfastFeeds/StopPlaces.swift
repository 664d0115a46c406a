/// What a part of a station takes from the place it belongs to, where the feed leaves it blank.
struct StopPlaces {
  private let stops: [String: FeedStop]

  init(_ stops: [FeedStop]) {
    self.stops = Dictionary(stops.map { ($0.stopID, $0) }) { first, _ in first }
  }

  func parent(of stop: FeedStop) -> FeedStop? {
    stop.parentStation.flatMap { stops[$0] }
  }

  /// A name that riders can read: its own, its station's, its code, or its name in the feed.
  func name(of stop: FeedStop) -> String {
    ancestors(of: stop).lazy.compactMap(\.stopName).first ?? stop.stopCode ?? stop.stopID
  }

  /// Where it is: its own coordinate, or its station's.
  func coordinate(of stop: FeedStop) -> (latitude: Double, longitude: Double)? {
    for place in ancestors(of: stop) {
      if let latitude = place.stopLat, let longitude = place.stopLon {
        return (latitude, longitude)
      }
    }
    return nil
  }

  /// The stop, its parent, and the parent's parent. A boarding area is two levels below its
  /// station; a feed that goes on, or in a circle, is cut there.
  private func ancestors(of stop: FeedStop) -> [FeedStop] {
    var places = [stop]
    while places.count < 3, let last = places.last, let parent = parent(of: last) {
      places.append(parent)
    }
    return places
  }
}
