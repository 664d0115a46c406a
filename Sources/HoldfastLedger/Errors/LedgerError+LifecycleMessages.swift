import HoldfastFiles

// The error messages of moves and orphans.

extension LedgerError {
  static func noFile(_ id: RecordID, in table: String) -> LedgerError {
    LedgerError(
      code: .noFile,
      message: "The record \(id) of the table '\(table)' has no file that can be used now.",
      advice: "Repair the record, or download its file again.")
  }

  static func occupied(_ path: RelocatablePath) -> LedgerError {
    LedgerError(
      code: .occupied, message: "A file exists at '\(path)', or the path cannot be examined.",
      advice: "Look for it in the list of orphans, and move or delete it.")
  }

  static func recorded(_ path: RelocatablePath, in table: String) -> LedgerError {
    LedgerError(
      code: .occupied,
      message:
        "Another record of the table '\(table)' has the path '\(path)', where no file is now.",
      advice: "Repair that record, or give it another path, and move the file again.")
  }

  static func noSpace(_ path: RelocatablePath, needed: Int64, free: Int64) -> LedgerError {
    LedgerError(
      code: .noSpace,
      message: "The volume of '\(path)' has \(free) bytes free, which are too few for \(needed) "
        + "bytes and the reserve.",
      advice: "Delete files that are not needed, or lower the reserve.")
  }

  static func changedMeanwhile(_ id: RecordID, in table: String) -> LedgerError {
    LedgerError(
      code: .changed,
      message: "The record \(id) of the table '\(table)' was changed while its file was moved.",
      advice: "Read the record again.")
  }

  static func changed(_ path: RelocatablePath, because reason: String) -> LedgerError {
    LedgerError(
      code: .changed, message: "The file '\(path)' is no orphan that can be deleted: \(reason).",
      advice: "List the orphans again.")
  }

  static func otherTables(_ names: [String]) -> LedgerError {
    LedgerError(
      code: .unknownTables,
      message: "Files may belong to records of the tables '\(names.joined(separator: "', '"))', "
        + "which are not searched.",
      advice: "Pass the ledgers of these tables.")
  }
}
