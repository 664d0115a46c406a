import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A prepared statement of one connection.
///
/// A statement is valid only during the access that made it. Positional values and names are
/// checked against its parameters before it runs.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/stmt.html>
@safe
public final class Statement {
  /// The SQL, without the statements that follow it in the same text, and without the semicolon and
  /// white space around it.
  public let sql: String

  /// Whether running the statement does not change the database file.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/stmt_readonly.html>
  public let isReadonly: Bool

  /// The number of values that the statement needs.
  public let parameterCount: Int

  /// The names of the columns of its rows; empty for a statement without rows.
  public var columnNames: [String] { layout.names }

  /// The number of columns of its rows.
  public var columnCount: Int { layout.names.count }

  /// Whether the statement asks for the journal mode, which SQLite takes for a change of it.
  var readsJournalMode: Bool { !isReadonly && SQLTokens(sql).readsJournalMode }

  /// The effect of running the statement on the schema cache.
  let schemaEffect: SchemaCache.Effect

  /// The transaction command, if the statement is one.
  let transactionVerb: TransactionVerb?

  /// The effect of the statement on checkpoints, if it is a pragma that has one.
  private let checkpointPragma: CheckpointPragma?

  /// Whether the statement is a transaction command, or attaches or detaches a database.
  var isOfTransactions: Bool { transactionVerb != nil || schemaEffect == .attachment }

  // Unowned and unchecked because it is used only where the access was checked: during an access
  // the connection is alive.
  unowned(unsafe) let database: Database

  // The same, to be called without a retain and a release for each run.
  private let connection: Unmanaged<Database>
  let handle: OpaquePointer
  let owner: ConnectionHandle
  private var layout: RowLayout

  // The arguments are set in `Statement+Arguments` only. Their texts are bound without a copy, so they are
  // kept until others are bound. They count as set only while `areArgumentsSet`.
  @exclusivity(unchecked) var boundArguments = StatementArguments()
  @exclusivity(unchecked) var areArgumentsSet = false

  /// The values that were bound one by one; see `execute(_:_:)`.
  @exclusivity(unchecked) var boundValues = BoundValues()

  /// Why SQLite refused unchecked arguments, for a run without others.
  @exclusivity(unchecked) var refusal: ArgumentsRefusal?
  private var knownPreparationCount: CInt = 0

  /// The effects of the statement, once its changes or region are observed.
  var observed: ObservedStatement?

  /// The row of the last run, reused for the next one.
  private var row: Row?

  // Unowned and unchecked because the iteration over the rows holds the row, and returns it.
  @exclusivity(unchecked) private var borrowedRow: Unmanaged<Row>?

  private(set) var isStepping = false
  private var isShapeKnown = false

  /// Whether the run began inside a transaction.
  private(set) var isPartOfTransaction = false

  /// The error that ended the run; reading a further row throws it again.
  private var ending: (any Error)?

  /// The number of rows that the last run collected in an array, to reserve capacity for the next.
  @usableFromInline var lastRowCount = 0

  // The links of the list of active statements; see `ActiveStatements`.
  @exclusivity(unchecked) var earlier: Unmanaged<Statement>?
  @exclusivity(unchecked) var later: Unmanaged<Statement>?

  // The state of the statement in the connection's cache; see `StatementCache`.
  var isInUse = false
  var isCached = false
  var cacheKey = ""
  var lastUse: UInt64 = 0

  init(handle: OpaquePointer, sql: String, database: Database) {
    unsafe self.handle = handle
    self.sql = sql.withoutSemicolons
    unsafe self.database = database
    unsafe connection = Unmanaged.passUnretained(database)
    owner = database.handle
    unsafe owner.own(handle)
    isReadonly = unsafe sqlite3_stmt_readonly(handle) != 0
    var tokens = SQLTokens(sql)
    let verb = tokens.nextWord()
    schemaEffect = SchemaCache.Effect(verb, isReadonly: isReadonly)
    transactionVerb = TransactionVerb(verb, before: tokens)
    checkpointPragma = CheckpointPragma(verb, before: tokens)
    if checkpointPragma == .busyTimeout { unsafe owner.busyHandler.isReplaced = true }
    #if SQLCipher
      if let hasSalt = SQLTokens(sql).givesCipherSalt { database.hasCipherSalt = hasSalt }
    #endif
    parameterCount = unsafe Int(sqlite3_bind_parameter_count(handle))
    layout = unsafe RowLayout(statement: handle)
  }

  deinit {
    reset()
    unsafe owner.finalize(handle)
  }

  // MARK: - Running

