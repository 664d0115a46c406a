import HoldfastSQLite
import HoldfastTestSupport

/// A connection and its access token, as a pool holds them.
struct Connection {
  let token = AccessToken()
  let database: Database

  init(
    _ path: String? = nil, isReadOnly: Bool = false,
    _ configuration: Configuration = Configuration()
  ) throws {
    database = try Database(
      path: path, isReadOnly: isReadOnly, configuration: configuration, token: token)
  }

  /// Runs the closure with the connection, for writing.
  func withAccess<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try database.withAccess(isReadOnly: false, body)
  }

  /// Runs the closure with a new database in memory.
  static func inMemory<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Connection().withAccess(body)
  }
}

/// Returns the database error that the closure throws, and fails if it throws none.
func databaseError(_ body: () throws -> Void) throws -> DatabaseError {
  do {
    try body()
  } catch let error as DatabaseError {
    return error
  }
  throw Unexpected(sentence: "A DatabaseError was expected, and nothing was thrown.")
}

/// An unexpected result.
struct Unexpected: Error {
  var sentence: String
}
