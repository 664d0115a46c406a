// Every message about the contents of a feed, or about what is missing from it. A message does not
// repeat file, line and field: they are in the problem's place.
import HoldfastFiles

extension FeedProblem {
  // MARK: Files

  /// A missing file; the candidate is one of the feed that may have been meant to be it.
  static func missingFile(candidate: String?) -> FeedProblem {
    FeedProblem(
      .missingFile,
      "the feed lacks this file, which GTFS requires\(candidate.map { ", and has '\($0)'" } ?? "").",
      advice: adviceAboutMissingFile(candidate: candidate))
  }

  static func missingCalendar(candidate: String?) -> FeedProblem {
    FeedProblem(
      .missingCalendar,
      "the feed has neither calendar.txt nor calendar_dates.txt, so that no service has a day"
        + "\(candidate.map { "; it has '\($0)'" } ?? "").",
      advice: adviceAboutMissingFile(candidate: candidate))
  }

  private static func adviceAboutMissingFile(candidate: String?) -> String {
    candidate.map { "Rename '\($0)', if it is that file." }
      ?? "Ask the publisher for a complete feed."
  }

  static func emptyFile(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(
      flaw, "the file is empty; it has not even a header.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func noRows(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(
      flaw, "the file has a header and no row.",
      advice: "Ask the publisher for a complete feed.")
  }

  static func severalRows(_ count: Int) -> FeedProblem {
    FeedProblem(
      .severalRows,
      "the file has \(count) rows, and GTFS requires a single one; the first was used.",
      isRepair: true)
  }

  static func unknownFile(isKept: Bool) -> FeedProblem {
    FeedProblem(
      .unknownFile,
      "GTFS knows no file of this name; "
        + (isKept ? "a database keeps it as a table of texts." : "it was not read."))
  }

  static func misnamedFile(_ meant: String, isKept: Bool) -> FeedProblem {
    FeedProblem(
      .misnamedFile,
      "GTFS knows no file of this name, and the feed has no '\(meant)', which may be meant; "
        + (isKept ? "a database keeps it as a table of texts." : "it was not read."),
      advice: "Rename it, if it is that file.")
  }

  static func sameTableName(_ table: String) -> FeedProblem {
    FeedProblem(
      .sameTableName, "another file has the table \(table) already; this one was left out.",
      advice: "Give the files names that differ in more than letter case.")
  }

  static func fileNameCase(_ path: String) -> FeedProblem {
    FeedProblem(
      .fileNameCase, "the file is named '\(path)'; it was read under this name.",
      isRepair: true)
  }

  static func feedDirectory(_ directory: String) -> FeedProblem {
    FeedProblem(
      .feedInDirectory,
      "the feed lies in the directory '\(directory)' and was read there.",
      isRepair: true)
  }

  // MARK: Text

  static func byteOrderMark() -> FeedProblem {
    FeedProblem(
      .byteOrderMark, "the file begins with a UTF-8 byte order mark, which was skipped.",
      isRepair: true)
  }

  static func mixedLineEnds(_ ends: [String]) -> FeedProblem {
    FeedProblem(
      .mixedLineEnds,
      "the file's lines end in \(ends.joined(separator: " and ")); each was read as a line end.",
      isRepair: true)
  }

  static func blankLines(_ count: Int) -> FeedProblem {
    FeedProblem(
      .blankLines,
      count == 1 ? "a blank line was skipped." : "\(count) blank lines were skipped.",
      isRepair: true)
  }

  static func padding(_ rows: Int) -> FeedProblem {
    FeedProblem(
      .padding,
      "spaces around names or values were removed, in "
        + (rows == 1 ? "this line." : "\(rows) lines from here on."),
      isRepair: true)
  }

  static func nul(_ flaw: FeedFlaw, offset: Int) -> FeedProblem {
    FeedProblem(
      flaw, "the text holds a NUL byte, at byte \(offset) of the file.",
      advice: "Remove the byte, or ask the publisher for a corrected feed.")
  }

