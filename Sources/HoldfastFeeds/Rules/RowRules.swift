/// Rules for rows of `transfers.txt` whose values depend on each other.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#transferstxt>
struct TransferRowRules {
  static let file = "transfers.txt"

  private let type: Int?
  private let columns: [String: Int]

  init(_ header: FeedHeader) {
    type = header.firstIndex(of: "transfer_type")
    var columns: [String: Int] = [:]
    for name in ["from_stop_id", "to_stop_id", "from_trip_id", "to_trip_id"] {
      columns[name] = header.firstIndex(of: name)
    }
    self.columns = columns
  }

  /// Returns the columns that a row needs and that are blank.
  ///
  /// "from_stop_id: Required if transfer_type is empty, 0, 1, 2, or 3; optional if 4 or 5."
  /// "from_trip_id: Required if transfer_type is 4 or 5."
  func missing(_ record: CSVRecord) -> [String] {
    let isStaying = type.flatMap { record.wholeNumber($0) }.map { [4, 5].contains($0) } ?? false
    let needed =
      isStaying ? ["from_trip_id", "to_trip_id"] : ["from_stop_id", "to_stop_id"]
    return needed.filter { name in columns[name].map { record.isBlank($0) } ?? true }
  }
}

/// Rules for rows of `translations.txt`, of which each names a value in another file.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#translationstxt>
struct TranslationRowRules {
  static let file = "translations.txt"

  /// The files whose rows have an identifier that is known.
  private static let files: [String: String] = [
    "agency": AgencyTable.file, "levels": "levels.txt", "pathways": "pathways.txt",
    "routes": RouteTable.file, "stop_times": TripTable.file, "stops": StopTable.file,
    "trips": TripTable.file,
  ]

  private let table: Int
  private let record, subRecord, value: Int?
  private let known: KnownIdentifiers
  private let schedule: FeedSchedule?
  /// The values of `stop_sequence` that rows of this file asked for, by the number of a pattern.
  private var sequences: [UInt32: Set<Int32>] = [:]

  /// Finds the columns; `nil` for a file in the form that GTFS had before 2020.
  init?(_ header: FeedHeader, _ known: KnownIdentifiers, _ schedule: FeedSchedule?) {
    guard let table = header.firstIndex(of: "table_name") else { return nil }
    self.table = table
    (self.known, self.schedule) = (known, schedule)
    record = header.firstIndex(of: "record_id")
    subRecord = header.firstIndex(of: "record_sub_id")
    value = header.firstIndex(of: "field_value")
  }

  /// Returns what is wrong with a row, and its column.
  mutating func problem(_ row: CSVRecord) -> (problem: FeedProblem, field: String)? {
    guard !row.isBlank(table) else { return nil }
    let name = row.text(table)
    func text(_ column: Int?) -> String? {
      column.flatMap { row.isBlank($0) ? nil : row.text($0) }
    }
    guard FeedCatalog.known(name + ".txt") != nil else {
      return (.translatedTable(name), "table_name")
    }
    let (id, part) = (text(record), text(subRecord))
    // A value is translated wherever it is, and the only row of the file needs no identifier.
    if text(value) != nil || name == "feed_info" {
      if let id { return (.translatedValue(id), "record_id") }
      return part.map { (.translatedValue($0), "record_sub_id") }
    }
    guard let id else { return (.blankValue(.blankValue), "record_id") }
    guard let file = Self.files[name] else { return nil }
    guard let number = known[file]?.number(of: id.utf8) else {
      return (.unknownTranslated(id, "\(name).txt"), "record_id")
    }
    guard name == "stop_times" else {
      return part.map { (.translatedValue($0), "record_sub_id") }
    }
    guard let part, let subRecord else {
      return (.blankValue(.blankValue), "record_sub_id")
    }
    return hasCall(row.integer(subRecord), ofTrip: number)
      ? nil : (.unknownTranslated(sequence: part, ofTrip: id), "record_sub_id")
  }

  /// Returns whether a trip has a call with a `stop_sequence`.
  private mutating func hasCall(_ sequence: Int?, ofTrip number: Int) -> Bool {
    // Without a schedule, the feed is refused for something else.
    guard let schedule else { return true }
    guard let pattern = schedule.assembler.pattern(ofTrip: number),
      let sequence = sequence.flatMap(Int32.init(exactly:))
    else { return false }
    let known =
      sequences[pattern] ?? Set(schedule.assembler.pattern(pattern).calls.map { $0.1 })
    sequences[pattern] = known
    return known.contains(sequence)
  }
}

/// Rules for the colors of a route.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#routestxt>: "The color difference between
///   route_color and route_text_color should provide sufficient contrast."
enum RouteColors {
  /// The smallest difference of brightness, of 255, at which text can be read.
  private static let least: UInt = 72

  /// Returns whether text in one color cannot be read on the other one.
  ///
  /// - Parameters:
  ///   - color: `route_color`; white if it is blank.
  ///   - text: `route_text_color`; black if it is blank.
  /// - Returns: Whether the difference of their brightness is too small.
  static func areAlike(_ color: String?, _ text: String?) -> Bool {
    guard color != nil || text != nil, let color = brightness(color ?? "FFFFFF"),
      let text = brightness(text ?? "000000")
    else { return false }
    return (color - text).magnitude < least
  }

  /// The brightness of a color, from 0 to 255.
  ///
  /// - SeeAlso: ITU-R BT.601.
  private static func brightness(_ color: String) -> Int? {
    guard let number = Int(color, radix: 16) else { return nil }
    let (red, green, blue) = (number >> 16 & 255, number >> 8 & 255, number & 255)
    return (299 * red + 587 * green + 114 * blue) / 1000
  }
}
