/// A kind of flaw in a feed, which decides what reading and importing do about it.
///
/// All decisions are in ``decision``, each with its reason. The rule behind them: a feed is refused
/// where departures or names would be wrong for much of it, unnoticed, or where the rest of a file
/// cannot be read. A flaw in one of many rows costs at most that row.
enum FeedFlaw: CaseIterable {
  // Files
  case missingFile, missingCalendar, emptyFileOfNames, emptyFile, noRowsOfNames, noRows
  case severalRows, fileNameCase, sameTableName
  // Text
  case nulInName, nulByte, notUTF8InName, notUTF8, utf16, utf16OfOtherFile, strayQuote
  case unterminatedQuote, unterminatedQuoteOfOtherFile, rowTooLong, rowTooLongOfOtherFile
  // Cells and columns
  case missingCells, extraCellsOfName, extraCells, extraCellsOfOtherFile, blankExtraCells, blankRow
  case missingColumn, missingExpectedColumn, duplicateColumn, columnNameCase
  case duplicateOtherColumn, unnamedColumn, tooManyColumns
  // Values
  case blankKey, blankKeyOfRow, blankValue, badKeyNumber, badCoordinate, badNumber, outOfRange
  case unknownValueLeftOut, unknownValueKept, badFlag, badServiceDate, badDate, dateForm
  case unreadableException, unreadableExceptionDate, reversedDates, badColor, badAgencyTimeZone,
    badTimeZone
  case severalTimeZones, badTime, badTimeOfFrequency, badSequence, badHeadway, reversedFrequency
  // Rows among each other
  case duplicateID, repeatedRow, duplicateTrip, duplicateStopSequence, duplicateException
  case duplicateFrequency, unnamedAgency, routeWithoutAgency, unknownParent, unknownAgency
  case unknownKey, unknownService, callsOfDroppedTrips, namelessRoute, noParent, parentOfStation
  case parentType, tooManyCalls, zeroCoordinate, blankCoordinate, decreasingTime, edgeWithoutTime
  case tripsWithoutCalls, serviceWithoutDay
  // Shapes
  case badShapePoint, shapePointOutOfRange, badShapeSequence, repeatedShapeSequence
  case tooManyShapePoints

  /// What reading and importing do about a flaw.
  enum Outcome: String {
    /// The feed is refused: an error.
    case refusesFeed
    /// The row is left out: a warning.
    case dropsRow
    /// The value is left out, and the rest of the row is kept: a warning.
    case dropsValue
    /// The value, row or file is used as it is, or as the warning says.
    case keepsValue
  }

  /// What is done about a kind of flaw, and why.
  struct Decision {
    /// The name of the problem in reports.
    var code: String
    var outcome: Outcome
    var reason: String

    init(_ code: String, _ outcome: Outcome, _ reason: String) {
      (self.code, self.outcome, self.reason) = (code, outcome, reason)
    }
  }

  /// The severity of a problem of this kind.
  var severity: FeedProblem.Severity {
    switch self {
    // Many feeds have optional files without a row.
    case .noRows: .info
    // Such columns are as good as ones that GTFS does not know.
    case .duplicateOtherColumn: .info
    default: decision.outcome == .refusesFeed ? .error : .warning
    }
  }

