import HoldfastFiles

// Every error message of this module.

extension LedgerError {
  static func noTable(_ name: String) -> LedgerError {
    LedgerError(
      code: .unsuitableTable, message: "The database has no table '\(name)'.",
      advice: "Create the table before the ledger adopts it, or name another one.")
  }

  static func noColumn(_ column: String, of table: String) -> LedgerError {
    LedgerError(
      code: .unsuitableTable, message: "The table '\(table)' has no column '\(column)'.",
      advice: "Name the table's own columns in LedgerTable.")
  }

  static func computed(_ column: String, of table: String) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message:
        "The column '\(column)' of the table '\(table)' is generated, so that no path can be "
        + "written to it.",
      advice: "Name the column from which it is computed.")
  }

  static func rolledBack(_ reason: String, by table: String, isByTrigger: Bool) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message:
        "\(isByTrigger ? "A trigger" : "A constraint") of the table '\(table)' has rolled back "
        + "the transaction of the repair: \(reason).",
      advice: isByTrigger
        ? "Remove the trigger, or let it refuse a single row with RAISE(ABORT)."
        : "Resolve the conflict first, or declare the constraint without ON CONFLICT ROLLBACK.")
  }

  static func unknownTable(
    _ reason: String, in table: String, _ cause: any Error
  ) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message: "The table '\(table)' cannot be changed: \(reason).",
      advice:
        "Look at its triggers and foreign keys, one of which names a table that is not there.",
      underlying: cause)
  }

  static func endlessTrigger(of table: String, _ cause: any Error) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message:
        "A trigger of the table '\(table)' does not end within \(RecordWriter.stepLimit) steps of "
        + "SQLite.",
      advice: "Look at the triggers of the table.", underlying: cause)
  }

  static func endlessTrigger(beside table: String) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message: "The table '\(table)' cannot be changed: a trigger of its database mentions common "
        + "table expressions and views that become more statements than SQLite can prepare.",
      advice: "Look at the triggers of the database, and drop the one that is not the app's.")
  }

  static func noKey(_ columns: [String], of table: String, isVirtual: Bool) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message: "The columns '\(columns.joined(separator: "', '"))' are not a unique key of the "
        + "table '\(table)', so two rows could have one identifier.",
      advice: isVirtual
        ? "Keep the records in a table that is not virtual: SQLite makes no index on others."
        : "Name the columns of the primary key, or create a unique index on these.")
  }

  static func nullIdentifier(in table: String) -> LedgerError {
    LedgerError(
      code: .noRecord,
      message: "The identifier of a row of '\(table)' is NULL, so that nothing finds "
        + "the row again.",
      advice: "Give the row an identifier, or declare the column NOT NULL.")
  }

  static func absolutePath(_ text: String, in table: String) -> LedgerError {
    LedgerError(
      code: .absolutePaths,
      message: "The table '\(table)' contains absolute paths, such as '\(text)', and no dialect "
        + "is named in which to write them.",
      advice: "Name the dialect that the app's own resolver reads, as LedgerTable.dialect.")
  }

  static func notAdopted(_ table: String) -> LedgerError {
    LedgerError(
      code: .notAdopted, message: "The table '\(table)' is not adopted by a ledger.",
      advice: "Call adopt() once, or only look with a dry run.")
  }

  static func noRecord(_ id: RecordID, in table: String) -> LedgerError {
    LedgerError(
      code: .noRecord, message: "The table '\(table)' has no record \(id).",
      advice: "Insert the row before its file is recorded.")
  }

  static func notCleared(_ id: RecordID, in table: String) -> LedgerError {
    LedgerError(
      code: .notCleared,
      message: "The record \(id) of the table '\(table)' was not cleared by a repair.",
      advice: "Restore only records whose state is cleared.")
  }

  static func unwritable(_ path: RelocatablePath, in table: String) -> LedgerError {
    LedgerError(
      code: .unwritablePath,
      message: "The dialect of the table '\(table)' has no text for '\(path)'.",
      advice: "Choose a root that the dialect names, or a dialect that names this root.")
  }

  static func noFile(inText text: String) -> LedgerError {
    LedgerError(
      code: .noFile, message: "'\(text)' is not the path of a file.",
      advice: "Keep empty paths and addresses on the network apart from files.")
  }

  static func wrongImportCount(
    expected: Int, found: Int, in table: String
  ) -> LedgerError {
    LedgerError(
      code: .unsuitableTable,
      message: "The table '\(table)' has \(found) rows more after an import of \(expected).",
      advice: "Look for a trigger of the table that adds or removes rows.")
  }

  static func repairRunning(in table: String) -> LedgerError {
    LedgerError(
      code: .repairRunning,
      message:
        "Another repair of the table '\(table)' is running and did not end within the budget.",
      advice: "Repair again later, or await the other one.")
  }

  static func repairTakenOver(in table: String) -> LedgerError {
    LedgerError(
      code: .repairRunning,
      message: "Another process has taken over the repair of the table '\(table)'.",
      advice: "Leave the repair to the other process; what was written until now is kept.")
  }

  static func inUse(_ database: String, _ user: String) -> LedgerError {
    LedgerError(
      code: .databaseInUse,
      message: "The database '\(database)' was not deleted, because \(user) has it open.",
      advice: "Close every connection to the database before it is reset.")
  }
}
