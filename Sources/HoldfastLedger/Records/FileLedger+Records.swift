import Foundation
public import Holdfast
public import HoldfastFiles

extension FileLedger {
  // MARK: - Reading

  /// Returns a record.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The record; `nil` when there is none.
  /// - Throws: ``LedgerError`` with `.unsuitableTable`; `DatabaseError`.
  public func record(_ id: RecordID) async throws -> LedgerRecord? {
    let ledger = self
    return try await writer.read { db in try ledger.record(db, id) }
  }

  /// Returns a record inside an access, for example in an observation.
  ///
  /// ```swift
  /// let observation = ValueObservation.tracking { db in try ledger.record(db, "book-1") }
  /// ```
  ///
  /// - Parameters:
  ///   - db: The connection of the access.
  ///   - id: The identifier.
  /// - Returns: The record; `nil` when there is none.
  /// - Throws: ``LedgerError`` with `.unsuitableTable`; `DatabaseError`.
  public func record(_ db: Database, _ id: RecordID) throws -> LedgerRecord? {
    let rows = try LedgerRows(self, db)
    guard id.values.count == rows.layout.ids.count else { return nil }
    return try Row.fetchOne(
      db, sql: rows.selection + " WHERE " + rows.layout.hasAliasedID,
      arguments: StatementArguments(TableLayout.idArguments(id))
    ).map(rows.record)
  }

  /// Returns a cursor of all records, in no particular order.
  ///
  /// Rows whose identifier is NULL are left out.
  ///
  /// - Parameter db: The connection of the access.
  /// - Returns: The cursor, which keeps one record in memory.
  /// - Throws: ``LedgerError`` with `.unsuitableTable`; `DatabaseError`.
  public func records(_ db: Database) throws -> some Cursor<LedgerRecord> {
    let rows = try LedgerRows(self, db)
    return RecordCursor(
      rows: try Row.fetchCursor(
        db, sql: rows.selection + " WHERE " + rows.layout.hasIdentifier), decode: rows.record)
  }

  // MARK: - Writing

  /// Records a file: updates the row, or inserts one.
  ///
  /// Other columns that are NOT NULL need a default value, or a row that exists. A tombstone of the
  /// record is removed.
  ///
  /// - Parameters:
  ///   - db: A connection in a write.
  ///   - id: The identifier.
  ///   - path: The path of the file.
  ///   - digest: The length and the digest, by which the file is found again under another name.
  /// - Throws: ``LedgerError`` with `.notAdopted`, with `.noRecord` when the identifier contains NULL,
  ///   with `.unwritablePath` when the dialect has no text for the path; `DatabaseError`.
  public func record(
    _ db: Database, _ id: RecordID, at path: RelocatablePath, digest: FileDigest? = nil
  ) throws {
    guard !id.hasNull else { throw LedgerError.nullIdentifier(in: table.name) }
    let (layout, source) = try adopted(db)
    let old = try LedgerRows(self, db).examined(id, db)
    let form = old.flatMap { dialect.form(of: $0.record.storedText) } ?? .absolute
    guard
      let written = dialect.write(path, as: form, hasLocation: layout.location != nil)
    else { throw LedgerError.unwritable(path, in: table.name) }

    var columns: [(name: String, value: DatabaseValue)] = [
      (layout.path, written.value(like: old?.target.text ?? .null))
    ]
    if let column = layout.location, let location = written.location {
      columns.append((column, location.databaseValue))
    }
    if let column = layout.state { columns.append((column, true.databaseValue)) }
    let now = try currentTime(like: layout, db)
    if old != nil {
      if let column = layout.updateTime { columns.append((column, now)) }
      try db.execute(
        sql: "UPDATE \(layout.table) SET "
          + columns.map { "\($0.name) = ?" }.joined(separator: ", ") + " WHERE " + layout.hasID,
        arguments: StatementArguments(columns.map(\.value) + TableLayout.idArguments(id)))
    } else {
      columns += layout.insertionTimes.map { ($0, now) }
      columns += zip(layout.ids, id.values).map { ($0, $1) }
      try db.execute(
        sql: "INSERT INTO \(layout.table) (\(columns.map(\.name).joined(separator: ", "))) "
          + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
        arguments: StatementArguments(columns.map(\.value)))
    }
    try setDigest(digest, of: id, at: path, layout, source, db)
    try removeNotice(of: id, layout, source, db)
  }

