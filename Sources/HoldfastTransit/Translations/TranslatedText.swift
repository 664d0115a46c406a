import Holdfast

/// A text of the feed that may have translations.
struct TranslatedText {
  struct Translation {
    let language: String
    let text: String
    /// Whether the row names the record, and so comes before one that names the text.
    let isOfRecord: Bool
  }

  private let arguments: StatementArguments

  /// The conditions for a part of the record, of which one must hold.
  ///
  /// Each has a query of its own and begins with a comparison of texts, so that the index finds the part.
  private let ofPart: [String]

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - table: The `table_name` of its translations.
  ///   - field: The `field_name`.
  ///   - text: The text, to which rows with a `field_value` apply.
  ///   - recordID: The `record_id` of its row in the feed; `nil` if that is not known.
  ///   - recordSubID: The number that is the `record_sub_id`, where one is needed.
  init(
    _ table: String, _ field: String, _ text: String, recordID: String?, recordSubID: Int? = nil
  ) {
    // A number with a sign or zeros before it, such as "01", sorts before "1".
    ofPart =
      recordSubID == nil
      ? [""]
      : [
        "AND record_sub_id = :sub",
        "AND record_sub_id < '1' AND record_sub_id = CAST(:sub AS INTEGER)",
      ]
    arguments = [
      "table": table, "field": field, "text": text, "record": recordID, "sub": recordSubID,
    ]
  }

  /// Returns the translations of the record, followed by the translations of the text.
  func fetchAll(_ db: Database) throws -> [Translation] {
    let ofRecord = ofPart.map { condition in
      """
      SELECT language, translation, 1 FROM gtfs_translations
      WHERE record_id = :record AND table_name = :table AND field_name = :field
        AND translation IS NOT NULL AND language IS NOT NULL \(condition)
      UNION ALL
      """
    }
    return try Row.fetchAll(
      db,
      sql: """
        \(ofRecord.joined(separator: "\n"))
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
  func best(among translations: [TranslatedText.Translation]) -> String? {
    translations.compactMap { translation in
      rank(of: translation.language).map {
        (translation: translation, rank: ($0, translation.isOfRecord ? 0 : 1))
      }
    }.min { $0.rank < $1.rank }?.translation.text
  }
}
