import Holdfast

/// The language in which a feed is written, and whether it has translations.
struct FeedLanguage {
  /// The tag of the language; `nil` if it is not known, or if there are several.
  let language: String?
  let hasTranslations: Bool

  init(_ db: Database) throws {
    hasTranslations = try db.tableExists("gtfs_translations")
    language = Self.common(of: try Self.tags(db))
  }

  /// Returns the tag of the language that all feeds have; `nil` if there is none.
  ///
  /// Tags such as `en` and `en-AU` are of one language, as they are for a rider.
  private static func common(of tags: [String]) -> String? {
    // "If multiple languages are used, the language code mul should be used": no text's own then.
    guard let first = tags.first, first.lowercased() != "mul" else { return nil }
    let language = LanguagePreference(first)
    return tags.allSatisfy { language.rank(of: $0) != nil } ? first : nil
  }

  /// Returns the tags of the feeds' languages, or of their agencies' if no feed names its own.
  private static func tags(_ db: Database) throws -> [String] {
    // One row for each feed that was imported; the metadata come from the first one.
    if let table = try FileTable("feed_info", db) {
      // Not by a name of our own in SQL, because a column of the feed may have the same name.
      let tags = try Optional<String>.fetchAll(
        db, sql: "SELECT DISTINCT \(table.column("feed_lang")) FROM main.gtfs_feed_info AS file"
      ).compactMap(\.self)
      if !tags.isEmpty { return tags }
    }
    if let tag = try String.fetchOne(
      db, sql: "SELECT value FROM metadata WHERE key = 'feed_lang' AND value IS NOT NULL")
    {
      return [tag]
    }
    return try String.fetchAll(
      db, sql: "SELECT DISTINCT agency_lang FROM main.agency WHERE agency_lang IS NOT NULL")
  }
}
