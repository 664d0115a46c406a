extension TimetableSchema {
  /// The columns whose values GTFS defines as numbers, by file, with the type that SQLite has for them.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-definitions>
  package static let numericTypes: [String: [String: String]] = [
    "agency.txt": numbers("cemv_support"),
    "attributions.txt": numbers("is_producer", "is_operator", "is_authority"),
    "booking_rules.txt": numbers(
      "booking_type", "prior_notice_duration_min", "prior_notice_duration_max",
      "prior_notice_last_day", "prior_notice_start_day"),
    "calendar.txt": numbers(
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "calendar_dates.txt": numbers("exception_type"),
    "fare_attributes.txt": numbers(
      "payment_method", "transfers", "transfer_duration", reals: "price"),
    "fare_leg_rules.txt": numbers("rule_priority"),
    "fare_media.txt": numbers("fare_media_type"),
    "fare_transfer_rules.txt": numbers(
      "transfer_count", "duration_limit", "duration_limit_type", "fare_transfer_type"),
    "frequencies.txt": numbers("headway_secs", "exact_times"),
    "levels.txt": numbers(reals: "level_index"),
    "pathways.txt": numbers(
      "pathway_mode", "is_bidirectional", "traversal_time", "stair_count",
      reals: "length", "max_slope", "min_width"),
    "rider_categories.txt": numbers("is_default_fare_category"),
    "routes.txt": numbers(
      "route_type", "route_sort_order", "continuous_pickup", "continuous_drop_off",
      "cemv_support"),
    "shapes.txt": numbers(
      "shape_pt_sequence", reals: "shape_pt_lat", "shape_pt_lon", "shape_dist_traveled"),
    "stop_times.txt": numbers(
      "stop_sequence", "pickup_type", "drop_off_type", "continuous_pickup",
      "continuous_drop_off", "timepoint", reals: "shape_dist_traveled"),
    "stops.txt": numbers(
      "location_type", "wheelchair_boarding", "stop_access", reals: "stop_lat", "stop_lon"),
    "transfers.txt": numbers("transfer_type", "min_transfer_time"),
    "trips.txt": numbers(
      "direction_id", "wheelchair_accessible", "bikes_allowed", "cars_allowed",
      reals: "safe_duration_factor", "safe_duration_offset"),
  ]

  private static func numbers(_ integers: String..., reals: String...) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: integers.map { ($0, "INTEGER") } + reals.map { ($0, "REAL") })
  }

  /// Returns whether a text is a number, as SQL.
  ///
  /// - Parameter column: The text as SQL names it.
  /// - Returns: A condition; NULL for a blank text.
  package static func isNumber(_ column: String) -> String {
    """
    (\(column) GLOB '*[0-9]*' AND \(column) NOT GLOB '*[^-+.0-9]*' AND \(column) NOT GLOB '*.*.*'
      AND substr(\(column), 2) NOT GLOB '*[-+]*')
    """
  }
}
