import Holdfast
import HoldfastFiles

// Every sentence of the doctor's findings, but for those about full-text search.
extension Finding {
  // MARK: Stored paths

  static func absolutePath(
    _ path: StoredPath, appGroup: String? = nil, in file: String, at place: Place
  ) -> Finding {
    let becomes = path.relocated(appGroup: appGroup ?? "IDENTIFIER")?.description
    return Finding(
      kind: .absolutePath, file: file, place: place,
      message: "An absolute path into \(path.owner.rawValue) is stored.",
      reason: "The system gives a container another path with an update, a restore or a "
        + "reinstallation; then the file is not found, although it is there.",
      advice: becomes == nil
        ? "Store the path relative to a folder that the app asks the system for."
        : "Store a path relative to its root, as RelocatablePath(legacy:) makes it.",
      example: path.identifyingText, becomes: becomes)
  }

  static func absoluteLink(_ path: StoredPath, in file: String) -> Finding {
    Finding(
      kind: .absolutePath, file: file,
      message: "A symbolic link leads to an absolute path into \(path.owner.rawValue).",
      reason: "The system gives a container another path with an update, a restore or a "
        + "reinstallation; then the link leads nowhere.",
      advice: "Let the app make the link again with a relative path, or open the file itself.",
      example: path.identifyingText)
  }

  static func deadReference(_ example: String, in file: String, at place: Place) -> Finding {
    Finding(
      kind: .deadReference, file: file, place: place,
      message: "A stored path names a file that is not in the container.",
      reason: "The app believes that it has the file, and fails when it opens it.",
      advice: "Look for the file under its other roots; if it is gone, clear the record and fetch "
        + "the file again.", example: example)
  }

  static func unknownReference(
    _ example: String, because reason: String, in file: String, at place: Place
  ) -> Finding {
    Finding(
      kind: .unknownReference, file: file, place: place,
      message: "Whether the file of a stored path exists cannot be decided.", reason: reason,
      advice: "Copy the missing part too, or check it on the device.", example: example)
  }

  // MARK: Databases

  static func hotJournal(of file: String, hasSuperJournal: Bool) -> Finding {
    Finding(
      kind: .hotJournal, file: file,
      message: "The database has a hot journal: a transaction was interrupted.",
      reason: hasSuperJournal
        ? "The database is inconsistent until the journal is rolled back, and the journal names a "
          + "super-journal by an absolute path: after a move it is ignored, and the damage stays."
        : "The database is inconsistent until the journal is rolled back; without the journal it "
          + "stays damaged.",
      advice: "Keep both files together and open the database once with SQLite, which rolls the "
        + "transaction back.")
  }

  static func tornDatabase(_ file: String, stated: Int64, actual: Int64) -> Finding {
    Finding(
      kind: .tornDatabase, file: file,
      message: "The file has \(actual) bytes, and its header states \(stated).",
      reason:
        "A part of the database is missing, as after a copy that was made while it was written.",
      advice: "Copy it again while no process has it open, or with the backup API; restore it if "
        + "the original is the same.")
  }

  static func tornLog(_ file: String, _ flaw: WriteAheadLog.Break, validFrames: Int) -> Finding {
    let message =
      switch flaw {
      case .header: "The header of the write-ahead log is not valid."
      case .frame(let number):
        "The chain of checksums of the write-ahead log breaks at frame \(number)."
      case .end(let number): "The write-ahead log ends in the middle of frame \(number + 1)."
      }
    return Finding(
      kind: .tornLog, file: file, message: message,
      reason: validFrames == 0
        ? "SQLite ignores the whole log, and the commits in it are lost."
        : "SQLite ignores the log from there on, and later commits are lost.",
      advice: "Copy the database and its log again while no process has it open, or with the "
        + "backup API.")
  }

  static func damagedDatabase(_ file: String, problems: [String]) -> Finding {
    Finding(
      kind: .damagedDatabase, file: file, count: max(problems.count, 1),
      message: "The database is damaged: \(problems.first ?? "SQLite cannot read it").",
      reason: "Queries fail or give wrong answers, and the next write may damage more.",
      advice: "Restore it from a backup, or save what is readable with '.recover' of the sqlite3 "
        + "shell.", example: problems.dropFirst().first)
  }

