/// A search for the ways that pathways make between the stops of a station.
///
/// A pathway takes its `traversal_time`, or else as long as walking its `length`, or else as long as
/// walking from one end to the other.
struct PathwaySearch {
  private struct Edge {
    let to: Int32
    let seconds: Double
  }

  /// The places that pathways join, of which each has an index here; -1 for other stops.
  private var indices: [Int32] = []
  private var places: [Int32] = []
  private var edges = StopLists<Edge>(0)
  /// Whether riders board or alight at each place.
  private var isEnd: [Bool] = []
  private var seconds: [Double] = []

  init(
    _ pathways: StationPathways, _ profile: Footpaths.Profile, _ network: JourneyNetwork
  ) {
    guard !pathways.isEmpty else { return }
    let stops = network.stops
    indices = [Int32](repeating: -1, count: stops.count)
    for stop in pathways.starts {
      for place in [stop] + pathways.pathways(from: stop).map(\.to) where indices[Int(place)] < 0 {
        indices[Int(place)] = Int32(places.count)
        places.append(place)
      }
    }
    isEnd = places.map {
      network.isServed[Int($0)] && !(profile.needsAccess && !stops.isAccessible[Int($0)])
    }
    seconds = [Double](repeating: .infinity, count: places.count)
    edges = StopLists(places.count)
    for (index, place) in places.enumerated() {
      edges.begin(index)
      for pathway in pathways.pathways(from: place) {
        if profile.needsAccess && !pathway.isStepFree { continue }
        let own =
          pathway.seconds ?? pathway.meters.map { $0 / profile.speed }
          ?? stops.meters(from: Int(place), to: Int(pathway.to)).map {
            $0 * profile.detourFactor / profile.speed
          } ?? 0
        edges.append(Edge(to: indices[Int(pathway.to)], seconds: own), of: index)
      }
    }
  }

  /// Returns the seconds from a stop to others where vehicles call, the nearest ones.
  ///
  /// There are at most ``Footpaths/mostPlatforms``.
  mutating func run(from stop: Int32) -> [(place: Int32, seconds: Double)] {
    guard !indices.isEmpty, indices[Int(stop)] >= 0 else { return [] }
    let start = indices[Int(stop)]
    var (found, visited) = ([(place: Int32, seconds: Double)](), [Int32]())
    var open = PlaceQueue()
    open.insert(start, at: 0)
    while let (index, time) = open.removeNearest() {
      // A place that was reached on several ways is nearest on the first one.
      guard seconds[Int(index)] == .infinity else { continue }
      seconds[Int(index)] = time
      visited.append(index)
      if index != start, isEnd[Int(index)] {
        if found.count == Footpaths.mostPlatforms { break }
        found.append((places[Int(index)], time))
      }
      for edge in edges.of(Int(index)) where seconds[Int(edge.to)] == .infinity {
        open.insert(edge.to, at: time + edge.seconds)
      }
    }
    for index in visited { seconds[Int(index)] = .infinity }
    return found
  }
}
