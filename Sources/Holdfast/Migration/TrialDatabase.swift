import Foundation

/// A temporary database that shows which schema a migrator creates in an empty one.
struct TrialDatabase {
  private let configuration: Configuration

  init(configuration: Configuration) {
    var configuration = configuration
    configuration.readonly = false
    configuration.label = "holdfast.trial"
    self.configuration = configuration
  }

  /// Returns the schema that the closure creates.
  ///
  /// The database is an ordinary file, because the preparation of connections may not work with any
  /// other, and a migration may need more space than there is memory.
  func schema(_ make: (Database) throws -> Void) throws -> Set<[DatabaseValue]> {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "holdfast-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // If it remains, it takes some space in a folder that the system clears.
      do { try FileManager.default.removeItem(at: folder) } catch _ {}
    }
    let queue = try DatabaseQueue(
      path: folder.appending(path: "trial.db").path, configuration: configuration)
    let schema = try queue.writeWithoutTransaction { db in
      try make(db)
      return try Self.schema(db)
    }
    try queue.close()
    return schema
  }

  /// Returns the SQL of the user's tables, indexes, views and triggers.
  static func schema(_ db: Database) throws -> Set<[DatabaseValue]> {
    Set(
      try Row.fetchAll(
        db,
        sql: """
          SELECT type, name, tbl_name, sql FROM main.sqlite_schema
          WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'grdb\\_%' ESCAPE '\\'
            AND name NOT LIKE 'holdfast\\_history%' ESCAPE '\\'
          """
      ).map(\.databaseValues))
  }
}
