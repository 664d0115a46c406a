import Holdfast

// The sentences of the doctor's findings about full-text search.
extension Finding {
  static func missingSearchTriggers(
    of table: ExternalContentTable, _ events: [String],
    content: ExternalContentTable.ContentKind, in file: String
  ) -> Finding {
    // "cannot create AFTER trigger on view", "cannot create triggers on virtual tables".
    let advice =
      switch content {
      case .table:
        "Create it with synchronize(withTable:), or with the triggers of SQLite's documentation, and rebuild "
          + "the index."
      case .view:
        "Create triggers like those of SQLite's documentation on the tables that the view reads, and rebuild the "
          + "index."
      case .virtualTable:
        "Let the app update the index with each change, because a virtual table has no triggers, and rebuild it."
      }
    return Finding(
      kind: .missingSearchTriggers, file: file, place: Place(table: table.name),
      message: "No trigger updates the full-text table '\(table.name)' after "
        + "\(events.joined(separator: ", ")) on '\(table.content)'.",
      reason: "Unless the app's code does it with each change, searches miss rows, find others by "
        + "old words, or fail.",
      advice: advice)
  }

  static func wrongSearchTriggers(
    of table: ExternalContentTable, _ names: [String], in file: String
  ) -> Finding {
    let isFTS5 = table.module == .fts5
    return Finding(
      kind: .wrongSearchTriggers, file: file, place: Place(table: table.name), count: names.count,
      message: "A trigger removes rows from the full-text table '\(table.name)' after "
        + "'\(table.content)' has changed.",
      reason:
        "Their words are looked up in '\(table.content)', which no longer has them: old words "
        + "stay in the index, and searches find wrong rows or fail as damaged.",
      advice: isFTS5
        ? "Remove with INSERT INTO \(table.name.quotedDatabaseIdentifier)("
          + "\(table.name.quotedDatabaseIdentifier), rowid, …) VALUES('delete', "
          + "old.rowid, …), and rebuild the index."
        : "Remove in a BEFORE trigger, and rebuild the index.",
      example: names.first)
  }

  static func searchTriggersMissReplace(
    of table: ExternalContentTable, _ triggers: SearchTriggers, in file: String
  ) -> Finding {
    let content = triggers.table ?? table.content
    return Finding(
      kind: .searchTriggersMissReplace, file: file, place: Place(table: table.name),
      message: "A row of '\(content)' that INSERT OR REPLACE replaces stays in the full-text table "
        + "'\(table.name)'.",
      reason:
        "REPLACE fires no delete trigger, unless each connection turns recursive_triggers on.",
      advice: (triggers.areOfGRDB
        ? "Run 'PRAGMA recursive_triggers = ON' in prepareDatabase of GRDB's Configuration, or write to "
          + "'\(content)' with upsert instead of the conflict policy .replace"
        : "Turn recursive_triggers on in every connection, or write to '\(content)' with INSERT … ON "
          + "CONFLICT DO UPDATE instead of INSERT OR REPLACE")
        + "; then \(rebuilding(table.name)).")
  }

  static func staleSearchIndex(
    of table: SearchIndexCheck.Table, because problem: String?,
    _ mending: SearchIndexCheck.Mending, in file: String
  ) -> Finding {
    let again = "drop the table, create it again and insert its texts"
    let mend = table.isContentless ? again : rebuilding(table.name)
    let advice =
      switch mending {
      case .rebuild where table.isContentless:
        "\(again.capitalizedFirst): it stores none to rebuild it from."
      case .rebuild: "Correct what updates the table, then \(mend)."
      case .version:
        // "table … may not be modified", as in SQLite's own shell of later versions
        "Run INSERT OR REPLACE INTO \("\(table.name)_config".quotedDatabaseIdentifier) VALUES('version', 4) "
          + "on a connection that is not defensive ('.dbconfig defensive off' in sqlite3), then \(mend)."
      case .replacement:
        "Restore the database from a backup, or create the table again under another name and insert its texts."
      }
    return Finding(
      kind: .staleSearchIndex, file: file, place: Place(table: table.name),
      message: SearchIndexCheck.sentence(table.name, because: problem),
      reason: "Searches miss rows, find others by old words, or fail.", advice: advice)
  }

  static func unreadableTexts(of table: String, because problem: String, in file: String) -> Finding
  {
    Finding(
      kind: .staleSearchIndex, file: file, place: Place(table: table),
      message: SearchIndexCheck.sentence(table, withoutTexts: problem),
      reason: "Updates and deletions by its triggers fail, and so do searches that show a text.",
      advice: "Create the table again in a migration, with columns that its content has.")
  }

  private static func rebuilding(_ table: String) -> String {
    let name = table.quotedDatabaseIdentifier
    return "run INSERT INTO \(name)(\(name)) VALUES('rebuild')"
  }
}
