import Foundation
import HoldfastTransit

// The trip updates of a feed message as people read them: a row per stop.

extension Output {
  /// Prints the updates of a message as a table.
  func updateTable(_ updates: [TripUpdate]) throws {
    let layout = TextTable.Layout(
      dispensable: ["start_time", "start_date", "route_id"],
      styles: [
        "relationship": ["SKIPPED": .red, "CANCELED": .red, "DELETED": .red, "SCHEDULED": .green]
      ])
    try records(of: "trip updates", as: layout) { listing in
      for update in updates {
        for row in OutputRecord.rows(of: update) { try listing.write(row) }
      }
    }
  }
}

extension OutputRecord {
  /// Returns a row per stop of an update, or one row if it is about the whole trip.
  fileprivate static func rows(of update: TripUpdate) -> [OutputRecord] {
    guard !update.stopTimeUpdates.isEmpty else {
      let whole = StopTimeUpdate(departure: update.delay.map { StopTimeEvent(delay: $0) })
      return [row(of: update.trip, whole)]
    }
    return update.stopTimeUpdates.map { row(of: update.trip, $0) }
  }

  private static func row(of trip: TripDescriptor, _ stop: StopTimeUpdate) -> OutputRecord {
    let modified = trip.modifiedTrip
    let relationship =
      modified != nil
      ? "MODIFIED"
      : trip.scheduleRelationship == .scheduled
        ? stop.scheduleRelationship.description : trip.scheduleRelationship.description
    return [
      "trip_id": Cell(trip.tripID ?? modified?.affectedTripID),
      "route_id": Cell(trip.routeID),
      "start_date": Cell(trip.startDate ?? modified?.startDate),
      "start_time": Cell(trip.startTime ?? modified?.startTime),
      "sequence": Cell(stop.stopSequence),
      "stop_id": Cell(stop.properties?.assignedStopID ?? stop.stopID),
      // A message does not say in which time zone its stops are.
      "arrival": Cell(stop.arrival?.time, in: .gmt),
      "departure": Cell(stop.departure?.time, in: .gmt),
      "delay": .text(delays(of: stop)),
      "relationship": .text(relationship),
    ]
  }

  /// The delays of the arrival and the departure, once if both are the same.
  private static func delays(of stop: StopTimeUpdate) -> String {
    let both = [stop.arrival?.delay, stop.departure?.delay].compactMap { $0 }
    let texts = both.map { DelayText($0).description }
    return texts.count == 2 && texts[0] == texts[1] ? texts[0] : texts.joined(separator: ", ")
  }
}
