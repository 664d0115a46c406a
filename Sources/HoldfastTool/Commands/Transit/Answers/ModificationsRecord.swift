import Foundation
import HoldfastTransit

// Trip modifications of a message, with the names of GTFS-Realtime, and as people read them.

extension OutputRecord {
  /// Creates the record of trip modifications.
  init(modifications entity: TripModifications) {
    self = [
      "id": .text(entity.id),
      "selected_trips": .list(
        entity.selectedTrips.map { trips in
          .record([
            "trip_ids": .list(trips.tripIDs.map(Cell.text)), "shape_id": Cell(trips.shapeID),
          ])
        }),
      "start_times": .list(entity.startTimes.map(Cell.text)),
      "service_dates": .list(entity.serviceDates.map(Cell.text)),
      "modifications": .list(
        entity.modifications.map { .record(OutputRecord(modification: $0)) }),
    ]
  }

  private init(modification: TripModifications.Modification) {
    self = [
      "start_stop_selector": Cell(
        modification.startStopSelector.map(OutputRecord.init(selector:))),
      "end_stop_selector": Cell(modification.endStopSelector.map(OutputRecord.init(selector:))),
      "propagated_modification_delay": Cell(
        modification.propagatedModificationDelay?.components.seconds),
      "replacement_stops": .list(
        modification.replacementStops.map { stop in
          .record([
            "stop_id": Cell(stop.stopID),
            "travel_time_to_stop": Cell(stop.travelTime?.components.seconds),
          ])
        }),
      "service_alert_id": Cell(modification.serviceAlertID),
      "last_modified_time": Cell(modification.lastModifiedTime?.timestamp(in: .gmt)),
    ]
  }

  private init(selector: TripModifications.StopSelector) {
    self = ["stop_sequence": Cell(selector.stopSequence), "stop_id": Cell(selector.stopID)]
  }
}

extension TripModifications {
  /// A line about what is modified, when, and how.
  var line: String {
    let trips = selectedTrips.flatMap(\.tripIDs)
    let parts = modifications.map { modification in
      let (start, end) = (modification.startStopSelector, modification.endStopSelector)
      // A single stop is both the first and the last one.
      let ends = (start == end ? [start] : [start, end]).compactMap(\.self)
        .map { $0.stopID ?? $0.stopSequence.map { "\($0)" } ?? "?" }
      let stops = modification.replacementStops.map { $0.stopID ?? "?" }
      let delay = modification.propagatedModificationDelay.flatMap { delay in
        delay == .zero ? nil : DelayText(delay).description
      }
      let isInserted = modification.endStopSelector == nil
      let place =
        isInserted ? "at \(ends.first ?? "?")" : "without \(ends.joined(separator: " to "))"
      let others =
        stops.isEmpty ? "" : "\(isInserted ? " also" : ", but") \(stops.joined(separator: ", "))"
      return place + others + (delay.map { ", then \($0)" } ?? "")
    }
    let names = trips.count > 3 ? ["\(trips.count) trips"] : trips.map { "trip \($0)" }
    return "Modification \(id): \(names.joined(separator: ", ")) on "
      + "\(serviceDates.joined(separator: ", ")): \(parts.joined(separator: "; "))"
  }
}
