// Every message about the contents of a feed, or about what is missing from it. A message does not
// repeat file, line and field: they are in the problem's place.
extension FeedProblem {
  // MARK: Files

  static func missingFile() -> FeedProblem {
    FeedProblem(
      .error, "missing_file", "the feed lacks this file, which GTFS requires.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func missingCalendar() -> FeedProblem {
    FeedProblem(
      .error, "missing_file",
      "the feed has neither calendar.txt nor calendar_dates.txt, so that no service has a day.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func emptyFile(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "empty_file", "the file is empty; it has not even a header.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func noRows(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "no_rows", "the file has a header and no row.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func severalRows(_ count: Int) -> FeedProblem {
    FeedProblem(
      .warning, "several_rows",
      "the file has \(count) rows, and GTFS requires a single one; the first was used.",
      isRepair: true)
  }

  static func unknownFile() -> FeedProblem {
    FeedProblem(.info, "unknown_file", "GTFS knows no file of this name; it was not read.")
  }

  static func fileNameCase(_ path: String) -> FeedProblem {
    FeedProblem(
      .warning, "file_name_case", "the file is named '\(path)'; it was read under this name.",
      isRepair: true)
  }

  static func feedDirectory(_ directory: String) -> FeedProblem {
    FeedProblem(
      .info, "feed_in_directory",
      "the feed lies in the directory '\(directory)' and was read there.",
      isRepair: true)
  }

  // MARK: Text

  static func byteOrderMark() -> FeedProblem {
    FeedProblem(
      .info, "byte_order_mark", "the file begins with a UTF-8 byte order mark, which was skipped.",
      isRepair: true)
  }

  static func mixedLineEnds(_ ends: [String]) -> FeedProblem {
    FeedProblem(
      .info, "mixed_line_ends",
      "the file's lines end in \(ends.joined(separator: " and ")); each was read as a line end.",
      isRepair: true)
  }

  static func blankLines(_ count: Int) -> FeedProblem {
    FeedProblem(
      .info, "blank_lines",
      count == 1 ? "a blank line was skipped." : "\(count) blank lines were skipped.",
      isRepair: true)
  }

  static func padding(_ rows: Int) -> FeedProblem {
    FeedProblem(
      .info, "padding",
      "spaces around names or values were removed, in \(rows) lines from here on.",
      isRepair: true)
  }

  static func nul(_ severity: Severity, offset: Int) -> FeedProblem {
    FeedProblem(
      severity, "nul_byte", "the text holds a NUL byte, at byte \(offset) of the file.",
      advice: "Remove the byte, or ask the publisher for a corrected feed.")
  }

  static func invalidUTF8(_ severity: Severity, file: String, offset: Int) -> FeedProblem {
    FeedProblem(
      severity, "not_utf8",
      "the text is not UTF-8, which GTFS requires, from byte \(offset) of the file on.",
      advice: "Convert the file, if it is Latin-1 with: "
        + "iconv -f ISO-8859-1 -t UTF-8 \(file) > new && mv new \(file)")
  }

  static func utf16(_ severity: Severity, file: String, isBigEndian: Bool) -> FeedProblem {
    let name = isBigEndian ? "UTF-16BE" : "UTF-16LE"
    return FeedProblem(
      severity, "utf16", "the file is \(name); GTFS requires UTF-8.",
      advice: "Convert the file with: iconv -f UTF-16 -t UTF-8 \(file) > new && mv new \(file)")
  }

  static func strayQuote() -> FeedProblem {
    FeedProblem(
      .warning, "stray_quote", "a quote is inside the value; it was read as a character of it.",
      advice: "Quote the whole value and double the quotes in it.", isRepair: true)
  }

  static func unterminatedQuote(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "unterminated_quote",
      "the quote that opens this value is never closed; it takes up the rest of the file.",
      advice: "Close the quote, or double it if it belongs to the value.")
  }

  static func lineBreak() -> FeedProblem {
    FeedProblem(.info, "line_break", "the value spans lines.")
  }

  static func tooLong(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "row_too_long",
      "the row is longer than \(CSVParser.longestRow) bytes or \(CSVParser.mostFields) fields.",
      advice: "Look for a quote that is opened in this line and not closed.")
  }

  // MARK: Cells

  static func missingCells(_ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      .warning, "missing_cells",
      "the row has \(found) values and the header \(expected); the missing ones count as blank.",
      isRepair: true)
  }

