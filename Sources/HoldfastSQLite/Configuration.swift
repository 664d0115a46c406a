/// Everything that is decided before a database is opened.
///
/// The defaults are the safe choice for a database that other processes may use too.
public struct Configuration: Sendable {
  /// A closure that prepares each connection after it was opened.
  public typealias Preparation = @Sendable (Database) throws -> Void

  /// Whether the database is opened for reading only; false by default.
  ///
  /// A read-only database is never created.
  public var readonly = false

  /// A name for queues and messages; `nil` by default.
  public var label: String?

  /// Whether foreign keys are enforced; true by default, because SQLite's own default is off.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html>
  public var foreignKeysEnabled = true

  /// What happens when another connection holds a needed lock; wait 5 seconds by default.
  public var busyMode = Database.BusyMode.timeout(5)

  /// The kind of transaction that `write` begins; `.immediate` by default.
  ///
  /// A deferred transaction that reads first and then writes fails with `SQLITE_BUSY` at once,
  /// without waiting, when another connection wrote in between.
  public var defaultTransactionKind = Database.TransactionKind.immediate

  /// The number of connections that read at the same time in a pool; 5 by default.
  ///
  /// Only `DatabasePool` uses it. It is at least 1.
  public var maximumReaderCount = 5

  /// Whether `"text"` in double quotes may stand for a string; false by default.
  ///
  /// With false a misspelt column name is an error instead of a silent string.
  ///
  /// - SeeAlso: <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>
  public var acceptsDoubleQuotedStringLiterals = false

  /// Whether error descriptions show the values bound to statements; false by default.
  public var publicStatementArguments = false

  private var preparations: [Preparation] = []

  /// Creates the default configuration.
  public init() {}

  /// Adds a preparation, run after the ones added before for each connection that is opened.
  ///
  /// - Parameter setup: Runs outside of any transaction; an error it throws ends the opening.
  public mutating func prepareDatabase(_ setup: @escaping Preparation) {
    preparations.append(setup)
  }

  /// Adds a preparation, run before the ones added so far.
  package mutating func prepareFirst(_ setup: @escaping Preparation) {
    preparations.insert(setup, at: 0)
  }

  func prepare(_ db: Database) throws {
    for preparation in preparations {
      try preparation(db)
    }
  }
}