  /// Records a file: updates the row, or inserts one.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - path: The path of the file.
  ///   - digest: The length and the digest, by which the file is found again under another name.
  /// - Throws: The errors of ``record(_:_:at:digest:)``.
  public func record(
    _ id: RecordID, at path: RelocatablePath, digest: FileDigest? = nil
  ) async throws {
    let ledger = self
    try await writer.write { db in try ledger.record(db, id, at: path, digest: digest) }
  }

  /// Restores a record that a repair has cleared.
  ///
  /// - Parameter id: The identifier.
  /// - Throws: ``LedgerError`` with `.notAdopted`, `.noRecord`, `.notCleared`; `DatabaseError`.
  public func restore(_ id: RecordID) async throws {
    let ledger = self
    try await writer.write { db in try ledger.restore(db, id) }
  }

  /// Restores a record inside a write.
  ///
  /// - Parameters:
  ///   - db: A connection in a write.
  ///   - id: The identifier.
  /// - Throws: The errors of ``restore(_:)``.
  public func restore(_ db: Database, _ id: RecordID) throws {
    let (layout, source) = try adopted(db)
    guard let (record, target) = try LedgerRows(self, db).examined(id, db) else {
      throw LedgerError.noRecord(id, in: table.name)
    }
    guard record.state == .cleared else { throw LedgerError.notCleared(id, in: table.name) }
    if let state = layout.state {
      try db.execute(
        sql: "UPDATE \(layout.table) SET \(state) = 1 WHERE " + layout.hasID,
        arguments: StatementArguments(TableLayout.idArguments(id)))
    }
    try RecordWriter(layout: layout, source: source).removeTombstone(of: target, db)
  }

  private func removeNotice(
    of id: RecordID, _ layout: TableLayout, _ source: Int64, _ db: Database
  ) throws {
    try LifecycleTables.removeNotice(
      of: "(SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.hasAliasedID))",
      StatementArguments([source.databaseValue] + TableLayout.idArguments(id)), db)
  }

  private func setDigest(
    _ digest: FileDigest?, of id: RecordID, at path: RelocatablePath, _ layout: TableLayout,
    _ source: Int64, _ db: Database
  ) throws {
    let ofRow = "(SELECT \(layout.key) FROM \(layout.aliased) WHERE \(layout.hasAliasedID))"
    let arguments = [source.databaseValue] + TableLayout.idArguments(id)
    // A new file may have other content, so that an old digest would be a false one.
    try db.execute(
      sql: "DELETE FROM main.holdfast_ledger_files WHERE source = ? AND key = \(ofRow)",
      arguments: StatementArguments(arguments))
    guard let digest else { return }
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_files (source, key, byte_count, sha256, digest_path)
        SELECT ?, \(ofRow), ?, ?, ?
        """,
      arguments: StatementArguments(
        arguments + [
          digest.byteCount.databaseValue, Data(digest.sha256.bytes).databaseValue,
          path.identityText.databaseValue,
        ]))
  }

  /// Returns the current time in the form in which the table's times are stored.
  ///
  /// Apps store seconds, milliseconds or text; any row shows which. A maximum of the column would read
  /// the whole table.
  func currentTime(like layout: TableLayout, _ db: Database) throws -> DatabaseValue {
    let now = Date()
    guard let column = layout.updateTime ?? layout.insertionTimes.first ?? layout.lastAccess,
      let known = try DatabaseValue.fetchOne(
        db,
        sql: "SELECT \(column) FROM \(layout.table) WHERE \(column) IS NOT NULL LIMIT 1")
    else { return now.databaseValue }
    return StoredTime.value(of: now, like: known)
  }
}

/// A cursor that converts rows to records.
final class RecordCursor: Cursor {
  private let rows: RowCursor
  private let decode: (Row) throws -> LedgerRecord

  init(rows: RowCursor, decode: @escaping (Row) throws -> LedgerRecord) {
    self.rows = rows
    self.decode = decode
  }

  func next() throws -> LedgerRecord? {
    try rows.next().map(decode)
  }
}
