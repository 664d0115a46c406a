import Foundation
import HoldfastTransit

// Journeys as people read them: a row per leg, with names; JSON has GTFS's names.

extension Output {
  /// Prints the legs of journeys as a table.
  func journeyTable(_ journeys: [Journey], in zones: JourneyZones, isLive: Bool) throws {
    let rows = journeys.enumerated().flatMap { index, journey in
      journey.legs.enumerated().map { number, leg in
        OutputRecord(
          leg: leg, of: index + 1, departing: number == 0 ? journey.departure : nil, in: zones)
      }
    }
    var keys: Set = ["journey", "departure", "arrival", "by", "from", "to"]
    if isLive { keys.insert("delay") }
    // What most journeys do not have.
    for key in ["timepoint", "pickup_type", "drop_off_type"] {
      let isUsed = rows.contains { row in
        row.fields.contains { $0.key == key && $0.cell != .null }
      }
      if isUsed { keys.insert(key) }
    }
    try records(of: "journeys", as: TextTable.Layout(keys: keys, styles: ["by": ["": .bold]]), rows)
  }
}

extension OutputRecord {
  /// Creates the row of a leg in the list of all journeys.
  ///
  /// - Parameters:
  ///   - leg: The leg.
  ///   - number: The number of its journey.
  ///   - departure: When riders have to be there; otherwise when the leg departs. Before a ride with a
  ///     headway they may wait for all of it.
  ///   - zones: The time zones of the legs.
  fileprivate init(
    leg: Journey.Leg, of number: Int, departing departure: Date?, in zones: JourneyZones
  ) {
    switch leg {
    case .walk(let walk):
      let meters = walk.distance.map { "walk \(Int($0.meters.rounded())) m" }
      self = [
        "journey": Cell(number),
        "departure": Cell(departure ?? walk.departure, in: zones.departure(of: leg)),
        "arrival": Cell(walk.arrival, in: zones.arrival(of: leg)),
        "by": .text(meters ?? "walk"),
        "delay": .null,
        "from": Cell(walk.from?.stopName),
        "to": Cell(walk.to?.stopName),
        "timepoint": .null, "pickup_type": .null, "drop_off_type": .null,
      ]
    case .ride(let ride):
      let names = [
        ride.route.lineName, ride.headsign ?? ride.route.otherName,
        ride.headway.map { HeadwayText($0).description },
      ]
      self = [
        "journey": Cell(number),
        "departure": Cell(departure ?? ride.board.departure, in: ride.board.timeZone),
        "arrival": Cell(ride.alight.arrival, in: ride.alight.timeZone),
        "by": .text(names.compactMap(\.self).joined(separator: " ")),
        "delay": Cell(ride.board.delay.map { DelayText($0).description }),
        "from": .text(ride.board.stop.stopName),
        "to": .text(ride.alight.stop.stopName),
        "timepoint": Cell([ride.board, ride.alight].contains(where: \.isApproximate) ? 0 : nil),
        "pickup_type": Cell(ride.board.pickupType == 0 ? nil : ride.board.pickupType),
        "drop_off_type": Cell(ride.alight.dropOffType == 0 ? nil : ride.alight.dropOffType),
      ]
    }
  }
}

extension Journey.Call {
  /// Whether the feed says so of the time, or leaves it blank.
  fileprivate var isApproximate: Bool { timepoint == 0 || timepoint == nil && isInterpolated }
}
