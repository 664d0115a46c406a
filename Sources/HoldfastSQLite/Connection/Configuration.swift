public import Dispatch

/// Everything that is decided before a database is opened.
///
/// The defaults are the safe choice for a database that other processes may use too.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.busyMode = .timeout(10)
/// configuration.prepareDatabase { db in
///   try db.execute(sql: "PRAGMA synchronous = FULL")
/// }
/// ```
public struct Configuration: Sendable {
  /// A closure that prepares each connection after it was opened.
  public typealias Preparation = @Sendable (Database) throws -> Void

  // MARK: - The file

  /// Whether the database is opened for reading only; false by default.
  ///
  /// A read-only database is never created. The default is false because an app's own database
  /// is made by the app; set it for a file that was shipped, or that another process owns.
  public var readonly = false

  /// Which journal the database gets when it is opened; `.default` by default.
  ///
  /// The default keeps a file as it was made, except in a pool, which is nothing without the
  /// write-ahead log.
  ///
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_journal_mode>
  public var journalMode = JournalModeConfiguration.default

  /// Which journal a database gets when it is opened.
  public enum JournalModeConfiguration: Sendable {
    /// The write-ahead log in a `DatabasePool`, and in a `DatabaseQueue` the mode the file has.
    case `default`

    /// The write-ahead log.
    ///
    /// For a `DatabaseQueue` on a file that pools, snapshots or other processes read meanwhile.
    case wal
  }

  /// Whether the files of the write-ahead log stay when the last connection closes; false by
  /// default.
  ///
  /// Set it on every writer of a database that others open for reading only: without the log's files
  /// they cannot, unless they may create them. One writer without it that closes last removes them.
  /// `DatabasePool.shared(at:)` sets it.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html>, "Read-Only Databases"
  public var keepsWriteAheadLog = false

  // MARK: - SQL

  /// Whether foreign keys are enforced; true by default, because SQLite's own default is off.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html>
  public var foreignKeysEnabled = true

  /// Whether `"text"` in double quotes may stand for a string; false by default.
  ///
  /// With false a misspelt column name is an error instead of a silent string.
  ///
  /// - SeeAlso: <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>
  public var acceptsDoubleQuotedStringLiterals = false

  /// Whether error descriptions show the values bound to statements; false by default, because
  /// logs travel and values may be private.
  public var publicStatementArguments = false

  // MARK: - Locks

  /// What happens when another connection holds a needed lock; wait 5 seconds by default.
  ///
  /// The writers of one queue or pool wait in their own line and never for each other's locks. The
  /// default serves other processes: the lock of a short write is soon free, and a write that
  /// fails at once is rarely what anybody wants.
  public var busyMode = Database.BusyMode.timeout(5)

  /// How many of the longest writes `longestWrites` keeps; none by default, which measures nothing.
  ///
  /// A long write keeps the writers of other processes waiting. With a number each write is
  /// measured, at the cost of reading the clock a few times and of keeping the SQL that it runs.
  public var longestWriteCount = 0

  /// The kind of transaction that `write` begins; `.immediate` by default.
  ///
  /// A deferred transaction that reads first and then writes fails with `SQLITE_BUSY` at once,
  /// without waiting, when another connection wrote in between.
  public var defaultTransactionKind = Database.TransactionKind.immediate

  // MARK: - Connections

  /// A name for queues and messages; `nil` by default.
  public var label: String?

  /// The number of connections that read at the same time in a pool; 5 by default.
  ///
  /// Only `DatabasePool` uses it. It is at least 1. Connections are opened when they are needed,
  /// so a larger number costs nothing until then; each keeps a page cache of its own.
  public var maximumReaderCount = 5

  /// Whether a pool's `releaseMemory()` keeps its readers open; false by default, because a
  /// closed connection gives all of its memory back.
  ///
  /// Set it when opening a connection is slow, as it is when the preparation derives a key.
  public var persistentReadOnlyConnections = false

  // MARK: - Suspension

  /// Whether the database can be suspended, which ends all of its locks at once.
  ///
  /// Off by default, because a connection that can be ended from outside costs one lock for each run
  /// of a statement. The two flags below imply it. A database in memory has no locks that another
  /// process could miss, and is never suspended.
  public var allowsSuspension = false

  /// Whether the database is suspended when the app's time in the background is about to end.
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

  /// Whether an access to a suspended database waits for the resume; it fails by default.
  ///
  /// Off by default, because an access that waits on the main thread keeps the app from coming back.
  /// An access that runs when the database is suspended fails in any case.
  public var waitsForResume = false

  /// Whether any of the flags asks for it.
  package var isSuspendable: Bool {
    allowsSuspension || suspendsOnBackgroundTimeExpiration || observesSuspensionNotifications
  }

  /// Whether reading goes on while the database is suspended.
  package var keepsReadingWhileSuspended: Bool {
    suspendsOnBackgroundTimeExpiration || observesSuspensionNotifications
  }

  // MARK: - Change history

  /// The name under which the database's change history knows the writes of this queue or pool;
  /// `nil` by default.
  ///
  /// With a name the database gets a history when it is opened for writing, in which tables take
  /// part that are added to it. Give each process a name of its own. Without one its writes look
  /// like those of any other library.
  public var historyAuthor: String?

  // MARK: - Awaited accesses

  // Blocking accesses run on the thread of their caller, with its quality of service.

  /// The quality of service of awaited accesses; `.userInitiated` by default, because somebody
  /// awaits them.
  ///
  /// It is ignored where a target queue is given.
  public var qos = DispatchQoS.userInitiated

  /// A queue on which the queues of all connections run; `nil` by default.
  ///
  /// With a `DatabasePool` it must be a concurrent one, or its accesses wait for each other.
  public var targetQueue: DispatchQueue?

  /// A queue on which the queues of connections that write run, in place of ``targetQueue``;
  /// `nil` by default.
  public var writeTargetQueue: DispatchQueue?

  // MARK: - Preparation

  private var preparations: [Preparation] = []

  /// Creates the default configuration.
  public init() {}

  /// Adds a preparation, run after the ones added before for each connection that is opened.
  ///
  /// Connections are the writer, each reader, each snapshot, and one that is kept while the database
  /// is observed, to ask whether others have committed; all but the writer only read.
  ///
  /// - Parameter setup: Runs outside of any transaction; an error it throws ends the opening.
  public mutating func prepareDatabase(_ setup: @escaping Preparation) {
    preparations.append(setup)
  }

  /// All preparations as one; setting it replaces those added so far.
  ///
  /// It stands beside ``prepareDatabase(_:)`` for code that assigns its one preparation:
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

  /// Adds a preparation, run before the ones added so far.
  package mutating func prepareFirst(_ setup: @escaping Preparation) {
    preparations.insert(setup, at: 0)
  }

  /// Adds a preparation, run after the ones added so far.
  package mutating func prepareLast(_ setup: @escaping Preparation) {
    preparations.append(setup)
  }

  func prepare(_ db: Database) throws {
    for preparation in preparations {
      try preparation(db)
    }
  }
}
