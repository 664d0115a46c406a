import Foundation

/// A temporary database that shows which schema a migrator creates in an empty one.
struct ExpectedSchemaDatabase {
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
  func schema(_ make: (Database) throws -> Void) throws -> ComparedSchema {
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
      return try ComparedSchema(db)
    }
    try queue.close()
    return schema
  }
}
