import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Labels by classes are those of a look at every pair of vehicles and every rule.
@Suite struct VehicleTransfersTests {
  @Test func `Random rules give the labels of every pair of vehicles`() throws {
    let directory = try TemporaryDirectory()
    let queue = try WrittenFeed(TextFeed.ferries(calls: "t,1,A,08:00:00,08:00:00,,,\n"))
      .database(at: directory.file("timetable.db"))
    let (stops, patterns) = try queue.read { db in
      let stops = try JourneyStops(db)
      return (stops, try JourneyPatterns(PatternRows(db), stops, db))
    }
    for seed in 0..<2000 {
      var random = SeededRandom(unprinted: UInt64(seed))
      let feed = RandomRules(&random)
      let nodes = { (sides: [TransferRule.Side]) in
        JourneyNodes(
          patterns, stopCount: stops.count,
          [0: Set(sides).subtracting([TransferRule.Side()])])
      }
      let (sources, targets) = (
        nodes(feed.rules.map(\.from) + feed.others), nodes(feed.rules.map(\.to) + feed.others)
      )
      let rules = VehicleTransfers(
        feed.rules, feed.ofStops, from: (0, sources), to: (0, targets))
      let walk = Footpaths.RuledWay(target: 0, usual: 60, isNear: Bool.random(using: &random))
      let labels = sources.nodes(of: 0).map { node in
        (node, Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) * 10 : nil)
      }
      var reached = [VehicleTransfers.Reached](repeating: .never, count: rules.sources.count)
      for (node, label) in labels {
        guard let label else { continue }
        let index = rules.sources.nearest(to: sources.side(of: Int(node)))
        reached[index] = reached[index].or(VehicleTransfers.Reached(label: label, ride: node))
      }
      let found = rules.targets(after: reached, walk)
      for target in targets.nodes(of: 0) {
        let side = targets.side(of: Int(target))
        let expected = labels.compactMap { node, label in
          label.flatMap { label in
            walk.seconds(feed.choice(sources.side(of: Int(node)), side)).map { label + $0 }
          }
        }.min()
        let label = found.isEmpty ? nil : found[rules.targets.nearest(to: side)].label
        #expect(label ?? .max == expected ?? .max, "seed \(seed), \(side)")
      }
    }
  }

  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#transferstxt>, "the most specific rule"
  @Test func `The rule counts that names the most`() {
    let (any, route, trip) = (
      TransferRule.Side(), TransferRule.Side(rid: 1), TransferRule.Side(rid: 1, tid: 1)
    )
    let kinds = [
      [(trip, trip)], [(trip, route), (route, trip)], [(trip, any), (any, trip)],
      [(route, route)], [(route, any), (any, route)], [(any, any)],
    ]
    for (place, kind) in kinds.enumerated() {
      for (from, to) in kind {
        let rule = TransferRule(from: from, to: to, way: .timed, stopRank: 0, row: 1).choice
        for (from, to) in kinds[(place + 1)...].joined() {
          // It names the stops themselves, and comes first.
          let other = TransferRule(from: from, to: to, way: .walk, stopRank: 2, row: 0).choice
          #expect(rule.or(other).way == .timed && other.or(rule).way == .timed)
        }
      }
    }
  }

  /// Rules of a few routes and trips, so that several apply to most pairs.
  private struct RandomRules {
    var rules: [TransferRule] = []
    var ofStops = TransferRule.Choice.none
    /// Vehicles that rules of other stops name.
    var others: [TransferRule.Side] = []

    init(_ random: inout SeededRandom) {
      let (routes, trips) = (
        Int64.random(in: 1...3, using: &random), Int64.random(in: 1...6, using: &random)
      )
      func side() -> TransferRule.Side {
        let trip = Int64.random(in: 1...trips, using: &random)
        return switch Int.random(in: 0...3, using: &random) {
        case 0: TransferRule.Side()
        case 1: TransferRule.Side(rid: trip % routes + 1)
        default: TransferRule.Side(rid: trip % routes + 1, tid: trip)
        }
      }
      for row in 0..<Int.random(in: 1...25, using: &random) {
        let ways: [TransferRule.Way] = [
          .walk, .timed, .impossible, .seconds(Int32.random(in: 0...20, using: &random) * 10),
        ]
        let rule = TransferRule(
          from: side(), to: side(), way: ways.randomElement(using: &random) ?? .walk,
          stopRank: Int.random(in: 0...2, using: &random), row: row)
        if rule.from == TransferRule.Side(), rule.to == TransferRule.Side() {
          ofStops = ofStops.or(rule.choice)
        } else {
          rules.append(rule)
        }
      }
      others = (0..<3).map { _ in side() }
    }

    /// What the rule says that counts of all that apply.
    func choice(
      _ source: TransferRule.Side, _ target: TransferRule.Side
    ) -> TransferRule.Choice {
      func applies(_ side: TransferRule.Side, to vehicle: TransferRule.Side) -> Bool {
        side.tid != 0 ? side.tid == vehicle.tid : side.rid == 0 || side.rid == vehicle.rid
      }
      return rules.filter { applies($0.from, to: source) && applies($0.to, to: target) }
        .reduce(ofStops) { $0.or($1.choice) }
    }
  }
}
