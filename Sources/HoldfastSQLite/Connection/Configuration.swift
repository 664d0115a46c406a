public import Dispatch

/// The configuration of a database, set before it is opened.
///
/// The defaults are safe for a database that other processes use too.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.busyMode = .timeout(10)
/// configuration.prepareDatabase { db in
///   try db.execute(sql: "PRAGMA synchronous = FULL")
/// }
/// ```
public struct Configuration: Sendable {
  /// A closure that prepares each connection after it is opened.
  public typealias Preparation = @Sendable (Database) throws -> Void

  // MARK: - The file

  /// Whether the database is opened for reading only; false by default.
  ///
  /// A read-only database is never created. The default is false because an app creates its own
  /// database; set it for a file that was shipped, or that another process owns.
  public var readonly = false

  /// The journal mode that is set when the database is opened; `.default` by default.
  ///
  /// The default keeps the file's mode, except in a pool, which requires the write-ahead log.
  ///
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_journal_mode>
  public var journalMode = JournalModeConfiguration.default

  /// A journal mode to set when a database is opened.
  public enum JournalModeConfiguration: Sendable {
    /// The write-ahead log in a `DatabasePool`; in a `DatabaseQueue` the mode of the file.
    case `default`

    /// The write-ahead log.
    ///
    /// For a `DatabaseQueue` on a file that pools, snapshots or other processes read concurrently.
    case wal
  }

  /// Whether the write-ahead log's files stay when the last connection closes; false by default.
  ///
  /// Set it on every writer of a database that other processes open for reading only: they cannot
  /// open it without the log's files, unless they may create them. A writer without it that closes
  /// last removes the files. `DatabasePool.shared(at:)` sets it.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html>, "Read-Only Databases"
  public var keepsWriteAheadLog = false

  // MARK: - SQL

  /// Whether foreign keys are enforced; true by default, because SQLite's own default is off.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html>
  public var foreignKeysEnabled = true

  /// Whether `"text"` in double quotes may be a string literal; false by default.
  ///
  /// With false a misspelt column name is an error instead of a silent string.
  ///
  /// - SeeAlso: <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>
  public var acceptsDoubleQuotedStringLiterals = false

  /// The source of what the schema cannot say, such as the primary keys of views; `nil` by default.
  public var schemaSource: (any DatabaseSchemaSource)?

  /// Whether error descriptions show the values bound to statements; false by default.
  ///
  /// Logs are passed on, and values may be private.
  public var publicStatementArguments = false

  // MARK: - Locks

  /// The behavior when another connection holds a needed lock; waits 5 seconds by default.
  ///
  /// The writers of one queue or pool wait in its own queue and never for each other's locks. The
  /// default is meant for other processes: the lock of a short write is soon free, and a write that
  /// fails at once is rarely wanted.
  public var busyMode = Database.BusyMode.timeout(5)

  /// The behavior of read-only connections when another connection holds a needed lock.
  ///
  /// It is `nil` by default: they behave as ``busyMode`` says. A reader in WAL mode waits for a lock
  /// in rare cases only, such as the recovery of the log after a crash.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html>, "Sometimes Queries Return SQLITE_BUSY In WAL Mode"
  public var readonlyBusyMode: Database.BusyMode?

  /// The number of longest writes that `longestWrites` keeps; 0 by default, which measures none.
  ///
  /// A long write makes the writers of other processes wait. If the number is positive, each write
  /// is measured, at the cost of reading the clock a few times and of keeping its SQL.
  public var longestWriteCount = 0

  /// The kind of transaction that `write` begins; `.immediate` by default.
  ///
  /// A deferred transaction that reads first and then writes fails with `SQLITE_BUSY` at once,
  /// without waiting, when another connection wrote in between.
  public var defaultTransactionKind = Database.TransactionKind.immediate

  /// The clock of ``Database/transactionDate``; the system's clock by default.
  ///
  /// A test sets a clock of its own to know the dates that are stored.
  public var transactionClock: any TransactionClock = .default

  // MARK: - Connections

  /// A name for queues and messages; `nil` by default.
  public var label: String?

  /// The number of connections that read at the same time in a pool; 5 by default.
  ///
  /// Only `DatabasePool` uses it. It is at least 1. Connections are opened on demand, so a larger
  /// number costs nothing until then; each has its own page cache.
  public var maximumReaderCount = 5

  /// Whether a pool's `releaseMemory()` keeps its readers open; false by default.
  ///
  /// Closing a connection frees all of its memory. Set it when opening a connection is slow, for
  /// example because the preparation derives a key.
  public var persistentReadOnlyConnections = false

  // MARK: - Suspension

  /// Whether the database can be suspended, which releases all of its locks at once.
  ///
  /// Off by default, because a connection that can be closed from outside costs one lock for each
  /// run of a statement. The two flags below imply it. A database in memory has no locks that other
  /// processes wait for, and is never suspended.
  public var allowsSuspension = false

