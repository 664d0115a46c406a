import Holdfast

/// The connection whose virtual tables read a timetable.
///
/// SQLite keeps the tables as long as the connection, so that they must not keep it in turn.
// Sendable because SQLite calls a table only on the thread that holds its connection.
final class TimetableConnection: @unchecked Sendable {
  private weak var connection: Database?

  init(_ db: Database) {
    connection = db
  }

  /// The connection, which is open while SQLite calls a table.
  var db: Database {
    get throws {
      guard let connection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return connection
    }
  }
}
