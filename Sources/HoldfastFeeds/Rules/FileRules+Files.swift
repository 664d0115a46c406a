extension FileRules {
  private static let stops = ["from_stop_id", "to_stop_id"].map { Reference($0, StopTable.file) }
  private static let networks = ["from_network_id", "to_network_id"].map {
    Reference($0, "networks.txt")
  }
  private static let product = Reference("fare_product_id", "fare_products.txt")

  /// The rules of each file.
  ///
  /// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/>
  static let all: [String: FileRules] = [
    "areas.txt": FileRules(required: ["area_id"], hasKey: true),
    "attributions.txt": FileRules(
      required: ["organization_name"], compoundKey: ["attribution_id"],
      references: [
        Reference("agency_id", AgencyTable.file), Reference("route_id", RouteTable.file),
        Reference("trip_id", TripTable.file),
      ],
      choices: Special.attributionRole.columns.map { ($0, 0...1) }, special: .attributionRole),
    "booking_rules.txt": FileRules(
      required: ["booking_rule_id", "booking_type"], hasKey: true,
      references: [Reference("prior_notice_service_id", CalendarTable.file)],
      choices: [("booking_type", 0...2)],
      times: ["prior_notice_last_time", "prior_notice_start_time"]
    ),
    "fare_attributes.txt": FileRules(
      required: ["fare_id", "price", "currency_type", "payment_method"],
      requiredOfSeveralAgencies: ["agency_id"], hasKey: true,
      references: [Reference("agency_id", AgencyTable.file)],
      choices: [("payment_method", 0...1), ("transfers", 0...2)], amounts: ["price"],
      counts: ["transfer_duration"]),
    "fare_leg_join_rules.txt": FileRules(
      required: ["from_network_id", "to_network_id"],
      compoundKey: ["from_network_id", "to_network_id", "from_stop_id", "to_stop_id"],
      references: networks + stops),
    "fare_leg_rules.txt": FileRules(
      required: ["fare_product_id"],
      compoundKey: [
        "network_id", "from_area_id", "to_area_id", "from_timeframe_group_id",
        "to_timeframe_group_id", "fare_product_id",
      ], sharedKey: "leg_group_id",
      references: [Reference("network_id", "networks.txt"), product]
        + ["from_area_id", "to_area_id"].map { Reference($0, "areas.txt") }
        + ["from_timeframe_group_id", "to_timeframe_group_id"].map {
          Reference($0, "timeframes.txt")
        }, counts: ["rule_priority"]),
    "fare_media.txt": FileRules(
      required: ["fare_media_id", "fare_media_type"], hasKey: true,
      choices: [("fare_media_type", 0...4)]),
    "fare_products.txt": FileRules(
      required: ["fare_product_id", "amount", "currency"],
      compoundKey: ["fare_product_id", "rider_category_id", "fare_media_id"],
      sharedKey: "fare_product_id",
      references: [
        Reference("rider_category_id", "rider_categories.txt"),
        Reference("fare_media_id", "fare_media.txt"),
      ]),
    "fare_rules.txt": FileRules(
      required: ["fare_id"], isKeyedByRow: true,
      references: [
        Reference("fare_id", "fare_attributes.txt"), Reference("route_id", RouteTable.file),
      ]
        + ["origin_id", "destination_id", "contains_id"].map {
          Reference($0, StopTable.file, values: KnownIdentifiers.zones)
        }),
    "fare_transfer_rules.txt": FileRules(
      required: ["fare_transfer_type"],
      compoundKey: [
        "from_leg_group_id", "to_leg_group_id", "fare_product_id", "transfer_count",
        "duration_limit",
      ],
      references: [product]
        + ["from_leg_group_id", "to_leg_group_id"].map { Reference($0, "fare_leg_rules.txt") },
      choices: [("fare_transfer_type", 0...2), ("duration_limit_type", 0...3)],
      counts: ["duration_limit"]),
    "levels.txt": FileRules(
      required: ["level_id", "level_index"], hasKey: true, numbers: ["level_index"]),
    "location_group_stops.txt": FileRules(
      required: ["location_group_id", "stop_id"], isKeyedByRow: true,
      references: [
        Reference("location_group_id", "location_groups.txt"), Reference("stop_id", StopTable.file),
      ]),
    "location_groups.txt": FileRules(required: ["location_group_id"], hasKey: true),
    "networks.txt": FileRules(required: ["network_id"], hasKey: true),
    "pathways.txt": FileRules(
      required: [
        "pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional",
      ], hasKey: true, references: stops,
      choices: [("pathway_mode", 1...7), ("is_bidirectional", 0...1)],
      numbers: ["max_slope"], amounts: ["length", "min_width"], counts: ["traversal_time"],
      special: .pathwayLoop),
    "rider_categories.txt": FileRules(
      required: ["rider_category_id", "rider_category_name"], hasKey: true,
      choices: [("is_default_fare_category", 0...1)]),
    "route_networks.txt": FileRules(
      required: ["network_id", "route_id"], compoundKey: ["route_id"],
      references: [
        Reference("network_id", "networks.txt"), Reference("route_id", RouteTable.file),
      ]),
    "stop_areas.txt": FileRules(
      required: ["area_id", "stop_id"], isKeyedByRow: true,
      references: [Reference("area_id", "areas.txt"), Reference("stop_id", StopTable.file)]),
    "timeframes.txt": FileRules(
      required: ["timeframe_group_id", "service_id"], isKeyedByRow: true,
      sharedKey: "timeframe_group_id",
      references: [Reference("service_id", CalendarTable.file)], times: ["start_time", "end_time"],
      special: .timeOrder),
    "transfers.txt": FileRules(
      compoundKey: [
        "from_stop_id", "to_stop_id", "from_trip_id", "to_trip_id", "from_route_id", "to_route_id",
      ],
      references: stops
        + ["from_route_id", "to_route_id"].map { Reference($0, RouteTable.file) }
        + ["from_trip_id", "to_trip_id"].map { Reference($0, TripTable.file) },
      choices: [("transfer_type", 0...5)], counts: ["min_transfer_time"],
      special: .transferDistance),
    "translations.txt": FileRules(
      required: ["table_name", "field_name", "language", "translation"],
      compoundKey: [
        "table_name", "field_name", "language", "record_id", "record_sub_id", "field_value",
      ]),
  ]

  /// Returns a number that is greater than those of all files to which a file refers.
  static func rank(of file: String) -> Int {
    let others = all[file]?.references.map(\.file).filter { all[$0] != nil } ?? []
    return others.map { rank(of: $0) + 1 }.max() ?? 0
  }
}