  static func damagedTileset(_ file: String, problems: [String], count: Int? = nil) -> Finding {
    Finding(
      kind: .damagedTileset, file: file, count: count ?? max(problems.count, 1),
      message: problems.first ?? "The tileset cannot be read.",
      reason: "MapLibre Native refuses the map, or shows less of it.",
      advice: "Install or copy the tileset again; 'holdfast map check' lists all that is wrong.",
      example: problems.dropFirst().first)
  }

  static func noTileArchive(_ file: String, _ content: SubstituteContent?) -> Finding {
    Finding(
      kind: .damagedTileset, file: file,
      message: "The file is called like a PMTiles archive, and is none.",
      reason: content.map { "It is \($0.sentence)." }
        ?? "It may be empty, encrypted or of the format MBTiles.",
      advice: content?.advice
        ?? "Look at its beginning; if it is not what the app expects, fetch the file again.")
  }

  static func foreignLog(_ file: String, database: String, because reason: String) -> Finding {
    Finding(
      kind: .foreignLog, file: file,
      // A log of its own may have brought the damage, too.
      message: "The log \(reason == ForeignLog.damages ? "may" : "does") not belong to "
        + "'\(database)': \(reason).",
      reason:
        "SQLite replays it all the same: what apps read is not what is in the database, and the "
        + "next checkpoint overwrites it.",
      advice:
        "Move the log away if the database was restored or replaced on purpose; otherwise copy "
        + "both again while no process has them open.")
  }

  static func staleIndex(
    _ index: IntegrityExamination.StaleIndex, isUnique: Bool, in file: String
  ) -> Finding {
    Finding(
      kind: .staleIndex, file: file, place: Place(table: index.table, key: index.name),
      count: index.count,
      message:
        "The index '\(index.name)' of '\(index.table)' has other values than this SQLite computes.",
      reason: "Another version or build of SQLite computes them otherwise: look-ups miss rows, and "
        + "UNIQUE accepts duplicates.",
      advice:
        // Without a schema, SQLite takes the name for that of a collation first.
        "Unless rows were lost, \(isUnique ? "change rows whose indexed values are equal now, and " : "")"
        + "run REINDEX main.\(index.name.quotedDatabaseIdentifier) with the SQLite that "
        + "the app uses, after each change of its version, or store the value in a column of its own."
    )
  }

  static func brokenConstraint(_ broken: BrokenConstraint, in file: String) -> Finding {
    Finding(
      kind: .brokenConstraint, file: file,
      place: Place(table: broken.table, column: broken.column), count: broken.count,
      message: "\(broken.description.capitalizedFirst).",
      reason:
        "Each change of such a row fails, and so does a copy of the table. It was written while "
        + "constraints were not checked, or by another version of the app or of SQLite.",
      advice:
        "The file is sound. Find the rows with a SELECT of what the constraint forbids, and correct "
        + "them in a migration of the app.")
  }

  static func brokenForeignKey(
    _ violation: ForeignKeyExamination.Violation, in file: String
  ) -> Finding {
    Finding(
      kind: .brokenConstraint, file: file,
      place: Place(
        table: violation.table, column: violation.columns.joined(separator: ", "),
        key: violation.parent),
      count: violation.count, message: "\(violation.description).",
      reason:
        "SQLite enforces foreign keys only on connections that ask for it. A join leaves such rows out, and a "
        + "migration that checks foreign keys fails.",
      advice:
        "The file is sound. 'PRAGMA foreign_key_check(\(violation.table.quotedDatabaseIdentifier))' lists the rows; "
        + "correct or delete them in a migration, and turn foreign_keys on in each connection.",
      row: violation.rows.first ?? nil)
  }

  static func unfollowedForeignKey(
    _ mismatch: ForeignKeyExamination.Mismatch, in file: String
  ) -> Finding {
    Finding(
      kind: .brokenConstraint, file: file,
      place: Place(
        table: mismatch.table,
        column: mismatch.columns.isEmpty ? nil : mismatch.columns.joined(separator: ", ")),
      message: "\(mismatch.description.capitalizedFirst).",
      reason: "Changes of the table fail on each connection that enforces foreign keys.",
      advice: mismatch.isMendedByParent
        ? "Create what is missing in a migration, or the table again without the foreign key, whose rows may not "
          + "have been examined."
        : "Create the table again in a migration, without the foreign key or with one to what is unique in a "
          + "table; its rows may not have been examined.")
  }

