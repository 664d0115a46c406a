import Foundation
import Holdfast
import HoldfastFiles

/// A move of a file that is stored in the database before the file is touched, and removed in the
/// transaction that writes the new path.
struct MoveIntent: Hashable, Sendable {
  /// The value under which the side tables know the row.
  var key: DatabaseValue
  var origin: RelocatablePath
  var destination: RelocatablePath
  var byteCount: Int64

  func insert(_ source: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_ledger_moves (source, key, origin, destination, byte_count)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [source, key, origin.description, destination.description, byteCount])
  }

  static func remove(_ key: DatabaseValue, _ source: Int64, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM main.holdfast_ledger_moves WHERE source = ? AND key = ?",
      arguments: [source, key])
  }

  static func fetchAll(_ source: Int64, _ db: Database) throws -> [MoveIntent] {
    guard try LifecycleTables.exist(db) else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT key, origin, destination, byte_count FROM main.holdfast_ledger_moves
        WHERE source = ? ORDER BY key
        """, arguments: [source]
    ).map { row in
      MoveIntent(
        key: row[0], origin: try RelocatablePath(text: row.decode(atIndex: 1)),
        destination: try RelocatablePath(text: row.decode(atIndex: 2)),
        byteCount: try row.decode(atIndex: 3))
    }
  }
}

/// The remaining work of a move that was interrupted, decided from the files alone.
enum MoveRecovery: Hashable {
  /// The destination has the file: remove the source if it is there too, and write the path.
  case complete
  /// The file never left: remove what was copied of it.
  case undo
  /// Neither path has the file, or another file took its place: a repair decides.
  case forget
  /// It cannot be known now.
  case postpone

  /// Decides.
  ///
  /// - Parameters:
  ///   - origin: Whether the file is at its old path.
  ///   - destination: Whether a file is at the new path.
  ///   - hasLength: Whether the file at the new path has the length of the moved one.
  init(origin: Presence, destination: Presence, hasLength: Bool) {
    switch (origin, destination) {
    case (.unknown, _), (_, .unknown): self = .postpone
    case (.present, .absent): self = .undo
    case (.absent, .absent): self = .forget
    case (.present, .present): self = hasLength ? .complete : .undo
    case (.absent, .present): self = hasLength ? .complete : .forget
    }
  }
}