  /// What is done about the flaw.
  var decision: Decision {
    switch self {
    case .missingFile:
      .init("missing_file", .refusesFeed, "without the file there is no stop, route or departure")
    case .missingCalendar:
      .init("missing_file", .refusesFeed, "without a day no service runs")
    case .emptyFileOfNames:
      .init("empty_file", .refusesFeed, "without stops, routes or agencies nothing can be shown")
    case .emptyFile: .init("empty_file", .keepsValue, "the other files can be used")
    case .noRowsOfNames:
      .init("no_rows", .refusesFeed, "without stops, routes or agencies nothing can be shown")
    case .noRows: .init("no_rows", .keepsValue, "the other files can be used")
    case .severalRows:
      .init("several_rows", .dropsRow, "GTFS allows one row, and the first one is the publisher's")
    case .fileNameCase:
      .init("file_name_case", .keepsValue, "no two names of GTFS differ in letter case only")
    case .sameTableName:
      .init("file_name_twice", .dropsRow, "SQLite tells tables apart without the case of letters")

    case .nulInName:
      .init("nul_byte", .refusesFeed, "riders would see a name that is cut off at the byte")
    case .nulByte:
      .init("nul_byte", .keepsValue, "one byte of many rows; it is replaced by U+FFFD")
    case .notUTF8InName:
      .init("not_utf8", .refusesFeed, "each name would be wrong, and one command converts the file")
    case .notUTF8:
      .init("not_utf8", .keepsValue, "one byte of many rows; it is replaced by U+FFFD")
    case .utf16: .init("utf16", .refusesFeed, "no row of the file can be read")
    case .utf16OfOtherFile: .init("utf16", .dropsRow, "departures do not need the file")
    case .strayQuote:
      .init("stray_quote", .keepsValue, "the value is clear, as publishers forget to double quotes")
    case .unterminatedQuote:
      .init("unterminated_quote", .refusesFeed, "all rows up to the end of the file would be lost")
    case .unterminatedQuoteOfOtherFile:
      .init(
        "unterminated_quote", .dropsRow, "departures do not need the rows to the end of the file")
    case .rowTooLong:
      .init("row_too_long", .refusesFeed, "all rows up to the end of the file would be lost")
    case .rowTooLongOfOtherFile:
      .init("row_too_long", .dropsRow, "departures do not need the rows to the end of the file")

    case .missingCells: .init("missing_cells", .keepsValue, "missing cells are blank ones")
    case .extraCellsOfName:
      .init("extra_cells", .refusesFeed, "a name or a position would come from another column")
    case .extraCells:
      .init("extra_cells", .dropsRow, "which value belongs to which column is unknown")
    case .extraCellsOfOtherFile:
      .init("extra_cells", .dropsRow, "which value belongs to which column is unknown")
    case .blankExtraCells: .init("extra_cells", .keepsValue, "nothing is in the surplus cells")
    case .blankRow: .init("blank_row", .dropsRow, "nothing is in the row")
    case .missingColumn:
      .init("missing_column", .refusesFeed, "every row lacks a value that departures need")
    case .missingExpectedColumn:
      .init("missing_column", .keepsValue, "departures do not need the column")
    case .duplicateColumn:
      .init("duplicate_column", .refusesFeed, "which of the columns holds the values is unknown")
    case .columnNameCase:
      .init("column_name_case", .keepsValue, "no two columns of GTFS differ in letter case only")
    case .duplicateOtherColumn:
      .init("duplicate_column", .dropsValue, "departures do not need it; the first column is kept")
    case .unnamedColumn:
      .init("unnamed_column", .dropsValue, "a value without a name can be asked for by nothing")
    case .tooManyColumns:
      .init("too_many_columns", .dropsValue, "a table of SQLite has at most 2000 columns")

    case .blankKey:
      .init("blank_value", .refusesFeed, "the row defines what many others refer to")
    case .blankKeyOfRow:
      .init("blank_value", .dropsRow, "without the value the row says nothing; the others do")
    case .blankValue: .init("blank_value", .keepsValue, "departures do not need the value")
    case .badKeyNumber:
      .init("bad_number", .refusesFeed, "the kind of a route with all its trips would be unknown")
    case .badCoordinate:
      .init("bad_number", .refusesFeed, "a stop would be missing from its place on the map")
    case .badNumber: .init("bad_number", .dropsValue, "departures do not need the value")
    case .outOfRange:
      .init("out_of_range", .refusesFeed, "columns are probably swapped, in every row")
    case .unknownValueLeftOut:
      .init("unknown_value", .dropsValue, "a value without a meaning is as good as a blank one")
    case .unknownValueKept:
      .init("unknown_value", .keepsValue, "later versions of GTFS may define it")
    case .badFlag:
      .init("bad_value", .refusesFeed, "a whole service would run on wrong days")
    case .badServiceDate:
      .init("bad_date", .refusesFeed, "a whole service would run on wrong days")
    case .badDate: .init("bad_date", .dropsValue, "the services have dates of their own")
    case .dateForm: .init("date_form", .keepsValue, "the order of year, month and day is clear")
    case .unreadableException:
      .init("unknown_value", .dropsRow, "the other days of the service are right")
    case .unreadableExceptionDate:
      .init("bad_date", .dropsRow, "the other days of the service are right")
    case .reversedDates: .init("reversed_dates", .keepsValue, "such a service has no day of a week")
    case .badColor: .init("bad_color", .dropsValue, "departures do not need the value")
    case .badAgencyTimeZone:
      .init("bad_time_zone", .refusesFeed, "every time of the feed would be undefined")
    case .badTimeZone:
      .init("bad_time_zone", .dropsValue, "the stop has the time zone of its agency then")
    case .severalTimeZones:
      .init("several_time_zones", .keepsValue, "the zone of each stop's agency is known")
    case .badTime:
      .init("bad_time", .dropsValue, "a blank time is interpolated between its neighbors")
    case .badTimeOfFrequency:
      .init("bad_time", .dropsRow, "the span of time is unknown, and the trip's others are right")
    case .badSequence:
      .init("bad_sequence", .dropsRow, "the place of the stop in its trip is unknown")
    case .badHeadway: .init("bad_headway", .dropsRow, "vehicles cannot follow each other so")
    case .reversedFrequency:
      .init("reversed_frequency", .dropsRow, "no vehicle departs in an empty span of time")

    case .duplicateID:
      .init("duplicate_id", .refusesFeed, "which row the references mean is unknown")
    case .repeatedRow: .init("duplicate_row", .dropsRow, "it says the same again")
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
      .init("blank_value", .keepsValue, "its name and its time zone can be shown")
    case .routeWithoutAgency:
      .init("blank_value", .keepsValue, "departures do not need the value")
    case .unknownParent:
      .init("unknown_reference", .dropsValue, "the stop has a name and a place of its own")
    case .unknownAgency:
      .init("unknown_reference", .dropsValue, "departures do not need the value")
    case .unknownKey:
      .init("unknown_reference", .dropsRow, "the row belongs to nothing that can be shown")
    case .unknownService:
      .init("unknown_reference", .keepsValue, "the trip is known, and runs on no day")
    case .callsOfDroppedTrips:
      .init("dropped_trip", .dropsRow, "the trip that the rows belong to was left out")
    case .namelessRoute:
      .init("nameless_route", .keepsValue, "headsigns tell its departures apart")
    case .noParent: .init("missing_parent", .keepsValue, "the place can be shown by itself")
    case .parentOfStation: .init("parent_of_station", .keepsValue, "the station can be shown")
    case .parentType: .init("parent_type", .keepsValue, "the places belong together anyway")
    case .tooManyCalls:
      .init("too_many_stop_times", .dropsRow, "no vehicle makes so many stops; the first are kept")
    case .zeroCoordinate:
      .init("zero_coordinate", .keepsValue, "the stop is found by its name")
    case .blankCoordinate:
      .init("blank_coordinate", .keepsValue, "the stop is found by its name")
    case .decreasingTime:
      .init(
        "stop_time_with_arrival_before_previous_departure_time", .keepsValue,
        "which of the times is wrong is unknown, and the others are right")
    case .edgeWithoutTime:
      .init("missing_trip_edge", .keepsValue, "the stops between the known times can be shown")
    case .tripsWithoutCalls:
      .init("unusable_trip", .keepsValue, "an export gives the trip back; no departure shows it")
    case .badShapePoint:
      .init("bad_number", .dropsRow, "the other points show the path")
    case .shapePointOutOfRange:
      .init("out_of_range", .dropsRow, "the other points show the path")
    case .badShapeSequence:
      .init("bad_sequence", .dropsRow, "the place of the point in its path is unknown")
    case .repeatedShapeSequence:
      .init("duplicate_key", .keepsValue, "which of the points comes first matters little")
    case .tooManyShapePoints:
      .init("too_many_points", .dropsRow, "no path needs so many; the first are kept")
    case .serviceWithoutDay:
      .init("service_without_day", .keepsValue, "an export gives the service back")
    }
  }
}