  static func versionDependent(
    _ expression: VersionDependentExpression, in file: String
  ) -> Finding {
    let key: String? =
      switch expression.place {
      case .index(let name): name
      case .check, .generatedColumn: nil
      }
    var column: String?
    if case .generatedColumn(let name) = expression.place { column = name }
    return Finding(
      kind: .versionDependentExpression, file: file,
      place: Place(table: expression.table, column: column, key: key),
      message: "\(expression.description.capitalizedFirst).",
      reason:
        "Another version of SQLite computes another value: look-ups miss rows, UNIQUE accepts "
        + "duplicates, and each version calls the other's file bad.",
      advice: "Store the value in a column of its own, or compute it from whole numbers and text.")
  }

  static func orphanedLog(_ file: String, database: String) -> Finding {
    Finding(
      kind: .orphanedLog, file: file,
      message: "The log has no database: '\(database)' is not in the container.",
      reason: "Its commits are lost, and a new database of that name is damaged by it.",
      advice: "Copy the database too; if it was replaced on purpose, delete the log with it.")
  }

  static func cutDatabase(_ file: String, log: String) -> Finding {
    Finding(
      kind: .tornDatabase, file: file,
      message: "The database is empty for SQLite, and '\(log)' has content.",
      reason:
        "SQLite deletes the log of an empty database when it opens it, and the commits in it.",
      advice: "Copy the container again while the app does not run; open nothing before.")
  }

  static func oversizedLog(_ file: String, bytes: Int64, frames: Int) -> Finding {
    Finding(
      kind: .oversizedLog, file: file,
      message: "The write-ahead log has \(bytes) bytes and room for \(frames) frames; SQLite "
        + "checkpoints after 1000.",
      reason: "A read that does not end, or a suspended reader, keeps the log from being "
        + "checkpointed: reads become slow and the log is backed up.",
      advice:
        "End long reads, then call checkpoint(.truncate) of a Holdfast pool. With another library, run 'PRAGMA "
        + "wal_checkpoint(TRUNCATE)' while no other connection writes: SQLite before 3.51.3 can lose commits."
    )
  }

  // MARK: Views and triggers

  static func unresolvable(_ statement: UnresolvableStatement, in file: String) -> Finding {
    let isView = statement.verb == .select
    return Finding(
      kind: isView ? .brokenView : .brokenTrigger, file: file,
      place: Place(table: statement.table, key: isView ? nil : statement.verb.rawValue),
      message: "\(statement.description.capitalizedFirst).",
      reason: isView
        ? "Queries of it fail, and so may migrations that rename a table or a column, or drop one."
        : "Apps that change the table fail, and so may migrations that rename a table or a column.",
      advice: isView
        ? "Drop the view in a migration, or create it again."
        : "Drop the trigger in a migration, or create it again.")
  }

  // MARK: Backups

  static func notExcludedFromBackup(_ file: String, bytes: Int64) -> Finding {
    Finding(
      kind: .notExcludedFromBackup, file: file,
      message: "A file of \(bytes) bytes is part of every backup.",
      reason: "It fills the user's backup, and apps whose files can be fetched again are rejected "
        + "for that.",
      advice: "If it can be fetched again, exclude its folder with FileAttributes or move it to "
        + "Library/Caches; a copy made without extended attributes does not show an exclusion.")
  }

  static func exclusionUnknown(_ file: String, bytes: Int64) -> Finding {
    Finding(
      kind: .notExamined, file: file,
      message: "Whether this file of \(bytes) bytes is excluded from backups cannot be seen here.",
      reason: "This volume does not keep extended attributes.",
      advice: "Copy the container to another volume, with its extended attributes.")
  }

  // MARK: Not examined

  static func liveDatabase(_ file: String, because reason: String) -> Finding {
    Finding(
      kind: .liveDatabase, file: file, message: "The database is live, and was not examined.",
      reason: reason, advice: "End the process that uses it, or examine a copy of the container.")
  }

