import Holdfast

/// The language in which a feed is written, and whether it has translations.
struct FeedLanguage {
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
