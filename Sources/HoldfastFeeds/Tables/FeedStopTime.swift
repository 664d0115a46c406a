import HoldfastTransit

/// A row of `stop_times.txt` without its identifiers and headsign, which stay in the record as
/// bytes.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stop_timestxt>
struct FeedStopTime {
  /// `arrival_time`, in seconds after noon minus 12 hours; `TimetableContent.Timing.blank` if blank.
  var arrivalTime: Int32
  /// `departure_time`, in seconds after noon minus 12 hours; `TimetableContent.Timing.blank` if
  /// blank.
  var departureTime: Int32
  /// `stop_sequence`.
  var stopSequence: Int32
  /// The columns that do not depend on the time.
  var detail: CallDetail
}

/// The columns of `stop_times.txt`, and the conversion of the rows that have a flaw.
///
/// `StopTimeConverter` reads all other rows.
struct StopTimeTable: FeedTable {
  /// The numbers of the fields; `nil` for those that the file lacks.
  struct Columns: Sendable {
    var count: Int
    var trip, sequence: Int
    var stop, arrival, departure, headsign, distance: Int?
    var pickup, dropOff, timepoint, continuousPickup, continuousDropOff: Int?
    /// The fields that make a row without a stop name an area.
    var areas: [Int]
    /// The fields of a window of time.
    var windows: [Int]
  }

  static let file = "stop_times.txt"
  static let depth = FeedRows.Depth.rows

  /// `trip_id`, `stop_id` and `stop_headsign`, to be found in the record.
  let trip, stop, headsign: FeedColumn
  private let arrival, departure, sequence, pickup, dropOff, timepoint: FeedColumn
  private let continuousPickup, continuousDropOff, distance, location, locationGroup: FeedColumn
  private let windows: [FeedColumn]
  /// The number of columns of the file.
  private let count: Int
  var others: OtherColumns

  init(_ header: inout FeedHeader) {
    func hasAny(_ names: String...) -> Bool { names.contains { header.firstIndex(of: $0) != nil } }
    trip = header.column("trip_id", .required)
    // "Forbidden when start_pickup_drop_off_window or end_pickup_drop_off_window are defined."
    let hasWindows = hasAny("start_pickup_drop_off_window", "end_pickup_drop_off_window")
    arrival = header.column("arrival_time", hasWindows ? .optional : .expected)
    departure = header.column("departure_time", hasWindows ? .optional : .expected)
    // "Required if stop_times.location_group_id AND stop_times.location_id are NOT defined."
    let hasAreas = hasAny("location_group_id", "location_id")
    stop = header.column("stop_id", hasAreas ? .optional : .required)
    sequence = header.column("stop_sequence", .required)
    headsign = header.column("stop_headsign")
    pickup = header.column("pickup_type")
    dropOff = header.column("drop_off_type")
    continuousPickup = header.column("continuous_pickup")
    continuousDropOff = header.column("continuous_drop_off")
    distance = header.column("shape_dist_traveled")
    timepoint = header.column("timepoint")
    others = OtherColumns(header.others(known: TimetableSchema.rareColumns[Self.file] ?? []))
    location = header.column("location_id")
    locationGroup = header.column("location_group_id")
    windows = ["start_pickup_drop_off_window", "end_pickup_drop_off_window"].map {
      header.column($0)
    }
    count = header.names.count
  }

  /// The numbers of the fields, for rows that are read as numbers; `nil` if the feed is refused for
  /// a missing column.
  var columns: Columns? {
    let areas = [location, locationGroup].compactMap(\.index)
    guard let trip = trip.index, let sequence = sequence.index,
      stop.index != nil || !areas.isEmpty
    else { return nil }
    return Columns(
      count: count, trip: trip, sequence: sequence, stop: stop.index, arrival: arrival.index,
      departure: departure.index, headsign: headsign.index, distance: distance.index,
      pickup: pickup.index, dropOff: dropOff.index, timepoint: timepoint.index,
      continuousPickup: continuousPickup.index, continuousDropOff: continuousDropOff.index,
      areas: areas, windows: windows.compactMap(\.index))
  }

