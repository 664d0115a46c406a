import Foundation
import Holdfast
import HoldfastTestSupport

/// What BesideGRDB.md uses of GRDB 7, with GRDB's signatures, because GRDB cannot be downloaded here.
///
/// A queue is a connection of SQLite of its own. It notifies nothing: it writes down what it is told.
enum GRDB {
  protocol DatabaseWriter: Sendable {
    func write<T: Sendable>(_ updates: @escaping @Sendable (Database) throws -> T) async throws -> T
    func writeWithoutTransaction<T: Sendable>(
      _ updates: @escaping @Sendable (Database) throws -> T
    ) async throws -> T
  }

  struct Configuration {
    var readonly = false
    fileprivate var preparations: [@Sendable (Database) throws -> Void] = []

    mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
      preparations.append(setup)
    }
  }

  struct DatabaseRegion: DatabaseRegionConvertible {}

  protocol DatabaseRegionConvertible {}

  struct Database {
    static let suspendNotification = Notification.Name("GRDB.Database.Suspend")
    static let resumeNotification = Notification.Name("GRDB.Database.Resume")

    fileprivate let connection: Holdfast.Database
    fileprivate let queue: DatabaseQueue?

    func execute(sql: String) throws { try connection.execute(sql: sql) }

    func notifyChanges(in region: some DatabaseRegionConvertible) throws {
      queue?.calls.append(connection.isInsideTransaction ? "notify" : "notify too early")
    }
  }

  final class DatabaseQueue: DatabaseWriter {
    /// What was called, in order.
    let calls = Journal<String>()
    private let queue: Holdfast.DatabaseQueue

    init(path: String, configuration: Configuration = Configuration()) throws {
      var own = Holdfast.Configuration()
      own.readonly = configuration.readonly
      for prepare in configuration.preparations {
        own.prepareDatabase { db in try prepare(Database(connection: db, queue: nil)) }
      }
      queue = try Holdfast.DatabaseQueue(path: path, configuration: own)
    }

    func write<T: Sendable>(
      _ updates: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
      try await queue.write { db in try updates(Database(connection: db, queue: self)) }
    }

    func writeWithoutTransaction<T: Sendable>(
      _ updates: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
      try await queue.writeWithoutTransaction { db in
        try updates(Database(connection: db, queue: self))
      }
    }

    /// Commits as an app on GRDB does.
    func execute(_ sql: String) async throws {
      try await queue.write { db in try db.execute(sql: sql) }
    }
  }
}

extension GRDB.DatabaseRegionConvertible where Self == GRDB.DatabaseRegion {
  static var fullDatabase: Self { Self() }
}

extension Int {
  static func fetchOne(_ db: GRDB.Database, sql: String) throws -> Int? {
    db.queue?.calls.append(sql)
    return try fetchOne(db.connection, sql: sql)
  }
}
