#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// An action of a statement that is being prepared.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/c_alter_table.html>
public struct AuthorizedAction: Hashable, Sendable {
  /// The kind of an action; SQLite may have more kinds than are named here.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// SQLite's action code.
    public var rawValue: CInt

    /// Creates a code from SQLite's action code.
    public init(rawValue: CInt) { self.rawValue = rawValue }

    /// A column is read: table, column.
    public static let read = Code(rawValue: SQLITE_READ)
    /// A query is run.
    public static let select = Code(rawValue: SQLITE_SELECT)
    /// Rows are inserted: table.
    public static let insert = Code(rawValue: SQLITE_INSERT)
    /// Rows are updated: table, column.
    public static let update = Code(rawValue: SQLITE_UPDATE)
    /// Rows are deleted: table.
    public static let delete = Code(rawValue: SQLITE_DELETE)
    /// A function is called: `nil`, name.
    public static let function = Code(rawValue: SQLITE_FUNCTION)
    /// A pragma is read or set: name, value.
    public static let pragma = Code(rawValue: SQLITE_PRAGMA)
    /// A database is attached: its file.
    public static let attach = Code(rawValue: SQLITE_ATTACH)
    /// A database is detached: its name.
    public static let detach = Code(rawValue: SQLITE_DETACH)
    /// A transaction begins or ends: the operation, such as `BEGIN`.
    public static let transaction = Code(rawValue: SQLITE_TRANSACTION)
    /// A savepoint begins or ends: the operation, its name.
    public static let savepoint = Code(rawValue: SQLITE_SAVEPOINT)
    /// A table is created: its name.
    public static let createTable = Code(rawValue: SQLITE_CREATE_TABLE)
    /// A table is dropped: its name.
    public static let dropTable = Code(rawValue: SQLITE_DROP_TABLE)
    /// A table is altered: its database, its name.
    public static let alterTable = Code(rawValue: SQLITE_ALTER_TABLE)
  }

  /// Whether the statement may perform an action.
  public enum Decision: Sendable {
    /// The action is allowed.
    case allow
    /// Preparing it fails with `SQLITE_AUTH`.
    case deny
    /// A column reads as NULL; most other actions are not performed, and no error is thrown.
    case ignore
  }

  /// The kind of the action.
  public var code: Code

  /// The object of the action, mostly a table; see ``Code``.
  public var first: String?

  /// The part of the object, mostly a column; see ``Code``.
  public var second: String?

  /// The name of the schema: `main`, `temp`, or the name of an attached database.
  public var databaseName: String?

  /// The trigger or view that causes the action; `nil` when the statement itself does.
  public var triggerOrViewName: String?

  /// Creates an action, for example to test a closure.
  ///
  /// - Parameters:
  ///   - code: The kind of the action.
  ///   - first: The object of the action.
  ///   - second: The part of the object.
  ///   - databaseName: The name of the schema.
  ///   - triggerOrViewName: The trigger or view that causes the action.
  public init(
    code: Code, first: String? = nil, second: String? = nil, databaseName: String? = nil,
    triggerOrViewName: String? = nil
  ) {
    self.code = code
    self.first = first
    self.second = second
    self.databaseName = databaseName
    self.triggerOrViewName = triggerOrViewName
  }
}

extension Database {
  /// Sets a closure that decides what statements may do.
  ///
  /// Observations are not affected. Statements that are already prepared are authorized when they
  /// next run.
  ///
  /// - Parameter decide: Called once or more for each statement; it must not use the connection.
  ///   With `nil` everything is allowed again.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/set_authorizer.html>
  public func setAuthorizer(
    _ decide: (@Sendable (AuthorizedAction) -> AuthorizedAction.Decision)?
  ) {
    checkAccess()
    makeBroker().setAuthorizer(decide)
  }
}

extension AuthorizedAction.Decision {
  var code: CInt {
    switch self {
    case .allow: SQLITE_OK
    case .deny: SQLITE_DENY
    case .ignore: SQLITE_IGNORE
    }
  }
}
