import Holdfast

/// A row of `routes.txt`: a line as riders know it.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#routestxt>
public struct FeedRoute: Sendable, Hashable {
  /// `route_id`.
  public var routeID: String
  /// `agency_id`, which may name an agency that the feed does not have.
  public var agencyID: String?
  /// `route_short_name`.
  public var routeShortName: String?
  /// `route_long_name`.
  public var routeLongName: String?
  /// `route_desc`.
  public var routeDesc: String?
  /// `route_type`: GTFS's own types, the extended ones from 100 on, or a number unknown to both.
  public var routeType: Int
  /// `route_url`.
  public var routeURL: String?
  /// `route_color`: six hexadecimal digits.
  public var routeColor: String?
  /// `route_text_color`: six hexadecimal digits.
  public var routeTextColor: String?
  /// `route_sort_order`.
  public var routeSortOrder: Int?
  /// `continuous_pickup`.
  public var continuousPickup: Int?
  /// `continuous_drop_off`.
  public var continuousDropOff: Int?
  /// `network_id`.
  public var networkID: String?
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32 = -1
}

struct RouteTable: FeedTable {
  static let file = "routes.txt"
  static let needsRows = true

  private let id, agency, shortName, longName, desc, type, url, color, textColor: FeedColumn
  private let sortOrder, pickup, dropOff, network: FeedColumn
  private(set) var others: OtherColumns
  private var identifiers = FeedIdentifiers()

  init(_ header: inout FeedHeader) {
    id = header.column("route_id", .required)
    agency = header.column("agency_id")
    shortName = header.column("route_short_name")
    longName = header.column("route_long_name")
    desc = header.column("route_desc")
    type = header.column("route_type", .required)
    url = header.column("route_url")
    color = header.column("route_color")
    textColor = header.column("route_text_color")
    sortOrder = header.column("route_sort_order")
    pickup = header.column("continuous_pickup")
    dropOff = header.column("continuous_drop_off")
    network = header.column("network_id")
    others = OtherColumns(header.others(known: ["cemv_support"]))
  }

  mutating func row(_ parser: RowParser) -> FeedRoute? {
    let id = parser.text(id, orNote: .blankKey)
    if let id { identifiers.insert(id, of: self.id, in: parser) }
    let type = type(parser)
    let (shortName, longName) = names(parser)
    let colors = (parser.color(color), parser.color(textColor))
    guard let id, let type else { return nil }
    return FeedRoute(
      routeID: id,
      agencyID: parser.text(agency),
      routeShortName: shortName,
      routeLongName: longName,
      routeDesc: parser.text(desc),
      routeType: type,
      routeURL: parser.text(url),
      routeColor: colors.0,
      routeTextColor: colors.1,
      routeSortOrder: parser.integer(sortOrder),
      continuousPickup: parser.choice(pickup, 0...3),
      continuousDropOff: parser.choice(dropOff, 0...3),
      networkID: parser.text(network),
      others: others.number(parser))
  }

  private func type(_ parser: RowParser) -> Int? {
    guard parser.text(type, orNote: .blankKey) != nil,
      let number = parser.integer(type, orNote: .badKeyNumber)
    else { return nil }
    // https://developers.google.com/transit/gtfs/reference/extended-route-types
    let isKnown = (0...7).contains(number) || [11, 12].contains(number)
    if !isKnown, !(100..<1800).contains(number) {
      parser.add(.unknownValue("\(number)", leftOut: false), type)
    }
    return number
  }

  private func names(_ parser: RowParser) -> (String?, String?) {
    let (short, long) = (parser.text(shortName), parser.text(longName))
    if short == nil, long == nil { parser.add(.namelessRoute(), shortName) }
    if let short, short == long { parser.add(.sameNames(short), longName) }
    return (short, long)
  }

  /// Checks each route's agency, once all agencies are known.
  func judge(
    _ routes: [FeedRoute], lines: [Int], agencies: [FeedAgency], in report: ReportBuilder
  ) {
    // For a feed without agencies this has been reported already.
    if agencies.isEmpty { return }
    let known = Set(agencies.compactMap(\.agencyID).map(ExactText.init))
    let allAreNamed = known.count == agencies.count
    for (route, line) in zip(routes, lines) {
      let problem: FeedProblem? =
        if let id = route.agencyID {
          known.contains(ExactText(id))
            ? nil : .unknownReference(.unknownAgency, id, AgencyTable.file)
        } else {
          agencies.count > 1 && allAreNamed ? .agencyNotSaid(agencies.count) : nil
        }
      if let problem { report.add(problem.at(Self.file, line: line, field: agency.name)) }
    }
  }
}
