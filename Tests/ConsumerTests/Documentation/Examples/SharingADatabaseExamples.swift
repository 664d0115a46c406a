// The Swift of SharingADatabase.md, compiled: SharingADatabaseTests finds each block of it here, and
// runs every function. What needs UIKit is checked by Scripts/check-apple.

import Foundation
import Holdfast
import HoldfastFiles

func ferryMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Create ferry") { db in
    try db.execute(sql: "CREATE TABLE ferry (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
  }
  return migrator
}

func openFerries(in container: Container) async throws -> DatabasePool {
  let path = try RelocatablePath(.appGroup("group.example.ferries"), "ferries.sqlite")
  if let folder = path.parent { try container.createDirectory(at: folder) }
  var configuration = Configuration()
  configuration.suspendsOnBackgroundTimeExpiration = true
  return try await DatabasePool.shared(
    at: container.url(for: path), configuration: configuration, migrator: ferryMigrator())
}

func openFerriesForReading(at url: URL) throws -> DatabasePool? {
  do {
    return try DatabasePool.sharedReadOnly(at: url, schema: ferryMigrator())
  } catch let error as SharingError where error.code == .schemaOlder {
    return nil  // The app was updated, and has not migrated the database yet.
  }
}

func addFerry(_ name: String, to pool: DatabasePool) throws -> Bool {
  do {
    try pool.write { db in
      try db.execute(sql: "INSERT INTO ferry (name) VALUES (?)", arguments: [name])
    }
    return true
  } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
    print(error.advice ?? "")  // … python3 (4711) holds WAL WRITE.
    return false
  }
}

func addInBackground(_ name: String, to pool: DatabasePool) async throws {
  try await pool.withBackgroundLease {
    try await pool.write { db in
      try db.execute(sql: "INSERT INTO ferry (name) VALUES (?)", arguments: [name])
    }
  }
}

func addUnlessSuspended(_ name: String, to pool: DatabasePool) throws -> Bool {
  do {
    return try addFerry(name, to: pool)
  } catch let error as DatabaseError where error.isDatabaseSuspensionError {
    return false
  }
}

func suspendAndDescribe(_ pool: DatabasePool) async -> String {
  let report = await pool.suspend(within: .seconds(1))
  return report.isFree ? "free" : "\(report)"
}

func follow(_ pool: DatabasePool, show: ([String]) -> Bool) async throws {
  let names = ValueObservation.tracking { db in
    try String.fetchAll(db, sql: "SELECT name FROM ferry ORDER BY id")
  }
  for try await value in names.removeDuplicates().values(in: pool) {
    guard show(value) else { return }
  }
}

#if canImport(UIKit)
  import UIKit

  final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneWillEnterForeground(_ scene: UIScene) {
      DatabaseBackgroundScheduler.shared.resume(in: .shared)
    }
  }

  final class AppDelegate: UIResponder, UIApplicationDelegate {
    var ferries: DatabasePool?

    func application(
      _ application: UIApplication, didReceiveRemoteNotification message: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
      DatabaseBackgroundScheduler.shared.resume(in: application)
      guard let ferries, let name = message["ferry"] as? String else { return .noData }
      do {
        try await addInBackground(name, to: ferries)
        return .newData
      } catch {
        return .failed
      }
    }
  }
#endif
