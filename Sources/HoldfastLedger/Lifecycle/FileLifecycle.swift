public import Foundation
import Holdfast
import HoldfastFiles

/// The life of a ledger's files: their use, their moves between the documents and the caches, and
/// what the system or the app leaves behind.
///
/// ```swift
/// let lifecycle = FileLifecycle(ledger)
/// try await lifecycle.recoverMoves()                       // at launch
/// let book = try await lifecycle.prepareForUse("book-1")   // before it is played
/// try await lifecycle.recordUse("book-1", for: .seconds(30))
/// try await lifecycle.apply(budget: .seconds(2))           // in idle time
/// try await lifecycle.sweepPurged(budget: .seconds(2))     // in idle time
/// ```
///
/// The ledger must be adopted. Uses, pins and moves that are not completed are in side tables, so
/// they survive a new download of the record's file and the end of the process.
public struct FileLifecycle: Sendable {
  /// The ledger of the files.
  public let ledger: FileLedger

  /// The rules.
  public var policy: LifecyclePolicy

  /// Creates the lifecycle of a ledger's files; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - ledger: The ledger.
  ///   - policy: The rules.
  public init(_ ledger: FileLedger, policy: LifecyclePolicy = LifecyclePolicy()) {
    self.ledger = ledger
    self.policy = policy
  }

  // MARK: - Use

  /// Returns the known use of a record's file.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The use; `nil` when there is no record, or when it stands for no file.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.unsuitableTable`; `DatabaseError`.
  public func use(of id: RecordID) async throws -> FileUse? {
    let ledger = ledger
    return try await ledger.writer.read { db in
      try FileUses(ledger, db).entry(id, db)?.use
    }
  }

  /// Adds a use of a record's file.
  ///
  /// The time of the last access is recorded whenever the uses since the previous one reach
  /// ``LifecyclePolicy/countedUse``, also across launches; then the file is no longer finished.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - duration: How long the file was used since the last call.
  ///   - time: The end of the use; now by default.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.noRecord`, `.unsuitableTable`; `DatabaseError`.
  public func recordUse(
    _ id: RecordID, for duration: Duration, at time: Date = Date()
  ) async throws {
    let policy = policy
    try await changeUse(of: id) { use in use.add(duration, at: time, policy) }
  }

  /// Marks a record's file as finished, which is an access too.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - time: The time of the access; now by default.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.noRecord`, `.unsuitableTable`; `DatabaseError`.
  public func finish(_ id: RecordID, at time: Date = Date()) async throws {
    try await changeUse(of: id) { use in
      use.isFinished = true
      use.lastAccess = time
      use.uncounted = .zero
    }
  }

  /// Keeps a record's file in the documents, or no longer keeps it there.
  ///
  /// The file moves with the next ``apply(budget:at:excluding:)``.
  ///
  /// - Parameters:
  ///   - isPinned: Whether it is kept.
  ///   - id: The identifier.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.noRecord`, `.unsuitableTable`; `DatabaseError`.
  public func setPinned(_ isPinned: Bool, for id: RecordID) async throws {
    try await changeUse(of: id) { use in use.isPinned = isPinned }
  }

  private func changeUse(
    of id: RecordID, _ change: @escaping @Sendable (inout FileUse) -> Void
  ) async throws {
    let ledger = ledger
    try await ledger.writer.write { db in
      let uses = try FileUses(ledger, db)
      guard let entry = try uses.entry(id, db) else {
        throw LedgerError.noRecord(id, in: ledger.table.name)
      }
      // A record that stands for no file now may get one.
      let old = entry.use ?? FileUse(root: .documents)
      var use = old
      change(&use)
      try uses.write(use, changedFrom: old, of: entry.found, db)
    }
  }
}

/// The uses of a ledger's files, in the app's table and in the side table.
struct FileUses {
  let rows: LedgerRows
  let source: Int64

  init(_ ledger: FileLedger, _ db: Database) throws {
    rows = try LedgerRows(ledger, db)
    guard let source = rows.source else { throw LedgerError.notAdopted(ledger.table.name) }
    self.source = source
  }

  /// A record, what else is known of it, and the use of its file; no use when it stands for none.
  struct Entry {
    var found: LedgerRows.Found
    var use: FileUse?
  }

