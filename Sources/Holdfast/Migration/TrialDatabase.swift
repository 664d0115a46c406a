import Foundation

/// A database for a look at what something would make of an empty one.
struct TrialDatabase {
  private let configuration: Configuration

  init(configuration: Configuration) {
    var configuration = configuration
    configuration.readonly = false
    configuration.label = "holdfast.trial"
    self.configuration = configuration
  }

  /// Returns the schema that the closure makes.
  ///
  /// The file is an ordinary one, because what prepares connections may not like any other, and a
  /// migration may need more room than there is memory.
  func schema(_ make: (Database) throws -> Void) throws -> Set<[DatabaseValue]> {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "holdfast-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // Left behind it costs some room in a folder that the system clears.
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

  /// What the user's own tables, indexes, views and triggers are made by.
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
