/// A row of `frequencies.txt`: a span of time in which a trip is repeated.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#frequenciestxt>
struct FeedFrequency {
  /// `trip_id`.
  var tripID: String
  /// `start_time`, in seconds after noon minus 12 hours.
  var startTime: Int32
  /// `end_time`, in seconds after noon minus 12 hours.
  var endTime: Int32
  /// `headway_secs`, positive.
  var headwaySecs: Int32
  /// `exact_times`: 0 or `nil` about every headway, 1 exactly at these times.
  var exactTimes: Int?
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32
}

struct FrequencyTable: FeedTable {
  static let file = "frequencies.txt"
  static let depth = FeedRows.Depth.rows
  /// The longest span over midnight whose end may count from there; a longer one is rather a mistake.
  private static let longestNight: Int32 = 12 * 3600

  let trip, startTime: FeedColumn
  private let endTime, headway, exactTimes: FeedColumn
  private(set) var others: OtherColumns

  init(_ header: inout FeedHeader) {
    trip = header.column("trip_id", .required)
    startTime = header.column("start_time", .required)
    endTime = header.column("end_time", .required)
    headway = header.column("headway_secs", .required)
    exactTimes = header.column("exact_times")
    others = OtherColumns(header.others())
  }

  mutating func row(_ parser: RowParser) -> FeedFrequency? {
    guard let trip = parser.text(trip, orNote: .blankKeyOfRow),
      let start = time(startTime, parser), var end = time(endTime, parser),
      let headway = headway(parser)
    else { return nil }
    if end < start, (1...Self.longestNight).contains(end + 86_400 - start) {
      end += 86_400
      parser.add(.endOfNight(end), endTime)
    }
    guard start < end else {
      parser.add(.emptySpan(start == end ? .emptyFrequency : .reversedFrequency), endTime)
      return nil
    }
    return FeedFrequency(
      tripID: trip, startTime: start, endTime: end, headwaySecs: headway,
      exactTimes: parser.choice(exactTimes, 0...1), others: others.number(parser))
  }

  private func time(_ column: FeedColumn, _ parser: RowParser) -> Int32? {
    guard let text = parser.text(column, orNote: .blankKeyOfRow), let index = column.index else {
      return nil
    }
    if let seconds = parser.seconds(column, index) { return seconds }
    parser.add(.badTime(.badTimeOfFrequency, text), column)
    return nil
  }

  private func headway(_ parser: RowParser) -> Int32? {
    guard let text = parser.text(headway, orNote: .blankKeyOfRow), let index = headway.index else {
      return nil
    }
    let number = parser.wholeNumber(headway, index)
    if let number, number > 0, let seconds = Int32(exactly: number) { return seconds }
    parser.add(.badHeadway(number == nil ? .badHeadway : .noHeadway, text), headway)
    return nil
  }
}
