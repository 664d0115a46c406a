import HoldfastTestSupport

/// A program around the code of the guide to shared databases; its first argument says which part runs.
enum SharingSeedProgram {
  static func compiled() throws -> SwiftProgram {
    let guide = try Seed("002")
    return try SwiftProgram(
      [
        "Opening.swift": """
        import Foundation
        import Holdfast

        \(try guide.block(0, ("// the database schema with a DatabaseMigrator.", "try createPlayer(dbPool)")))
        \(try guide.block(1))
        """,
        "Configurations.swift": try configurations(of: guide),
        "Delegates.swift": try delegates(of: guide),
        "Writes.swift": try writes(of: guide),
        "main.swift": main,
      ],
      with: [
        "Tests/ConsumerTests/Seeds/FileCoordinator.swift",
        "Tests/ConsumerTests/Seeds/UIKitLifecycle.swift",
      ])
  }

  /// The guide leaves the paths and the time-out open.
  private static func configurations(of guide: Seed) throws -> String {
    let path = ("path: ...", "path: path")
    return """
      import Foundation
      import Holdfast

      func openPatientDatabase(at path: String, timeout: TimeInterval) throws -> DatabasePool {
      \(try guide.block(2, path, ("/* a TimeInterval */", "timeout")))
        return dbPool
      }

      func openPreparedDatabase(at path: String) throws -> DatabasePool {
      \(try guide.block(
        4, path,
        // Only a SQLite with encryption takes a key; the size of the cache can be seen in any.
        (#"db.usePassphrase("secret")"#, #"db.execute(sql: "PRAGMA cache_size = 321")"#)))
        return dbPool
      }

      func openSuspendableDatabase(at path: String) throws -> DatabasePool {
      \(try guide.block(5, path))
        return dbPool
      }
      """
  }

  private static func delegates(of guide: Seed) throws -> String {
    """
    import Holdfast

    \(try guide.block(6, ("@UIApplicationMain", "")))
    \(try guide.block(
      7, ("@UIApplicationMain", ""), ("class AppDelegate", "class FetchingAppDelegate"),
      ("...", "completionHandler(.newData)")))
    """
  }

  private static func writes(of guide: Seed) throws -> String {
    let insert = (
      "{ db in ... }",
      #"{ db in try db.execute(sql: "INSERT INTO player VALUES (?)", arguments: [name]) }"#
    )
    return """
      import Holdfast

      func writeUnlessBusy(_ dbPool: DatabasePool, _ name: String) throws -> Bool {
      \(try guide.block(
        3, insert, ("// Another process won't let you write. Deal with it.", "return false")))
        return true
      }

      func writeUnlessSuspended(_ dbPool: DatabasePool, _ name: String) throws -> Bool {
      \(try guide.block(8, insert, ("// Oops, the database is suspended.", "return false")))
        return true
      }
      """
  }

