import Dispatch
import Foundation
import HoldfastFiles
import HoldfastSQLite

/// The opening of a database that other processes may open at the same time.
///
/// It starts over when a suspension has released its lock: every step may be repeated.
struct SharedOpening: Sendable {
  private let path: FilePath
  private let configuration: Configuration
  private let migrator: DatabaseMigrator
  private let limit: Duration
  private let steps: (any OpeningSteps)?
  let suspension: Suspension
  let lock: OpeningLock

  init(
    at url: URL, configuration: Configuration, migrator: DatabaseMigrator, within limit: Duration,
    steps: (any OpeningSteps)? = nil
  ) throws {
    path = try FilePath(of: url)
    var own = configuration
    own.allowsSuspension = true
    own.keepsWriteAheadLog = true
    self.configuration = own
    self.migrator = migrator
    self.limit = limit
    self.steps = steps
    guard let suspension = Suspension(path: path.text, configuration: own) else {
      Misuse.trap(Misuse.notSuspendable)
    }
    self.suspension = suspension
    // One lock for all names of the file.
    lock = OpeningLock(of: try path.target(), suspension: suspension)
  }

  /// Opens the database, blocking the thread.
  func open() throws -> DatabasePool {
    while true {
      if !suspension.isResumed {
        // The resume happens on the main thread, which cannot wait for itself.
        if Self.isOnMainThread { throw DatabaseError.suspended(path: path.text) }
        suspension.waitForResume()
      }
      guard try acquireLock() else { continue }
      do {
        let pool = try makePreparedPool()
        try pool.barrierWriteWithoutTransaction { db in
          try migrator.migrate(db, beforeErasing: markErased)
        }
        if try finish() { return pool }
      } catch {
        try redo(after: error)
      }
    }
  }

  /// Opens the database, suspending the task.
  func open() async throws -> DatabasePool {
    while true {
      try Task.checkCancellation()
      if !suspension.isResumed { try await suspension.waitForResume() }
      let isAcquired = try await withTaskCancellationHandler {
        try await BlockingWork.userInitiated.run { try acquireLock() }
      } onCancel: {
        lock.cancel()
      }
      guard isAcquired else { continue }
      do {
        let pool = try await BlockingWork.userInitiated.run { try makePreparedPool() }
        try await pool.barrierWriteWithoutTransaction { db in
          try migrator.migrate(db, beforeErasing: markErased)
        }
        if try finish() { return pool }
      } catch {
        try redo(after: error)
      }
    }
  }

  /// Whether the caller blocks the main thread, or the main queue where that has no thread of its
  /// own.
  private static var isOnMainThread: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) == true
  }

  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Takes the lock.
  ///
  /// - Returns: False when the database was suspended meanwhile.
  private func acquireLock() throws -> Bool {
    do {
      switch try lock.acquire(within: limit) {
      case .acquired: return true
      case .suspended: return false
      case .cancelled: throw CancellationError()
      }
    } catch {
      throw SharingError.naming(error, at: path)
    }
  }

  private func makePreparedPool() throws -> DatabasePool {
    guard let steps else { return try makePool() }
    let context = OpeningContext(lock: lock, suspension: suspension, configuration: configuration)
    try steps.create(context)
    let pool = try makePool()
    try steps.prepare(pool, context)
    return pool
  }

  private func makePool() throws -> DatabasePool {
    let location = try DatabaseLocation(path: path.text, isReadOnly: configuration.readonly)
    let pool = try withMarker {
      try DatabasePool(
        at: location, path: path.text, configuration: configuration, suspension: suspension)
    }
    if !migrator.migrations.isEmpty, !migrator.eraseDatabaseOnSchemaChange {
      let (unknown, missing) = try pool.writeWithoutTransaction { db in
        (try migrator.unknownMigrations(db), try migrator.missingMigrations(db))
      }
      if !unknown.isEmpty {
        throw SharingError.schemaNewer(path, unknown: unknown, missing: missing)
      }
    }
    return pool
  }

  // MARK: - Marking incomplete databases

  /// Marks the database while it is incomplete.
  ///
  /// A new database is marked until ``finish()``; one that only gets its log's files is marked
  /// while the closure runs, because readers cannot distinguish these from missing files.
  private func withMarker<Value>(_ body: () throws -> Value) throws -> Value {
    let files = DatabaseFiles(main: try path.target())
    let marker = try CreationMarker(of: path)
    var isCreated = false
    var isAdopted = false
    _ = try lock.whileHeld {
      isCreated = try files.isMainEmpty()
      if isCreated { return try marker.set(.creation) }
      guard try files.writeAheadLog.byteCount() == nil, try marker.stage == nil else {
        return
      }
      do throws(FileError) {
        try marker.set(.opening)
        isAdopted = true
      } catch _ {
        // A reader may then be refused for a moment, which is no reason not to open the database.
      }
    }
    if isCreated { try marker.sync() }
    let result = Result { try body() }
    if isAdopted {
      // Without the lock another process may have marked the database since, for another reason.
      _ = try lock.whileHeld {
        if try marker.stage == .opening { try marker.clear() }
      }
    } else if case .failure = result {
      // A file without content needs no marker.
      _ = try lock.whileHeld {
        if try files.isMainEmpty() { try marker.clear() }
      }
    }
    return try result.get()
  }

  /// Marks a database that was erased and is created again.
  private func markErased() throws {
    let marker = try CreationMarker(of: path)
    guard try lock.whileHeld({ try marker.set(.creation) }) else {
      throw DatabaseError.suspended(path: path.text)
    }
    try marker.sync()
  }

  /// Marks the database as complete, and releases the lock.
  ///
  /// - Returns: False when a suspension has released the lock before.
  private func finish() throws -> Bool {
    let marker = try CreationMarker(of: path)
    return try lock.whileHeld(thenEnding: true) { try marker.clear() }
  }

  /// Releases the lock, and throws the error unless a suspension caused it.
  private func redo(after error: any Error) throws {
    let wasHeld = lock.end()
    if wasHeld && suspension.isResumed { throw SharingError.naming(error, at: path) }
  }
}
