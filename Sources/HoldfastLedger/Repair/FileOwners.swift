import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

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

  /// The temporary table, of this index alone.
  let table = TemporaryName.next("owners")

  /// Whether the files of all records were examined for their inodes.
  private var hasNodes = false

  /// The folders where they really are, by where their records say.
  private var realFolders: [RelocatablePath: RelocatablePath] = [:]

  /// The number of folders whose real places are kept.
  private static let folderLimit = 10_000

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
    if isIndexed, stamp == nil { try build(db) }
    for name in [candidate.found.path] + candidate.otherNames {
      let real = realPath(name)
      for path in real == name ? [name] : [name, real] {
        let isOwned =
          isIndexed
          ? try lookUp(path, candidate.status, except: locator, db)
          : try scan(path, candidate.status, except: locator, db)
        if isOwned { return true }
      }
    }
    // Other names of the file may be a record's.
    guard candidate.status.linkCount > 1 else { return false }
    return isIndexed
      ? try lookUpNode(candidate.status, except: locator, db)
      : try scanAll(candidate.status, except: locator, db)
  }

  private mutating func lookUpNode(
    _ status: FileStatus, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    if !hasNodes {
      let update = try db.makeStatement(
        sql: "UPDATE temp.\(table) SET device = ?, inode = ? WHERE rowid = ?")
      // The other rows are names of unreadable paths.
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT rowid, path FROM temp.\(table) WHERE folded GLOB '@*'")
      while let row = try cursor.next() {
        let path = try RelocatablePath(text: row.decode(atIndex: 1))
        guard let status = self.status(of: path), status.linkCount > 1 else { continue }
        try update.execute(
          arguments: [
            Int64(truncatingIfNeeded: status.device), Int64(truncatingIfNeeded: status.inode),
            row[0] as DatabaseValue,
          ])
      }
      hasNodes = true
      if stamp != nil { stamp = try Self.stamp(db) }
    }
    let others = try String.fetchAll(
      db,
      sql: """
        SELECT path FROM temp.\(table) WHERE inode = ? AND device = ? AND locator IS NOT ?
        """,
      arguments: [
        Int64(truncatingIfNeeded: status.inode), Int64(truncatingIfNeeded: status.device), locator,
      ])
    return try others.contains { isSameFile(try RelocatablePath(text: $0), status) }
  }

  /// Reads all rows, for a file that has several names.
  private func scanAll(
    _ status: FileStatus, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    let layout = rows.layout
    let location = layout.location.map(layout.column) ?? "NULL"
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(layout.column(layout.path)), \(location) FROM \(layout.aliased)
        WHERE \(layout.isRecorded) AND \(layout.locator) IS NOT ?
        """, arguments: [locator])
    var reader = PathReader(rows.ledger, rows.places, hasLocation: layout.location != nil)
    while let row = try cursor.next() {
      let reading = reader.read(
        String.fromDatabaseValue(row[0]) ?? "", location: String.fromDatabaseValue(row[1]))
      guard case .file(let file) = reading else { continue }
      if isSameFile(try file.folder.appending(file.name), status) { return true }
    }
    return false
  }

  /// The path without the symbolic links of its folder.
  private mutating func realPath(_ path: RelocatablePath) -> RelocatablePath {
    guard let folder = path.parent, let name = path.lastComponent, !folder.components.isEmpty
    else { return path }
    let real: RelocatablePath
    if let known = realFolders[folder] {
      real = known
    } else {
      // A folder that cannot be resolved has no file that could be another record's.
      let place = try? FilePath(of: rows.ledger.container.url(for: folder)).resolved()
      real = place.flatMap(rows.places.path) ?? folder
      if realFolders.count == Self.folderLimit { realFolders.removeAll() }
      realFolders[folder] = real
    }
    return real == folder ? path : real.appendingUnchecked(name) ?? path
  }

  private func lookUp(
    _ path: RelocatablePath, _ status: FileStatus, except locator: DatabaseValue, _ db: Database
  ) throws -> Bool {
    let others = try Row.fetchAll(
      db,
      sql: """
        SELECT path FROM temp.\(table) WHERE folded = ? AND locator IS NOT ?
        """, arguments: [FoldedPaths.folded(path), locator])
    return try others.contains { row in
      let other = try RelocatablePath(text: row.decode(atIndex: 0))
      return other == path || isSameFile(other, status)
    }
  }

  /// Reads the rows that may have the file's name.
  private mutating func scan(
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
    let folded = ExactText(FoldedPaths.folded(path))
    while let row = try cursor.next() {
      let reading = reader.read(
        String.fromDatabaseValue(row[0]) ?? "", location: String.fromDatabaseValue(row[1]))
      guard case .file(let file) = reading else { continue }
      let other = try file.folder.appending(file.name)
      guard
        ExactText(FoldedPaths.folded(other)) == folded
          || ExactText(FoldedPaths.folded(realPath(other))) == folded
      else { continue }
      if other == path || isSameFile(other, status) { return true }
    }
    return false
  }

  private func isSameFile(_ path: RelocatablePath, _ status: FileStatus) -> Bool {
    self.status(of: path)?.isSameFile(as: status) ?? false
  }

  private func status(of path: RelocatablePath) -> FileStatus? {
    do {
      let place = try FilePath(of: rows.ledger.container.url(for: path))
      return try SystemCalls.status(of: place.text)
    } catch _ {
      // A path without a file owns none.
      return nil
    }
  }

  /// Notes that a record has a file now.
  mutating func note(
    _ path: RelocatablePath, of locator: DatabaseValue, _ db: Database
  ) throws {
    guard stamp != nil else { return }
    try db.execute(
      sql: "DELETE FROM temp.\(table) WHERE locator IS ?", arguments: [locator])
    try insert(path, locator, db)
  }

  /// Notes that the repair made the changes so far.
  mutating func refreshStamp(_ db: Database) throws {
    guard stamp != nil else { return }
    stamp = try Self.stamp(db)
  }

  /// Has the index built again, because a rollback has undone what it reflects.
  mutating func invalidate() { stamp = nil }

  private static func stamp(_ db: Database) throws -> [Int64] {
    [
      try Int64.fetchOne(db, sql: "PRAGMA main.data_version") ?? 0,
      Int64(db.totalChangesCount),
    ]
  }

  /// Has the index built again if others have written since the last access; called first in each.
  ///
  /// Within an access every change is the repair's own, and is noted.
  mutating func beginAccess(_ db: Database) throws {
    if let stamp, try Self.stamp(db) != stamp { self.stamp = nil }
  }

  private mutating func build(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS temp.\(table);
        CREATE TEMP TABLE \(table) (
          folded TEXT, path TEXT, locator BLOB, device INTEGER, inode INTEGER);
        """)
    hasNodes = false
    realFolders.removeAll()
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
        CREATE INDEX temp.\(table)_folded ON \(table) (folded);
        CREATE INDEX temp.\(table)_locator ON \(table) (locator);
        CREATE INDEX temp.\(table)_inode ON \(table) (inode) WHERE inode IS NOT NULL;
        """)
    stamp = try Self.stamp(db)
  }

  private mutating func insert(
    _ path: RelocatablePath, _ locator: DatabaseValue, _ db: Database
  ) throws {
    let real = realPath(path)
    var (device, inode): (Int64?, Int64?)
    if hasNodes, let status = status(of: path), status.linkCount > 1 {
      device = Int64(truncatingIfNeeded: status.device)
      inode = Int64(truncatingIfNeeded: status.inode)
    }
    for name in real == path ? [path] : [path, real] {
      try db.execute(
        sql: """
          INSERT INTO temp.\(table) (folded, path, locator, device, inode) VALUES (?, ?, ?, ?, ?)
          """, arguments: [FoldedPaths.folded(name), path.description, locator, device, inode])
    }
  }

  /// Removes the temporary table.
  func drop(_ db: Database) throws {
    try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
  }
}

/// The names of temporary tables, of which a connection has one per repair.
enum TemporaryName {
  private static let count = Atomic(0)

  static func next(_ purpose: String) -> String {
    "holdfast_ledger_\(purpose)_\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