  /// Whether the database is suspended when the app's background time is about to expire.
  ///
  /// Set it in apps, not in extensions, for a database that is shared in an app group container.
  /// While it is suspended it may still be read in WAL mode, on connections that are closed right
  /// after.
  public var suspendsOnBackgroundTimeExpiration = false

  /// Whether the database is suspended and resumed by the notifications that GRDB has for it.
  ///
  /// While it is suspended it may still be read in WAL mode, on connections that are closed right
  /// after.
  public var observesSuspensionNotifications = false

  /// Whether an access to a suspended database waits until it is resumed; false by default.
  ///
  /// By default the access fails, because one that waits on the main thread keeps the app from
  /// resuming. An access that is running when the database is suspended fails in any case.
  public var waitsForResume = false

  /// Whether the name of a database to attach is interpreted as a URI if it begins with `file:`.
  package var attachesURIs = false

  /// Whether another author wrote the schema of the file; false by default.
  ///
  /// The functions that the app adds to such a connection are called by the app's own SQL only: a view,
  /// a trigger, a constraint or an index of the file that names one is refused. SQLite's functions are
  /// all allowed: `PRAGMA trusted_schema = OFF` makes older versions refuse innocent ones, such as
  /// `json_valid` in SQLite 3.40, as a malformed schema. Views that would be prepared for ever are refused.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/c_deterministic.html>, "SQLITE_DIRECTONLY"
  package var hasForeignSchema = false

  var busyModeOfReaders: Database.BusyMode { readonlyBusyMode ?? busyMode }

  /// Whether any of the flags allows suspension.
  package var isSuspendable: Bool {
    allowsSuspension || suspendsOnBackgroundTimeExpiration || observesSuspensionNotifications
  }

  /// Whether reads continue while the database is suspended.
  package var keepsReadingWhileSuspended: Bool {
    suspendsOnBackgroundTimeExpiration || observesSuspensionNotifications
  }

  // MARK: - Change history

  /// The author of this queue's or pool's writes in the change history; `nil` by default.
  ///
  /// With an author, a change history is created when the database is opened for writing; it covers
  /// the tables that are added to it. Give each process its own name. Without an author, writes
  /// look like any other library's.
  public var historyAuthor: String?

  // MARK: - Awaited accesses

  // Blocking accesses run on the caller's thread, with its quality of service.

  /// The quality of service of awaited accesses; `.userInitiated` by default.
  ///
  /// It is ignored when a target queue is set.
  public var qos = DispatchQoS.userInitiated

  /// The target queue of all connections' queues; `nil` by default.
  ///
  /// For a `DatabasePool` it must be concurrent, or its accesses wait for each other.
  public var targetQueue: DispatchQueue?

  /// The target queue of writing connections' queues, instead of ``targetQueue``; `nil` by default.
  public var writeTargetQueue: DispatchQueue?

  /// The quality of service of the queues of reading connections.
  public var readQoS: DispatchQoS { targetQueue?.qos ?? qos }

  /// The quality of service of the queues of writing connections.
  public var writeQoS: DispatchQoS { (writeTargetQueue ?? targetQueue)?.qos ?? qos }

  // MARK: - Preparation

  private var preparations: [Preparation] = []

  /// Creates the default configuration.
  public init() {}

  /// The configuration of a file that is written before it has a name, by one connection.
  ///
  /// Nothing of an incomplete file remains, so it needs neither a journal nor syncs; its references
  /// are right by construction.
  package static var forUnpublishedFile: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    return configuration
  }

  /// Adds a preparation, which runs after the previous ones for each connection that is opened.
  ///
  /// Connections are the writer, each reader, each snapshot, and one that is kept while the
  /// database is observed, to detect commits of other processes; all but the writer only read.
  ///
  /// - Parameter setup: Runs outside of any transaction; if it throws, opening fails.
  public mutating func prepareDatabase(_ setup: @escaping Preparation) {
    preparations.append(setup)
  }

  /// All preparations as one closure; setting it replaces the ones added so far.
  ///
  /// It exists in addition to ``prepareDatabase(_:)`` for code that assigns a single preparation:
  ///
  /// ```swift
  /// configuration.prepareDatabase = { db in try db.execute(sql: "PRAGMA cache_size = -8000") }
  /// ```
  public var prepareDatabase: Preparation {
    get {
      { [preparations] db in
        for preparation in preparations {
          try preparation(db)
        }
      }
    }
    set { preparations = [newValue] }
  }

  /// Adds a preparation that runs before the ones added so far.
  package mutating func prepareFirst(_ setup: @escaping Preparation) {
    preparations.insert(setup, at: 0)
  }

  /// Whether connections are prepared, which may write.
  package var hasPreparations: Bool { !preparations.isEmpty }

  func prepare(_ db: Database) throws {
    for preparation in preparations {
      try preparation(db)
    }
  }
}
