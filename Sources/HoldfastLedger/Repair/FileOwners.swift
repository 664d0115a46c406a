import Foundation
import Holdfast
import HoldfastFiles

/// The records to which files belong, so that a repair never gives a file to a second record.
///
/// Paths are compared as the least exact file system would, ignoring letter case and Unicode
/// normalization; where two are alike, the files themselves decide.
struct FileOwners {
  let rows: LedgerRows

  /// The state of the database that the temporary table reflects.
  private var stamp: [Int64]?

  /// Whether a temporary index is built, which pays for many files.
  private let isIndexed: Bool

  /// Whether cleared records have their files too; only with an index.
  private let includesCleared: Bool

  init(_ rows: LedgerRows, isIndexed: Bool = true, includesCleared: Bool = false) {
    self.rows = rows
    self.isIndexed = isIndexed
    self.includesCleared = includesCleared
  }

  /// Returns whether a file belongs to another record.
  ///
  /// - Parameters:
  ///   - candidate: The file.
  ///   - locator: The record that would get the file.
  ///   - db: The writing connection.
  /// - Returns: Whether another recorded row has the file, under any of its names.
  /// - Throws: `DatabaseError`.
  mutating func owns(
    _ candidate: FileFinder.Candidate, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    if isIndexed { try update(db) }
    return try ([candidate.found.path] + candidate.otherNames).contains { name in
      isIndexed
        ? try lookUp(name, candidate.status, except: locator, db)
        : try scan(name, candidate.status, except: locator, db)
    }
  }

  private func lookUp(
    _ path: RelocatablePath, _ status: FileStatus, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    let others = try Row.fetchAll(
      db,
      sql: """
        SELECT path FROM temp.holdfast_ledger_owners WHERE folded = ? AND locator IS NOT ?
        """, arguments: [Self.folded(path), locator])
    return try others.contains { row in
      let other = try RelocatablePath(text: row.decode(atIndex: 0))
      return other == path || isSameFile(other, status)
    }
  }

  /// Reads the rows that may have the file's name.
  private func scan(
    _ path: RelocatablePath, _ status: FileStatus, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    let name = path.lastComponent ?? ""
    let layout = rows.layout
    let column = layout.column(layout.path)
    // SQLite's lower() knows ASCII only, and URLs have escapes; such texts are all read.
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    let condition =
      isASCII
      ? """
      (lower(substr(\(column), \(-name.utf8.count))) = ?
        OR lower(substr(\(column), 1, 5)) = 'file:' OR \(column) GLOB '*[^ -~]*')
      """ : "? IS NOT NULL"
    let location = layout.location.map(layout.column) ?? "NULL"
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(column), \(location) FROM \(layout.aliased)
        WHERE \(layout.isRecorded) AND \(layout.locator) IS NOT ? AND \(condition)
        """, arguments: [locator, name.lowercased()])
    var reader = PathReader(rows.ledger, rows.places, hasLocation: layout.location != nil)
    let folded = ExactText(Self.folded(path))
    while let row = try cursor.next() {
      let reading = reader.read(
        String.fromDatabaseValue(row[0]) ?? "", location: String.fromDatabaseValue(row[1]))
      guard case .file(let file) = reading else { continue }
      let other = try file.folder.appending(file.name)
      guard ExactText(Self.folded(other)) == folded else { continue }
      if other == path || isSameFile(other, status) { return true }
    }
    return false
  }

  private func isSameFile(_ path: RelocatablePath, _ status: FileStatus) -> Bool {
    do {
      let place = try FilePath(of: rows.ledger.container.url(for: path))
      return try SystemCalls.status(of: place.text).isSameFile(as: status)
    } catch _ {
      // A path without a file owns none.
      return false
    }
  }

  /// Notes that a record has a file now.
  mutating func note(
    _ path: RelocatablePath, of locator: DatabaseValue, _ db: Database
  ) throws {
    guard stamp != nil else { return }
    try db.execute(
      sql: "DELETE FROM temp.holdfast_ledger_owners WHERE locator IS ?", arguments: [locator])
    try insert(path, locator, db)
  }

  /// Notes that the changes so far are those of the repair.
  mutating func refreshStamp(_ db: Database) throws {
    guard stamp != nil else { return }
    stamp = try Self.stamp(db)
  }

  private static func stamp(_ db: Database) throws -> [Int64] {
    [
      try Int64.fetchOne(db, sql: "PRAGMA main.data_version") ?? 0,
      Int64(db.totalChangesCount),
    ]
  }

  private mutating func update(_ db: Database) throws {
    let now = try Self.stamp(db)
    if let stamp, stamp == now { return }
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS temp.holdfast_ledger_owners;
        CREATE TEMP TABLE holdfast_ledger_owners (folded TEXT, path TEXT, locator BLOB);
        """)
    let layout = rows.layout
    var reader = PathReader(rows.ledger, rows.places, hasLocation: layout.location != nil)
    let location = layout.location.map(layout.column) ?? "NULL"
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(layout.column(layout.path)), \(location), \(layout.locator)
        FROM \(layout.aliased)
        WHERE \(layout.isRecorded)\(includesCleared ? rows.orIsCleared : "")
        """)
    while let row = try cursor.next() {
      let text = String.fromDatabaseValue(row[0]) ?? ""
      let reading = reader.read(text, location: String.fromDatabaseValue(row[1]))
      switch reading {
      case .file(let file): try insert(file.folder.appending(file.name), row[2], db)
      case .unreadable: try insertNames(in: text, row[2], db)
      case .noFile: break
      }
    }
    try db.execute(
      sql: """
        CREATE INDEX temp.holdfast_ledger_owner_folded ON holdfast_ledger_owners (folded);
        CREATE INDEX temp.holdfast_ledger_owner_locator ON holdfast_ledger_owners (locator);
        """)
    stamp = try Self.stamp(db)
  }

  private func insert(
    _ path: RelocatablePath, _ locator: DatabaseValue, _ db: Database
  ) throws {
    let text = path.description
    try db.execute(
      sql: "INSERT INTO temp.holdfast_ledger_owners (folded, path, locator) VALUES (?, ?, ?)",
      arguments: [Self.folded(path), text, locator])
  }

  static func folded(_ path: RelocatablePath) -> String {
    let text = path.description
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
    return text.precomposedStringWithCanonicalMapping.lowercased()
      .precomposedStringWithCanonicalMapping
  }

  /// Removes the temporary table.
  static func drop(_ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS temp.holdfast_ledger_owners")
  }
}
