import Foundation
import Holdfast
import HoldfastTestSupport

/// A suite whose tests suspend a database in a folder of their own.
protocol SuspensionSuite {
  var folder: TemporaryDirectory { get }
}

extension SuspensionSuite {
  var path: String { folder.file("t.db").path }

  /// A query of the table that does not end.
  static var endless: String {
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, t"
  }

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    return configuration
  }

  /// Opens the database, with a table and a row in it.
  func makePool(_ configuration: Configuration = Self.configuration) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES ('first')")
    }
    return pool
  }

  /// The locks of this process on the database, as the kernel lists them.
  func locks() throws -> [String] {
    try HeldLocks.onDatabase(at: path)
  }

  func count(_ reader: some DatabaseReader) async throws -> Int? {
    try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
  }

  func isSuspension(_ error: any Error, _ message: String) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.isDatabaseSuspensionError && error.message == message
  }
}
