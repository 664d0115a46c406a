// The Swift of LiveTripUpdates.md, compiled: LiveTripUpdatesTests finds each block of it here, and
// runs every function.

import Foundation
import HoldfastTransit

func freshUpdates(in message: Data, now: Date) throws -> TripUpdates? {
  let updates = try TripUpdates(feedMessage: message)
  guard let timestamp = updates.timestamp, timestamp > now - 300 else { return nil }
  return updates
}

func explain(_ error: TransitError) -> String {
  switch error.code {
  case .malformedMessage: "The server did not send a feed message."
  case .unsupportedMessage: "The server sent a feed message that cannot be used."
  default: error.description
  }
}

func board(
  of trip: TripInstance, at stopTimes: [ScheduledStopTime], with updates: TripUpdates
) -> [String] {
  guard let update = updates.update(for: trip) else {
    return stopTimes.map { "\($0.stopID): as scheduled, as far as known" }
  }
  return update.liveStopTimes(for: stopTimes).map { stop in
    switch stop.status {
    case .scheduled: "\(stop.stopID): as scheduled, as far as known"
    case .live: "\(stop.stopID): \(stop.departure.delay ?? .zero) late"
    case .skipped: "\(stop.stopID): no stop"
    case .canceled: "\(stop.stopID): canceled"
    }
  }
}

func extraDepartures(at stopID: String, with updates: TripUpdates) -> [Date] {
  updates.additions.flatMap { $0.liveStopTimes() }
    .filter { $0.stopID == stopID && $0.status == .live }
    .compactMap(\.departure.time)
}

func stops(
  of trip: TripInstance, at stopTimes: [ScheduledStopTime], with updates: TripUpdates
) -> [String] {
  updates.liveStopTimes(of: trip, for: stopTimes).filter { $0.status != .skipped }.map(\.stopID)
}