  /// Runs the statement to its end and ignores its rows.
  ///
  /// - Parameter arguments: Values for the parameters; if `nil`, the ones that are set.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func execute(arguments: consuming StatementArguments? = nil) throws {
    try enter()
    defer { owner.leave() }
    try start(arguments: arguments)
    while try advance() {}
  }

  /// Prepares the statement for its first step.
  package func start(arguments: consuming StatementArguments?) throws(DatabaseError) {
    try checkStart()
    if let arguments = consume arguments {
      try setArguments(arguments)
    } else if unsafe parameterCount > 0 && !areArgumentsSet {
      if let refusal = unsafe refusal { throw refusal.error }
      try setArguments(StatementArguments())
    }
    begin()
  }

  /// Prepares a statement with one parameter for its first step.
  ///
  /// Afterwards no arguments are set.
  func start(with value: DatabaseValue) throws(DatabaseError) {
    try start { () throws(DatabaseError) in
      let code = bind(value, at: 1)
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  /// Prepares the statement for its first step, with the values that the closure binds.
  ///
  /// Afterwards no arguments are set: a run without arguments would not have the ones that were.
  func start(binding bind: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try checkStart()
    forgetSetArguments()
    try bind()
    begin()
  }

  func checkStart() throws(DatabaseError) {
    owner.checkAccess()
    if unsafe !connection.withBorrowed({ $0.mayRun(self) }), let error = refusalOfRun() {
      throw error
    }
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
  }

  @inline(never)
  private func refusalOfRun() -> DatabaseError? {
    unsafe connection.withBorrowed { $0.prepareRun(of: self) }
  }

  func begin() {
    isStepping = true
    isShapeKnown = false
    ending = nil
    isPartOfTransaction = unsafe connection.withBorrowed { database in
      database.began(self)
      return unsafe database.expectedTransaction.owner != nil
    }
  }

  func checkAccess() {
    owner.checkAccess()
  }

  /// Moves to the next row.
  ///
  /// If the caller kept the previous row, that row gets its own copy of the values.
  ///
  /// - Returns: The row, or `nil` at the end.
  package func step() throws -> Row? {
    owner.checkAccess()
    try owner.enter()
    defer { owner.leave() }
    if isStepping { detachKeptRow() }
    guard try advance() else { return nil }
    let row = self.row ?? makeRow()
    self.row = row
    return row
  }

  /// Moves to the next row, which overwrites the current one.
  ///
  /// - Precondition: The current thread holds the connection, and the current row is not kept.
  /// - Returns: False at the end, where the statement is reset.
  @inline(__always)
  func advance() throws -> Bool {
    guard isStepping else {
      if let ending { throw ending }
      return false
    }
    let code =
      if let checkpointPragma { step(checkpointPragma) } else { unsafe sqlite3_step(handle) }
    guard code == SQLITE_ROW else { return try finish(code) }
    if !isShapeKnown { learnShape() }
    return true
  }

  private func step(_ pragma: CheckpointPragma) -> CInt {
    func step() -> CInt { unsafe sqlite3_step(handle) }
    switch pragma {
    case .checkpoint(let mode, let databaseName):
      return owner.checkpointing(mode, on: databaseName, step)
    case .automaticCheckpoint:
      guard let automatic = owner.automaticCheckpoint else { return step() }
      // At its end SQLite may start the checkpoint that an earlier, unfinished statement is due.
      return owner.checkpointing(.passive, on: nil) { automatic.givenBack(step) }
    case .busyTimeout:
      return step()
    case .journalMode:
      let code = step()
      guard code == SQLITE_ROW, let mode = unsafe sqlite3_column_text(handle, 0),
        unsafe String(cString: mode) == "wal"
      else { return code }
      let failure = unsafe connection.withBorrowed { $0.keepChangedPagesBesideLog() }
      return failure == SQLITE_OK ? code : failure
    }
  }

  private func learnShape() {
    isShapeKnown = true
    // After a schema change SQLite prepares the statement again, at the first step only, and
    // `SELECT *` may have other columns.
    let count = preparationCount
    guard count != knownPreparationCount else { return }
    knownPreparationCount = count
    layout = unsafe RowLayout(statement: handle)
    row?.reshape(layout)
    unsafe borrowedRow?.withBorrowed { $0.reshape(layout) }
  }

  private func finish(_ code: CInt) throws -> Bool {
    let failure: (any Error)? = code == SQLITE_DONE ? nil : failure(code)
    // There is no row any more, and the last one was not kept.
    end()
    guard let error = unsafe connection.withBorrowed({ $0.takeVeto() }) ?? failure else {
      return false
    }
    ending = error
    throw error
  }

  /// Ends the run, so that the statement holds no lock and can run again.
  @usableFromInline
  package func reset() {
    end {
      detachKeptRow()
      // The row may still be held, and is returned later.
      unsafe borrowedRow?.withBorrowed { $0.detach() }
    }
  }

  /// Ends the run, before whose end the closure copies what is still needed.
  @inline(__always)
  private func end(copying copyValues: () -> Void = {}) {
    guard isStepping else { return }
    isStepping = false
    let wasPresent: Void? = owner.ifPresent {
      copyValues()
      unsafe connection.withBorrowed { database in
        database.ended(self)
        // The reset returns the code of a failed step again; that step has thrown it.
        database.didReset(self, code: unsafe sqlite3_reset(handle))
      }
    }
    if wasPresent == nil { wasEnded() }
  }

  /// Ends the run because its transaction was rolled back; reading a further row throws an error.
  func abort() {
    guard isStepping else { return }
    reset()
    ending = DatabaseError.transactionLost(sql: sql, path: unsafe database.path)
  }

  /// Abandons the run, because its connection was closed from outside.
  private func wasEnded() {
    row?.forget()
    row = nil
    unsafe borrowedRow?.withBorrowed { $0.forget() }
    unsafe connection.withBorrowed { $0.ended(self) }
  }

  /// Enters SQLite for a run; see ``ConnectionHandle/enter()``.
  func enter() throws(DatabaseError) {
    if owner.gate != nil { owner.checkAccess() }
    try owner.enter()
  }

  /// Leaves SQLite.
  @usableFromInline
  func leave() {
    owner.leave()
  }

  /// Whether the connection can be closed by a suspension, between two calls of SQLite.
  var isSuspendable: Bool { owner.gate != nil }

  private func detachKeptRow() {
    guard row != nil, !isKnownUniquelyReferenced(&row) else { return }
    row?.detach()
    row = nil
  }

  /// The values of the current row; empty when a cursor of the statement is at no row, or a
  /// suspension has closed the connection.
  public var databaseValues: [DatabaseValue] {
    owner.checkAccess()
    guard isStepping, let row = unsafe borrowedRow?.takeUnretainedValue() else { return [] }
    return owner.ifPresent { row.databaseValues } ?? []
  }

  /// Returns the row of a run that just began, to be returned by ``reclaim(_:isKept:)``.
  func borrowRow() -> Row {
    // Taken out, which costs no retain and release.
    let row = self.row.take() ?? makeRow()
    unsafe borrowedRow = Unmanaged.passUnretained(row)
    return row
  }

  /// Copies the values into a row that the caller kept, and returns another row for the run.
  @inline(never)
  func replace(_ row: Row) -> Row {
    row.detach()
    let next = makeRow()
    unsafe borrowedRow = Unmanaged.passUnretained(next)
    return next
  }

  /// Whether a row belongs to the last run, and to no run before it.
  func runs(for row: Row) -> Bool {
    unsafe borrowedRow?.toOpaque() == Unmanaged.passUnretained(row).toOpaque()
  }

  /// Copies the values of a row that is read while its cursor is paused, before the statement is finalized.
  func copyPausedRow() {
    unsafe borrowedRow?.withBorrowed { $0.copyPausedValues() }
  }

  /// Ends the run and reuses its row for the next one, unless the caller kept it.
  @usableFromInline
  func reclaim(_ row: Row, isKept: Bool) {
    // After its last row the statement may have begun another run, with another row.
    guard runs(for: row) else { return }
    // Inside, because a suspension that finds the access outside copies the borrowed rows of running statements. A
    // cursor that outlives its access does not run, and must not enter: another access may use the connection.
    if isStepping {
      let wasPresent: Void? = owner.ifPresent {
        if isKept { row.detach() }
        unsafe borrowedRow = nil
      }
      if wasPresent == nil { row.forget() }
    }
    unsafe borrowedRow = nil
    reset()
    if !isKept, !row.isDetached { self.row = row }
  }

  /// The SQL with the bound values in it.
  var expandedSQL: String {
    guard let text = unsafe sqlite3_expanded_sql(handle) else { return sql }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text)
  }

  private func makeRow() -> Row {
    unsafe Row(
      statement: handle, sql: sql, layout: layout, gateKeeper: owner.gate == nil ? nil : owner)
  }

  /// The number of times that SQLite has prepared the statement again.
  var preparationCount: CInt {
    owner.ifPresent { unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) } ?? 0
  }

  /// Returns the error for a code that a call on the statement just returned.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - arguments: The values that were being bound; if `nil`, the ones that are set.
  /// - Returns: The error, with the values.
  func failure(_ code: CInt, binding arguments: StatementArguments? = nil) -> DatabaseError {
    var error = owner.error(code, sql: sql, path: unsafe database.path)
    error.isUpgrade = error.resultCode == .SQLITE_BUSY && !isReadonly && owner.isReading
    error.arguments =
      unsafe arguments ?? (areArgumentsSet ? boundArguments : StatementArguments())
    error.publicStatementArguments = unsafe database.configuration.publicStatementArguments
    return error
  }
}
