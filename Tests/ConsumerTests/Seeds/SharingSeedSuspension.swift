import Foundation
import Holdfast

// The Swift of seeds/002 about suspended databases, with its import replaced. `@UIApplicationMain`
// is left out, for a test is no app; the second delegate has a name of its own.

// "Set the `suspendsOnBackgroundTimeExpiration` configuration flag"
func openSuspendableDatabase(at path: String) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.suspendsOnBackgroundTimeExpiration = true
  let dbPool = try DatabasePool(path: path, configuration: configuration)
  return dbPool
}

class AppDelegate: UIResponder, UIApplicationDelegate {
  func applicationWillEnterForeground(_ application: UIApplication) {
    // Resume suspended databases
    DatabaseBackgroundScheduler.shared.resume(in: application)
  }
}

class FetchingAppDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    // Resume suspended databases
    DatabaseBackgroundScheduler.shared.resume(in: application)
    // Proceed with background fetch
    completionHandler(.newData)
  }
}

// Writes, and returns false when the database is suspended.
func writeUnlessSuspended(_ dbPool: DatabasePool, _ name: String) throws -> Bool {
  do {
    try dbPool.write { db in
      try db.execute(sql: "INSERT INTO player VALUES (?)", arguments: [name])
    }
  } catch let error as DatabaseError where error.isDatabaseSuspensionError {
    // Oops, the database is suspended.
    // Maybe try again after DatabaseBackgroundScheduler.databaseDidResumeNotification?
    return false
  }
  return true
}
