import Foundation
import Holdfast
import HoldfastFiles

/// An open file of a tileset, with what was read once when it was opened.
final class TilesetFile: Sendable {
  let path: FilePath
  let queue: DatabaseQueue
  let metadata: TilesetMetadata
  let schema: TilesetSchema
  private let isNeverModified: Bool

  /// Opens a file.
  ///
  /// - Throws: `MapError`, `SharingError`, `DatabaseError`, `FileError`; see ``Tileset/init(at:isNeverModified:)``.
  init(at path: FilePath, isNeverModified: Bool) throws {
    self.path = path
    self.isNeverModified = isNeverModified
    do {
      var configuration = Configuration()
      configuration.label = "tileset"
      // The file's views run with the rights of any statement; they need none of the app's functions.
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA trusted_schema = OFF") }
      queue = try DatabaseQueue(
        readOnlyFileAt: path.url, isNeverModified: isNeverModified, configuration: configuration)
      (metadata, schema) = try queue.unsafeRead { db in
        try Self.checkTables(db, path)
        return (try TilesetMetadata(db), try TilesetSchema(db))
      }
    } catch {
      throw Self.explained(error, opening: path)
    }
  }

  /// Opens the same file again, for work that takes long.
  func reopened() throws -> TilesetFile {
    try TilesetFile(at: path, isNeverModified: isNeverModified)
  }

  /// Opens the same file again, while the task is suspended.
  func reopened() async throws -> TilesetFile {
    try await BlockingWork.run { [self] in try reopened() }
  }

  /// Returns the result of a read on the caller's thread.
  func read<Value>(
    _ item: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws -> Value {
    do {
      return try queue.unsafeRead(body)
    } catch {
      throw explained(error, reading: item())
    }
  }

  /// Returns the result of a read for which the task is suspended.
  func read<Value>(
    _ item: String, _ body: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    do {
      return try await queue.unsafeRead(body)
    } catch {
      throw explained(error, reading: item)
    }
  }

  // MARK: - Errors

  private static func checkTables(_ db: Database, _ path: FilePath) throws {
    for (table, columns) in [
      ("metadata", "name, value"), ("tiles", "zoom_level, tile_column, tile_row, tile_data"),
    ] {
      do {
        // Preparing finds out what is missing, in views too, and reads no row.
        _ = try db.makeStatement(sql: "SELECT \(columns) FROM \(table)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw MapError.notATileset(
          path.name,
          because: "'\(table)' with the columns \(columns) cannot be read"
            + (error.message.map { " (\($0))" } ?? ""), error)
      }
    }
  }

  private static func explained(_ error: any Error, opening path: FilePath) -> any Error {
    switch error {
    case let error as SharingError where error.code == .notADatabase:
      MapError.notATileset(path.name, because: "it is no SQLite database, or encrypted", error)
    case let error as SharingError where error.code == .incomplete:
      MapError.notATileset(path.name, because: "it is cut off", error)
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      MapError.notATileset(path.name, because: "it is no SQLite database, or encrypted", error)
    case let error as DatabaseError
    where error.resultCode == .SQLITE_CANTOPEN && isAbsent(path):
      MapError.notFound(path, error)
    default: explained(error, in: path, reading: "its description")
    }
  }

  private static func isAbsent(_ path: FilePath) -> Bool {
    // What cannot be examined is not proven to be absent.
    (try? path.byteCount()) == .some(nil)
  }

  private func explained(_ error: any Error, reading item: String) -> any Error {
    Self.explained(error, in: path, reading: item)
  }

  private static func explained(
    _ error: any Error, in path: FilePath, reading item: String
  ) -> any Error {
    switch error {
    case let error as DatabaseError
    where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(error.resultCode):
      MapError.damaged(path.name, reading: item, error)
    // A view's own SQL failed, or the schema differs from the one that was checked.
    case let error as DatabaseError where error.resultCode == .SQLITE_ERROR:
      MapError.damaged(path.name, reading: item, error)
    case let error as RowDecodingError:
      MapError.noBytes(item, in: path.name, but: error.storedType ?? "unknown")
    default: error
    }
  }
}
