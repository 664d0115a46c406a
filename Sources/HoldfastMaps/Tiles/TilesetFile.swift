import Foundation
import Holdfast
import HoldfastFiles

/// The properties of a tileset's file that are read once, when it is opened.
struct TilesetContent: Sendable {
  let metadata: TilesetMetadata
  let schema: TilesetSchema
  let limits: TilesetLimits

  /// Checks and reads the description of a file.
  init(_ db: Database) throws {
    self = try TilesetLimits.run(TilesetLimits.openingSteps, db) { db in
      try TilesetFile.checkTables(db)
      return try TilesetContent(
        metadata: TilesetMetadata(db), schema: TilesetSchema(db), limits: TilesetLimits(db))
    }
  }

  private init(metadata: TilesetMetadata, schema: TilesetSchema, limits: TilesetLimits) {
    (self.metadata, self.schema, self.limits) = (metadata, schema, limits)
  }
}

/// The open file of a tileset, or the current one of a source.
final class TilesetFile: Sendable {
  private enum Access {
    case own(DatabaseQueue, TilesetContent, FilePath, isNeverModified: Bool)
    case followed(FollowedDatabase<TilesetContent>)
  }

  private let access: Access

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "tileset"
    configuration.hasForeignSchema = true
    configuration.prepareDatabase { db in
      db.limitValues(toByteCount: TilesetLimits.valueByteCount)
    }
    return configuration
  }

  /// Opens a file.
  ///
  /// - Throws: `MapError`, `SharingError`, `DatabaseError`, `FileError`; see
  ///   ``Tileset/init(at:isNeverModified:)``.
  init(at path: FilePath, isNeverModified: Bool) throws {
    do {
      let queue = try DatabaseQueue(
        readOnlyFileAt: path.url, isNeverModified: isNeverModified,
        configuration: Self.configuration)
      access = .own(
        queue, try queue.unsafeRead(TilesetContent.init), path, isNeverModified: isNeverModified)
    } catch {
      throw Self.explained(error, opening: path)
    }
  }

  /// Opens the current file of a source, and each later one.
  init(following source: some DatabaseSource) throws {
    do {
      access = .followed(
        try FollowedDatabase(
          source, configuration: Self.configuration, content: TilesetContent.init))
    } catch {
      throw Self.explained(error, opening: FilePath((error as? SharingError)?.path ?? "tileset"))
    }
  }

  var content: TilesetContent {
    switch access {
    case .own(_, let content, _, _): content
    case .followed(let database): database.content
    }
  }

  var reader: any DatabaseReader {
    switch access {
    case .own(let queue, _, _, _): queue
    case .followed(let database): database
    }
  }

  /// The reason why the source's current file is not in use.
  var followingProblem: (any Error)? {
    switch access {
    case .own: nil
    case .followed(let database): database.problem
    }
  }

  private var path: FilePath {
    switch access {
    case .own(_, _, let path, _): path
    case .followed(let database): FilePath(database.path ?? "tileset")
    }
  }

  /// Returns a file for work that takes long, so that reads of tiles do not wait for it: the same
  /// file opened again, or a source's, which has several connections.
  func forLongRead() throws -> TilesetFile {
    switch access {
    case .own(_, _, let path, let isNeverModified):
      try TilesetFile(at: path, isNeverModified: isNeverModified)
    case .followed: self
    }
  }

  /// Returns a file for work that takes long, while the task is suspended.
  func forLongRead() async throws -> TilesetFile {
    try await BlockingWork.userInitiated.run { [self] in try forLongRead() }
  }

  /// Returns the metadata that was read when the file was opened, or for a source the metadata of its
  /// current file.
  func metadata(_ db: Database) throws -> TilesetMetadata {
    switch access {
    case .own(_, let content, _, _): content.metadata
    case .followed: try TilesetMetadata(db)
    }
  }

  /// Returns a look-up of tiles, for which no access to the queue is needed; `nil` for a file that may change.
  ///
  /// - Parameter sql: The query of a tile by its zoom level, column and row.
  /// - Returns: The look-up, on a connection of its own.
  /// - Throws: As the initializer does.
  func makeLookup(sql: String) throws -> BlobLookup? {
    guard case .own(let queue, let content, let path, isNeverModified: true) = access else {
      return nil
    }
    do {
      return try queue.makeBlobLookup(sql: sql, stepCount: content.limits.steps)
    } catch {
      throw Self.explained(error, opening: path)
    }
  }

  // MARK: - Reading

  /// Returns the result of a read on the caller's thread.
  func read<Value>(
    _ item: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws -> Value {
    do {
      // Not through `reader`: a call of a known type is inlined, and this one is made for each tile.
      switch access {
      case .own(let queue, let content, _, _):
        return try queue.unsafeRead { db in
          try TilesetLimits.run(content.limits.steps, db, body)
        }
      case .followed(let database):
        return try database.withCurrent { current in
          // The generation that is read, which may be longer than the one before.
          let steps = current.content.limits.steps
          return try current.reader.unsafeRead { db in try TilesetLimits.run(steps, db, body) }
        }
      }
    } catch {
      throw explained(error, reading: item())
    }
  }

  /// Returns the result of a read for which the task is suspended.
  func read<Value: Sendable>(
    _ item: String, _ body: sending @escaping (Database) throws -> Value
  ) async throws -> Value {
    do {
      switch access {
      case .own(let queue, let content, _, _):
        let steps = content.limits.steps
        return try await queue.unsafeRead { db in try TilesetLimits.run(steps, db, body) }
      case .followed(let database):
        return try await database.unsafeRead { db, content in
          try TilesetLimits.run(content.limits.steps, db, body)
        }
      }
    } catch {
      throw explained(error, reading: item)
    }
  }

  // MARK: - Errors

  static func checkTables(_ db: Database) throws {
    for (table, columns) in [
      ("metadata", "name, value"), ("tiles", "zoom_level, tile_column, tile_row, tile_data"),
    ] {
      do {
        // Preparing finds out what is missing, in views too, and reads no row.
        _ = try db.makeStatement(sql: "SELECT \(columns) FROM \(table)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw MapError.notATileset(
          db.path.map { FilePath($0).name } ?? "tileset",
          because: "'\(table)' with the columns \(columns) cannot be read"
            + (error.message.map { " (\($0))" } ?? ""), error)
      }
    }
  }

  private static func explained(_ error: any Error, opening path: FilePath) -> any Error {
    switch error {
    case let error as SharingError where error.code == .notADatabase:
      MapError.notATileset(path, error)
    case let error as SharingError where error.code == .incomplete:
      MapError.notATileset(path.name, because: "it is cut off", error)
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      MapError.notATileset(path, error)
    case let error as DatabaseError
    where error.resultCode == .SQLITE_CANTOPEN && isAbsent(path):
      MapError.notFound(path, error)
    default: explained(error, in: path, reading: "its description")
    }
  }

  private static func isAbsent(_ path: FilePath) -> Bool {
    // A file that cannot be examined is not proven to be absent.
    (try? path.byteCount()) == .some(nil)
  }

  private func explained(_ error: any Error, reading item: String) -> any Error {
    Self.explained(error, in: path, reading: item)
  }

  private static func explained(
    _ error: any Error, in path: FilePath, reading item: String
  ) -> any Error {
    switch error {
    case let error as DatabaseError where error.foreignSyntax != nil:
      MapError.notEvaluated(path.name, reading: item, because: error.foreignSyntax ?? "", error)
    case let error as DatabaseError
    where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(error.resultCode):
      MapError.damaged(path.name, reading: item, error)
    // A view's own SQL failed, or the schema differs from the one that was checked.
    case let error as DatabaseError where error.resultCode == .SQLITE_ERROR:
      MapError.notEvaluated(
        path.name, reading: item, because: error.message ?? "\(error.resultCode)", error)
    case let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG:
      MapError.damaged(path.name, reading: item, error)
    case let error as TilesetLimits.StepsExceeded:
      MapError.endless(path.name, reading: item, error)
    case let error as RowDecodingError:
      MapError.noBytes(item, in: path.name, but: error.storedType ?? "unknown")
    default: error
    }
  }
}
