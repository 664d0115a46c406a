import HoldfastFiles
import HoldfastTransit

/// The stops of a map: each one that is served, and what it is called.
struct MapMarkers {
  /// A mark across the lines that call at a stop.
  struct Marker {
    var from: MapVector
    var to: MapVector
    /// The radius of its ends in pixels.
    var radius: Double
    /// The number of the station or the stop whose name it bears.
    var group: Int64
  }

  /// Stops with one name.
  struct Group {
    var name: String
    var isTerminus = false
    /// Whether it is a station, or a stop of trains, boats and cableways.
    var isImportant = false
    var tripCount = 0
    /// The middle of its busiest mark.
    var place: MapVector
    var radius: Double
  }

  /// The marks, with the busiest stops last.
  private(set) var markers: [Marker] = []
  /// The groups, in the order in which they are named.
  private(set) var groups: [Group] = []

  /// The part of a route's trips that begin or end at a stop which makes it a terminus of the route.
  private static let terminusShare = 0.15

  /// Finds the marks of all stops that are served.
  ///
  /// - Parameters:
  ///   - network: The network.
  ///   - points: The positions of its stops on the map.
  ///   - lines: The numbers of the lines, by the number of the route.
  ///   - bundles: The lines as they are drawn.
  ///   - factor: The part of the usual size in which stops are drawn.
  init(
    _ network: TransitNetwork, _ points: [Int64: MapFrame.Point], _ lines: [Int64: Int],
    _ bundles: LineBundles, factor: Double
  ) {
    var (linesOf, trips): ([Int64: Set<Int>], [Int64: Int]) = ([:], [:])
    var important: Set<Int64> = []
    for way in network.ways {
      let isImportant = ![.bus, .trolleybus, .taxi, .other].contains(way.route.routeType.category)
      for sid in way.stops {
        if let line = lines[way.route.rid] { linesOf[sid, default: []].insert(line) }
        trips[sid, default: 0] += way.tripCount
        if isImportant { important.insert(sid) }
      }
    }
    let (termini, ends) = Self.termini(network)
    var found: [Int64: (group: Group, tripCount: Int)] = [:]
    let order = trips.keys.sorted { (trips[$0] ?? 0, $0) < (trips[$1] ?? 0, $1) }
    for sid in order {
      guard let point = points[sid], let place = network.places[sid] else { continue }
      let station = place.parent.flatMap { network.places[$0] == nil ? nil : $0 } ?? sid
      let isStation = station != sid || place.isStation || important.contains(sid)
      let position = MapVector(point)
      let isTerminus =
        termini.contains(station)
        || ends.contains(sid) && bundles.hasEnd(at: position, within: 6)
      let radius = factor * (isTerminus ? 3.4 : isStation ? 2.8 : 1.8)
      let crossing = bundles.crossing(at: position, of: linesOf[sid] ?? [], reach: 12)
      let marker = Marker(
        from: crossing?.from ?? position, to: crossing?.to ?? position, radius: radius,
        group: station)
      markers.append(marker)
      let count = trips[sid] ?? 0
      let middle = (marker.from + marker.to) * 0.5
      let extent = radius + marker.from.distance(to: marker.to) / 2
      var entry =
        found[station] ?? (
          Group(
            name: network.places[station]?.name ?? place.name, place: middle, radius: extent), 0
        )
      entry.group.isTerminus = entry.group.isTerminus || isTerminus
      entry.group.isImportant = entry.group.isImportant || isStation
      entry.group.tripCount += count
      if count >= entry.tripCount {
        (entry.group.place, entry.group.radius, entry.tripCount) = (middle, extent, count)
      }
      found[station] = entry
    }
    groups = found.sorted { Self.precedes(($0.value.group, $0.key), ($1.value.group, $1.key)) }
      .map(\.value.group)
  }

  private static func precedes(_ left: (Group, Int64), _ right: (Group, Int64)) -> Bool {
    func rank(_ group: Group) -> Int {
      (group.isTerminus ? 2 : 0) + (group.isImportant ? 1 : 0)
    }
    return (rank(right.0), right.0.tripCount, left.1) < (rank(left.0), left.0.tripCount, right.1)
  }

  /// Returns the stations and stops where a good part of a route's trips begin or end, and all stops where
  /// any does.
  private static func termini(_ network: TransitNetwork) -> (Set<Int64>, Set<Int64>) {
    var counts: [Int64: [Int64: Int]] = [:]
    var all: Set<Int64> = []
    for way in network.ways {
      for end in [way.stops.first, way.stops.last] {
        guard let end else { continue }
        all.insert(end)
        let parent = network.places[end]?.parent
        let station = parent.flatMap { network.places[$0] == nil ? nil : $0 } ?? end
        counts[way.route.rid, default: [:]][station, default: 0] += way.tripCount
      }
    }
    var termini: Set<Int64> = []
    for ends in counts.values {
      let total = Double(ends.values.reduce(0, +))
      termini.formUnion(ends.filter { Double($0.value) >= total * terminusShare }.keys)
    }
    return (termini, all)
  }
}
