// Every message about how parts of a feed fit together, which a report examines. A message does not repeat
// file, line and field: they are in the problem's place.
extension FeedProblem {
  // MARK: Places and paths

  static func farFromShape(_ id: String, _ shape: String, meters: Double) -> FeedProblem {
    FeedProblem(
      .farFromShape, value: id,
      "the stop '\(id.clipped)' is \(Int(meters.rounded())) m from the shape '\(shape.clipped)'.",
      advice: "Look whether the stop's place or the shape is wrong.")
  }

  static func stopOutOfOrder(_ id: String, _ shape: String) -> FeedProblem {
    FeedProblem(
      .stopOutOfOrder, value: id,
      "the shape '\(shape.clipped)' passes the stop '\(id.clipped)' before the stops that precede it.",
      advice: "Look whether the trip has the shape of the other direction.")
  }

  static func distanceBeyondShape(
    _ distance: Double, _ shape: String, end: Double
  ) -> FeedProblem {
    FeedProblem(
      .distanceBeyondShape, value: "\(distance)",
      "the trip's stops reach the distance \(distance), and the shape '\(shape.clipped)' ends at \(end).",
      advice: "Use one unit in both files.")
  }

  static func unreachablePlace(_ id: String, canEnter: Bool) -> FeedProblem {
    FeedProblem(
      .unreachablePlace, value: id,
      canEnter
        ? "no pathway leads from '\(id.clipped)' to an exit of the station."
        : "no pathway leads to '\(id.clipped)' from an entrance of the station.")
  }

  static func stationInPathway(_ id: String) -> FeedProblem {
    FeedProblem(
      .stationInPathway, value: id, "a pathway begins or ends at '\(id.clipped)', a whole station.",
      advice: "Name the platform, the entrance or the node.")
  }

  static func stopAccess(_ flaw: FeedFlaw, _ id: String) -> FeedProblem {
    FeedProblem(
      flaw, value: id,
      flaw == .stopAccessElsewhere
        ? "stop_access has a meaning for platforms only, and '\(id.clipped)' is none."
        : "stop_access has a meaning in a station only, and '\(id.clipped)' has none.")
  }

  static func routeColors(_ colors: String) -> FeedProblem {
    FeedProblem(
      .routeColors, value: colors, "the text cannot be read on the color of the route: \(colors).",
      advice: "Use white or black for the text.")
  }

  // MARK: Trips

  static func blockOverlap(
    _ id: String, _ other: String, block: String, _ day: String
  ) -> FeedProblem {
    FeedProblem(
      .blockOverlap, value: id,
      "the trips '\(id.clipped)' and '\(other.clipped)' of the block '\(block.clipped)' are under way at "
        + "the same time, such as on \(day).",
      advice: "Give each vehicle a block of its own.")
  }

  static func timeBesideWindow(_ trip: String, _ sequence: Int32) -> FeedProblem {
    FeedProblem(
      .timeBesideWindow, value: trip,
      "the row \(sequence) of the trip '\(trip.clipped)' has a time and a window, and may have one of them."
    )
  }

  static func missingWindow(_ trip: String, _ sequence: Int32) -> FeedProblem {
    FeedProblem(
      .missingWindow, value: trip,
      "the row \(sequence) of the trip '\(trip.clipped)' needs both ends of the window in which riders are "
        + "picked up.")
  }

  static func reversedWindow(_ trip: String, _ sequence: Int32, _ window: String) -> FeedProblem {
    FeedProblem(
      .reversedWindow, value: window,
      "the window \(window) of the row \(sequence) of the trip '\(trip.clipped)' does not end after it "
        + "begins.")
  }

  static func removedDays(_ id: String) -> FeedProblem {
    FeedProblem(
      .removedDays, value: id,
      "the service '\(id.clipped)' has no day left: calendar_dates.txt removes them, or none is in its span."
    )
  }

  // MARK: Other files

  static func removedTimeZone(_ name: String, _ successor: String) -> FeedProblem {
    FeedProblem(
      .removedTimeZone, value: name,
      "the time zone database has no zone of this name any more; it was read as \(successor).",
      advice: "Write \(successor).", isRepair: true)
  }

  static func translatedTable(_ name: String) -> FeedProblem {
    FeedProblem(
      .translatedTable, value: name, "GTFS has no file '\(name.clipped).txt' to translate.",
      advice: "Write the name of a file without its ending, such as stops.")
  }

  static func translatedValue(_ value: String) -> FeedProblem {
    FeedProblem(
      .translatedValue, value: value,
      "the row also names what it translates in another column; one of them must be blank.")
  }

  static func unknownTranslated(_ id: String, _ file: String) -> FeedProblem {
    FeedProblem(
      .unknownTranslated, value: id,
      "'\(id.clipped)' is not in \(file), so that nothing is translated.")
  }

  static func unknownTranslated(sequence: String, ofTrip id: String) -> FeedProblem {
    FeedProblem(
      .unknownTranslated, value: sequence,
      "the trip '\(id.clipped)' has no stop_sequence '\(sequence.clipped)' in stop_times.txt, so that nothing is "
        + "translated.")
  }
}
