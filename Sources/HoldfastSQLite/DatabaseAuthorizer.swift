internal import CSQLite

extension Database {
  /// One thing that a statement will do.
  public struct Action: Hashable, Sendable {
    /// What is done.
    ///
    /// - SeeAlso: <https://www.sqlite.org/c3ref/c_alter_table.html>
    public struct Kind: RawRepresentable, Hashable, Sendable {
      /// SQLite's number.
      public let rawValue: CInt

      /// Creates a kind from SQLite's number.
      public init(rawValue: CInt) {
        self.rawValue = rawValue
      }

      /// A SELECT.
      public static let select = Kind(rawValue: SQLITE_SELECT)
      /// A column is read: the table's name, the column's.
      public static let read = Kind(rawValue: SQLITE_READ)
      /// Rows are inserted: the table's name.
      public static let insert = Kind(rawValue: SQLITE_INSERT)
      /// A column is written: the table's name, the column's.
      public static let update = Kind(rawValue: SQLITE_UPDATE)
      /// Rows are deleted: the table's name.
      public static let delete = Kind(rawValue: SQLITE_DELETE)
      /// A function is called: nothing, the function's name.
      public static let function = Kind(rawValue: SQLITE_FUNCTION)
      /// A pragma is run: its name, its argument.
      public static let pragma = Kind(rawValue: SQLITE_PRAGMA)
      /// A database is attached: its file's name.
      public static let attach = Kind(rawValue: SQLITE_ATTACH)
      /// A database is detached: its name.
      public static let detach = Kind(rawValue: SQLITE_DETACH)
      /// A transaction begins or ends: `BEGIN`, `COMMIT` or `ROLLBACK`.
      public static let transaction = Kind(rawValue: SQLITE_TRANSACTION)
      /// A savepoint begins or ends: `BEGIN`, `RELEASE` or `ROLLBACK`, its name.
      public static let savepoint = Kind(rawValue: SQLITE_SAVEPOINT)
      /// A query that refers to itself.
      public static let recursive = Kind(rawValue: SQLITE_RECURSIVE)
    }

    /// What is done.
    public let kind: Kind

    /// What it is done to, as ``Kind`` says.
    public let first: String?

    /// The rest of it, as ``Kind`` says.
    public let second: String?

    /// The schema's name, such as `main`, where there is one.
    public let schema: String?

    /// The trigger or view that does it, `nil` when it is the statement itself.
    public let trigger: String?
  }

  /// What becomes of a thing that a statement will do.
  public enum Authorization: Sendable {
    /// It is done.
    case allow
    /// It is left out: a column reads as NULL, and rows that would be deleted are, one by one.
    case ignore
    /// The statement is refused with `SQLITE_AUTH`.
    case deny
  }

  /// Has a closure decide what statements may do.
  ///
  /// It is asked when a statement is prepared. It guards against statements that come from others;
  /// `DatabaseReader.read` needs no help to keep a closure from writing.
  ///
  /// ```swift
  /// db.authorize { action in
  ///   action.kind == .read && action.first == "secret" ? .deny : .allow
  /// }
  /// ```
  ///
  /// - Parameter authorizer: Decides, on the thread that prepares the statement, and must not use
  ///   the connection; `nil` allows everything again.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/set_authorizer.html>
  public func authorize(_ authorizer: ((_ action: Action) -> Authorization)?) {
    checkAccess()
    handle.authorizers.user = authorizer.map { UserAuthorizer($0) }
    // A statement that was prepared before is prepared again, and so asked for too.
    unsafe handle.authorizers.install(on: handle.pointer)
  }
}

/// The closure of a user who decides what statements may do.
private final class UserAuthorizer: AuthorizerListener {
  private let authorizer: (Database.Action) -> Database.Authorization

  init(_ authorizer: @escaping (Database.Action) -> Database.Authorization) {
    self.authorizer = authorizer
  }

  func judge(
    _ code: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
  ) -> CInt {
    func text(_ address: UnsafePointer<CChar>?) -> String? {
      unsafe address.map { unsafe String(cString: $0) }
    }
    let action = Database.Action(
      kind: Database.Action.Kind(rawValue: code), first: unsafe text(first),
      second: unsafe text(second), schema: unsafe text(schema), trigger: unsafe text(trigger))
    return switch authorizer(action) {
    case .allow: SQLITE_OK
    case .ignore: SQLITE_IGNORE
    case .deny: SQLITE_DENY
    }
  }
}
