import Foundation
import Holdfast

extension JourneyNetwork {
  /// The key by which live data are recognized that were applied before.
  struct LiveKey: Equatable {
    let identity: TripUpdates.Identity
    /// The day of the question, if an update says neither day nor time, or trips are modified.
    let day: Int?

    static func == (lhs: LiveKey, rhs: LiveKey) -> Bool {
      lhs.identity === rhs.identity && lhs.day == rhs.day
    }

    init(_ updates: TripUpdates, at instant: Int) {
      identity = updates.identity
      let isUndated = updates.updates.contains { update in
        update.trip.startDate == nil && update.moment == nil
      }
      // Modifications are applied around the day.
      let dependsOnDay =
        isUndated && updates.timestamp == nil || !updates.tripModifications.isEmpty
      day = dependsOnDay ? instant.quotient(by: 86400) : nil
    }
  }

  /// Returns the days in a range on which a vehicle may run.
  func serviceDays(from first: Int, to last: Int) -> [ServiceDay] {
    let days = Array(cache.serviceDays(from: first, to: last))
    guard let live else { return days }
    let range = ServiceDay(daysSince1970: first)...ServiceDay(daysSince1970: max(first, last))
    return live.days.filter(range.contains).union(days).sorted()
  }

  /// Returns whether any vehicle may run on a day.
  func hasService(on day: ServiceDay) -> Bool {
    cache.runningServices(on: day).contains(true) || live?.days.contains(day) ?? false
  }

  /// The nodes at which riders board the vehicle of a unit.
  func boardingNode(of unit: JourneyTimetable.Unit, _ call: Int) -> Int32 {
    node(unit, call, transfers.boardingNodes) { $0.boarding }
  }

  /// The node at which riders alight from the vehicle of a unit.
  func alightingNode(of unit: JourneyTimetable.Unit, _ call: Int) -> Int32 {
    node(unit, call, transfers.alightingNodes) { $0.alighting }
  }

  private func node(
    _ unit: JourneyTimetable.Unit, _ call: Int, _ nodes: JourneyNodes,
    _ named: (JourneyTransfers.Named) -> JourneyTransfers.NamedCalls
  ) -> Int32 {
    let pattern = Int(unit.pattern)
    guard unit.named >= 0, live?.trip(ofPattern: pattern) == nil else {
      return nodes.ofCalls[Int(patterns.starts[pattern]) + call]
    }
    return named(transfers.named[Int(unit.named)]).nodes[call]
  }
}
