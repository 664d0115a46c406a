import Foundation
import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A connection to a database, valid only during one access.
///
/// You do not create a `Database`: `read` and `write` pass one to their closure, and so does
/// ``Configuration/prepareDatabase(_:)``. It is valid only during that closure and on its thread;
/// any other use ends the process with a message.
///
/// ```swift
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
///   try db.execute(sql: "INSERT INTO stop (name) VALUES (?)", arguments: ["Circular Quay"])
/// }
/// ```
@safe
public final class Database {
  /// The configuration of the connection.
  public let configuration: Configuration

  /// The absolute path of the file; `nil` for a database in memory.
  public let path: String?

  let handle: ConnectionHandle
  private let token: AccessToken
  @exclusivity(unchecked) var statementCache = StatementCache(capacity: 100)

  /// The statements that callers keep between accesses.
  @exclusivity(unchecked) var cachedStatements = CachedStatements()

  // Unchecked like the cache: one thread uses a connection, and none of these calls back.
  @exclusivity(unchecked) var transactionStatements = TransactionStatements()

  /// The transaction that the code of the access expects to be open.
  @exclusivity(unchecked) var expectedTransaction = ExpectedTransaction()

  /// The known schemas in which a name is looked up.
  let nameResolution = NameResolution()

  /// Whether a name may refer to a table of an attached database.
  @exclusivity(unchecked) var mayNamesBeAmbiguous = false

  /// The temporary objects that are made before the first statement of the app; see
  /// ``addTemporaryObjects(_:)``.
  @exclusivity(unchecked) var deferredObjects: [(Database) throws -> String] = []

  /// The cache of the schema.
  let schemaCache = SchemaCache()

  /// The source of facts that the schema does not declare; the configuration's, except in
  /// migrations.
  public internal(set) var schemaSource: (any DatabaseSchemaSource)?

  #if SQLCipher
    /// Whether a salt was given, which the app then knows.
    var hasCipherSalt = false
  #endif

  /// Whether the file was read, with its key if it has one.
  var isKeyChecked = false

  /// Whether changed pages stay in memory until their commit.
  var keepsChangedPages = false

  /// The version of the main schema before the open transaction changed it; see
  /// ``schemaVersionBeforeChanges``.
  var earlierSchemaVersion: Int64?

  /// The date of the open transaction, or the error of its clock; `nil` without a transaction.
  @exclusivity(unchecked) var dateOfTransaction: Result<Date, any Error>?

  /// The caches of the records' statements.
  let recordStatementCaches = RecordStatementCaches()

  /// The values that were computed from the database's content.
  let contentCache = ContentCache()

  /// Whether a rollback failed and is still due.
  var hasPendingRollback = false

  /// The last value of `PRAGMA data_version`, which changes when other connections commit.
  var dataVersion: Int?

  /// The broker of the connection's changes, created when it is first needed.
  var broker: ChangeBroker? {
    didSet { unsafe brokerAtHand = broker.map(Unmanaged.passUnretained) }
  }

  // The same, to be called without a retain and a release for each run.
  @exclusivity(unchecked) private var brokerAtHand: Unmanaged<ChangeBroker>?

  /// The clock that measures the connection's writes; `nil` when they are not measured.
  var writeClock: WriteClock?

  /// The object that suspends the connection's database, for others that open the same one; `nil`
  /// if there is none.
  package var suspension: AnyObject?

  /// Whether another access on the thread that holds the connection runs on it too, instead of trapping.
  package var allowsNestedAccesses = false

  /// Whether the file was opened for reading only.
  package let isReadOnlyConnection: Bool

  /// Whether the file is taken for one that nobody modifies while it is open.
  let isNeverModified: Bool

  /// The restrictions of a connection that is opened while the database is suspended, else `nil`.
  private var suspendedAccess: SuspendedAccess?
  private var isReadOnlyAccess = false

  /// Whether the access is a read.
  private(set) var isRead = false
  private var isUndoing = false

  // MARK: - Opening and closing

