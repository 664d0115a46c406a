import Holdfast

/// A row of `stops.txt`: a place where vehicles stop, a station, or a part of a station.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stopstxt>
public struct FeedStop: Sendable, Hashable {
  /// `stop_id`.
  public var stopID: String
  /// `stop_code`, the number that riders see.
  public var stopCode: String?
  /// `stop_name`.
  public var stopName: String?
  /// `tts_stop_name`.
  public var ttsStopName: String?
  /// `stop_desc`.
  public var stopDesc: String?
  /// `stop_lat`, in degrees of WGS 84; `nil` if blank.
  public var stopLat: Double?
  /// `stop_lon`, in degrees of WGS 84; `nil` if blank.
  public var stopLon: Double?
  /// `zone_id`.
  public var zoneID: String?
  /// `stop_url`.
  public var stopURL: String?
  /// `location_type`: 0 platform, 1 station, 2 entrance, 3 generic node, 4 boarding area.
  public var locationType: Int
  /// `parent_station`, which may name a stop that the feed does not have.
  public var parentStation: String?
  /// `stop_timezone`, a name of the IANA time zone database.
  public var stopTimezone: String?
  /// `wheelchair_boarding`: 0 or `nil` unknown, 1 possible, 2 not possible.
  public var wheelchairBoarding: Int?
  /// `level_id`.
  public var levelID: String?
  /// `platform_code`.
  public var platformCode: String?
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32 = -1
}

struct StopTable: FeedTable {
  static let file = "stops.txt"
  static let needsRows = true

  private let id, code, name, ttsName, desc, lat, lon, zone, url, type, parent: FeedColumn
  private let timezone, wheelchair, level, platform: FeedColumn
  private(set) var others: OtherColumns
  private(set) var identifiers = FeedIdentifiers()
  private var knownTimezones: Set<ExactText> = []

  init(_ header: inout FeedHeader) {
    id = header.column("stop_id", .required)
    code = header.column("stop_code")
    name = header.column("stop_name", .required)
    ttsName = header.column("tts_stop_name")
    desc = header.column("stop_desc")
    lat = header.column("stop_lat", .required)
    lon = header.column("stop_lon", .required)
    zone = header.column("zone_id")
    url = header.column("stop_url")
    type = header.column("location_type")
    parent = header.column("parent_station")
    timezone = header.column("stop_timezone")
    wheelchair = header.column("wheelchair_boarding")
    level = header.column("level_id")
    platform = header.column("platform_code")
    others = OtherColumns(header.others(known: ["stop_access"]))
  }

  mutating func row(_ parser: RowParser) -> FeedStop? {
    guard let id = parser.text(id, orNote: .blankKey) else { return nil }
    identifiers.insert(id, of: self.id, in: parser)
    let locationType = parser.choice(type, 0...4) ?? 0
    let (latitude, longitude) = coordinate(of: locationType, parser)
    return FeedStop(
      stopID: id,
      stopCode: parser.text(code),
      // Nodes and boarding areas need neither a name nor a location of their own.
      stopName: locationType < 3 ? parser.text(name, orNote: .blankStopName) : parser.text(name),
      ttsStopName: parser.text(ttsName),
      stopDesc: parser.text(desc),
      stopLat: latitude,
      stopLon: longitude,
      zoneID: parser.text(zone),
      stopURL: parser.text(url),
      locationType: locationType,
      parentStation: parser.text(parent),
      stopTimezone: zone(parser),
      wheelchairBoarding: parser.choice(wheelchair, 0...2),
      levelID: parser.text(level),
      platformCode: parser.text(platform),
      others: others.number(parser))
  }

  private func coordinate(of locationType: Int, _ parser: RowParser) -> (Double?, Double?) {
    for column in [lat, lon] where locationType < 3 && column.index != nil {
      if parser.isBlank(column) { parser.add(.blankCoordinate(), column) }
    }
    let latitude = parser.degrees(lat, within: 90)
    let longitude = parser.degrees(lon, within: 180)
    if latitude == 0, longitude == 0 { parser.add(.atNullIsland(), lat) }
    if let latitude, abs(latitude) > 89 { parser.add(.nearPole(parser.text(lat) ?? ""), lat) }
    return (latitude, longitude)
  }

  private mutating func zone(_ parser: RowParser) -> String? {
    guard let text = parser.text(timezone) else { return nil }
    if knownTimezones.contains(ExactText(text)) { return text }
    guard let zone = parser.timeZone(timezone, orNote: .badTimeZone) else { return nil }
    knownTimezones.insert(ExactText(zone))
    return zone
  }

  /// Checks each stop's parent, once all stops are known.
  func judge(_ stops: [FeedStop], lines: [Int], in report: ReportBuilder) {
    let named = Set(stops.lazy.compactMap(\.parentStation).map(ExactText.init))
    var types: [ExactText: Int] = [:]
    for stop in stops where !named.isEmpty {
      let id = ExactText(stop.stopID)
      if named.contains(id), types[id] == nil { types[id] = stop.locationType }
    }
    for (stop, line) in zip(stops, lines) {
      if let problem = Self.parentProblem(of: stop, types: types) {
        report.add(problem.at(Self.file, line: line, field: parent.name))
      }
    }
  }

  private static func parentProblem(of stop: FeedStop, types: [ExactText: Int]) -> FeedProblem? {
    let type = stop.locationType
    guard let parent = stop.parentStation else { return type > 1 ? .noParent(type) : nil }
    if type == 1 { return .parentOfStation(parent) }
    guard let found = types[ExactText(parent)] else {
      return .unknownReference(.unknownParent, parent, file)
    }
    let expected = type == 4 ? 0 : 1
    return found == expected ? nil : .parentType(parent, is: found, not: expected)
  }
}
