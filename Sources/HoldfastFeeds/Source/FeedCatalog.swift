/// The files of GTFS Schedule by name.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#dataset-files>
enum FeedCatalog {
  /// Without these a feed is refused; the calendar has a rule of its own.
  static let required = ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"]

  /// At least one of these says on which days a service runs.
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

  /// GTFS's spelling of a file name; case is forgiven, because file systems forgive it.
  static func known(_ name: String) -> String? {
    let lowercased = name.lowercased()
    return names.contains(lowercased) ? lowercased : nil
  }

  /// Whether a file of that name shows that its directory holds a feed.
  static func marks(_ name: String) -> Bool { marks.contains(name.lowercased()) }
}
