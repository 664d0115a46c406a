package import Holdfast

/// The metadata of the feed that a timetable database was created from.
public struct TimetableMetadata: Hashable, Sendable, Codable {
  /// The feed's own name for its version.
  public var feedVersion: String?

  /// The first day that the timetable covers, as `YYYY-MM-DD`.
  public var feedStartDate: String?

  /// The last day that the timetable covers, as `YYYY-MM-DD`.
  public var feedEndDate: String?

  /// The name of the feed's publisher.
  public var feedPublisherName: String?

  /// The URL of the feed's publisher.
  public var feedPublisherURL: String?

  /// The language of the feed's texts, as a BCP 47 tag.
  public var feedLang: String?

  /// The SHA-256 of the feed's content: equal for feeds with the same content in any order of rows
  /// and columns.
  public var feedIdentity: String?

  /// The number of stops without a departure, because rows or values of the feed could not be used;
  /// `nil` if there are none.
  public var stopsWithoutService: String?

  /// "1" if no stop has a departure, because rows or values of the feed could not be used; otherwise `nil`.
  public var isWithoutService: String?

  /// The keys of the `metadata` table, and of JSON.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    /// `feed_version`
    case feedVersion = "feed_version"
    /// `feed_start_date`
    case feedStartDate = "feed_start_date"
    /// `feed_end_date`
    case feedEndDate = "feed_end_date"
    /// `feed_publisher_name`
    case feedPublisherName = "feed_publisher_name"
    /// `feed_publisher_url`
    case feedPublisherURL = "feed_publisher_url"
    /// `feed_lang`
    case feedLang = "feed_lang"
    /// `feed_identity`
    case feedIdentity = "feed_identity"
    /// `stops_without_service`
    case stopsWithoutService = "stops_without_service"
    /// `is_without_service`
    case isWithoutService = "is_without_service"
  }

  /// Creates empty metadata.
  public init() {}

  /// Reads the metadata.
  init(_ db: Database) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM metadata")
    for row in rows {
      let key: String = try row.decode(atIndex: 0)
      guard let key = CodingKeys(rawValue: key) else { continue }
      self[keyPath: Self.property(key)] = try row.decode(atIndex: 1)
    }
  }

  /// Writes the metadata into the empty table.
  package func insert(_ db: Database) throws {
    for key in CodingKeys.allCases {
      guard let value = self[keyPath: Self.property(key)] else { continue }
      try db.execute(
        sql: "INSERT INTO metadata (key, value) VALUES (?, ?)", arguments: [key.rawValue, value])
    }
  }

  private static func property(
    _ key: CodingKeys
  ) -> WritableKeyPath<TimetableMetadata, String?> {
    switch key {
    case .feedVersion: \.feedVersion
    case .feedStartDate: \.feedStartDate
    case .feedEndDate: \.feedEndDate
    case .feedPublisherName: \.feedPublisherName
    case .feedPublisherURL: \.feedPublisherURL
    case .feedLang: \.feedLang
    case .feedIdentity: \.feedIdentity
    case .stopsWithoutService: \.stopsWithoutService
    case .isWithoutService: \.isWithoutService
    }
  }
}
