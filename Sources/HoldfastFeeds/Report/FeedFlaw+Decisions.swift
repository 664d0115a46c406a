// The table of all flaws: for each its name in reports, what it costs, and why.
extension FeedFlaw {
  /// The consequence of the flaw, and the reason for it.
  var decision: Decision {
    switch self {
    case .missingFile:
      .init(
        "missing_required_file", .refusesFeed,
        "without the file there is no stop, route or departure")
    case .missingCalendar:
      .init(
        "missing_calendar_and_calendar_date_files", .refusesFeed, "without a day no service runs")
    case .emptyFileOfNames:
      .init("empty_file", .refusesFeed, "without stops, routes or agencies nothing can be shown")
    case .emptyFile: .init("empty_file", .keepsValue, "the other files can be used")
    case .noRowsOfNames:
      .init("empty_file", .refusesFeed, "without stops, routes or agencies nothing can be shown")
    // Many feeds have optional files without a row.
    case .noRows: .init(harmless: "no_rows", "the other files can be used")
    case .severalRows:
      .init(
        "more_than_one_entity", .dropsRow,
        "GTFS allows one row, and the first one is the publisher's")
    case .fileNameCase:
      .init("file_name_case", .keepsValue, "no two names of GTFS differ in letter case only")
    case .unknownFile: .init(harmless: "unknown_file", "no answer comes from the file")
    case .misnamedFile:
      .init("unknown_file", .keepsValue, "whether it is the file that the feed lacks is a guess")
    case .sameTableName:
      .init("file_name_twice", .dropsRow, "SQLite tells tables apart without the case of letters")
    case .feedInDirectory:
      .init(harmless: "invalid_input_files_in_subfolder", "there is only one directory of a feed")

    case .substitute: .init("substituted_file", .refusesFeed, "no row of the file is there")
    case .substituteOfOtherFile:
      .init("substituted_file", .dropsRow, "departures do not need the file")
    case .nulInName:
      .init("nul_byte", .refusesFeed, "riders would see a name that is cut off at the byte")
    case .nulByte:
      .init("nul_byte", .keepsValue, "one byte of many rows; it is replaced by U+FFFD")
    case .notUTF8InName:
      .init(
        "invalid_character", .refusesFeed,
        "each name would be wrong, and one command converts the file")
    case .notUTF8:
      .init("invalid_character", .keepsValue, "one byte of many rows; it is replaced by U+FFFD")
    case .utf16: .init("utf16", .refusesFeed, "no row of the file can be read")
    case .utf16OfOtherFile: .init("utf16", .dropsRow, "departures do not need the file")
    case .strayQuote:
      .init("stray_quote", .keepsValue, "the value is clear, as publishers forget to double quotes")
    case .unterminatedQuote:
      .init(
        "csv_parsing_failed", .refusesFeed, "a name would contain what belongs to other columns")
    case .unterminatedQuoteOfRow:
      .init("csv_parsing_failed", .dropsRow, "which value belongs to which column is unknown")
    case .rowTooLong:
      .init("csv_parsing_failed", .refusesFeed, "all rows up to the end of the file would be lost")
    case .rowTooLongOfOtherFile:
      .init(
        "csv_parsing_failed", .dropsRow, "departures do not need the rows to the end of the file")
    case .byteOrderMark: .init(harmless: "byte_order_mark", "it is skipped, as Unicode allows")
    case .mixedLineEnds: .init(harmless: "mixed_line_ends", "each of them ends a row")
    case .blankLines: .init(harmless: "blank_lines", "nothing is in the lines")
    case .padding:
      .init(
        harmless: "leading_or_trailing_whitespaces", "no name or identifier begins with a space")
    case .lineBreak: .init(harmless: "new_line_in_value", "the quotes say where the value ends")

    case .missingCells: .init("invalid_row_length", .keepsValue, "missing cells are blank ones")
    case .extraCellsOfName:
      .init(
        "invalid_row_length", .refusesFeed, "a name or a position would come from another column")
    case .extraCells:
      .init("invalid_row_length", .dropsRow, "which value belongs to which column is unknown")
    case .extraCellsOfOtherFile:
      .init("invalid_row_length", .dropsRow, "which value belongs to which column is unknown")
    case .blankExtraCells:
      .init("invalid_row_length", .keepsValue, "nothing is in the surplus cells")
    case .blankRow: .init("empty_row", .dropsRow, "nothing is in the row")
    case .missingColumn:
      .init(
        "missing_required_column", .refusesFeed, "every row lacks a value that departures need")
    case .missingExpectedColumn:
      .init("missing_required_column", .keepsValue, "departures do not need the column")
    case .duplicateColumn:
      .init("duplicated_column", .refusesFeed, "which of the columns holds the values is unknown")
    case .duplicateOtherColumn:
      .init(
        harmless: "duplicated_column", .dropsValue,
        "departures do not need it; the first column is kept")
    case .columnNameCase:
      .init("column_name_case", .keepsValue, "no two columns of GTFS differ in letter case only")
    case .unknownColumn: .init(harmless: "unknown_column", "no answer comes from the column")
    case .draftOfFlex:
      .init("draft_of_flex", .keepsValue, "the times of the timetable are right without it")
    case .zoneAsStop:
      .init("draft_of_flex", .dropsRow, "no stop has the place and the name of a zone")
    case .unnamedColumn:
      .init("empty_column_name", .dropsValue, "a value without a name can be asked for by nothing")
    case .tooManyColumns:
      .init("too_many_columns", .dropsValue, "a table of SQLite has at most 2000 columns")

    case .blankKey:
      .init("missing_required_field", .refusesFeed, "the row defines what many others refer to")
    case .blankKeyOfRow:
      .init(
        "missing_required_field", .dropsRow, "without the value the row says nothing; the others do"
      )
    case .blankValue:
      .init("missing_required_field", .keepsValue, "departures do not need the value")
    case .blankStopName:
      .init("missing_stop_name", .keepsValue, "the stop takes a name from its station or its code")
    case .badKeyNumber:
      .init(
        "invalid_integer", .refusesFeed, "the kind of a route with all its trips would be unknown")
    case .badCoordinate:
      .init("invalid_float", .refusesFeed, "a stop would be missing from its place on the map")
    case .badNumber: .init("invalid_integer", .dropsValue, "departures do not need the value")
    case .zeroFraction:
      .init("invalid_integer", .keepsValue, "a fraction of zeros changes no number")
    case .badDecimal: .init("invalid_float", .dropsValue, "departures do not need the value")
    case .badTextNumber: .init("invalid_float", .keepsValue, "departures do not need the value")
    case .badTextInteger:
      .init("invalid_integer", .keepsValue, "departures do not need the value")
    case .badTextTime: .init("invalid_time", .keepsValue, "an export gives the value back")
    case .reversedSpan:
      .init("start_and_end_range_out_of_order", .keepsValue, "departures do not need the row")
    case .emptySpan:
      .init("start_and_end_range_equal", .keepsValue, "departures do not need the row")
    case .outOfRange:
      .init("number_out_of_range", .refusesFeed, "columns are probably swapped, in every row")
    case .outOfRangeOfOtherFile:
      .init("number_out_of_range", .keepsValue, "departures do not need the value")
    case .unknownValueLeftOut:
      .init(
        "unexpected_enum_value", .dropsValue,
        "a value without a meaning is as good as a blank one")
    case .unknownValueKept:
      .init("unexpected_enum_value", .keepsValue, "later versions of GTFS may define it")
    case .badFlag:
      .init("unexpected_enum_value", .refusesFeed, "a whole service would run on wrong days")
    case .badServiceDate:
      .init("invalid_date", .refusesFeed, "a whole service would run on wrong days")
    case .badDate: .init("invalid_date", .dropsValue, "the services have dates of their own")
    case .dateForm:
      .init("invalid_date", .keepsValue, "the order of year, month and day is clear")
    case .unreadableException:
      .init("unexpected_enum_value", .dropsRow, "the other days of the service are right")
    case .unreadableExceptionDate:
      .init("invalid_date", .dropsRow, "the other days of the service are right")
    case .reversedDates:
      .init(
        "start_and_end_range_out_of_order", .keepsValue, "such a service has no day of a week")
    case .badColor: .init("invalid_color", .dropsValue, "departures do not need the value")
    case .badAgencyTimeZone:
      .init("invalid_timezone", .refusesFeed, "every time of the feed would be undefined")
    case .badTimeZone:
      .init("invalid_timezone", .dropsValue, "the stop has the time zone of its agency then")
    case .removedTimeZone:
      .init("removed_timezone", .keepsValue, "the name that replaced it is known")
    case .severalTimeZones:
      .init("inconsistent_agency_timezone", .keepsValue, "the zone of each stop's agency is known")
    case .badTime:
      .init("invalid_time", .dropsValue, "a blank time is interpolated between its neighbors")
    case .timeWithoutSeconds:
      .init("invalid_time", .keepsValue, "the hours and minutes are clear, and the seconds are 0")
    case .badTimeOfFrequency:
      .init(
        "invalid_time", .dropsRow, "the span of time is unknown, and the trip's others are right")
    case .badSequence:
      .init("invalid_integer", .dropsRow, "the place of the stop in its trip is unknown")
    case .negativeSequence:
      .init("number_out_of_range", .dropsRow, "the place of the stop in its trip is unknown")
    case .badHeadway:
      .init("invalid_integer", .dropsRow, "when vehicles follow each other is unknown")
    case .noHeadway:
      .init("number_out_of_range", .dropsRow, "vehicles cannot follow each other so")
    case .emptyFrequency:
      .init("start_and_end_range_equal", .dropsRow, "no vehicle departs in an empty span of time")
    case .reversedFrequency:
      .init(
        "start_and_end_range_out_of_order", .dropsRow, "no vehicle departs in an empty span of time"
      )
    case .endOfNight:
      .init(
        "start_and_end_range_out_of_order", .keepsValue,
        "nothing else is meant by an end in the night after the start")

    case .duplicateID:
      .init("duplicate_key", .refusesFeed, "which row the references mean is unknown")
    case .duplicateIDOfOtherFile:
      .init("duplicate_key", .keepsValue, "departures do not need the row")
    case .repeatedRow: .init("duplicate_key", .dropsRow, "it says the same again")
    case .duplicateTrip:
      .init("duplicate_key", .dropsRow, "the trip runs once; other trips are not affected")
    case .duplicateStopSequence:
      .init(
        "duplicate_key", .dropsRow, "a vehicle is at one stop at a time; the earlier one is kept")
    case .duplicateException:
      .init(
        "duplicate_key", .dropsRow,
        "of two that differ the removal is kept, so that no rider waits in vain")
    case .duplicateFrequency:
      .init("duplicate_key", .dropsRow, "departures would be announced twice")
    case .unnamedAgency:
      .init("missing_required_field", .keepsValue, "its name and its time zone can be shown")
    case .routeWithoutAgency:
      .init("missing_required_field", .keepsValue, "departures do not need the value")
    case .unknownParent:
      .init("foreign_key_violation", .dropsValue, "the stop has a name and a place of its own")
    case .unknownAgency:
      .init(
        "foreign_key_violation", .dropsValue,
        "the route belongs to the only agency, or to none, and its departures do not need one")
    case .unknownKey:
      .init("foreign_key_violation", .dropsRow, "the row belongs to nothing that can be shown")
    case .unknownKeyOfOtherFile:
      .init("foreign_key_violation", .keepsValue, "departures do not need the row")
    case .unknownService:
      .init("foreign_key_violation", .keepsValue, "the trip is known, and runs on no day")
    case .unknownShape:
      .init(
        "foreign_key_violation", .keepsValue, "the line on the map is missing, and no departure")
    case .unknownLevel:
      .init("foreign_key_violation", .keepsValue, "the stop is found, and has its departures")
    case .unknownKeyOfCall:
      .init("foreign_key_violation", .keepsValue, "the trip and its other stops are known")
    case .callsOfDroppedTrips:
      .init("dropped_trip", .dropsRow, "the trip that the rows belong to was left out")
    case .namelessRoute:
      .init(
        "route_both_short_and_long_name_missing", .keepsValue,
        "headsigns tell its departures apart")
    case .sameNames:
      .init(harmless: "route_short_and_long_name_equal", "riders see the name once or twice")
    case .noParent:
      .init("location_without_parent_station", .keepsValue, "the place can be shown by itself")
    case .parentOfStation:
      .init("station_with_parent_station", .keepsValue, "the station can be shown")
    case .parentType:
      .init("wrong_parent_location_type", .keepsValue, "the places belong together anyway")
    case .tooManyCalls:
      .init("too_many_stop_times", .dropsRow, "no vehicle makes so many stops; the first are kept")
    case .decreasingTime:
      .init(
        "stop_time_with_arrival_before_previous_departure_time", .keepsValue,
        "which of the times is wrong is unknown, and the others are right")
    case .edgeWithoutTime:
      .init("missing_trip_edge", .keepsValue, "the stops between the known times can be shown")
    case .tripWithoutCalls:
      .init("unused_trip", .keepsValue, "an export gives the trip back; no departure shows it")
    case .tripWithOneCall:
      .init("unusable_trip", .keepsValue, "an export gives the trip back; no departure shows it")
    case .serviceWithoutDay:
      .init(
        "service_has_no_active_day_of_the_week", .keepsValue, "an export gives the service back")

    case .zeroCoordinate: .init("point_near_origin", .keepsValue, "the stop is found by its name")
    case .nearPole: .init("point_near_pole", .keepsValue, "the stop is found by its name")
    case .blankCoordinate:
      .init("stop_without_location", .keepsValue, "the stop is found by its name")
    case .platformWithoutStation:
      .init(harmless: "platform_without_parent_station", "the platform can be shown by itself")
    case .stationWithoutStop:
      .init(harmless: "unused_parent_station", "the station is found, and has no departures")
    case .stopWithoutCalls:
      .init("stop_without_stop_time", .keepsValue, "the stop is found, and has no departures")
    case .callsAtNoStop:
      .init("location_with_unexpected_stop_time", .keepsValue, "the departures are right")

    case .fastTravel:
      .init(
        "fast_travel_between_consecutive_stops", .keepsValue,
        "which of the times or places is wrong is unknown")
    case .fastTravelOverFarStops:
      .init(
        "fast_travel_between_far_stops", .keepsValue,
        "which of the times or places is wrong is unknown")
    case .oneTimeOnly:
      .init(
        "stop_time_with_only_arrival_or_departure_time", .keepsValue,
        "the other time is interpolated")
    case .timepointWithoutTime:
      .init("stop_time_timepoint_without_times", .keepsValue, "a blank time is interpolated")
    case .decreasingDistance:
      .init(
        "decreasing_or_equal_stop_time_distance", .keepsValue, "times do not come from distances")
    case .overlappingFrequency:
      .init("overlapping_frequency", .keepsValue, "which of the headways is wrong is unknown")
    case .duplicateRouteName:
      .init("duplicate_route_name", .keepsValue, "headsigns tell the departures apart")
    case .routeWithoutTrip:
      .init("route_without_trip", .keepsValue, "the route is listed, and has no departures")
    case .expiredService:
      .init("expired_calendar", .keepsValue, "the service is over, and no departure shows it")
    case .expiredFeed:
      .init("expired_feed", .keepsValue, "the database says that it is out of date")
    case .endsInSevenDays:
      .init("feed_expiration_date7_days", .keepsValue, "until then the departures are right")
    case .endsInThirtyDays:
      .init("feed_expiration_date30_days", .keepsValue, "until then the departures are right")
    case .notYetValidFeed:
      .init("feed_not_yet_valid", .keepsValue, "from its first day on the departures are right")
    case .noServiceInNextSevenDays:
      .init(
        "trip_coverage_not_active_for_next7_days", .keepsValue,
        "that no vehicle runs may be the truth")
    case .oneFeedDate:
      .init("missing_feed_info_date", .keepsValue, "the services have dates of their own")
    case .transferTooFar:
      .init("transfer_distance_too_large", .keepsValue, "departures do not need the row")
    case .transferAboveTwoKilometers:
      .init(harmless: "transfer_distance_above_2_km", "riders may use a bicycle")
    case .unusedShape: .init("unused_shape", .keepsValue, "no map shows the line")
    case .onePointOfShape:
      .init("single_shape_point", .keepsValue, "the line on the map is missing, and no departure")
    case .decreasingShapeDistance:
      .init(
        "decreasing_shape_distance", .keepsValue, "the points are in the order of their numbers")
    case .noJSON: .init("malformed_json", .dropsRow, "departures do not need the file")
    case .longLocations:
      .init("too_long_locations", .dropsRow, "departures do not need the file")
    case .noFeatureCollection:
      .init("unsupported_geo_json_type", .keepsValue, "an export gives the file back")
    case .noFeature:
      .init("unsupported_feature_type", .keepsValue, "an export gives the file back")
    case .noArea:
      .init("unsupported_geometry_type", .keepsValue, "an export gives the zone back")
    case .missingElement:
      .init("missing_required_element", .keepsValue, "the other zones are right")
    case .duplicateLocation:
      .init("duplicate_geo_json_key", .keepsValue, "departures do not need the zone")
    case .badShapePoint:
      .init("invalid_float", .dropsRow, "the other points show the path")
    case .shapePointOutOfRange:
      .init("number_out_of_range", .dropsRow, "the other points show the path")
    case .badShapeSequence:
      .init("invalid_integer", .dropsRow, "the place of the point in its path is unknown")
    case .repeatedShapeSequence:
      .init("duplicate_key", .keepsValue, "which of the points comes first matters little")
    case .tooManyShapePoints:
      .init("too_many_points", .dropsRow, "no path needs so many; the first are kept")
    case .attributionWithoutRole:
      .init("attribution_without_role", .keepsValue, "the organization is named")
    case .routeColors:
      .init(
        "route_color_contrast", .keepsValue, "riders cannot read the name, and apps may know it")
    case .stopAccessElsewhere:
      .init(
        "stop_access_specified_for_incorrect_location", .keepsValue,
        "the value says nothing of such a place")
    case .stopAccessWithoutParent:
      .init(
        "stop_access_specified_for_stop_with_no_parent_station", .keepsValue,
        "the value says nothing of a stop outside a station")
    case .unreachablePlace:
      .init(
        "pathway_unreachable_location", .keepsValue, "the other ways of the station are right")
    case .stationInPathway:
      .init(
        "pathway_to_wrong_location_type", .keepsValue, "the other ways of the station are right")
    case .translatedTable:
      .init("translation_unknown_table_name", .keepsValue, "the other translations are right")
    case .translatedValue:
      .init("translation_unexpected_value", .keepsValue, "the other translations are right")
    case .unknownTranslated:
      .init(
        "translation_foreign_key_violation", .keepsValue, "the other translations are right")
    case .blockOverlap:
      .init(
        "block_trips_with_overlapping_stop_times", .keepsValue,
        "which of the trips is in another block is unknown")
    case .timeBesideWindow:
      .init("forbidden_arrival_or_departure_time", .keepsValue, "the time may be an estimate")
    case .missingWindow:
      .init("missing_pickup_or_drop_off_window", .keepsValue, "an export gives the row back")
    case .reversedWindow:
      .init("invalid_pickup_drop_off_window", .keepsValue, "an export gives the row back")
    case .removedDays:
      .init("service_days_all_removed", .keepsValue, "that no vehicle runs may be the truth")
    case .distanceBeyondShape:
      .init(
        "trip_distance_exceeds_shape_distance", .keepsValue, "times do not come from distances")
    case .farFromShape:
      .init("stop_too_far_from_shape", .keepsValue, "the line on the map is wrong, or the stop")
    case .stopOutOfOrder:
      .init(
        "stops_match_shape_out_of_order", .keepsValue, "the line on the map is wrong, or the order")
    case .pathwayLoop: .init("pathway_loop", .keepsValue, "the other ways of the station are right")

    case .nameOfStation:
      .init(harmless: "name_of_station", "riders know the stop by its station's name")
    case .nameOfCode: .init(harmless: "name_of_code", "riders see the code at the stop")
    case .nameOfIdentifier: .init(harmless: "name_of_identifier", "the feed has no other name")
    case .coordinateOfStation:
      .init(harmless: "coordinate_of_station", "the stop is a part of the station")
    case .noCoordinate: .init(harmless: "no_coordinate", "the stop is found by its name")
    case .emptyRouteName: .init(harmless: "empty_route_name", "the route has another name")
    }
  }
}
