/// The ways on foot from some stops, stop by stop.
struct StopWays: Sendable {
  private(set) var ways = StopLists<Footpaths.Way>.Part()
  private(set) var ruledWays = StopLists<Footpaths.RuledWay>.Part()
  private let profile: Footpaths.Profile

  /// Computes the ways from stops.
  ///
  /// - Parameters:
  ///   - stops: The indices of the stops.
  ///   - profile: How riders walk and change.
  ///   - grid: The stops where vehicles call.
  ///   - walks: The walks where entrances or pathways decide; `nil` if all stops are reached directly.
  ///   - network: The network of the stops.
  init(
    from stops: ArraySlice<Int>, _ profile: Footpaths.Profile, _ grid: StopGrid,
    _ walks: StationWalks?, _ network: JourneyNetwork
  ) {
    self.profile = profile
    // The memory of both is used for all stops.
    var (found, near) = (StopGrid.Neighborhood(), [(end: Int32, seconds: Int)]())
    for stop in stops {
      if network.isServed[stop], !profile.needsAccess || network.stops.isAccessible[stop] {
        near.removeAll(keepingCapacity: true)
        if let walks {
          near += walks.walks(from: stop, isForward: true).values.map { ($0.stop, $0.seconds) }
            .sorted { $0.end < $1.end }
        } else if let position = network.stops.positions[stop] {
          grid.find(around: position, except: stop, &found)
          near += found.neighbors.lazy.map { ($0.stop, profile.seconds(meters: $0.meters)) }
        }
        if profile.needsAccess { near.removeAll { !network.stops.isAccessible[Int($0.end)] } }
        append(from: stop, to: near, isDirect: walks == nil, network)
      }
      ways.endStop()
      ruledWays.endStop()
    }
  }

  private mutating func append(
    from stop: Int, to near: [(end: Int32, seconds: Int)], isDirect: Bool, _ network: JourneyNetwork
  ) {
    let change = profile.changeSeconds
    guard let targets = network.transfers.targets[Int32(stop)] else {
      // Nothing but the time of the walk and of the change.
      ways.elements += near.lazy.map {
        Footpaths.Way(target: $0.end, seconds: Self.seconds($0.seconds + change))
      }
      ways.elements.append(
        Footpaths.Way(target: Int32(stop), seconds: Self.seconds(change)))
      return
    }
    let (stops, transfers) = (network.stops, network.transfers)
    append(from: stop, to: stop, change, transfers)
    let known = Set(near.map(\.end))
    for end in targets
    where end != stop && !known.contains(end)
      && !(profile.needsAccess && !stops.isAccessible[Int(end)])
    {
      // Without a position, riders are where the feed says that they change.
      let meters = stops.meters(from: stop, to: Int(end))
      append(
        from: stop, to: Int(end), profile.seconds(meters: meters ?? 0) + change, transfers,
        isNear: isDirect && meters.map { $0 <= profile.radius } ?? false)
    }
    for (end, seconds) in near { append(from: stop, to: Int(end), seconds + change, transfers) }
  }

  private static func seconds(_ seconds: Int) -> Int32 {
    Int32(min(seconds, Footpaths.mostSeconds))
  }

  private mutating func append(
    from stop: Int, to end: Int, _ usual: Int, _ transfers: JourneyTransfers, isNear: Bool = true
  ) {
    let pair = JourneyTransfers.Pair(from: Int32(stop), to: Int32(end))
    let way = Footpaths.RuledWay(
      target: Int32(end), usual: Self.seconds(usual), isNear: isNear)
    if transfers.hasVehicles, !transfers.vehicleRules(at: pair).isEmpty {
      ruledWays.elements.append(way)
    } else if let seconds = way.seconds(transfers.choice(at: pair)) {
      ways.elements.append(Footpaths.Way(target: Int32(end), seconds: Int32(seconds)))
    }
  }
}
