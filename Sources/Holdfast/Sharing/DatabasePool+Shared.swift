public import Foundation
import HoldfastFiles
public import HoldfastSQLite

// Opening a database that several processes use, in a shared container.

extension DatabasePool {
  /// Opens a database that other processes may open too; creates and migrates it if needed.
  ///
  /// One process at a time creates and migrates, while the others wait: with file coordination on
  /// Apple platforms, with the lock file `.<name>.opening` next to the database elsewhere. The lock
  /// is held only while opening. If its process is killed, the next one takes the lock and finds
  /// the committed migrations. Until a new database is complete, the link `.<name>.creating` next
  /// to it prevents read-only processes from opening it.
  ///
  /// The pool keeps its write-ahead log, so that ``sharedReadOnly(at:configuration:schema:)``
  /// works, and can be suspended. A suspension while opening releases the lock and ends the
  /// migration at once; both are repeated after the resume.
  ///
  /// ```swift
  /// let pool = try await DatabasePool.shared(at: url, migrator: migrator)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file, in an existing folder.
  ///   - configuration: The configuration of the connections.
  ///   - migrator: The migrations to apply; none by default.
  ///   - limit: The longest time to wait while other processes open the database; after a
  ///     suspension it starts again at the resume.
  /// - Returns: A pool, after all migrations were applied.
  /// - Throws: ``SharingError`` with `.busy` after the limit, `.schemaNewer` when a migration was
  ///   applied that the migrator does not know, `.notADatabase`, `.accessDenied`; `FileError` when
  ///   the lock cannot be created; `DatabaseError` as ``init(path:configuration:)`` does, and when
  ///   the database is suspended on the main thread, which cannot wait for the resume; whatever a
  ///   migration throws.
  @available(
    *, noasync,
    message:
      "Write `try await DatabasePool.shared(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public static func shared(
    at url: URL, configuration: Configuration = Configuration(),
    migrator: DatabaseMigrator = DatabaseMigrator(), within limit: Duration = .seconds(10)
  ) throws -> DatabasePool {
    try SharedOpening(at: url, configuration: configuration, migrator: migrator, within: limit)
      .open()
  }

  /// Opens a database that other processes may open too, as the blocking form does.
  ///
  /// - Throws: `CancellationError`; the errors of the blocking form.
  public static func shared(
    at url: URL, configuration: Configuration = Configuration(),
    migrator: DatabaseMigrator = DatabaseMigrator(), within limit: Duration = .seconds(10)
  ) async throws -> DatabasePool {
    try await SharedOpening(
      at: url, configuration: configuration, migrator: migrator, within: limit
    ).open()
  }

  /// Opens, read-only, a database that other processes write.
  ///
  /// No file is created and none is changed, except that readers mark in the `-shm`, where they may,
  /// what they read. It does not wait. While `shared(at:configuration:migrator:within:)` creates
  /// the database, the answer is `nil`. When that process was killed before it was done, the answer stays
  /// `nil` until `shared` has opened the database again: a pool that is opened otherwise does not count
  /// as the end of the creation.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  ///   - migrator: The migrations of the schema that the reader needs; any schema by default.
  /// - Returns: The pool; `nil` when the database was not created yet, or is not complete.
  /// - Throws: ``SharingError`` with `.schemaOlder` and `.schemaNewer`, `.needsWriter` when the
  ///   files of its log are missing, `.notADatabase`, `.accessDenied`; `FileError` when the file
  ///   cannot be examined; `DatabaseError` with SQLite's code.
  public static func sharedReadOnly(
    at url: URL, configuration: Configuration = Configuration(),
    schema migrator: DatabaseMigrator = DatabaseMigrator()
  ) throws -> DatabasePool? {
    let path = try FilePath(of: url)
    do {
      // An empty file is about to be created. The marker is checked after the content, because it
      // is set before the content is written.
      guard try !DatabaseFiles(main: path).isMainEmpty() else { return nil }
      let marker = try CreationMarker(of: path)
      if try marker.stage == .creation { return nil }
      do {
        let pool = try completePool(at: path, configuration, migrator)
        // It may have been erased and created again since.
        return try marker.stage == .creation ? nil : pool
      } catch {
        switch try marker.stage {
        case .creation: return nil
        // The files of its log are being made.
        case .opening where SharingError.isNeedsWriter(error, at: path): return nil
        case .opening, nil: throw error
        }
      }
    } catch {
      throw SharingError.naming(error, at: path)
    }
  }

  /// Opens a complete database for reading; `nil` when it has no schema.
  private static func completePool(
    at path: FilePath, _ configuration: Configuration, _ migrator: DatabaseMigrator
  ) throws -> DatabasePool? {
    var own = configuration
    own.allowsSuspension = true
    let file = try ReadOnlyFile(path, isNeverModified: false, configuration: own)
    let pool = try DatabasePool(readOnly: file)
    let isMade = try pool.writeWithoutTransaction { db in
      let unknown = migrator.migrations.isEmpty ? [] : try migrator.unknownMigrations(db)
      let missing = try migrator.missingMigrations(db)
      guard unknown.isEmpty else {
        throw SharingError.schemaNewer(path, unknown: unknown, missing: missing)
      }
      let isMade = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema)")
      guard missing.isEmpty || isMade == false else {
        throw SharingError.schemaOlder(path, missing: missing)
      }
      return isMade == true
    }
    return isMade ? pool : nil
  }
}
