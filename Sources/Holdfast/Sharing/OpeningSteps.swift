package import Foundation
package import HoldfastFiles
package import HoldfastSQLite

/// The steps of opening a shared database, under its opening lock and in addition to the
/// migrations.
///
/// Each step may be repeated: a suspension releases the lock, and the opening begins again after the
/// resume.
package protocol OpeningSteps: Sendable {
  /// Creates the file, if there is none.
  ///
  /// - Parameter opening: The opening, whose lock is held at first.
  /// - Throws: The reason why the database cannot be opened.
  func create(_ opening: OpeningContext) throws

  /// Prepares a database that has just been opened, before the migrations.
  ///
  /// - Parameters:
  ///   - pool: The pool, which nothing else uses yet.
  ///   - opening: The opening, whose lock is held at first.
  /// - Throws: The reason why the database cannot be opened.
  func prepare(_ pool: DatabasePool, _ opening: OpeningContext) throws
}

/// The opening of a shared database, as its steps see it.
package struct OpeningContext: Sendable {
  let lock: OpeningLock
  let suspension: Suspension
  let configuration: Configuration

  /// Runs a closure that no other process interferes with; a suspension waits for its end.
  ///
  /// - Parameter body: The closure, which must return quickly.
  /// - Throws: `DatabaseError` when the database is suspended, or was since the opening began;
  ///   whatever `body` throws.
  package func whileLocked(_ body: () throws -> Void) throws {
    guard try lock.whileHeld(body) else {
      throw DatabaseError.suspended(path: suspension.path)
    }
  }

  /// Opens a connection that a suspension of the database closes.
  ///
  /// The name of a database that is attached to it is interpreted as a URI.
  ///
  /// - Parameters:
  ///   - path: The file, which exists.
  ///   - isOwnFile: Whether no other process uses the file, so that it needs no write-ahead log.
  /// - Returns: A queue, which must be closed before the opening ends.
  /// - Throws: `DatabaseError`; whatever a preparation throws.
  package func connection(to path: FilePath, isOwnFile: Bool) throws -> DatabaseQueue {
    var own = configuration
    own.attachesURIs = true
    own.journalMode = .default
    if isOwnFile { own.keepsWriteAheadLog = false }
    return try DatabaseQueue(
      at: .file(path.text), path: path.text, configuration: own, suspension: suspension)
  }
}

extension DatabasePool {
  /// Opens a database that other processes may open too, as
  /// ``shared(at:configuration:migrator:within:)`` does, with additional steps.
  package static func shared(
    at url: URL, configuration: Configuration, migrator: DatabaseMigrator, within limit: Duration,
    steps: any OpeningSteps
  ) throws -> DatabasePool {
    try SharedOpening(
      at: url, configuration: configuration, migrator: migrator, within: limit, steps: steps
    ).open()
  }

  /// Opens a database as the blocking form does, without blocking a thread of tasks.
  package static func shared(
    at url: URL, configuration: Configuration, migrator: DatabaseMigrator, within limit: Duration,
    steps: any OpeningSteps
  ) async throws -> DatabasePool {
    try await SharedOpening(
      at: url, configuration: configuration, migrator: migrator, within: limit, steps: steps
    ).open()
  }
}