  static func invalidUTF8(_ flaw: FeedFlaw, file: String, offset: Int) -> FeedProblem {
    FeedProblem(
      flaw,
      "the text is not UTF-8, which GTFS requires, from byte \(offset) of the file on.",
      advice: "Convert the file, if it is Latin-1 with: "
        + "iconv -f ISO-8859-1 -t UTF-8 \(file) > new && mv new \(file)")
  }

  static func substitute(_ flaw: FeedFlaw, _ content: SubstituteContent) -> FeedProblem {
    FeedProblem(flaw, "what lies here is \(content.sentence).", advice: content.advice)
  }

  static func utf16(_ flaw: FeedFlaw, file: String, isBigEndian: Bool) -> FeedProblem {
    let name = isBigEndian ? "UTF-16BE" : "UTF-16LE"
    return FeedProblem(
      flaw, "the file is \(name); GTFS requires UTF-8.",
      advice: "Convert the file with: iconv -f UTF-16 -t UTF-8 \(file) > new && mv new \(file)")
  }

  static func strayQuote() -> FeedProblem {
    FeedProblem(
      .strayQuote, "a quote is inside the value; it was read as a character of it.",
      advice: "Quote the whole value and double the quotes in it.", isRepair: true)
  }

  static func unterminatedQuote(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(
      flaw,
      "the quote that opens this value is not closed, so that the value ends with its line"
        + "\(leftOut(flaw)).",
      advice: "Close the quote, or double it if it belongs to the value.",
      isRepair: flaw.severity != .error)
  }

  static func lineBreak() -> FeedProblem {
    FeedProblem(.lineBreak, "the value spans lines.")
  }

  static func tooLong(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(
      flaw,
      "the row is longer than \(CSVParser.longestRow) bytes or \(CSVParser.mostFields) fields.",
      advice: "Look for a quote that is opened in this line and not closed.")
  }

  // MARK: Cells