  static func blankExtraCells(_ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      .warning, "extra_cells",
      "the row has \(found) values and the header \(expected); the surplus ones are blank.",
      isRepair: true)
  }

  static func extraCells(_ severity: Severity, _ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      severity, "extra_cells",
      "the row has \(found) values and the header \(expected); which value belongs to which column "
        + "cannot be determined.",
      advice: "Put values that hold a comma in quotes.")
  }

  static func blankRow() -> FeedProblem {
    FeedProblem(
      .warning, "blank_row", "every value of the row is blank; it was skipped.", isRepair: true)
  }

  // MARK: Columns

  static func missingColumn(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "missing_column", "the header lacks this column, which GTFS requires.",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func missingColumns(_ names: [String]) -> FeedProblem {
    FeedProblem(
      .error, "missing_column", "the header has neither \(names.joined(separator: " nor ")).",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func columnTwice(isKnown: Bool) -> FeedProblem {
    FeedProblem(
      isKnown ? .error : .info, "duplicate_column", "the header names this column more than once.",
      advice: isKnown ? "Keep the one that is meant." : nil)
  }

  static func columnNameCase(_ written: String) -> FeedProblem {
    FeedProblem(
      .warning, "column_name_case",
      "the column is named '\(written)'; it was read under this name.",
      isRepair: true)
  }

  static func unknownColumn() -> FeedProblem {
    FeedProblem(.info, "unknown_column", "GTFS knows no column of this name; it was not read.")
  }

  // MARK: Values

  static func blankValue(_ severity: Severity) -> FeedProblem {
    FeedProblem(
      severity, "blank_value", "the value is blank, and GTFS requires one.",
      advice: severity == .error ? "Ask the publisher for a corrected feed." : nil)
  }

  static func noNumber(_ severity: Severity, _ text: String) -> FeedProblem {
    FeedProblem(
      severity, "bad_number", "'\(text.clipped)' is not a number\(leftOut(severity)).",
      advice: "Write numbers in digits, with a full stop before decimals.")
  }

  static func outOfRange(_ severity: Severity, _ text: String, _ range: String) -> FeedProblem {
    FeedProblem(
      severity, "out_of_range", "'\(text.clipped)' is not within \(range)\(leftOut(severity)).",
      advice: severity == .error ? "Look whether latitude and longitude are swapped." : nil)
  }

  static func unknownValue(_ text: String, leftOut: Bool) -> FeedProblem {
    FeedProblem(
      .warning, "unknown_value",
      "GTFS knows no value '\(text.clipped)' here; it was \(leftOut ? "left out" : "kept").",
      isRepair: leftOut)
  }

  static func badFlag(_ text: String) -> FeedProblem {
    FeedProblem(
      .error, "bad_value", "'\(text.clipped)' is neither 0 nor 1.",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func badDate(_ severity: Severity, _ text: String) -> FeedProblem {
    FeedProblem(
      severity, "bad_date", "'\(text.clipped)' is not a date\(leftOut(severity)).",
      advice: "Write dates as YYYYMMDD.")
  }

  static func dateForm(_ text: String, _ date: FeedDate) -> FeedProblem {
    FeedProblem(
      .warning, "date_form",
      "'\(text.clipped)' is not written as YYYYMMDD; it was read as \(date).",
      isRepair: true)
  }

  static func unreadableException(_ field: String, _ text: String) -> FeedProblem {
    FeedProblem(
      .warning, field == "date" ? "bad_date" : "unknown_value",
      "'\(text.clipped)' cannot be read, so that this exception was left out.",
      advice: "Expect wrong departures on the days that are meant.", isRepair: true)
  }

  static func reversedDates(_ start: FeedDate, _ end: FeedDate) -> FeedProblem {
    FeedProblem(
      .warning, "reversed_dates", "the last day, \(end), is before the first, \(start).")
  }

  static func color(_ text: String, _ read: String?) -> FeedProblem {
    FeedProblem(
      .warning, "bad_color",
      "'\(text.clipped)' is not six hexadecimal digits; it was "
        + (read.map { "read as \($0)." } ?? "left out."),
      isRepair: true)
  }

  static func timeZone(_ severity: Severity, _ text: String) -> FeedProblem {
    FeedProblem(
      severity, "bad_time_zone",
      "'\(text.clipped)' is not a time zone of the IANA database\(leftOut(severity)).",
      advice: "Write the time zone like Australia/Sydney.", isRepair: severity == .warning)
  }

  static func severalTimeZones(_ first: String, _ other: String) -> FeedProblem {
    FeedProblem(
      .warning, "several_time_zones",
      "the agency's time zone is \(other), and the first agency's is \(first); GTFS requires one.")
  }

  // MARK: Rows among each other

  static func duplicate(_ id: String, firstLine: Int) -> FeedProblem {
    FeedProblem(
      .error, "duplicate_id", "'\(id.clipped)' is already used in line \(firstLine).",
      advice: "Ask the publisher which of the two rows is meant.")
  }

  static func unnamedAgency() -> FeedProblem {
    FeedProblem(
      .warning, "blank_value", "the value is blank, which GTFS allows to a single agency only.")
  }

  static func unknownReference(_ id: String, _ file: String) -> FeedProblem {
    FeedProblem(
      .warning, "unknown_reference",
      "'\(id.clipped)' is not in \(file); a database that is imported from the feed omits it.",
      isRepair: true)
  }

  static func agencyNotSaid(_ count: Int) -> FeedProblem {
    FeedProblem(
      .warning, "blank_value", "the value is blank, though the feed has \(count) agencies.")
  }

  static func namelessRoute() -> FeedProblem {
    FeedProblem(
      .warning, "nameless_route", "route_short_name and route_long_name are both blank.")
  }

  static func sameNames() -> FeedProblem {
    FeedProblem(.info, "same_names", "route_short_name and route_long_name are the same.")
  }

  static func noParent(_ locationType: Int) -> FeedProblem {
    FeedProblem(
      .warning, "missing_parent",
      "the value is blank, and a location of type \(locationType) requires a parent.")
  }

  static func parentOfStation() -> FeedProblem {
    FeedProblem(.warning, "parent_of_station", "a station has no parent; the value was kept.")
  }

  static func parentType(_ parent: String, is found: Int, not expected: Int) -> FeedProblem {
    FeedProblem(
      .warning, "parent_type",
      "'\(parent.clipped)' is a location of type \(found); it must be of type \(expected).")
  }

  static func atNullIsland() -> FeedProblem {
    FeedProblem(
      .warning, "zero_coordinate",
      "latitude and longitude are 0, which is open sea; they were kept.")
  }

  static func blankCoordinate() -> FeedProblem {
    FeedProblem(
      .warning, "blank_coordinate", "the coordinate is blank, and GTFS requires one.")
  }

  // MARK: What the database says instead

  static func nameFallback(_ source: StopPlaces.Source, _ count: Int) -> FeedProblem {
    let (code, taken) =
      switch source {
      case .itself: ("name_of_stop", "their own name")
      case .station: ("name_of_station", "the name of the place they belong to")
      case .code: ("name_of_code", "their stop_code as name")
      case .identifier: ("name_of_identifier", "their stop_id as name")
      }
    return FeedProblem(
      .info, code, "\(counted(count, "stop")) without a name took \(taken).", isRepair: true)
  }

  static func coordinateFallback(_ count: Int) -> FeedProblem {
    FeedProblem(
      .info, "coordinate_of_station",
      "\(counted(count, "stop")) without a coordinate took that of the place they belong to.",
      isRepair: true)
  }

  static func noCoordinate(_ count: Int) -> FeedProblem {
    FeedProblem(
      .info, "no_coordinate",
      "\(counted(count, "stop")) without a coordinate can be found by name only.")
  }

  static func emptyRouteName(_ count: Int) -> FeedProblem {
    FeedProblem(
      .info, "empty_route_name",
      "\(counted(count, "route")) without this name took an empty text for it.", isRepair: true)
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  private static func leftOut(_ severity: Severity) -> String {
    severity == .error ? "" : "; it was left out"
  }
}