  mutating func row(_ parser: RowParser) -> FeedStopTime? {
    guard let sequence = sequence(parser) else { return nil }
    var detail = CallDetail()
    detail.pickupType = choice(pickup, 3, parser)
    detail.dropOffType = choice(dropOff, 3, parser)
    detail.timepoint = choice(timepoint, 1, parser)
    detail.continuousPickup = choice(continuousPickup, 3, parser)
    detail.continuousDropOff = choice(continuousDropOff, 3, parser)
    detail.hasWindow = windows.contains { $0.index.map { !parser.record.isBlank($0) } ?? false }
    detail.distance = distance(parser)
    detail.others = others.number(parser)
    return FeedStopTime(
      arrivalTime: time(arrival, parser), departureTime: time(departure, parser),
      stopSequence: sequence, detail: detail)
  }

  /// Returns whether the row names an area, and not a stop, as flexible services do.
  func namesArea(_ record: CSVRecord) -> Bool {
    [location, locationGroup].contains { $0.index.map { !record.isBlank($0) } ?? false }
  }

  private func sequence(_ parser: RowParser) -> Int32? {
    guard let index = sequence.index else { return nil }
    let number = parser.wholeNumber(sequence, index)
    if let number, number >= 0, let sequence = Int32(exactly: number) { return sequence }
    if parser.record.isBlank(index) {
      parser.add(.blankValue(.blankKeyOfRow), sequence)
    } else {
      let flaw: FeedFlaw = number == nil ? .badSequence : .negativeSequence
      parser.add(.badSequence(flaw, parser.record.text(index)), sequence)
    }
    return nil
  }

  private func time(_ column: FeedColumn, _ parser: RowParser) -> Int32 {
    guard let index = column.index, !parser.record.isBlank(index) else {
      return TimetableContent.Timing.blank
    }
    if let seconds = parser.seconds(column, index) { return seconds }
    parser.add(.badTime(.badTime, parser.record.text(index)), column)
    return TimetableContent.Timing.blank
  }

  private func choice(_ column: FeedColumn, _ last: UInt8, _ parser: RowParser) -> Int8 {
    guard let index = column.index else { return -1 }
    let bytes = parser.record.bytes(index)
    guard let first = bytes.first else { return -1 }
    if bytes.count == 1, first >= 0x30, first <= 0x30 + last { return Int8(first - 0x30) }
    return parser.choice(column, 0...Int(last)).map { Int8($0) } ?? -1
  }

  private func distance(_ parser: RowParser) -> Double? {
    guard let index = distance.index, !parser.record.isBlank(index) else { return nil }
    guard let number = parser.record.decimal(index) else {
      parser.add(.noNumber(.badDecimal, parser.record.text(index)), distance)
      return nil
    }
    // Zero has one sign, so that equal values are equal texts.
    return number == 0 ? 0 : number
  }
}

extension CSVRecord {
  /// Returns a field as a time in GTFS's form, `HH:MM:SS` or `H:MM:SS`, in seconds.
  ///
  /// Hours after midnight of the service day continue from 24; up to four digits are accepted.
  func seconds(_ index: Int) -> Int32? {
    let text = bytes(index)
    let end = text.endIndex
    guard (7...10).contains(text.count), text[end - 3] == 0x3A, text[end - 6] == 0x3A else {
      return nil
    }
    var hours: Int32 = 0
    for byte in text[..<(end - 6)] {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      hours = hours * 10 + Int32(byte) - 0x30
    }
    guard let minutes = Self.sixty(text[end - 5], text[end - 4]),
      let seconds = Self.sixty(text[end - 2], text[end - 1])
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// Returns a field of the form `HH:MM` or `H:MM` in seconds.
  func secondsOfMinutes(_ index: Int) -> Int32? {
    let text = bytes(index)
    let end = text.endIndex
    guard (4...5).contains(text.count), text[end - 3] == 0x3A,
      let minutes = Self.sixty(text[end - 2], text[end - 1])
    else { return nil }
    var hours: Int32 = 0
    for byte in text[..<(end - 3)] {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      hours = hours * 10 + Int32(byte) - 0x30
    }
    return hours * 3600 + minutes * 60
  }

  /// Returns two digits as a number below 60.
  private static func sixty(_ ten: UInt8, _ one: UInt8) -> Int32? {
    guard ten >= 0x30, ten <= 0x35, one >= 0x30, one <= 0x39 else { return nil }
    return Int32(ten - 0x30) * 10 + Int32(one) - 0x30
  }
}

extension RowParser {
  /// Returns a field as a time in seconds; one without seconds is read, and reported.
  func seconds(_ column: FeedColumn, _ index: Int) -> Int32? {
    if let seconds = record.seconds(index) { return seconds }
    guard let seconds = record.secondsOfMinutes(index) else { return nil }
    add(.timeWithoutSeconds(record.text(index)), column)
    return seconds
  }
}
