import Foundation
import Holdfast
import HoldfastTransit

/// The time zones in which riders read the times of journeys.
struct JourneyZones: Sendable {
  /// The zones of the stops where walks begin or end, by number.
  private var stops: [Int64: TimeZone] = [:]
  /// The zone of a walk without a stop.
  private let place: TimeZone

  /// Reads the zones of the stops where walks begin or end.
  ///
  /// - Parameters:
  ///   - journeys: The journeys.
  ///   - place: The zone where the question was asked, for a walk without a stop.
  ///   - db: The connection of the current access.
  /// - Throws: `DatabaseError` when the database cannot be read.
  init(of journeys: [Journey], at place: TimeZone, _ db: Database) throws {
    self.place = place
    for case .walk(let walk) in journeys.lazy.flatMap(\.legs) {
      for stop in [walk.from, walk.to] {
        guard let stop, stops[stop.sid] == nil else { continue }
        stops[stop.sid] = try stop.timeZone(db)
      }
    }
  }

  /// Returns the zone of the place where a leg begins.
  func departure(of leg: Journey.Leg?) -> TimeZone {
    switch leg {
    case .walk(let walk): zone(of: walk.from ?? walk.to)
    case .ride(let ride): ride.board.timeZone
    case nil: place
    }
  }

  /// Returns the zone of the place where a leg ends.
  func arrival(of leg: Journey.Leg?) -> TimeZone {
    switch leg {
    case .walk(let walk): zone(of: walk.to ?? walk.from)
    case .ride(let ride): ride.alight.timeZone
    case nil: place
    }
  }

  private func zone(of stop: Stop?) -> TimeZone {
    stop.flatMap { stops[$0.sid] } ?? place
  }
}
