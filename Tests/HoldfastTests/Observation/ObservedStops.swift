import Foundation
import Holdfast
import HoldfastTestSupport

/// A database with tables to observe, in a queue or a pool.
struct ObservedStops {
  let writer: any DatabaseWriter
  private let folder: TemporaryDirectory

  enum Kind: CaseIterable { case queue, pool }

  init(_ kind: Kind, _ configuration: Configuration = Configuration()) throws {
    folder = try TemporaryDirectory()
    let path = folder.file("stops.db").path
    writer =
      switch kind {
      case .queue: try DatabaseQueue(path: path, configuration: configuration)
      case .pool: try DatabasePool(path: path, configuration: configuration)
      }
    try write(
      """
      CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE route (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE choice (id INTEGER PRIMARY KEY, name TEXT);
      """)
  }

  /// Writes on the calling thread, also in asynchronous functions.
  func write(_ sql: String) throws {
    try writer.write { db in try db.execute(sql: sql) }
  }

  /// Adds a stop.
  func add(_ name: String) throws {
    try writer.write { db in
      try db.execute(sql: "INSERT INTO stop (name) VALUES (?)", arguments: [name])
    }
  }

  /// The number of stops.
  static let count = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
  }
}

extension Journal {
  /// Suspends the task until there are this many entries.
  func reaches(_ count: Int, file: StaticString = #fileID, line: UInt = #line) async {
    await until(file: file, line: line) { entries.count >= count }
  }
}
