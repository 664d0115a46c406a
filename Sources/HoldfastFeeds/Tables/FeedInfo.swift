/// The row of `feed_info.txt`: the feed's publisher, its language and its dates.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#feed_infotxt>
public struct FeedInfo: Sendable, Hashable {
  /// `feed_publisher_name`.
  public var feedPublisherName: String?
  /// `feed_publisher_url`.
  public var feedPublisherURL: String?
  /// `feed_lang`, an IETF BCP 47 language code.
  public var feedLang: String?
  /// `default_lang`.
  public var defaultLang: String?
  /// `feed_start_date`.
  public var feedStartDate: FeedDate?
  /// `feed_end_date`.
  public var feedEndDate: FeedDate?
  /// `feed_version`.
  public var feedVersion: String?
  /// `feed_contact_email`.
  public var feedContactEmail: String?
  /// `feed_contact_url`.
  public var feedContactURL: String?
}

struct FeedInfoTable: FeedTable {
  static let file = "feed_info.txt"

  private let publisherName, publisherURL, lang, defaultLang, startDate, endDate: FeedColumn
  private let version, contactEmail, contactURL: FeedColumn

  init(_ header: inout FeedHeader) {
    publisherName = header.column("feed_publisher_name", .expected)
    publisherURL = header.column("feed_publisher_url", .expected)
    lang = header.column("feed_lang", .expected)
    defaultLang = header.column("default_lang")
    startDate = header.column("feed_start_date")
    endDate = header.column("feed_end_date")
    version = header.column("feed_version")
    contactEmail = header.column("feed_contact_email")
    contactURL = header.column("feed_contact_url")
    // They are kept in the table of texts.
    _ = header.others()
  }

  func row(_ parser: RowParser) -> FeedInfo? {
    let start = parser.date(startDate, orNote: .badDate)
    let end = parser.date(endDate, orNote: .badDate)
    if let start, let end, end < start { parser.add(.reversedDates(start, end), endDate) }
    return FeedInfo(
      feedPublisherName: parser.text(publisherName, orNote: .blankValue),
      feedPublisherURL: parser.text(publisherURL, orNote: .blankValue),
      feedLang: parser.text(lang, orNote: .blankValue),
      defaultLang: parser.text(defaultLang),
      feedStartDate: start,
      feedEndDate: end,
      feedVersion: parser.text(version),
      feedContactEmail: parser.text(contactEmail),
      feedContactURL: parser.text(contactURL))
  }
}
