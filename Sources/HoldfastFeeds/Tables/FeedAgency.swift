/// A row of `agency.txt`: an operator of services.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#agencytxt>
public struct FeedAgency: Sendable, Hashable {
  /// `agency_id`; `nil` if the feed omits it.
  public var agencyID: String?
  /// `agency_name`.
  public var agencyName: String?
  /// `agency_url`.
  public var agencyURL: String?
  /// `agency_timezone`, a name of the IANA time zone database.
  public var agencyTimezone: String
  /// `agency_lang`, an IETF BCP 47 language code.
  public var agencyLang: String?
  /// `agency_phone`.
  public var agencyPhone: String?
  /// `agency_fare_url`.
  public var agencyFareURL: String?
  /// `agency_email`.
  public var agencyEmail: String?
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32 = -1
}

struct AgencyTable: FeedTable {
  static let file = "agency.txt"
  static let needsRows = true

  private let id, name, url, timezone, lang, phone, fareURL, email: FeedColumn
  private(set) var others: OtherColumns
  private var identifiers = FeedIdentifiers()
  private var firstTimezone: String?

  init(_ header: inout FeedHeader) {
    id = header.column("agency_id")
    name = header.column("agency_name", .required)
    url = header.column("agency_url", .expected)
    timezone = header.column("agency_timezone", .required)
    lang = header.column("agency_lang")
    phone = header.column("agency_phone")
    fareURL = header.column("agency_fare_url")
    email = header.column("agency_email")
    others = OtherColumns(header.others(known: ["cemv_support"]))
  }

  mutating func row(_ parser: RowParser) -> FeedAgency? {
    let id = parser.text(id)
    if let id { identifiers.insert(id, of: self.id, in: parser) }
    let timezone = zone(parser)
    let agency = FeedAgency(
      agencyID: id,
      agencyName: parser.text(name, orNote: .blankValue),
      agencyURL: parser.text(url, orNote: .blankValue),
      agencyTimezone: timezone ?? "",
      agencyLang: parser.text(lang),
      agencyPhone: parser.text(phone),
      agencyFareURL: parser.text(fareURL),
      agencyEmail: parser.text(email),
      others: others.number(parser))
    return timezone == nil ? nil : agency
  }

  /// Returns the time zone, without which no time of the feed is defined; it is an error if
  /// missing.
  private mutating func zone(_ parser: RowParser) -> String? {
    guard parser.text(timezone, orNote: .blankKey) != nil,
      let zone = parser.timeZone(timezone, orNote: .badAgencyTimeZone)
    else { return nil }
    let first = firstTimezone ?? zone
    firstTimezone = first
    if zone != first { parser.add(.severalTimeZones(first, zone), timezone) }
    return zone
  }

  /// Reports agencies without an identifier, which only a single agency may omit.
  func judge(_ agencies: [FeedAgency], lines: [Int], in report: ReportBuilder) {
    guard agencies.count > 1 else { return }
    for (agency, line) in zip(agencies, lines) where agency.agencyID == nil {
      report.add(.unnamedAgency().at(Self.file, line: line, field: id.name))
    }
  }
}
