public import Foundation
import HoldfastFiles
public import HoldfastSQLite

// Opening a database that several processes use, in a container that they share.

extension DatabasePool {
  /// Opens a database that other processes may open too, and creates and migrates it if need be.
  ///
  /// One process at a time creates and migrates, and the others wait for it: by file coordination on
  /// Apple platforms, by the lock file `.<name>.opening` beside the database elsewhere. The lock is
  /// held during the opening only. When its process is killed it goes to the next one, which finds
  /// the migrations that were committed. Until a new database is complete, the link `.<name>.creating`
  /// beside it keeps those from it who only read.
  ///
  /// The pool keeps its write-ahead log, so that ``sharedReadOnly(at:configuration:schema:)`` works,
  /// and can be suspended. A suspension during the opening ends the lock and the migration at once,
  /// and both are done again after the resume.
  ///
  /// ```swift
  /// let pool = try await DatabasePool.shared(at: url, migrator: migrator)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file, in a folder that exists.
  ///   - configuration: What is decided before.
  ///   - migrator: Makes the schema; none by default.
  ///   - limit: How long is waited at most while others open the database, from the resume on when
  ///     it is suspended meanwhile.
  /// - Returns: The pool.
  /// - Throws: ``SharingError`` with `.busy` after the limit, `.schemaNewer` when a migration was
  ///   applied that the migrator does not know, `.notADatabase`, `.accessDenied`; `FileError` when
  ///   the lock cannot be made; `DatabaseError` as ``init(path:configuration:)`` does, and on the
  ///   main thread, where nobody can wait for the resume, when it is suspended; what a migration
  ///   throws.
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
  /// - Parameters:
  ///   - url: The file, in a folder that exists.
  ///   - configuration: What is decided before.
  ///   - migrator: Makes the schema; none by default.
  ///   - limit: How long is waited at most while others open the database, from the resume on when
  ///     it is suspended meanwhile.
  /// - Returns: The pool.
  /// - Throws: `CancellationError`; the errors of the blocking form.
  public static func shared(
    at url: URL, configuration: Configuration = Configuration(),
    migrator: DatabaseMigrator = DatabaseMigrator(), within limit: Duration = .seconds(10)
  ) async throws -> DatabasePool {
    try await SharedOpening(
      at: url, configuration: configuration, migrator: migrator, within: limit
    ).open()
  }

  /// Opens a database for reading only that other processes write.
  ///
  /// No file is created and none is changed, except that readers mark in the `-shm`, where they may,
  /// what they read. It does not wait. While `shared(at:configuration:migrator:within:)` creates
  /// the database, the answer is `nil`. When that process was killed before it was done, the answer stays
  /// `nil` until `shared` has opened the database again: a pool that is opened otherwise does not count
  /// as the end of the creation.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - configuration: What is decided before; it is opened read-only whatever it says.
  ///   - migrator: Knows the schema that the reader needs; any by default.
  /// - Returns: The pool; `nil` when the database was not created yet, or is not complete.
  /// - Throws: ``SharingError`` with `.schemaOlder` and `.schemaNewer`, `.needsWriter` when the files
  ///   of its log are missing, `.notADatabase`, `.accessDenied`; `FileError` when the file cannot be
  ///   looked at; `DatabaseError` with the code SQLite gave.
  public static func sharedReadOnly(
    at url: URL, configuration: Configuration = Configuration(),
    schema migrator: DatabaseMigrator = DatabaseMigrator()
  ) throws -> DatabasePool? {
    let path = try FilePath(of: url)
    do {
      // What is empty is about to be created. The marker is looked at after the content, before which
      // it is set.
      guard try path.byteCount() ?? 0 > 0 else { return nil }
      let marker = try CreationMarker(of: path)
      if try marker.stage == .creation { return nil }
      do {
        let pool = try completePool(at: path, configuration, migrator)
        // It may be created anew since, after it was erased.
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

  /// Opens a database for reading that is not being created; `nil` when it has no schema.
  private static func completePool(
    at path: FilePath, _ configuration: Configuration, _ migrator: DatabaseMigrator
  ) throws -> DatabasePool? {
    var own = configuration
    own.allowsSuspension = true
    let file = try ReadOnlyFile(path, isNeverModified: false, configuration: own)
    let pool = try DatabasePool(readOnly: file)
    let isMade = try pool.writeWithoutTransaction { db in
      let unknown = migrator.migrations.isEmpty ? [] : try migrator.unknownMigrations(db)
      guard unknown.isEmpty else { throw SharingError.schemaNewer(path, unknown: unknown) }
      let applied = try migrator.appliedIdentifiers(db)
      let missing = migrator.migrations.filter { !applied.contains($0) }
      let isMade = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema)")
      guard missing.isEmpty || isMade == false else {
        throw SharingError.schemaOlder(path, missing: missing)
      }
      return isMade == true
    }
    return isMade ? pool : nil
  }
}
