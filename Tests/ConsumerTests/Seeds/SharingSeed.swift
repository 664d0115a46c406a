import Foundation
import Holdfast

// The Swift of seeds/002, with its import replaced. `any` is this package's stricter spelling; the
// paths, which the seed leaves open, are parameters.

// Returns an initialized database pool at the shared location databaseURL
func openSharedDatabase(at databaseURL: URL) throws -> DatabasePool {
  let coordinator = NSFileCoordinator(filePresenter: nil)
  var coordinatorError: NSError?
  var dbPool: DatabasePool?
  var dbError: (any Error)?
  coordinator.coordinate(
    writingItemAt: databaseURL, options: .forMerging, error: &coordinatorError,
    byAccessor: { url in
      do {
        dbPool = try openDatabase(at: url)
      } catch {
        dbError = error
      }
    })
  if let error = dbError ?? coordinatorError {
    throw error
  }
  return dbPool!
}

private func openDatabase(at databaseURL: URL) throws -> DatabasePool {
  let dbPool = try DatabasePool(path: databaseURL.path)
  // "Perform here other database setups, such as defining the database schema"
  try dbPool.write { db in
    if try !db.tableExists("player") {
      try db.execute(sql: "CREATE TABLE player (name TEXT NOT NULL)")
    }
  }
  return dbPool
}

// Returns an initialized database pool at the shared location databaseURL,
// or nil if the database was not created yet.
func openSharedReadOnlyDatabase(at databaseURL: URL) throws -> DatabasePool? {
  let coordinator = NSFileCoordinator(filePresenter: nil)
  var coordinatorError: NSError?
  var dbPool: DatabasePool?
  var dbError: (any Error)?
  coordinator.coordinate(
    readingItemAt: databaseURL, options: .withoutChanges, error: &coordinatorError,
    byAccessor: { url in
      do {
        dbPool = try openReadOnlyDatabase(at: url)
      } catch {
        dbError = error
      }
    })
  if let error = dbError ?? coordinatorError {
    throw error
  }
  return dbPool
}

private func openReadOnlyDatabase(at databaseURL: URL) throws -> DatabasePool? {
  do {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabasePool(path: databaseURL.path, configuration: configuration)
  } catch {
    if FileManager.default.fileExists(atPath: databaseURL.path) {
      // Something went wrong
      throw error
    } else {
      // Database file does not exist
      return nil
    }
  }
}

// "How to limit the SQLITE_BUSY error"
func openPatientDatabase(at path: String, timeout: TimeInterval) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.busyMode = .timeout(timeout)
  configuration.defaultTransactionKind = .immediate
  let dbPool = try DatabasePool(path: path, configuration: configuration)
  return dbPool
}

// Writes, and returns false when another process won't let us.
func writeUnlessBusy(_ dbPool: DatabasePool, _ name: String) throws -> Bool {
  do {
    try dbPool.write { db in
      try db.execute(sql: "INSERT INTO player VALUES (?)", arguments: [name])
    }
  } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
    // Another process won't let you write. Deal with it.
    return false
  }
  return true
}

// "call the pragma from your database preparation function"
func openPreparedDatabase(at path: String) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.prepareDatabase = { (db: Database) in
    // Before it the seed gives the key, which only a SQLite with encryption takes.
    try db.execute(sql: "PRAGMA cipher_plaintext_header_size = 32")
    // What can be seen of every SQLite.
    try db.execute(sql: "PRAGMA cache_size = 321")
  }
  let dbPool = try DatabasePool(path: path, configuration: configuration)
  return dbPool
}