  private static let main = """
    import Foundation
    import Holdfast

    let (part, path, name) = (
      CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3]
    )
    let url = URL(filePath: path)

    nonisolated func createPlayer(_ pool: DatabasePool) throws {
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS player (name TEXT NOT NULL)")
      }
    }

    func players(_ pool: DatabasePool) throws -> String {
      try pool.read { db in
        try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name")
      }.joined(separator: " ")
    }

    func error(_ body: () throws -> Void) -> DatabaseError? {
      do {
        try body()
        return nil
      } catch {
        return error as? DatabaseError
      }
    }

    func read() throws {
      print(try openSharedReadOnlyDatabase(at: url) == nil ? "absent" : "present")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: url.deletingLastPathComponent().path)
      print(names.isEmpty ? "nothing was created" : "\\(names)")
      let writer = try openSharedDatabase(at: url)
      guard try writeUnlessBusy(writer, "Ann") else { return }
      guard let reader = try openSharedReadOnlyDatabase(at: url) else { return }
      print(try players(reader))
      guard try writeUnlessBusy(writer, "Bob") else { return }
      print(try players(reader))
      print(error { _ = try writeUnlessBusy(reader, "Eve") }.map { "\\($0.resultCode.rawValue)" } ?? "none")
    }

    func busy() throws {
      let holder = try openSharedDatabase(at: url)
      let pool = try openPatientDatabase(at: path, timeout: 0.02)
      print(try holder.write { _ in try writeUnlessBusy(pool, "Ann") } ? "written" : "busy")
      print(try writeUnlessBusy(pool, "Ann") ? "written" : "busy")
      print(try players(pool))
    }

    func prepared() throws {
      let pool = try openPreparedDatabase(at: path)
      let size: (Database) throws -> Int = {
        try Int.fetchOne($0, sql: "PRAGMA cache_size") ?? 0
      }
      print(try pool.write(size))
      print(try pool.read(size))
    }

    @MainActor func suspension() throws {
      let pool = try openSuspendableDatabase(at: path)
      try createPlayer(pool)
      let write = { (name: String) in
        print(try writeUnlessSuspended(pool, name) ? "written" : "suspended")
      }
      for (name, event) in [
        (DatabaseBackgroundScheduler.databaseWillSuspendNotification, "will suspend"),
        (DatabaseBackgroundScheduler.databaseDidResumeNotification, "did resume"),
      ] {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          print(event)
        }
      }
      try write("Ann")
      DatabaseBackgroundScheduler.shared.suspend()
      try write("Bob")
      print(try players(pool))
      AppDelegate().applicationWillEnterForeground(UIApplication())
      try write("Bob")
      DatabaseBackgroundScheduler.shared.suspend()
      try write("Eve")
      FetchingAppDelegate().application(UIApplication()) { result in
        print(result == .newData ? "fetched" : "\\(result)")
      }
      try write("Eve")
      print(try players(pool))
    }

    func errors() throws {
      let pool = try openSuspendableDatabase(at: path)
      try createPlayer(pool)
      func show(_ updates: (Database) throws -> Void) {
        let error = error { try pool.write(updates) }
        guard let error, error.isDatabaseSuspensionError else { return print("\\(error, default: "none")") }
        print("\\(error.resultCode.rawValue) \\(error.message ?? "")")
        DatabaseBackgroundScheduler.shared.resume()
      }
      show { db in
        try db.execute(sql: "INSERT INTO player VALUES ('half')")
        DatabaseBackgroundScheduler.shared.suspend()
        try db.execute(sql: "INSERT INTO player VALUES ('other half')")
      }
      show { db in
        // Called by the statement that the suspension interrupts.
        db.add(function: DatabaseFunction("suspend", argumentCount: 0) { _ in
          DatabaseBackgroundScheduler.shared.suspend(within: .zero)
          return nil
        })
        try db.execute(sql: \"\"\"
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          INSERT INTO player SELECT coalesce(suspend(), i) FROM n
          \"\"\")
      }
      DatabaseBackgroundScheduler.shared.suspend()
      show { db in try db.execute(sql: "DELETE FROM player") }
      let names = try players(pool)
      print(names.isEmpty ? "none" : names)
    }

    switch part {
    case "read": try read()
    case "damaged":
      for open in [
        { _ = try openSharedDatabase(at: url) }, { _ = try openSharedReadOnlyDatabase(at: url) },
      ] {
        print(error(open).map { "\\($0.resultCode.rawValue)" } ?? "none")
      }
    case "write":
      let pool = try openSharedDatabase(at: url)
      let written = try (0..<10).filter { try writeUnlessBusy(pool, "\\(name).\\($0)") }
      print("\\(written.count) written")
    case "count":
      guard let reader = try openSharedReadOnlyDatabase(at: url) else { fatalError("absent") }
      print(try reader.read { db in
        try Int.fetchOne(db, sql: "SELECT count(DISTINCT name) FROM player") ?? 0
      })
    case "busy": try busy()
    case "prepared": try prepared()
    case "suspension": try suspension()
    case "errors": try errors()
    default: fatalError("unknown part \\(part)")
    }
    """
}
