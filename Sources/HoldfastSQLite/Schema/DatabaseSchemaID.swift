/// A schema of a connection: the main database, the temporary one, or an attached one.
///
/// - SeeAlso: <https://www.sqlite.org/lang_attach.html>
public enum DatabaseSchemaID: Hashable, Sendable {
  /// The database that was opened.
  case main
  /// The temporary database of the connection.
  case temp
  /// An attached database, by the name that it has on the connection.
  case attached(String)

  init(named name: String) {
    switch name.foldedDatabaseIdentifier {
    case "main": self = .main
    case "temp": self = .temp
    default: self = .attached(name)
    }
  }

  /// The name of the schema in SQL, unquoted.
  public var name: String {
    switch self {
    case .main: "main"
    case .temp: "temp"
    case .attached(let name): name
    }
  }

  /// The name of the table with the schema's content, unquoted.
  ///
  /// - SeeAlso: <https://www.sqlite.org/schematab.html>
  public var schemaTableName: String {
    self == .temp ? "sqlite_temp_master" : "sqlite_master"
  }

  /// All names of tables with a schema's content.
  static let tableNames: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]
}
