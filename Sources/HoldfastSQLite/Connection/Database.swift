internal import CSQLite
import Synchronization

/// A connection to a database, lent to the closure of one access.
///
/// You do not create a `Database`: you get one from `read` and `write`, and from
/// ``Configuration/prepareDatabase(_:)``. It is valid inside that closure and on its thread only;
/// any use outside ends the process with a sentence that says so.
///
/// ```swift
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
///   try db.execute(sql: "INSERT INTO stop (name) VALUES (?)", arguments: ["Circular Quay"])
/// }
/// ```
@safe
public final class Database {
  /// What was decided before the connection was opened.
  public let configuration: Configuration

  /// The absolute path of the file, `nil` for a database in memory.
  public let path: String?

  let handle: ConnectionHandle
  private let token: AccessToken
  @exclusivity(unchecked) private var cache = StatementCache(capacity: 100)

  // Unchecked like the cache: a connection is one thread's, and none of them calls anything back.
  @exclusivity(unchecked) private var activeStatements = ActiveStatements()
  @exclusivity(unchecked) var transactionStatements = TransactionStatements()

  /// The transaction that the code of the access believes to be open.
  @exclusivity(unchecked) var expectedTransaction = ExpectedTransaction()

  /// What is known of the schemas in which a name is looked up.
  var nameResolution = NameResolution()

  /// Whether a name may mean a table of an attached database.
  @exclusivity(unchecked) var mayNamesBeAmbiguous = false

  /// What is known of the schema.
  var schemaCache = SchemaCache()

  /// The version of the main schema before the open transaction changed it; see
  /// ``schemaVersionBeforeChanges``.
  var earlierSchemaVersion: Int64?

  /// What is known of the types of records.
  var recordPlans = RecordStatementCaches()

  /// Whether a transaction was to be rolled back and could not be.
  var owesRollback = false

  /// What SQLite said when it was last asked whether others have committed.
  var dataVersion: Int?

  /// What follows the connection's changes, once somebody asked for it.
  var broker: ChangeBroker? {
    didSet { unsafe brokerAtHand = broker.map(Unmanaged.passUnretained) }
  }

  // The same once more, to be called without a retain and a release for each run.
  @exclusivity(unchecked) private var brokerAtHand: Unmanaged<ChangeBroker>?

  /// What measures the writes of the connection, once somebody wants to know.
  var writeClock: WriteClock?

  private let isReadOnlyConnection: Bool

  /// What may run on a connection that is opened while the database is suspended; `nil` when it is
  /// not.
  private var suspendedAccess: SuspendedAccess?
  private var isReadOnlyAccess = false

  /// Whether the access was asked for to read.
  private var isRead = false
  private var isUndoing = false

  // MARK: - Opening and closing