  /// Opens a connection to a file, or to a private database in memory.
  ///
  /// - Parameters:
  ///   - path: The file's path, or `nil` for a database in memory.
  ///   - isReadOnly: Whether the file is opened for reading only, and never created.
  ///   - configuration: The configuration of the connection.
  ///   - token: The thread that holds the connection.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever a preparation throws.
  package convenience init(
    path: String?, isReadOnly: Bool, configuration: Configuration, token: AccessToken
  ) throws {
    try self.init(
      at: path.map { .file($0) } ?? .memory, isReadOnly: isReadOnly, configuration: configuration,
      token: token)
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - location: The location of the database.
  ///   - isReadOnly: Whether it is opened for reading only, and never created.
  ///   - configuration: The configuration of the connection.
  ///   - token: The thread that holds the connection.
  ///   - isSuspended: Whether the database is suspended, and may only be read.
  ///   - register: Called before the connection touches the file, if it can be suspended.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever a preparation or `register` throws.
  package init(
    at location: DatabaseLocation, isReadOnly: Bool, configuration: Configuration,
    token: AccessToken, isSuspended: Bool = false,
    register: ((OpenConnection) throws -> Void)? = nil
  ) throws {
    #if SQLCipher
      try CipherVersion.checkLibrary(path: location.path)
      let isCreated = !isReadOnly && Self.createFile(at: location)
    #endif
    self.configuration = configuration
    schemaSource = configuration.schemaSource
    path = location.path
    self.token = token
    isReadOnlyConnection = isReadOnly
    isNeverModified = location.isNeverModified
    handle = try ConnectionHandle(
      at: location, isReadOnly: isReadOnly,
      busyMode: isReadOnly ? configuration.busyModeOfReaders : configuration.busyMode,
      isSuspendable: register != nil, attachesURIs: configuration.attachesURIs, token: token)
    try register?(OpenConnection(handle: handle))
    try withAccess(isReadOnly: isReadOnly) { db in
      do {
        try db.setUp()
      } catch let error as DatabaseError {
        let error = db.explaining(error)
        #if SQLCipher
          if isCreated, error.encryptionFault != nil { db.removeCreatedFile() }
        #endif
        throw error
      }
      if isSuspended {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        db.suspendedAccess = SuspendedAccess(hasWriteAheadLog: mode == "wal")
      }
    }
  }

  private func setUp() throws {
    set(SQLITE_DBCONFIG_ENABLE_FKEY, configuration.foreignKeysEnabled)
    set(SQLITE_DBCONFIG_DQS_DML, configuration.acceptsDoubleQuotedStringLiterals)
    set(SQLITE_DBCONFIG_DQS_DDL, configuration.acceptsDoubleQuotedStringLiterals)
    handle.ifPresent { unsafe DatabaseCollation.offerBuiltIn(to: handle.pointer) }
    for function in DatabaseFunction.builtIn { add(function: function) }
    handle.hasForeignSchema = configuration.hasForeignSchema
    if configuration.keepsWriteAheadLog && !isReadOnlyConnection { try keepWriteAheadLog() }
    try configuration.prepare(self)
    try deferringTemporaryObjects { try examine() }
  }

  /// Examines the file after the preparations.
  private func examine() throws {
    guard !isInsideTransaction else { throw DatabaseError.transactionLeftOpen(path: path) }
    try checkKey()
    // SQLite reads the file lazily; this detects a file that is not a database.
    _ = try Int.fetchOne(self, sql: "PRAGMA schema_version")
    isKeyChecked = true
    handle.hasReadFile = true
    if configuration.hasForeignSchema, hasEndlessViews { set(SQLITE_DBCONFIG_ENABLE_VIEW, false) }
    if !isReadOnlyConnection {
      try noticeLog()
      try emptyLongLog()
    }
  }

  func set(_ option: CInt, _ isOn: Bool) {
    handle.ifPresent { unsafe holdfast_db_config(handle.pointer, option, isOn ? 1 : 0) }
  }

  /// Takes over the transaction observers of a connection that a suspension closed.
  package func adoptObservers(from ended: Database) {
    if let broker = ended.broker { makeBroker().adoptObservers(from: broker) }
  }

  /// Whether the connection has transaction observers, which another one can take over.
  package var hasObservers: Bool { broker?.hasObservers ?? false }

  /// Closes the connection and releases its locks; later accesses fail with `SQLITE_MISUSE`.
  ///
  /// - Returns: The error if SQLite refused; the connection is unusable even then.
  @discardableResult package func close() -> DatabaseError? {
    removeKeptStatements()
    contentCache.removeAll()
    return handle.close()
  }

  /// Releases the prepared statements that are kept for later uses.
  func removeKeptStatements() {
    unsafe statementCache.removeAll()
    unsafe cachedStatements.removeAll()
    recordStatementCaches.removeAll()
  }

  // MARK: - Access

  /// Runs an access: calls the closure with the connection, on the current thread.
  ///
  /// Statements with unread rows are reset when the closure returns.
  package func withAccess<Value>(
    isReadOnly: Bool, _ body: (Database) throws -> Value
  ) throws -> Value {
    guard handle.isOpen else { throw DatabaseError.closed(path: path) }
    token.hold()
    // SQLite itself prevents a read-only connection from writing, and more precisely: not every
    // pragma that may write does.
    isRead = isReadOnly
    isReadOnlyAccess = isReadOnly && !isReadOnlyConnection
    unsafe expectedTransaction = ExpectedTransaction()
    schemaCache.invalidateVerification()
    nameResolution.schemasMayChange()
    defer {
      resetActiveStatements()
      if handle.isClaimed { broker?.connectionEnded() }
      token.release()
    }
    if handle.isClaimed { throw DatabaseError.suspended(path: path) }
    try performPendingRollback()
    return try body(self)
  }

  func checkAccess() {
    handle.checkAccess()
  }

  /// The connection as a suspension sees it.
  package var openConnection: OpenConnection { OpenConnection(handle: handle) }

  /// Whether the access or the connection is read-only.
  package var isReadOnly: Bool { isReadOnlyAccess || isReadOnlyConnection }

  /// The default kind of a transaction.
  ///
  /// If nothing can be written it takes no write lock. A write to a suspended database, whose
  /// connection is read-only too, fails when it begins.
  var usualTransactionKind: TransactionKind {
    let cannotWrite = isRead || isReadOnlyAccess || isReadOnlyConnection && suspendedAccess == nil
    return cannotWrite ? .deferred : configuration.defaultTransactionKind
  }

  /// Whether nothing speaks against the run of a statement, which is nearly always so.
  ///
  /// If not, ``prepareRun(of:)`` says what does; asking it costs room for an error.
  @inline(__always)
  func mayRun(_ statement: Statement) -> Bool {
    guard statement.isReadonly || !isReadOnlyAccess, unsafe !mayNamesBeAmbiguous,
      suspendedAccess == nil, !handle.isClaimed,
      !handle.busyHandler.isAccessInterrupted.load(ordering: .relaxed)
    else { return false }
    return unsafe expectedTransaction.owner == nil
      || statement.transactionVerb == nil && !expectedTransaction.isGone(isOpen: isTransactionOpen)
  }

  /// Prepares the connection for the run of a statement.
  ///
  /// - Returns: The error if the statement may not run now.
  func prepareRun(of statement: Statement) -> DatabaseError? {
    if unsafe mayNamesBeAmbiguous { resolveNames(of: statement) }
    return refusal(of: statement)
  }

  /// Returns the error if the statement may not run now.
  func refusal(of statement: Statement) -> DatabaseError? {
    guard statement.isReadonly || !isReadOnlyAccess || statement.readsJournalMode else {
      return .writeInRead(sql: statement.sql, path: path)
    }
    if handle.isClaimed {
      return .transactionAborted(sql: statement.sql, path: path)
    }
    if !isUndoing, suspendedAccess != nil, let error = refusalWhileSuspended(of: statement) {
      return error
    }
    guard isUndoing || !handle.busyHandler.isAccessInterrupted.load(ordering: .relaxed) else {
      return .interrupted(sql: statement.sql, path: path)
    }
    return unsafe expectedTransaction.owner == nil ? nil : refusalInTransaction(of: statement)
  }

  private func refusalWhileSuspended(of statement: Statement) -> DatabaseError? {
    switch suspendedAccess?.answer(to: statement.sql, isReadonly: statement.isReadonly) {
    case nil, .allowed:
      return nil
    case .aborted:
      return .transactionAborted(sql: statement.sql, path: path)
    case .refused:
      // A later write must not rely on what was read before the refused one.
      if isInsideTransaction {
        do { try rollback() } catch _ {}
        suspendedAccess?.isAborted = true
      }
      return .suspended(sql: statement.sql, path: path)
    }
  }

  /// Runs the closure with writing forbidden, or allowed.
  func whileReadOnly<Value>(_ isReadOnly: Bool, _ body: () throws -> Value) rethrows -> Value {
    let before = isReadOnlyAccess
    isReadOnlyAccess = isReadOnly
    defer { isReadOnlyAccess = before }
    return try body()
  }

  /// Runs a closure that undoes changes, which is allowed even in an interrupted access.
  package func undoing(_ body: () throws -> Void) rethrows {
    isUndoing = true
    defer { isUndoing = false }
    try body()
  }

  // Inlined always, as all that is called once for each run: of a short run the calls would be a tenth.
  @inline(__always)
  func began(_ statement: Statement) {
    handle.busyHandler.begin()
    unsafe handle.activeStatements.add(statement)
    if statement.schemaEffect != .none { prepare(for: statement.schemaEffect) }
    writeClock?.began(statement)
    unsafe brokerAtHand?.withBorrowed { $0.began(statement, isReadOnly: isReadOnly) }
  }

  private func prepare(for effect: SchemaCache.Effect) {
    switch effect {
    case .none: break
    case .boundary:
      schemaCache.invalidateVerification()
      nameResolution.schemasMayChange()
      forgetEarlierSchemaVersion()
    case .change:
      noteEarlierSchemaVersion()
      schemaCache.change()
      nameResolution.schemasMayChange()
    case .attachment:
      schemaCache.change()
      attachmentsMayChange()
    }
  }

  @inline(__always)
  func ended(_ statement: Statement) {
    unsafe handle.activeStatements.remove(statement)
    measured()
  }

  /// Notifies the write clock that a statement has ended.
  @inline(__always)
  func measured() {
    guard let writeClock else { return }
    writeClock.ended(isOver: unsafe !isInsideTransaction && handle.activeStatements.latest == nil)
  }

  /// Called after a statement was reset, with the resulting code.
  @inline(__always)
  func didReset(_ statement: Statement, code: CInt) {
    // Only a failure or a transaction statement ends a transaction.
    let isGone =
      (code != SQLITE_OK || statement.schemaEffect != .none)
      && noteTransaction(after: statement.transactionVerb, code)
    unsafe brokerAtHand?.withBorrowed { $0.ended(statement, code) }
    if unsafe mayNamesBeAmbiguous { noteNames(of: statement) }
    if isGone { abortRuns() }
    if code == SQLITE_OK, statement.transactionVerb != nil { dateTransaction() }
  }

  /// Returns and clears the error with which an observer refused the last statement's commit.
  func takeVeto() -> (any Error)? {
    unsafe brokerAtHand?.withBorrowed { $0.takeVeto() } ?? nil
  }

  /// The active statement that began last.
  var activeRun: Statement? { unsafe handle.activeStatements.latest }

  /// Resets all active statements; their cursors return no further rows.
  package func resetActiveStatements() {
    while let statement = unsafe handle.activeStatements.latest {
      statement.reset()
    }
  }

  /// Ends the running statement, and its wait for a lock, with `SQLITE_INTERRUPT`.
  ///
  /// It may be called from any thread, and has no effect when no statement runs.
  public func interrupt() {
    handle.interrupt()
  }

  /// Frees prepared statements, cached pages and values computed from the content.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/db_release_memory.html>
  public func releaseMemory() {
    checkAccess()
    removeKeptStatements()
    unsafe transactionStatements = TransactionStatements()
    contentCache.removeAll()
    nameResolution.forgetProbes()
    handle.ifPresent { unsafe sqlite3_db_release_memory(handle.pointer) }
  }
}
