/// The files of GTFS Schedule by name.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#dataset-files>
enum FeedCatalog {
  /// The files without which a feed is refused; the calendars and the stops have rules of their own.
  static let required = ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"]

  /// The files that define the days on which services run; at least one is required.
  static let calendars = ["calendar.txt", "calendar_dates.txt"]

  static let optional = [
    "areas.txt", "attributions.txt", "booking_rules.txt", "fare_attributes.txt",
    "fare_leg_join_rules.txt", "fare_leg_rules.txt", "fare_media.txt", "fare_products.txt",
    "fare_rules.txt", "fare_transfer_rules.txt", "feed_info.txt", "frequencies.txt", "levels.txt",
    "location_group_stops.txt", "location_groups.txt", "locations.geojson", "networks.txt",
    "pathways.txt", "rider_categories.txt", "route_networks.txt", "shapes.txt", "stop_areas.txt",
    "timeframes.txt", "transfers.txt", "translations.txt",
  ]

  private static let names = Set(required + calendars + optional)
  private static let marks = Set(required + calendars)

  /// Returns whether a feed needs a file, and rows in it.
  ///
  /// - Parameters:
  ///   - name: The name of a file.
  ///   - present: The names of the feed's files.
  /// - Returns: Whether the file is required: `stops.txt` is "Optional if demand-responsive zones are defined in
  ///   locations.geojson".
  static func isRequired(_ name: String, in present: some Collection<String>) -> Bool {
    required.contains(name) && !(name == "stops.txt" && present.contains("locations.geojson"))
  }

  /// Returns GTFS's spelling of a file name, ignoring letter case as some file systems do.
  static func known(_ name: String) -> String? {
    let lowercased = name.lowercased()
    return names.contains(lowercased) ? lowercased : nil
  }

  /// Returns the file of GTFS that another one may have been meant to be, such as `calendar_dates.txt` for
  /// `calendar_date.txt`, `calendardates.txt` and `calendar_dates.csv`.
  static func meant(by name: String) -> String? {
    guard known(name) == nil else { return nil }
    return meanings[stem(of: name)]
  }

  private static let meanings = Dictionary(
    uniqueKeysWithValues: names.map { (stem(of: $0), $0) })

  /// Returns the words of a file's name, each in the singular, without what divides them.
  private static func stem(of name: String) -> String {
    var words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    while words.count > 1, ["txt", "csv"].contains(words.last) { words.removeLast() }
    return words.map { word in
      if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
      return word.hasSuffix("s") ? String(word.dropLast()) : String(word)
    }.joined()
  }

  /// Returns whether a file that GTFS does not define is kept as text.
  static func isText(_ name: String) -> Bool {
    name.utf8.count > 4 && name.lowercased().hasSuffix(".txt")
  }

  /// Returns whether a file of that name indicates that its directory contains a feed.
  static func marks(_ name: String) -> Bool { marks.contains(name.lowercased()) }
}