  static func encryptedDatabase(_ file: String) -> Finding {
    Finding(
      kind: .encryptedDatabase, file: file,
      message: "The file is no plain SQLite database, and was not examined.",
      reason: "It looks encrypted, as with SQLCipher, or has another format.",
      advice: "Examine a decrypted copy.")
  }

  static func noDatabase(_ file: String, bytes count: Int) -> Finding {
    Finding(
      kind: .notExamined, file: file,
      message: "The file has \(count == 1 ? "one byte" : "\(count) bytes"), and is no database.",
      reason: "A page of SQLite has at least 512, encrypted or not.",
      advice: "Copy it again; if the original is the same, restore it, or ask the app what it is.")
  }

  static func unknownModule(_ table: String, _ message: String, in file: String) -> Finding {
    Finding(
      kind: .unknownModule, file: file, place: Place(table: table),
      message: "The table '\(table)' was not examined.",
      reason: "This SQLite does not have what it needs: \(message).",
      advice: "Check the table in the app, which brings it.")
  }

  static func notEvaluated(_ part: IntegrityExamination.Unexamined, in file: String) -> Finding {
    Finding(
      kind: .notExamined, file: file, place: Place(table: part.table, key: part.name),
      message: "\(part.subject.capitalizedFirst) was not examined.",
      reason: "This SQLite cannot evaluate it: \(part.reason).",
      advice:
        "Check it in the app, or with the version or the engine that wrote it; the rest of the "
        + "database was examined.")
  }

  static func emptyDatabase(_ file: String) -> Finding {
    Finding(
      kind: .notExamined, file: file, message: "The file is empty.",
      reason: "SQLite takes it for a new database without tables, as one whose content was lost.",
      advice: "If the app has created it and not used it yet, nothing is missing.")
  }

  static func withoutTables(_ file: String) -> Finding {
    Finding(
      kind: .notExamined, file: file,
      message: "The database has no table, and is one with a write-ahead log.",
      reason: "What was written since the last checkpoint is in the log ('-wal') alone: of a young "
        + "database, that is all.",
      advice: "Copy the database again with its log, or with the backup API. If the app has "
        + "created it and not used it yet, nothing is missing.")
  }

  static func otherFormat(_ file: String, _ format: String) -> Finding {
    Finding(
      kind: .notExamined, file: file, message: "The file is \(format), and was not examined.",
      reason: "This tool examines SQLite databases, property lists and JSON.",
      advice: "Examine it with the library that wrote it.")
  }

  static func laterFormat(_ file: String, version: Int) -> Finding {
    Finding(
      kind: .notExamined, file: file,
      message: "The database has version \(version) of the file format, and was not examined.",
      reason: "SQLite reads versions 1 and 2. Another engine wrote the file, such as Turso with "
        + "the journal mode 'mvcc', or a later SQLite.",
      advice: "Check it in the app, or with the engine that wrote it.")
  }

  static func substitute(_ file: String, _ content: SubstituteContent) -> Finding {
    Finding(
      kind: .notExamined, file: file, message: "The file is \(content.sentence).",
      reason: content == .gzip
        ? "It is called like a database, and none can be opened in this form."
        : "The file itself was not fetched, and what was fetched was stored under its name.",
      advice: content.advice)
  }

  static func textInPlaceOfDatabase(_ file: String) -> Finding {
    Finding(
      kind: .notExamined, file: file, message: "The file is text, and no database.",
      reason: "A page of a server, such as an error, may have been saved under its name.",
      advice: "Look at its beginning; if it is not what the app expects, fetch the file again.")
  }

  static func unreadable(_ file: String, because reason: String) -> Finding {
    Finding(
      kind: .unreadable, file: file, message: "It cannot be read, so what is in it is unknown.",
      reason: "\(reason).", advice: "Make it readable, or copy the container again.")
  }

  static func notExamined(
    _ file: String, at place: Place = .wholeFile, because reason: String, advice: String
  ) -> Finding {
    Finding(
      kind: .notExamined, file: file, place: place, message: "This was not examined.",
      reason: reason, advice: advice)
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
