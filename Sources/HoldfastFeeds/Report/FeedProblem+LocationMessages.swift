// Every message about zones of services on demand. A message does not repeat the file.
extension FeedProblem {
  static func noJSON() -> FeedProblem {
    FeedProblem(
      .noJSON, "the file is not JSON in UTF-8, and was left out.",
      advice: "Ask the publisher for a corrected file.")
  }

  static func longLocations(_ most: Int) -> FeedProblem {
    FeedProblem(
      .longLocations, "the file has more than \(most) bytes, and was left out.",
      advice: "Ask the publisher for zones with fewer points.")
  }

  static func noFeatureCollection(_ type: String?) -> FeedProblem {
    FeedProblem(
      .noFeatureCollection, value: type,
      "the file has \(type.map { "the type '\($0.clipped)'" } ?? "no type"), and GTFS requires a "
        + "FeatureCollection; it was kept as it is.")
  }

  static func noFeature(_ number: Int, _ type: String?) -> FeedProblem {
    FeedProblem(
      .noFeature, value: type, "element \(number) of features is no Feature; it was kept as it is.")
  }

  static func noArea(_ number: Int, _ type: String) -> FeedProblem {
    FeedProblem(
      .noArea, value: type,
      "feature \(number) is a '\(type.clipped)', and GTFS allows a Polygon or a MultiPolygon.")
  }

  static func missingElement(_ name: String, ofFeature number: Int) -> FeedProblem {
    FeedProblem(.missingElement, value: name, "feature \(number) has no \(name).")
  }

  static func duplicateLocation(_ id: String) -> FeedProblem {
    FeedProblem(
      .duplicateLocation, value: id, "more than one feature has the id '\(id.clipped)'.",
      advice: "Give each zone an id of its own.")
  }

  static func zoneAsStop(_ id: String) -> FeedProblem {
    FeedProblem(
      .zoneAsStop, value: id,
      "'\(id.clipped)' is a zone or a group of stops, which a draft of GTFS-Flex named as a stop"
        + "\(leftOut(.zoneAsStop)).",
      advice: "Ask the publisher for location_id or location_group_id instead.")
  }

  static func draftOfFlex(_ name: String, now: String?) -> FeedProblem {
    FeedProblem(
      .draftOfFlex, value: name,
      "the column is of a draft of GTFS-Flex that was not adopted; it was kept as text, and no "
        + "answer comes from it.",
      advice: now.map { "Ask the publisher for \($0) instead." }
        ?? "Ask the publisher for a feed with GTFS-Flex as it was adopted.")
  }
}
