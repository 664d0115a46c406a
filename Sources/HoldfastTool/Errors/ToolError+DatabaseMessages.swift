import Foundation
import Holdfast
import HoldfastFiles

// The error messages about databases and SQL.
extension ToolError {
  // MARK: Databases

  /// The error when the feed of a timetable, or another archive, is given in place of a database.
  static func feedAsDatabase(_ path: String, isFolder: Bool) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: isFolder
        ? "'\(path)' is a GTFS feed, not a timetable database."
        : "'\(path)' is a ZIP archive, as feeds are, not a database.",
      advice: "Import it first: holdfast transit import \(path.quotedForShell) timetable.db",
      file: path)
  }

  static func noDatabaseButFolder(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' is a folder, not a database.",
      advice: "Name the database file itself.", file: path)
  }

  static func notADatabase(_ cause: DatabaseError) -> ToolError {
    switch cause.encryptionFault {
    case .wrongKey:
      database(
        .badData, "cannot be read with the key that was given, or is no database.",
        "Check the key and, if the header is readable, the salt in HOLDFAST_CIPHER_SALT.", cause)
    case .notEncrypted:
      database(
        .badData, "is not encrypted, and a key was given.", "Unset the variable with the key.",
        cause)
    case .missingKey where Database.canDecrypt:
      database(
        .badData, "is encrypted, or no SQLite database.",
        "Give the key in the variable HOLDFAST_KEY, or in the file that HOLDFAST_KEY_FILE names.",
        cause)
    default:
      database(
        .badData, "is not a SQLite database.",
        "Check the path; a database that is encrypted is read by a tool that was built with "
          + "SQLCipher.", cause)
    }
  }

  static func laterFormat(_ path: String, version: Int) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "'\(path)' has version \(version) of the file format, and SQLite reads versions "
        + "1 and 2.",
      advice: "Read it with the engine that wrote it, such as Turso, which in journal mode 'wal' "
        + "writes version 2.", file: path)
  }

  static func otherFormat(_ path: String, _ format: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' is \(format), not one of SQLite.",
      advice: format == FileStart.tileArchive
        ? "Read it with 'holdfast map'." : "Read it with the library that wrote it.",
      file: path)
  }

  static func logAsDatabase(_ path: String, _ log: String) -> ToolError {
    let suffix = ["-wal", "-journal"].first { path.hasSuffix($0) }
    let name = suffix.map { "'\(path.dropLast($0.count))'" } ?? "which lay next to it"
    return ToolError(
      exitCode: .badData, message: "'\(path)' is the \(log) of a database, and no database itself.",
      advice: "Name the database, \(name).", file: path)
  }

  static func substitute(_ path: String, _ content: SubstituteContent) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' is no database: it is \(content.sentence).",
      advice: content.advice, file: path)
  }

  static func encryptedAfterHeader(_ path: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' is encrypted after a readable header.",
      advice: Database.canDecrypt
        ? "Give the key in the variable HOLDFAST_KEY and the salt in HOLDFAST_CIPHER_SALT."
        : "Read it with a tool that was built with SQLCipher.", file: path)
  }

  static func emptyKey(_ variable: String, _ fileVariable: String) -> ToolError {
    ToolError(
      exitCode: .usage,
      message: "The key in \(variable), or in the file of \(fileVariable), is empty.",
      advice: "Set one of them to the passphrase, or to a raw key as x'…' with 64 digits.")
  }

  static func keyNotRead(_ file: String, _ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "The file '\(file)' with the key cannot be read as text.",
      advice: "Check the path, and that you may read it.", file: file, underlying: cause)
  }

  static func invalidSalt(_ variable: String) -> ToolError {
    ToolError(
      exitCode: .usage, message: "\(variable) is no salt of a database.",
      advice: "Set it to 32 hexadecimal digits.")
  }

  static func noEncryption(_ variable: String) -> ToolError {
    ToolError(
      exitCode: .unavailable,
      message: "\(variable) is set, and this tool was built without encryption.",
      advice: "Build it with 'swift build --traits SQLCipher', or unset the variable.")
  }

  static func notLockedAndNoDatabase(_ path: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' is not a SQLite database, and has no locks.",
      advice: "Check the path; for an encrypted database, only the statement about locks applies.",
      file: path)
  }

  /// The error when the locks of a database cannot be determined.
  static func locksUnavailable(_ cause: FileError) -> ToolError {
    ToolError(
      exitCode: .unavailable, message: cause.message, advice: cause.advice, file: cause.path,
      underlying: cause)
  }

  /// The error when no lock is visible, but some may be hidden.
  static func locksHidden(_ path: String) -> ToolError {
    ToolError(
      exitCode: .unavailable,
      message:
        "Whether '\(path)' is locked cannot be determined: no lock is shown, and the locks of "
        + "processes outside of this PID namespace are hidden.",
      advice: "Run the command outside of the container.", file: path)
  }

  /// The error when SQLite would delete a file next to an empty database: its "log" or its "journal".
  static func emptyDatabase(
    _ path: String, hasByte: Bool, _ kind: String, named companion: String
  ) -> ToolError {
    ToolError(
      exitCode: .badData,
      message: "'\(path)' \(hasByte ? "has one byte" : "is empty"), and its \(kind) "
        + "'\(companion)' has content, which SQLite would delete.",
      advice:
        "Copy both again while no process has them open; if the database was replaced on purpose, "
        + "move the \(kind) away.", file: path)
  }

  static func hotJournal(_ cause: DatabaseError) -> ToolError {
    database(
      .badData,
      "has a hot journal: a transaction was interrupted, and the database is inconsistent until the "
        + "journal is rolled back.",
      "Keep both files together and open the database once with SQLite, which rolls the transaction "
        + "back.", cause)
  }

  static func damaged(_ cause: DatabaseError) -> ToolError {
    if cause.foreignSyntax != nil { return foreignSyntax(cause) }
    return database(
      .badData, "is damaged: \(reason(of: cause)).", "Restore it from a backup or from its source.",
      cause)
  }

  /// The error about a schema of another version or engine, which SQLite calls malformed.
  private static func foreignSyntax(_ cause: DatabaseError) -> ToolError {
    database(
      .badData, "is of another version or engine: \(reason(of: cause)).",
      "Read it with the one that wrote it; 'holdfast db check' examines the rest.", cause)
  }

  /// The words with which SQLite says that an app, or another version or engine, has what it lacks.
  private static let lacking = [
    "no such function", "unknown function", "no such collation sequence", "no such module",
    "no such tokenizer", "unknown tokenizer", "foreign key mismatch", "malformed JSON",
    // A table without rowids whose key has a collation sequence that is missing.
    "no query solution",
  ]

  static func otherTables(_ cause: DatabaseError) -> ToolError {
    if let message = cause.message, lacking.contains(where: message.hasPrefix) {
      return database(
        .badData, "needs what this SQLite does not have: \(reason(of: cause)).",
        "Read it in the app, or with the version or the engine that wrote it.", cause)
    }
    return database(
      .badData, "does not have the expected structure: \(reason(of: cause)).",
      "Create it again, or restore it from its source.", cause)
  }

  static func refusedChange(_ cause: DatabaseError) -> ToolError {
    database(
      .badData, "has refused a change: \(reason(of: cause)).",
      "Look at the constraints and the triggers of the table.", cause)
  }

  static func tooLargeValue(_ cause: DatabaseError) -> ToolError {
    database(
      .badData, "has a value that is too large: \(reason(of: cause)).",
      "Look at the definitions of its tables and views.", cause)
  }

  static func endlessStatement(_ cause: DatabaseError) -> ToolError {
    database(
      .badData, "was not read to its end: \(reason(of: cause)).",
      "Look at the definitions of its views and triggers.", cause)
  }

  static func locked(_ cause: DatabaseError) -> ToolError {
    database(
      .unavailable, "is locked by another process" + (cause.obstacle.map { ": \($0)." } ?? "."),
      "Try again when that process has finished.",
      cause)
  }

  static func notOpened(_ cause: DatabaseError) -> ToolError {
    database(
      .noInput, "cannot be opened: \(reason(of: cause)).",
      "Check that you may read the file and, if it has a write-ahead log, write in its folder.",
      cause)
  }

  /// The error for a database whose log or journal cannot be read.
  static func notOpened(_ path: String, because reason: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "'\(path)' cannot be opened: \(reason).",
      advice: "Make it readable, or copy the database again together with it.", file: path)
  }

  /// The error for a database whose log SQLite cannot create, for example in a read-only folder.
  static func notReadWithoutWriting(_ cause: DatabaseError) -> ToolError {
    database(
      .noInput, "cannot be read: \(reason(of: cause)).",
      cause.extendedResultCode == .SQLITE_READONLY
        ? "Check that you may write the file and in its folder."
        : cause.advice ?? "Make the folder of the database writable.", cause)
  }

  static func logWriteProtected(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput,
      message: "'\(path)' has a write-ahead log, which cannot be read while the file or its folder "
        + "is write-protected.",
      advice: "Make both writable, or copy the file and read the copy.", file: path)
  }

  static func diskFull(_ cause: DatabaseError) -> ToolError {
    database(
      .inputOutput, "could not be written: the disk is full.", "Free some space and try again.",
      cause)
  }

  static func notReadOrWritten(_ cause: DatabaseError) -> ToolError {
    database(
      .inputOutput, "could not be read or written: \(reason(of: cause)).",
      "Check the disk, and try again.", cause)
  }

  private static func database(
    _ exitCode: ExitCode, _ predicate: String, _ advice: String, _ cause: DatabaseError
  ) -> ToolError {
    ToolError(
      exitCode: exitCode,
      message: cause.path.map { "'\($0)' \(predicate)" } ?? "The database \(predicate)",
      advice: advice, file: cause.path, underlying: cause)
  }

  private static func reason(of cause: DatabaseError) -> String {
    let reason = cause.message ?? cause.description
    return cause.systemErrno == 0 ? reason : "\(reason) (errno \(cause.systemErrno))"
  }

  /// The error when the rows of one table cannot be read, and other tables' rows may be.
  static func tableNotRead(_ table: String, _ cause: DatabaseError) -> ToolError {
    let exitCode = database(cause).exitCode
    return ToolError(
      exitCode: exitCode == .internalFault ? .badData : exitCode,
      message: "The table '\(table)' cannot be read: \(reason(of: cause)).",
      advice: "Read it in the app, which may have its module, tokenizer or collation.",
      file: cause.path, underlying: cause)
  }

  static func noHistory(_ path: String) -> ToolError {
    ToolError(
      exitCode: .badData, message: "'\(path)' has no change history.",
      advice: "The app that owns it adds one with ChangeHistory.install(on:tables:).", file: path)
  }

  static func historyExpired(_ reason: ChangeHistory.Expiration, _ path: String) -> ToolError {
    let message =
      switch reason {
      case .otherStore: "The token is from another database than '\(path)'."
      case .purged: "The history of '\(path)' no longer contains the changes after the token."
      case .replaced: "'\(path)' was replaced by an older copy since the token was issued."
      case .outdatedTriggers:
        "The history of '\(path)' may lack changes: its tables were altered without it."
      }
    return ToolError(
      exitCode: .badData, message: message,
      advice: reason == .outdatedTriggers
        ? "Let the app that owns it open it, which repairs the history."
        : "Omit --after to see all changes that are kept.", file: path)
  }

  static func backupOntoItself(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' is the database that is to be copied.",
      advice: "Name another file.", file: path)
  }

  // MARK: SQL

  static func sqlNotText() -> ToolError {
    ToolError(
      exitCode: .badData, message: "The SQL on standard input is not UTF-8.",
      advice: "Convert it, for instance with iconv.")
  }

  static func sqlRefused(_ cause: DatabaseError, _ hint: SQLNameHint?) -> ToolError {
    let advice =
      switch hint {
      case .tables(let names): "Read it from \(names.joined(separator: ", "))."
      case .column(let name): "Name its table too, as in \(name)."
      case .columns(let names, let table):
        "Name columns as GTFS does: 'SELECT \(names.joined(separator: ", ")) FROM \(table)'."
      case .similarColumn(let name): "Did you mean '\(name)'?"
      case .missingFile(let name): "Leave the table out: the feed of this timetable has no \(name)."
      case nil where cause.message?.hasPrefix("access to view ") == true:
        "Views of this file mention one another without an end. Read its tables instead."
      case nil: "Correct it; 'SELECT name FROM pragma_table_list' shows the tables and views."
      }
    return usage("SQLite refuses the SQL: \(reason(of: cause)).", advice)
  }

  /// The error when a statement or a command line names a table that is not there.
  ///
  /// - Parameters:
  ///   - name: The name, as it was given.
  ///   - tables: The names of all tables and views.
  /// - Returns: An error that names a similar table, or says that the name is a view.
  static func noTable(_ name: String, tables: [String]) -> ToolError {
    if tables.isEmpty {
      return usage(
        "The database has no table '\(name)', and no other one.",
        "Check the path: this database is empty.")
    }
    let identifier = name.foldedDatabaseIdentifier
    if tables.contains(where: { $0.foldedDatabaseIdentifier == identifier }) {
      return usage("'\(name)' is a view, and no table.", "Name a table whose rows it shows.")
    }
    let lookAlike = Suggestion.nearest(to: name, among: tables)
    return usage(
      "The database has no table '\(name)'.",
      (lookAlike.map { "Did you mean '\($0)'? " } ?? "")
        + "'SELECT name FROM sqlite_schema' shows the tables.")
  }

  static func sqlHoldsSeveral() -> ToolError {
    usage("The SQL holds more than one statement.", "Give one; run the command once for each.")
  }

  static func sqlWrites() -> ToolError {
    usage(
      "The SQL may change the database, and this command only reads.",
      "Give a statement that reads, such as a SELECT.")
  }

  static func sqlHasNoRows() -> ToolError {
    usage(
      "The SQL has no rows to print.", "Give a statement that reads, such as a SELECT.")
  }

  static func sqlHasParameters(_ count: Int) -> ToolError {
    usage(
      "The SQL has \(count) \(count == 1 ? "parameter" : "parameters") and nothing to fill in.",
      "Write the values into the SQL.")
  }
}
