public import Foundation
public import Holdfast

/// The names and headsigns of a feed in the languages that a rider prefers.
///
/// ```swift
/// let names = try await timetable.reader.read { db in
///   let translations = Translations(Locale.preferredLanguages)
///   return try Stop.fetchAll(db).map { try translations.translating($0, db).stopName }
/// }
/// ```
///
/// The texts come from the feed's `translations.txt`. For each preferred language, in order, the
/// exact tag is sought, then the tag without its last parts, then any tag of the same language: for
/// `fr-CA`, a translation in `fr-CA`, then in `fr`, then in `fr-CH`. Where the feed itself is in a
/// preferred language, its own text is taken before translations into less preferred ones. A text
/// without a translation stays as it is.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#translationstxt>
public struct Translations: Hashable, Sendable {
  /// The preferred languages as BCP 47 tags, such as `fr-CA`, the most preferred one first.
  public var languages: [String]

  /// Creates translations into the languages of a rider.
  ///
  /// - Parameter languages: BCP 47 tags, the most preferred one first; those of the system are
  ///   `Locale.preferredLanguages`.
  public init(_ languages: [String] = Locale.preferredLanguages) {
    self.languages = languages
  }

  // MARK: - Texts

  /// Returns a stop with its name in the rider's language.
  ///
  /// - Parameters:
  ///   - stop: The stop, with the name that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The stop.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ stop: Stop, _ db: Database) throws -> Stop {
    var stop = stop
    stop.stopName =
      try text(
        TranslatedText("stops", "stop_name", stop.stopName, recordID: stop.stopID), db)
      ?? stop.stopName
    return stop
  }

  /// Returns a route with its names in the rider's language.
  ///
  /// - Parameters:
  ///   - route: The route, with the names that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The route.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ route: Route, _ db: Database) throws -> Route {
    var route = route
    let translated = { (field: String, text: String) in
      text.isEmpty
        ? text
        : try self.text(TranslatedText("routes", field, text, recordID: route.routeID), db) ?? text
    }
    let (short, long) = (
      try translated("route_short_name", route.routeShortName),
      try translated("route_long_name", route.routeLongName)
    )
    (route.routeShortName, route.routeLongName) = (short, long)
    return route
  }

  /// Returns a departure with its stop, route and headsign in the rider's language.
  ///
  /// - Parameters:
  ///   - departure: The departure, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The departure.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ departure: Departure, _ db: Database) throws -> Departure {
    var departure = departure
    departure.stop = try translating(departure.stop, db)
    departure.route = try translating(departure.route, db)
    departure.headsign = try headsign(
      departure.headsign, tripID: departure.tripID, departure.stopSequence, db)
    return departure
  }

  /// Returns an arrival with its stop, the trip's first stop, its route and headsign in the rider's
  /// language.
  ///
  /// - Parameters:
  ///   - arrival: The arrival, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The arrival.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ arrival: Arrival, _ db: Database) throws -> Arrival {
    var arrival = arrival
    arrival.stop = try translating(arrival.stop, db)
    arrival.origin = try arrival.origin.map { try translating($0, db) }
    arrival.route = try translating(arrival.route, db)
    arrival.headsign = try headsign(
      arrival.headsign, tripID: arrival.tripID, arrival.stopSequence, db)
    return arrival
  }

  private func headsign(
    _ headsign: String?, tripID: String, _ stopSequence: Int?, _ db: Database
  ) throws -> String? {
    guard let headsign else { return nil }
    // A call does not tell whose headsign it has; that of the stop comes first there too.
    return try text(
      TranslatedText(
        "stop_times", "stop_headsign", headsign, recordID: tripID,
        recordSubID: stopSequence.map(String.init)), db)
      ?? text(TranslatedText("trips", "trip_headsign", headsign, recordID: tripID), db) ?? headsign
  }

  /// Returns the translation of a text into the most preferred language that has one.
  ///
  /// - Returns: The translation; `nil` if the feed's own text is to be shown.
  private func text(_ text: TranslatedText, _ db: Database) throws -> String? {
    guard !languages.isEmpty else { return nil }
    let feed = try db.cached { try FeedLanguage($0) }
    guard feed.hasTranslations else { return nil }
    let found = try text.fetchAll(db)
    for language in languages {
      let preference = LanguagePreference(language)
      if let translation = preference.best(among: found) { return translation }
      if let own = feed.language, preference.rank(of: own) != nil { return nil }
    }
    return nil
  }
}

/// A text of the feed that may have translations.
private struct TranslatedText {
  struct Translation {
    let language: String
    let text: String
    /// Whether the row names the record, and so comes before one that names the text.
    let isOfRecord: Bool
  }

  private let arguments: StatementArguments

  init(
    _ table: String, _ field: String, _ text: String, recordID: String, recordSubID: String? = nil
  ) {
    arguments = [
      "table": table, "field": field, "text": text, "record": recordID, "sub": recordSubID,
    ]
  }

  /// Returns the translations, those of the record before those of the text.
  func fetchAll(_ db: Database) throws -> [Translation] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT language, translation, 1 FROM gtfs_translations
        WHERE record_id = :record AND table_name = :table AND field_name = :field
          AND (:sub IS NULL OR record_sub_id = :sub) AND translation IS NOT NULL
          AND language IS NOT NULL
        UNION ALL
        SELECT language, translation, 0 FROM gtfs_translations
        WHERE field_value = :text AND table_name = :table AND field_name = :field
          AND translation IS NOT NULL AND language IS NOT NULL
        """,
      arguments: arguments
    ).map {
      Translation(
        language: try $0.decode(atIndex: 0), text: try $0.decode(atIndex: 1),
        isOfRecord: try $0.decode(atIndex: 2))
    }
  }
}

extension LanguagePreference {
  /// Returns the translation into the language that fits best.
  fileprivate func best(among translations: [TranslatedText.Translation]) -> String? {
    translations.compactMap { translation in
      rank(of: translation.language).map {
        (translation: translation, rank: ($0, translation.isOfRecord ? 0 : 1))
      }
    }.min { $0.rank < $1.rank }?.translation.text
  }
}

/// The language in which a feed is written, and whether it has translations.
private struct FeedLanguage {
  let language: String?
  let hasTranslations: Bool

  init(_ db: Database) throws {
    hasTranslations = try db.tableExists("gtfs_translations")
    let own = try String.fetchOne(
      db,
      sql: """
        SELECT coalesce(
          (SELECT value FROM metadata WHERE key = 'feed_lang'),
          (SELECT agency_lang FROM agency ORDER BY aid LIMIT 1))
        """)
    // "If multiple languages are used, the language code mul should be used": no text's own then.
    language = own?.lowercased() == "mul" ? nil : own
  }
}