  /// The selection that ``entry(_:)`` decodes, without a condition.
  func selection(_ db: Database) throws -> String {
    let layout = rows.layout
    let access = layout.lastAccess.map(layout.column) ?? "NULL"
    let hasUses = try LifecycleTables.exist(db)
    let columns =
      hasUses
      ? "holdfast_use.accessed_at, holdfast_use.uncounted_milliseconds, "
        + "holdfast_use.is_finished, holdfast_use.is_pinned" : "NULL, NULL, NULL, NULL"
    let join =
      hasUses
      ? """
       LEFT JOIN main.holdfast_ledger_uses AS holdfast_use
      ON holdfast_use.source = \(source) AND holdfast_use.key = \(layout.key)
      """ : ""
    return "SELECT \(layout.locator), \(layout.key), \(access), \(columns), "
      + rows.columns(withSide: true) + " FROM \(layout.aliased)" + rows.sideJoin + join
  }

  func entry(_ row: Row) throws -> Entry {
    let record = try rows.record(row, from: 7)
    let target = RecordWriter.Target(
      locator: row[0], text: row[7 + rows.layout.ids.count])
    let found = LedgerRows.Found(record: record, target: target, key: row[1])
    guard let root = record.path?.root else { return Entry(found: found) }
    var use = FileUse(root: root)
    use.lastAccess =
      rows.layout.lastAccess == nil
      ? Double.fromDatabaseValue(row[3]).map(Date.init(timeIntervalSince1970:))
      : StoredTime.date(from: row[2])
    use.uncounted = .milliseconds(Int64.fromDatabaseValue(row[4]) ?? 0)
    use.isFinished = Bool.fromDatabaseValue(row[5]) ?? false
    use.isPinned = Bool.fromDatabaseValue(row[6]) ?? false
    return Entry(found: found, use: use)
  }

  func entry(_ id: RecordID, _ db: Database) throws -> Entry? {
    guard id.values.count == rows.layout.ids.count else { return nil }
    return try Row.fetchOne(
      db, sql: try selection(db) + " WHERE " + rows.layout.hasAliasedID,
      arguments: StatementArguments(TableLayout.idArguments(id))
    ).map(entry)
  }

  func write(
    _ use: FileUse, changedFrom old: FileUse, of found: LedgerRows.Found, _ db: Database
  ) throws {
    try LifecycleTables.create(db)
    let (seconds, attoseconds) = use.uncounted.components
    let hasColumn = rows.layout.lastAccess != nil
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_uses
          (source, key, accessed_at, uncounted_milliseconds, is_finished, is_pinned)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (source, key) DO UPDATE SET accessed_at = excluded.accessed_at,
          uncounted_milliseconds = excluded.uncounted_milliseconds,
          is_finished = excluded.is_finished, is_pinned = excluded.is_pinned
        """,
      arguments: [
        source, found.key, hasColumn ? nil : use.lastAccess?.timeIntervalSince1970,
        seconds * 1000 + attoseconds / 1_000_000_000_000_000, use.isFinished, use.isPinned,
      ])
    guard let column = rows.layout.lastAccess, let access = use.lastAccess,
      use.lastAccess != old.lastAccess
    else { return }
    try set(column, to: access, at: found.target.locator, db)
  }

  /// Sets a column of times in the app's table, in the form of its other times.
  func set(
    _ column: String, to time: Date?, at locator: DatabaseValue, _ db: Database
  ) throws {
    var value = DatabaseValue.null
    if let time {
      let columns =
        [column, rows.layout.updateTime].compactMap(\.self) + rows.layout.insertionTimes
      var known = DatabaseValue.null
      for column in columns where known.isNull {
        // Any row shows the form; a maximum of the column would read the whole table.
        known =
          try DatabaseValue.fetchOne(
            db,
            sql: """
              SELECT \(column) FROM \(rows.layout.table) WHERE \(column) IS NOT NULL LIMIT 1
              """) ?? .null
      }
      value = StoredTime.value(of: time, like: known)
    }
    try db.execute(
      sql: "UPDATE \(rows.layout.table) SET \(column) = ? WHERE \(rows.layout.isAtLocator)",
      arguments: StatementArguments([value] + (try rows.layout.locatorValues(locator, db))))
  }
}