  static func missingCells(_ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      .missingCells,
      "the row has \(found) values and the header \(expected); the missing ones count as blank.",
      isRepair: true)
  }

  static func blankExtraCells(_ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      .blankExtraCells,
      "the row has \(found) values and the header \(expected); the surplus ones are blank.",
      isRepair: true)
  }

  static func extraCells(_ flaw: FeedFlaw, _ found: Int, of expected: Int) -> FeedProblem {
    FeedProblem(
      flaw,
      "the row has \(found) values and the header \(expected); which value belongs to which column "
        + "cannot be determined\(leftOut(flaw)).",
      advice: "Put values that hold a comma in quotes.")
  }

  static func blankRow() -> FeedProblem {
    FeedProblem(
      .blankRow, "every value of the row is blank; it was skipped.", isRepair: true)
  }

  // MARK: Columns

  static func missingColumn(_ flaw: FeedFlaw, _ separator: String?) -> FeedProblem {
    FeedProblem(
      flaw,
      "the header lacks this column, which GTFS requires"
        + (separator.map { "; \($0) seem to separate the values." } ?? "."),
      advice: separator == nil
        ? "Ask the publisher for a corrected feed."
        : "Separate the values by commas, and put those that hold a comma in quotes.")
  }

  static func columnTwice(isKnown: Bool) -> FeedProblem {
    let message = "the header names this column more than once."
    return isKnown
      ? FeedProblem(.duplicateColumn, message, advice: "Keep the one that is meant.")
      : FeedProblem(.duplicateOtherColumn, message)
  }

  static func unnamedColumn(_ number: Int) -> FeedProblem {
    FeedProblem(
      .unnamedColumn, "column \(number) has values and no name; they were left out.",
      advice: "Give the column a name in the header.")
  }

  static func tooManyColumns(_ surplus: Int) -> FeedProblem {
    FeedProblem(
      .tooManyColumns,
      "the header has \(counted(surplus, "column")) more than \(FeedHeader.mostOthers) that GTFS "
        + "does not know; the last ones in the order of names were left out.")
  }

  static func columnNameCase(_ written: String) -> FeedProblem {
    FeedProblem(
      .columnNameCase,
      "the column is named '\(written)'; it was read under this name.",
      isRepair: true)
  }

  static func unknownColumn(isKept: Bool) -> FeedProblem {
    FeedProblem(
      .unknownColumn,
      "GTFS knows no column of this name; it was \(isKept ? "kept as text" : "not read").")
  }

  // MARK: Values

  static func blankValue(_ flaw: FeedFlaw) -> FeedProblem {
    FeedProblem(
      flaw, "the value is blank, and GTFS requires one\(leftOut(flaw)).",
      advice: flaw.severity == .error ? "Ask the publisher for a corrected feed." : nil)
  }

  static func noNumber(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text, "'\(text.clipped)' is not a number\(leftOut(flaw)).",
      advice: "Write numbers in digits, with a full stop before decimals.")
  }

  static func outOfRange(
    _ text: String, _ range: String, _ flaw: FeedFlaw = .outOfRange
  ) -> FeedProblem {
    FeedProblem(
      flaw, value: text, "'\(text.clipped)' is not within \(range).",
      advice: "Look whether latitude and longitude are swapped.")
  }

  static func negative(_ text: String) -> FeedProblem {
    FeedProblem(
      .outOfRangeOfOtherFile, value: text,
      "'\(text.clipped)' is less than 0, which GTFS does not allow here.")
  }

  static func unknownValue(_ text: String, leftOut: Bool) -> FeedProblem {
    FeedProblem(
      leftOut ? .unknownValueLeftOut : .unknownValueKept, value: text,
      "GTFS knows no value '\(text.clipped)' here; it was \(leftOut ? "left out" : "kept").",
      isRepair: leftOut)
  }

  static func zeroFraction(_ text: String, _ number: Int) -> FeedProblem {
    FeedProblem(
      .zeroFraction, value: text, "'\(text.clipped)' has a fraction; it was read as \(number).",
      advice: "Write whole numbers without a fraction.", isRepair: true)
  }

  static func badFlag(_ text: String) -> FeedProblem {
    FeedProblem(
      .badFlag, value: text, "'\(text.clipped)' is neither 0 nor 1.",
      advice: "Ask the publisher for a corrected feed.")
  }

  static func badDate(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text, "'\(text.clipped)' is not a date\(leftOut(flaw)).",
      advice: "Write dates as YYYYMMDD.")
  }

  static func dateForm(_ text: String, _ date: FeedDate) -> FeedProblem {
    FeedProblem(
      .dateForm, value: text,
      "'\(text.clipped)' is not written as YYYYMMDD; it was read as \(date).",
      isRepair: true)
  }

  static func unreadableException(_ field: String, _ text: String) -> FeedProblem {
    FeedProblem(
      field == "date" ? .unreadableExceptionDate : .unreadableException, value: text,
      "'\(text.clipped)' cannot be read, so that this exception was left out.",
      advice: "Expect wrong departures on the days that are meant.", isRepair: true)
  }

  static func reversedDates(_ start: FeedDate, _ end: FeedDate) -> FeedProblem {
    FeedProblem(
      .reversedDates, value: end.description, "the last day, \(end), is before the first, \(start)."
    )
  }

  static func color(_ text: String, _ read: String?) -> FeedProblem {
    FeedProblem(
      .badColor, value: text,
      "'\(text.clipped)' is not six hexadecimal digits; it was "
        + (read.map { "read as \($0)." } ?? "left out."),
      isRepair: true)
  }

  static func timeZone(_ flaw: FeedFlaw, _ text: String) -> FeedProblem {
    FeedProblem(
      flaw, value: text,
      "'\(text.clipped)' is not a time zone of the IANA database\(leftOut(flaw)).",
      advice: "Write the time zone like Australia/Sydney.", isRepair: flaw.severity == .warning)
  }

  static func severalTimeZones(_ first: String, _ other: String) -> FeedProblem {
    FeedProblem(
      .severalTimeZones, value: other,
      "the agency's time zone is \(other), and the first agency's is \(first); GTFS requires one.")
  }

  // MARK: Rows among each other

  static func duplicate(
    _ id: String, firstLine: Int, _ flaw: FeedFlaw = .duplicateID
  ) -> FeedProblem {
    FeedProblem(
      flaw, value: id, "'\(id.clipped)' is already used in line \(firstLine).",
      advice: "Ask the publisher which of the two rows is meant.")
  }

  static func unnamedAgency() -> FeedProblem {
    FeedProblem(
      .unnamedAgency, "the value is blank, which GTFS allows to a single agency only.")
  }

  static func unknownReference(
    _ flaw: FeedFlaw, _ id: String, _ file: String, column: String? = nil
  ) -> FeedProblem {
    let consequence =
      switch flaw.decision.outcome {
      case .dropsRow: "; the row was left out"
      case .dropsValue: "; a database that is imported from the feed omits it"
      case .keepsValue, .refusesFeed: ""
      }
    return FeedProblem(
      flaw, value: id,
      "'\(id.clipped)' is not \(column.map { "a \($0) " } ?? "")in \(file)\(consequence).",
      isRepair: flaw.decision.outcome != .keepsValue)
  }

  static func agencyNotSaid(_ count: Int) -> FeedProblem {
    FeedProblem(
      .routeWithoutAgency, "the value is blank, though the feed has \(count) agencies.")
  }

  static func namelessRoute() -> FeedProblem {
    FeedProblem(
      .namelessRoute, "route_short_name and route_long_name are both blank.")
  }

  static func sameNames(_ name: String) -> FeedProblem {
    FeedProblem(.sameNames, value: name, "route_short_name and route_long_name are the same.")
  }

  static func noParent(_ locationType: Int) -> FeedProblem {
    FeedProblem(
      .noParent,
      "the value is blank, and a location of type \(locationType) requires a parent.")
  }

  static func parentOfStation(_ parent: String) -> FeedProblem {
    FeedProblem(.parentOfStation, value: parent, "a station has no parent; the value was kept.")
  }

  static func parentType(_ parent: String, is found: Int, not expected: Int) -> FeedProblem {
    FeedProblem(
      .parentType, value: parent,
      "'\(parent.clipped)' is a location of type \(found); it must be of type \(expected).")
  }

  static func atNullIsland() -> FeedProblem {
    FeedProblem(
      .zeroCoordinate,
      "latitude and longitude are 0, which is open sea; they were kept, and nobody walks from or to "
        + "there.")
  }

  static func blankCoordinate() -> FeedProblem {
    FeedProblem(
      .blankCoordinate, "the coordinate is blank, and GTFS requires one.")
  }

  // MARK: What the database says instead

  static func nameOfStation(_ count: Int) -> FeedProblem {
    nameFallback(.nameOfStation, count, "the name of the place they belong to")
  }

  static func nameOfCode(_ count: Int) -> FeedProblem {
    nameFallback(.nameOfCode, count, "their stop_code as name")
  }

  static func nameOfIdentifier(_ count: Int) -> FeedProblem {
    nameFallback(.nameOfIdentifier, count, "their stop_id as name")
  }

  private static func nameFallback(_ flaw: FeedFlaw, _ count: Int, _ taken: String) -> FeedProblem {
    FeedProblem(flaw, "\(counted(count, "stop")) without a name took \(taken).", isRepair: true)
  }

  static func coordinateFallback(_ count: Int) -> FeedProblem {
    FeedProblem(
      .coordinateOfStation,
      "\(counted(count, "stop")) without a coordinate took the coordinate of their place.",
      isRepair: true)
  }

  static func noCoordinate(_ count: Int) -> FeedProblem {
    FeedProblem(
      .noCoordinate,
      "\(counted(count, "stop")) without a coordinate can be found by name only.")
  }

  static func emptyRouteName(_ count: Int) -> FeedProblem {
    FeedProblem(
      .emptyRouteName,
      "\(counted(count, "route")) without this name took an empty text for it.", isRepair: true)
  }

  static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  static func leftOut(_ flaw: FeedFlaw) -> String {
    switch flaw.decision.outcome {
    case .dropsRow: "; the row was left out"
    case .dropsValue: "; it was left out"
    case .keepsValue, .refusesFeed: ""
    }
  }
}
