// Every message about trips, times and services. A message does not repeat file, line and field: they
// are in the problem's place.
import HoldfastTransit

extension FeedProblem {
  static func badTime(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text, "'\(text.clipped)' is not a time\(leftOut(flaw)).",
      advice:
        "Write times as HH:MM:SS, and hours after midnight of the service day as 24 and more.",
      isRepair: flaw.decision.outcome != .keepsValue)
  }

  static func timeWithoutSeconds(_ text: String) -> FeedProblem {
    FeedProblem(
      .timeWithoutSeconds, value: text,
      "'\(text.clipped)' has no seconds; it is read as '\(text.clipped):00'.",
      advice: "Write times as HH:MM:SS.", isRepair: true)
  }

  static func badSequence(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text,
      "'\(text.clipped)' is not a whole number from 0 on\(leftOut(flaw)).",
      advice: "Number the stops of a trip in ascending order.", isRepair: true)
  }

  static func badHeadway(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text, "'\(text.clipped)' is not a number of seconds\(leftOut(flaw)).",
      advice: "Write a whole number of seconds that is greater than 0.", isRepair: true)
  }

  static func emptySpan(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(flaw, "the end is not after the start\(leftOut(flaw)).", isRepair: true)
  }

  static func endOfNight(_ end: Int32) -> FeedProblem {
    FeedProblem(
      .endOfNight, value: clock(end - 86_400),
      "the end is before the start; it is read as \(clock(end)), in the night after it.",
      advice: "Write hours after midnight of the service day as 24 and more.", isRepair: true)
  }

  static func unknownService(_ id: String) -> FeedProblem {
    FeedProblem(
      .unknownService, value: id,
      "'\(id.clipped)' is in neither calendar.txt nor calendar_dates.txt; the trip never runs.")
  }

  static func repeatedRow(firstLine: Int) -> FeedProblem {
    FeedProblem(
      .repeatedRow, "the row repeats line \(firstLine)\(leftOut(.repeatedRow)).", isRepair: true)
  }

  static func duplicateTrip(_ id: String) -> FeedProblem {
    FeedProblem(
      .duplicateTrip, value: id, "'\(id.clipped)' has more than one row\(leftOut(.duplicateTrip)).",
      advice: "Give each trip a trip_id of its own.", isRepair: true)
  }

  static func duplicateStopSequence(_ sequence: Int32) -> FeedProblem {
    FeedProblem(
      .duplicateStopSequence, value: "\(sequence)",
      "the trip has more than one row with \(sequence)\(leftOut(.duplicateStopSequence)).",
      advice: "Number the stops of a trip in ascending order.", isRepair: true)
  }

  static func duplicateException(of id: String, _ date: Int) -> FeedProblem {
    FeedProblem(
      .duplicateException, value: "\(date)",
      "the service '\(id.clipped)' has more than one row for \(date)"
        + "\(leftOut(.duplicateException)).",
      isRepair: true)
  }

  static func contradictingException(of id: String, _ date: Int) -> FeedProblem {
    FeedProblem(
      .duplicateException, value: "\(date)",
      "one row adds \(date) to the service '\(id.clipped)' and another one removes it; it does not run then.",
      advice: "Keep the row that is right.", isRepair: true)
  }

  static func duplicateFrequency(_ id: String) -> FeedProblem {
    FeedProblem(
      .duplicateFrequency, value: id,
      "the trip '\(id.clipped)' has more than one row with this start"
        + "\(leftOut(.duplicateFrequency)).",
      isRepair: true)
  }

  static func decreasingTime(_ time: Int32, after latest: Int32) -> FeedProblem {
    FeedProblem(
      .decreasingTime, value: clock(time),
      "\(clock(time)) is before \(clock(latest)), an earlier time of the trip; journeys do not use "
        + "such stops.",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func edgeWithoutTime() -> FeedProblem {
    FeedProblem(
      .edgeWithoutTime, "the first or the last stop of the trip has no time.",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func tooManyCalls(_ surplus: Int) -> FeedProblem {
    FeedProblem(
      .tooManyCalls,
      "the trip has \(surplus) rows more than \(TimetableContent.mostCalls); the last ones were left "
        + "out.", isRepair: true)
  }

  static func serviceWithoutDay() -> FeedProblem {
    FeedProblem(.serviceWithoutDay, "the service has no day on which it runs.")
  }

  static func callsOfDroppedTrips(_ count: Int) -> FeedProblem {
    FeedProblem(
      .callsOfDroppedTrips,
      "\(counted(count, "row")) of trips that were left out were left out too.", isRepair: true)
  }

  static func unusableTrip(_ id: String, calls: Int) -> FeedProblem {
    calls == 0
      ? FeedProblem(
        .tripWithoutCalls, value: id, "the trip '\(id.clipped)' has no row in stop_times.txt.")
      : FeedProblem(.tripWithOneCall, value: id, "the trip '\(id.clipped)' has a single stop.")
  }

  static func shapePointOutOfRange(_ text: String, _ limit: Double) -> FeedProblem {
    FeedProblem(
      .shapePointOutOfRange, value: text,
      "'\(text.clipped)' is not within \(-Int(limit)) to \(Int(limit))"
        + "\(leftOut(.shapePointOutOfRange)).",
      advice: "Look whether latitude and longitude are swapped.", isRepair: true)
  }

  static func badShapeSequence(_ text: String) -> FeedProblem {
    FeedProblem(
      .badShapeSequence, value: text,
      "'\(text.clipped)' is not a whole number from 0 on\(leftOut(.badShapeSequence)).",
      advice: "Number the points of a shape in ascending order.", isRepair: true)
  }

  static func repeatedShapeSequence(_ count: Int) -> FeedProblem {
    FeedProblem(
      .repeatedShapeSequence,
      "\(counted(count, "point")) of shapes have the number of the point before; they were kept.")
  }

  static func tooManyShapePoints(_ surplus: Int) -> FeedProblem {
    FeedProblem(
      .tooManyShapePoints,
      "shapes have \(counted(surplus, "row")) more than \(StoredShape.mostPoints) each; the last ones "
        + "were left out.", isRepair: true)
  }

  /// Returns a time as GTFS writes it.
  static func clock(_ seconds: Int32) -> String {
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
