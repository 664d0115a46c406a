/// A row of `calendar.txt`: the days of the week on which a service runs, and its first and last
/// day.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#calendartxt>
struct FeedCalendar: Sendable, Hashable {
  /// `service_id`.
  var serviceID: String
  /// `monday` to `sunday`: bit 0 is Monday, bit 6 is Sunday.
  var days: Int
  /// `start_date`, the first day.
  var startDate: FeedDate
  /// `end_date`, the last day.
  var endDate: FeedDate
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32

  /// Whether the service runs on any day.
  var hasDay: Bool { days != 0 && startDate <= endDate }
}

struct CalendarTable: FeedTable {
  static let file = "calendar.txt"

  private let service: FeedColumn
  private let weekdays: [FeedColumn]
  private let startDate, endDate: FeedColumn
  private(set) var others: OtherColumns

  init(_ header: inout FeedHeader) {
    service = header.column("service_id", .required)
    var weekdays: [FeedColumn] = []
    for day in [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ] { weekdays.append(header.column(day, .required)) }
    self.weekdays = weekdays
    startDate = header.column("start_date", .required)
    endDate = header.column("end_date", .required)
    others = OtherColumns(header.others())
  }

  mutating func row(_ parser: RowParser) -> FeedCalendar? {
    let service = parser.text(service, orNote: .blankKey)
    var days = 0
    for (bit, day) in weekdays.enumerated() where parser.flag(day) { days |= 1 << bit }
    let start = date(startDate, parser)
    let end = date(endDate, parser)
    guard let service, let start, let end else { return nil }
    if end < start { parser.add(.reversedDates(start, end), endDate) }
    return FeedCalendar(
      serviceID: service, days: days, startDate: start, endDate: end,
      others: others.number(parser))
  }

  private func date(_ column: FeedColumn, _ parser: RowParser) -> FeedDate? {
    parser.text(column, orNote: .blankKey) == nil
      ? nil : parser.date(column, orNote: .badServiceDate)
  }
}

/// A row of `calendar_dates.txt`: a day on which a service runs, or does not run, as an exception.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#calendar_datestxt>
struct FeedCalendarDate: Sendable, Hashable {
  /// `service_id`.
  var serviceID: String
  /// `date`.
  var date: FeedDate
  /// `exception_type`: 1 added, 2 removed.
  var exceptionType: Int
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32
}

struct CalendarDateTable: FeedTable {
  static let file = "calendar_dates.txt"
  static let depth = FeedRows.Depth.rows

  private let service, date, exception: FeedColumn
  private(set) var others: OtherColumns

  init(_ header: inout FeedHeader) {
    service = header.column("service_id", .required)
    date = header.column("date", .required)
    exception = header.column("exception_type", .required)
    others = OtherColumns(header.others())
  }

  /// Returns the exception; one that cannot be read is reported and skipped, because the feed's
  /// other days are still valid.
  mutating func row(_ parser: RowParser) -> FeedCalendarDate? {
    guard let service = parser.text(service, orNote: .blankKeyOfRow),
      let dateText = parser.text(date, orNote: .blankKeyOfRow),
      let exceptionText = parser.text(exception, orNote: .blankKeyOfRow)
    else { return nil }
    guard let date = parser.readableDate(date) else {
      parser.add(.unreadableException(date.name, dateText), date)
      return nil
    }
    let type = exception.index.flatMap { parser.wholeNumber(exception, $0) }
    guard let type, type == 1 || type == 2 else {
      parser.add(.unreadableException(exception.name, exceptionText), exception)
      return nil
    }
    return FeedCalendarDate(
      serviceID: service, date: date, exceptionType: type, others: others.number(parser))
  }
}