  /// Opens a connection to a file, or to a database of its own in memory.
  ///
  /// - Parameters:
  ///   - path: The file's path, or `nil` in memory.
  ///   - isReadOnly: Whether the file is opened for reading only, and never created.
  ///   - configuration: What was decided before.
  ///   - token: Tells which thread the connection is lent to.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; what a preparation throws.
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
  ///   - location: Where the database lies.
  ///   - isReadOnly: Whether it is opened for reading only, and never created.
  ///   - configuration: What was decided before.
  ///   - token: Tells which thread the connection is lent to.
  ///   - isSuspended: Whether the database is suspended, and may only be read.
  ///   - register: Gets the connection before it touches the file, when it can be suspended.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; what a preparation and `register` throw.
  package init(
    at location: DatabaseLocation, isReadOnly: Bool, configuration: Configuration,
    token: AccessToken, isSuspended: Bool = false,
    register: ((OpenConnection) throws -> Void)? = nil
  ) throws {
    self.configuration = configuration
    path = location.path
    self.token = token
    isReadOnlyConnection = isReadOnly
    handle = try ConnectionHandle(
      at: location, isReadOnly: isReadOnly, busyMode: configuration.busyMode,
      isSuspendable: register != nil, token: token)
    try register?(OpenConnection(handle: handle))
    try lend(isReadOnly: isReadOnly) { db in
      try db.setUp()
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
    if configuration.keepsWriteAheadLog && !isReadOnlyConnection { try keepWriteAheadLog() }
    try configuration.prepare(self)
    guard !isInsideTransaction else { throw DatabaseError.transactionLeftOpen(path: path) }
    // SQLite reads the file only when it must; a file that is no database is noticed now.
    _ = try Int.fetchOne(self, sql: "PRAGMA schema_version")
    if !isReadOnlyConnection { try emptyLongLog() }
  }

  func set(_ option: CInt, _ isOn: Bool) {
    handle.ifPresent { unsafe holdfast_db_config(handle.pointer, option, isOn ? 1 : 0) }
  }

  /// Takes over the transaction observers of a connection that a suspension ended.
  package func adoptObservers(from ended: Database) {
    if let broker = ended.broker { makeBroker().adoptObservers(from: broker) }
  }

  /// Closes the connection; its locks end, and later accesses fail with `SQLITE_MISUSE`.
  ///
  /// - Returns: Why SQLite refused, in which case the connection is given up all the same.
  @discardableResult package func close() -> DatabaseError? {
    unsafe cache.removeAll()
    recordPlans.removeAll()
    return handle.close()
  }

  // MARK: - Access

  /// Lends the connection to the closure, on this thread.
  ///
  /// Rows that were not read to the end are given up when the closure returns.
  package func lend<Value>(
    isReadOnly: Bool, _ body: (Database) throws -> Value
  ) throws -> Value {
    guard handle.isOpen else { throw DatabaseError.closed(path: path) }
    token.hold()
    // SQLite itself keeps a read-only connection from writing, and knows better: not every pragma
    // that may write does.
    isRead = isReadOnly
    isReadOnlyAccess = isReadOnly && !isReadOnlyConnection
    unsafe expectedTransaction = ExpectedTransaction()
    schemaCache.invalidateVerification()
    nameResolution.schemasMayChange()
    defer {
      resetActiveStatements()
      if handle.isClaimed { broker?.connectionEnded() }
      token.letGo()
    }
    if handle.isClaimed { throw DatabaseError.suspended(path: path) }
    try rollBackWhatIsOwed()
    return try body(self)
  }

  func checkAccess() {
    handle.checkAccess()
  }

  /// The connection as whoever suspends the database sees it.
  package var openConnection: OpenConnection { OpenConnection(handle: handle) }

  /// Whether the access may not write, or could not.
  var isReadOnly: Bool { isReadOnlyAccess || isReadOnlyConnection }

  /// The kind of a transaction for which none is asked for.
  ///
  /// Where nothing can be written it takes no write lock. A write to a suspended database, whose
  /// connection only reads too, is refused as it begins.
  var usualTransactionKind: TransactionKind {
    let cannotWrite = isRead || isReadOnlyAccess || isReadOnlyConnection && suspendedAccess == nil
    return cannotWrite ? .deferred : configuration.defaultTransactionKind
  }

  /// Does what has to be done before a statement runs.
  ///
  /// - Returns: Why the statement may not run now, `nil` when it may.
  func prepareRun(of statement: Statement) -> DatabaseError? {
    if unsafe mayNamesBeAmbiguous { resolveNames(of: statement) }
    return refusal(of: statement)
  }

  /// Why the statement may not run now, `nil` when it may.
  func refusal(of statement: Statement) -> DatabaseError? {
    guard statement.isReadonly || !isReadOnlyAccess else {
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
      // What was read before the refused write is no base for a later one.
      if isInsideTransaction {
        do { try rollback() } catch _ {}
        suspendedAccess?.isAborted = true
      }
      return .suspended(sql: statement.sql, path: path)
    }
  }

  /// Runs the closure with the permission to write withdrawn, or given.
  func whileReadOnly<Value>(_ isReadOnly: Bool, _ body: () throws -> Value) rethrows -> Value {
    let before = isReadOnlyAccess
    isReadOnlyAccess = isReadOnly
    defer { isReadOnlyAccess = before }
    return try body()
  }

  /// Runs what takes changes back, which an interrupted access still may.
  package func undoing(_ body: () throws -> Void) rethrows {
    isUndoing = true
    defer { isUndoing = false }
    try body()
  }

  func began(_ statement: Statement) {
    handle.busyHandler.begin()
    unsafe activeStatements.add(statement)
    switch statement.schemaEffect {
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
    writeClock?.began(statement)
    unsafe brokerAtHand?._withUnsafeGuaranteedRef { $0.began(statement) }
  }

  func ended(_ statement: Statement) {
    unsafe activeStatements.remove(statement)
    measured()
  }

  /// Tells who measures the writes that a statement has ended.
  func measured() {
    guard let writeClock else { return }
    writeClock.ended(isOver: unsafe !isInsideTransaction && activeStatements.latest == nil)
  }

  /// Called after a statement was reset, with the code that gave.
  func followed(_ statement: Statement, to code: CInt) {
    // Nothing else ends a transaction than a failure, or a statement that is there for it.
    let isGone =
      (code != SQLITE_OK || statement.schemaEffect != .none)
      && noteTransaction(after: statement.transactionVerb, code)
    unsafe brokerAtHand?._withUnsafeGuaranteedRef { $0.ended(statement, code) }
    if unsafe mayNamesBeAmbiguous { noteNames(of: statement) }
    if isGone { abortRuns() }
  }

  /// The error by which an observer refused the commit of the statement that just ended.
  func takeVeto() -> (any Error)? {
    unsafe brokerAtHand?._withUnsafeGuaranteedRef { $0.takeVeto() } ?? nil
  }

  /// The statement that began last of those that give rows, or run.
  var activeRun: Statement? { unsafe activeStatements.latest }

  /// Ends all statements that are giving rows; their cursors find no further one.
  package func resetActiveStatements() {
    while let statement = unsafe activeStatements.latest {
      statement.reset()
    }
  }

  /// Ends the running statement with `SQLITE_INTERRUPT`, and its wait for a lock with it.
  ///
  /// It may be called from any thread; it does nothing when nothing runs.
  public func interrupt() {
    handle.interrupt()
  }

  /// Frees the memory that the connection can do without: prepared statements and cached pages.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/db_release_memory.html>
  public func releaseMemory() {
    checkAccess()
    unsafe cache.removeAll()
    unsafe transactionStatements = TransactionStatements()
    recordPlans.removeAll()
    nameResolution.forgetProbes()
    handle.ifPresent { unsafe sqlite3_db_release_memory(handle.pointer) }
  }

  /// A way to interrupt the connection from any thread.
  package var interruption: Interruption { Interruption(handle: handle) }

  /// Interrupts one connection from any thread, also after it was closed.
  package struct Interruption: Sendable {
    fileprivate let handle: ConnectionHandle

    /// Ends the running statement and refuses to wait for locks until the access is over.
    package func callAsFunction() {
      handle.busyHandler.isAccessInterrupted.store(true, ordering: .relaxed)
      handle.interrupt()
    }

    /// Ends the running statement, and does nothing when none runs.
    package func interruptStatement() {
      handle.interrupt()
    }

    /// Allows waiting again.
    package func reset() {
      handle.busyHandler.isAccessInterrupted.store(false, ordering: .relaxed)
    }
  }

  // MARK: - Statements

  /// Prepares a statement that the caller keeps for this access.
  ///
  /// - Parameter sql: One statement; a second one in the same text is an error.
  /// - Returns: The statement, with no values bound.
  /// - Throws: ``DatabaseError`` with the code SQLite gave, or `SQLITE_MISUSE` when there are
  ///   several statements.
  public func makeStatement(sql: String) throws -> Statement {
    var source = StatementIterator(sql)
    guard let statement = try source.next(on: self) else {
      throw DatabaseError.noStatement(sql: sql, path: path)
    }
    guard try source.next(on: self) == nil else {
      throw DatabaseError.severalStatements(sql: sql, path: path)
    }
    return statement
  }

  /// Runs the closure with a prepared statement for the SQL, which is kept for the next time.
  package func withStatement<Value>(
    sql: String, _ body: (Statement) throws -> Value
  ) throws -> Value {
    let statement = try takeStatement(sql: sql)
    defer { putBack(statement, sql: sql) }
    return try body(statement)
  }

  /// Returns a prepared statement for the SQL, the one of the last time if it is not in use.
  @usableFromInline
  func takeStatement(sql: String) throws -> Statement {
    checkAccess()
    return try unsafe cache.take(sql) ?? makeStatement(sql: sql)
  }

  /// Keeps a statement for the next time.
  @usableFromInline
  func putBack(_ statement: Statement, sql: String) {
    statement.reset()
    statement.clearArguments()
    unsafe cache.put(statement, for: sql)
  }

  /// Runs all statements of a text, one after the other.
  ///
  /// ```swift
  /// try db.execute(sql: "UPDATE stop SET name = ? WHERE id = ?", arguments: ["Quay", 1])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One or several statements; values belong into `arguments`, never into the text.
  ///   - arguments: Values for the parameters. With several statements each takes as many
  ///     positional values as it has parameters.
  /// - Throws: ``DatabaseError`` with the code SQLite gave; statements before the failing one
  ///   have run.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    checkAccess()
    if let statement = unsafe cache.take(sql) {
      defer {
        statement.clearArguments()
        unsafe cache.put(statement, for: sql)
      }
      return try statement.execute(arguments: arguments)
    }
    var source = StatementIterator(sql)
    let values = arguments.values
    let named = arguments.namedValues
    var taken = 0
    var executed: Statement?
    var count = 0
    while let statement = try source.next(on: self) {
      let end = min(taken + statement.parameterCount, values.count)
      let own = StatementArguments(Array(values[taken..<end]), named: named)
      taken = end
      // Before the last statement runs, because a mistake should change as little as it can.
      if taken < values.count, source.isAtEnd { break }
      try statement.execute(arguments: own)
      executed = statement
      count += 1
    }
    guard taken == values.count else {
      throw DatabaseError.wrongArgumentCount(
        expected: taken, found: values.count, sql: sql, path: path)
    }
    if count == 1, let executed {
      executed.clearArguments()
      unsafe cache.put(executed, for: sql)
    }
  }

  // MARK: - State

  /// Whether a transaction is open.
  public var isInsideTransaction: Bool {
    checkAccess()
    return handle.hasOpenTransaction
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/changes.html>
  public var changesCount: Int {
    checkAccess()
    return handle.ifPresent { unsafe Int(sqlite3_changes(handle.pointer)) } ?? 0
  }

  /// The number of rows changed since the connection was opened.
  public var totalChangesCount: Int {
    checkAccess()
    return handle.ifPresent { unsafe Int(sqlite3_total_changes(handle.pointer)) } ?? 0
  }

  /// The rowid of the last inserted row, 0 before the first one.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/last_insert_rowid.html>
  public var lastInsertedRowID: Int64 {
    checkAccess()
    return handle.ifPresent { unsafe sqlite3_last_insert_rowid(handle.pointer) } ?? 0
  }
}
