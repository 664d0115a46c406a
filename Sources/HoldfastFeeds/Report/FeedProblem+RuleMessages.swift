// Every message about what a report examines and an import does not need. A message does not repeat
// file, line and field: they are in the problem's place.
extension FeedProblem {
  // MARK: Places

  static func nearPole(_ text: String) -> FeedProblem {
    FeedProblem(
      .nearPole, value: text, "the latitude is within 1 degree of a pole; it was kept.")
  }

  static func platformWithoutStation(_ code: String) -> FeedProblem {
    FeedProblem(
      .platformWithoutStation, value: code,
      "the platform '\(code.clipped)' names no station that it belongs to.")
  }

  static func stationWithoutStop(_ id: String) -> FeedProblem {
    FeedProblem(.stationWithoutStop, value: id, "no stop names this station as its parent.")
  }

  static func stopWithoutCalls(_ id: String) -> FeedProblem {
    FeedProblem(.stopWithoutCalls, value: id, "no trip stops here.")
  }

  static func callsAt(_ id: String, _ locationType: Int) -> FeedProblem {
    FeedProblem(
      .callsAtNoStop, value: id,
      "trips stop at '\(id.clipped)', a location of type \(locationType); it must be of type 0.",
      advice: "Name the platform at which vehicles stop.")
  }

  // MARK: Trips

  static func fastTravel(_ flaw: FeedFlaw, meters: Double, seconds: Double) -> FeedProblem {
    let speed = Int((meters / seconds * 3.6).rounded())
    let way =
      meters < 1000 ? "\(Int(meters.rounded())) m" : "\(Int((meters / 1000).rounded())) km"
    return FeedProblem(
      flaw, value: "\(speed) km/h",
      "the trip covers \(way) at \(speed) km/h, which its kind of vehicle cannot.",
      advice: "Look whether a time or a coordinate is wrong.")
  }

  static func oneTimeOnly() -> FeedProblem {
    FeedProblem(.oneTimeOnly, "the row has one of arrival_time and departure_time, and needs both.")
  }

  static func timepointWithoutTime() -> FeedProblem {
    FeedProblem(
      .timepointWithoutTime, "the row has no time, and timepoint 1 says that it is exact.")
  }

  static func decreasingDistance(
    _ distance: Double, after last: Double, _ flaw: FeedFlaw = .decreasingDistance
  ) -> FeedProblem {
    FeedProblem(
      flaw, value: "\(distance)",
      "the distance \(distance) does not follow \(last), which is before.")
  }

  static func overlappingFrequency(_ id: String, end: Int32) -> FeedProblem {
    FeedProblem(
      .overlappingFrequency, value: id,
      "the trip '\(id.clipped)' has another headway until \(clock(end)), after this one begins.")
  }

  static func duplicateRouteName(_ name: String, firstLine: Int) -> FeedProblem {
    FeedProblem(
      .duplicateRouteName, value: name,
      "the route has the names, the type and the agency of line \(firstLine).")
  }

  static func routeWithoutTrip(_ id: String) -> FeedProblem {
    FeedProblem(.routeWithoutTrip, value: id, "no trip belongs to the route.")
  }

  // MARK: Days

  static func expiredService(_ id: String, _ day: String) -> FeedProblem {
    FeedProblem(
      .expiredService, value: id, "the service '\(id.clipped)' ran for the last time on \(day).")
  }

  static func expired(_ day: String) -> FeedProblem {
    FeedProblem(
      .expiredFeed, value: day, "the feed ended on \(day).", advice: "Fetch a newer feed.")
  }

  static func endsSoon(_ flaw: FeedFlaw, _ day: String) -> FeedProblem {
    FeedProblem(flaw, value: day, "the feed ends on \(day).", advice: "Fetch a newer feed soon.")
  }

  static func notYetValid(from day: String) -> FeedProblem {
    FeedProblem(
      .notYetValidFeed, value: day, "the feed begins on \(day).",
      advice: "Keep the older feed until then.")
  }

  static func noServiceInNextSevenDays() -> FeedProblem {
    FeedProblem(.noServiceInNextSevenDays, "no trip runs within the next 7 days.")
  }

  static func oneFeedDate() -> FeedProblem {
    FeedProblem(.oneFeedDate, "the feed has only one of feed_start_date and feed_end_date.")
  }

  // MARK: Other files

  static func transferDistance(_ id: String, meters: Double) -> FeedProblem {
    let way = (meters / 100).rounded() / 10
    return FeedProblem(
      meters > 10_000 ? .transferTooFar : .transferAboveTwoKilometers, value: "\(way) km",
      "the stops are \(way) km from each other; '\(id.clipped)' is the second one.")
  }

  static func attributionWithoutRole() -> FeedProblem {
    FeedProblem(
      .attributionWithoutRole, "the organization is neither producer nor operator nor authority.")
  }

  static func spanOfTimes(_ flaw: FeedFlaw, _ end: String) -> FeedProblem {
    FeedProblem(
      flaw, value: end,
      "the span of time has no length: it begins \(flaw == .emptySpan ? "at" : "after") '\(end.clipped)', its end."
    )
  }

  static func pathwayLoop(_ id: String) -> FeedProblem {
    FeedProblem(
      .pathwayLoop, value: id, "the pathway leads from '\(id.clipped)' to the same place.")
  }

  static func unusedShape(_ id: String) -> FeedProblem {
    FeedProblem(.unusedShape, value: id, "no trip has this shape.")
  }

  static func onePointOfShape(_ id: String) -> FeedProblem {
    FeedProblem(.onePointOfShape, value: id, "the shape has a single point, and no line.")
  }
}
