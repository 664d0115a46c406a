import HoldfastTransit

/// The columns of drafts of GTFS-Flex, which were published before it was adopted in 2024.
///
/// Feeds for fixed routes have some of them too, without a value.
///
/// - SeeAlso: <https://github.com/MobilityData/gtfs-flex>, which has the drafts.
enum FlexDraft {
  /// The columns of each file, and what GTFS has instead.
  private static let columns: [String: [String: String?]] = [
    StopTimeTable.file: [
      "start_pickup_dropoff_window": "start_pickup_drop_off_window",
      "end_pickup_dropoff_window": "end_pickup_drop_off_window",
      "start_service_area_id": "location_id", "end_service_area_id": "location_id",
      "start_service_area_radius": "location_id", "end_service_area_radius": "location_id",
      "mean_duration_factor": nil, "mean_duration_offset": nil,
      "safe_duration_factor": "safe_duration_factor of trips.txt",
      "safe_duration_offset": "safe_duration_offset of trips.txt",
    ],
    TripTable.file: [
      "drt_max_travel_time": nil, "drt_avg_travel_time": nil,
      "mean_duration_factor": nil, "mean_duration_offset": nil,
      "drt_advance_book_min": "prior_notice_duration_min of booking_rules.txt",
      "drt_pickup_message": "pickup_message of booking_rules.txt",
      "drt_drop_off_message": "drop_off_message of booking_rules.txt",
      "continuous_pickup_message": "pickup_message of booking_rules.txt",
      "continuous_drop_off_message": "drop_off_message of booking_rules.txt",
    ],
    "areas.txt": ["wkt": LocationsTable.file],
    "location_groups.txt": ["location_id": "location_group_stops.txt"],
  ]

  /// Reports columns of trips or times that have a value.
  static func examine(_ others: OtherColumns, of file: String, in report: ReportBuilder) {
    guard let drafts = columns[file], !others.allNames.allSatisfy({ drafts[$0] == nil }) else {
      return
    }
    var others = others
    others.useAll()
    for name in others.names {
      if let now = drafts[name] {
        report.add(.draftOfFlex(name, now: now).at(file, line: 1, field: name))
      }
    }
  }

  /// Reports columns of the header of a file that is kept as a table of texts.
  static func examine(_ header: FeedHeader) {
    guard let drafts = columns[header.file] else { return }
    for name in header.names {
      if let now = drafts[name] { header.add(.draftOfFlex(name, now: now), name) }
    }
  }
}
