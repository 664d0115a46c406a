import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A collector of a transaction's changes, which notifies observers when the transaction ends.
///
/// SQLite's authorizer reports what each statement may change, and SQLite's count of changed rows
/// whether it did. So no work is done per row, unless rows are observed.
@safe
final class ChangeBroker {
  private enum Ending {
    case none, commit, rollback
    case veto(any Error)
  }

  private unowned let database: Database
  private let handle: ConnectionHandle
  /// The publisher of the connection's commits.
  var publisher: CommitPublisher
  private let authorizer: StatementAuthorizer
  private let hooks: ChangeHooks

  /// The recorder of the regions that are read, while one is needed.
  var recorder: RegionRecorder?

  private var observations: [TransactionObservation] = [] {
    didSet { isObserved = !observations.isEmpty }
  }

  /// Whether there are observations; each run asks, and reading the array costs a check of exclusivity.
  private var isObserved = false

  /// Whether statements are observed since the beginning of the open transaction.
  private var isObserving = false
  private var changes = TransactionChanges()
  private var savepoints = SavepointStack()
  private var ending = Ending.none
  private var veto: (any Error)?

  /// The row changes of the running statements, the latest statement last.
  private var running: [PendingRowChanges] = []

  /// Events inside savepoints, which may still be rolled back.
  private var waiting: [(event: DatabaseEvent, observations: [RowObservation])] = []

  /// The brokers that are notifying an observer of a change, on each thread.
  static let notifying = CurrentBrokers()

  init(_ database: Database, publisher: CommitPublisher) {
    self.database = database
    handle = database.handle
    self.publisher = publisher
    hooks = unsafe ChangeHooks(connection: database.handle.pointer)
    authorizer = unsafe StatementAuthorizer(connection: database.handle.pointer)
    database.handle.authorizer = authorizer
  }

  deinit {
    // Statements may keep the connection open for longer.
    guard handle.isOpen else { return }
    handle.ifPresent {
      hooks.removeTransactionHooks()
      hooks.removeRowHooks()
      authorizer.uninstall()
    }
  }

  // MARK: - Observers

  func add(_ observation: TransactionObservation) {
    observations.append(observation)
    handle.ifPresent { hooks.installTransactionHooks(for: self) }
  }

  func remove(_ observer: ObjectIdentifier) {
    observations.removeAll { $0.observer.map { ObjectIdentifier($0) } == observer }
    letDeletionsGo()
  }

  /// Stops notifying an observer of changes until the next transaction.
  ///
  /// - Returns: Whether it is an observer of this connection.
  func disable(_ observer: any TransactionObserver) -> Bool {
    guard let observation = observations.first(where: { $0.observer === observer }) else {
      return false
    }
    observation.isEnabled = false
    return true
  }

  /// Whether another connection would take over observers of this one.
  var hasObservers: Bool { !observations.isEmpty }

  /// Runs a closure inside SQLite whose transactions observers are not notified of.
  func withoutTransactionHooks(_ body: () -> Void) {
    hooks.removeTransactionHooks()
    body()
    if hasObservers || isObserving { hooks.installTransactionHooks(for: self) }
  }

  private func letDeletionsGo() {
    if observations.isEmpty && !publisher.namesRows {
      handle.ifPresent { authorizer.deleteAtOnce() }
    }
  }

  // MARK: - Suspension

  /// Notifies observers that the connection was closed during its access, ending the transaction.
  func connectionEnded() {
    let hadChanges = !(running.isEmpty && changes.isEmpty && waiting.isEmpty && savepoints.isEmpty)
    if !running.isEmpty {
      running = []
      Self.notifying.leave(self)
    }
    rolledBackToBeginning(notifies: hadChanges)
  }

  /// Takes over the observers of a connection that a suspension closed.
  func adoptObservers(from ended: ChangeBroker) {
    ended.observations.forEach(add)
    ended.observations = []
  }

  // MARK: - Statements

  func withoutAuthorizer(_ body: () -> Void) {
    authorizer.withoutUser(body)
  }

  func setAuthorizer(_ decide: ((AuthorizedAction) -> AuthorizedAction.Decision)?) {
    handle.ifPresent { authorizer.setUser(decide) }
  }

  /// Makes SQLite prepare every statement again before its next run.
  func expireStatements() {
    handle.ifPresent { authorizer.expireStatements() }
  }

  /// Returns the effects of a statement; `nil` if SQLite cannot prepare it now.
  func effects(of statement: Statement) -> StatementEffects? {
    var isPrepared = false
    let recorded = handle.ifPresent {
      authorizer.recording {
        isPrepared = StatementIterator.prepareForAuthorizer(statement.sql, on: database)
      }
    }
    guard var record = recorded, isPrepared else { return nil }
    // After the preparation, because SQLite's authorizer must not run statements.
    if record.updatesRows {
      authorizer.withoutUser { record.noteDependentColumns(database.dependentColumns) }
    }
    return StatementEffects(record, mayReplaceRows: record.updatesRows && mayReplace(statement))
  }

  /// Whether an update may delete other rows; SQLite does not report it.
  private func mayReplace(_ statement: Statement) -> Bool {
    SQLTokens(statement.sql).contains(word: "replace")
      || StatementIterator.prepareForAuthorizer(
        """
        SELECT 1 FROM sqlite_schema WHERE sql LIKE '%replace%'
        UNION ALL SELECT 1 FROM sqlite_temp_schema WHERE sql LIKE '%replace%'
        """, on: database, running: true)
  }

  /// Called before the first step of a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - isReadOnly: Whether nothing can be written.
  @inline(__always)
  func began(_ statement: Statement, isReadOnly: Bool) {
    statement.observed?.willRun(statement)
    recorder?.began(statement)
    // Most statements only read.
    guard !(statement.isReadonly && statement.columnCount > 0), !isReadOnly else { return }
    if isObserved || publisher.hasObservers {
      observe(statement)
    } else if isObserving {
      stopObserving()
    }
  }

  private func observe(_ statement: Statement) {
    let observed = statement.observe()
    observed.isRunning = true
    observed.beganInTransaction = isInTransaction
    observed.changesBefore = changeCount
    ending = .none
    if !isObserving {
      isObserving = true
      hooks.installTransactionHooks(for: self)
      // What the open transaction changed before is not known.
      if isInTransaction { changes = TransactionChanges(in: .fullDatabase) }
    }
    observed.gathersRows =
      !observed.effects.eventKinds.isEmpty
      && (!observations.isEmpty || publisher.namesRows(changedBy: observed.effects))
    if observed.gathersRows { observeRows(of: observed) }
  }

  private func observeRows(of statement: ObservedStatement) {
    let effects = statement.effects
    let interested = observations.compactMap { RowObservation($0, of: effects) }
    let keepsIDs = publisher.namesRows(changedBy: effects)
    running.append(PendingRowChanges(statement, observations: interested, keepsIDs: keepsIDs))
    let seesRows = keepsIDs || !interested.isEmpty
    if seesRows { hooks.installRowHooks(for: self) } else { hooks.removeRowHooks() }
    if running.count == 1 { Self.notifying.enter(self) }
    for case .delete(let table) in effects.eventKinds
    where keepsIDs || interested.contains(where: { $0.observes(.delete(tableName: table)) }) {
      authorizer.deleteRowByRow(table)
    }
  }

  private func stopObserving() {
    isObserving = false
    forget()
    hooks.removeTransactionHooks()
    hooks.removeRowHooks()
    letDeletionsGo()
  }

  /// Called after a statement was reset.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - code: The result of resetting it, which is the result code of the run.
  @inline(__always)
  func ended(_ statement: Statement, _ code: CInt) {
    recorder?.ended(statement)
    if let observed = statement.observed, observed.isRunning {
      ended(statement, observed, code)
    } else if publisher.hasObservers {
      endedUnobserved(statement)
    }
  }

  private func ended(_ statement: Statement, _ observed: ObservedStatement, _ code: CInt) {
    observed.isRunning = false
    observed.update(statement)
    let effects = observed.effects
    let changeCount = changeCount &- observed.changesBefore
    let rows = observed.gathersRows ? removePending(observed) : nil
    if rows != nil && running.isEmpty { Self.notifying.leave(self) }
    if changeCount != 0 || (effects.changesSchema && code == SQLITE_OK) {
      let rowIDs = rows?.knownRowIDs(changeCount: Int(changeCount), effects)
      changes.insert(
        .init(effects: effects, rowIDs: rowIDs), at: &observed.partIndex,
        after: savepoints.mark.changes)
    }
    let ending = ending
    self.ending = .none
    switch ending {
    case .commit where code == SQLITE_OK:
      committed()
    case .rollback:
      // A transaction that one failed statement began and ended is not reported.
      rolledBackToBeginning(notifies: code == SQLITE_OK || observed.beganInTransaction)
    case .veto(let error):
      veto = error
      rolledBackToBeginning(notifies: true)
    case .none where code == SQLITE_OK:
      apply(effects.onTransaction)
    case .none, .commit:
      // A COMMIT that failed leaves the transaction open.
      break
    }
  }

  /// Removes and returns the row changes of a statement that ended.
  private func removePending(_ statement: ObservedStatement) -> PendingRowChanges? {
    guard let index = running.lastIndex(where: { $0.statement === statement }) else { return nil }
    // It ends before one that began later: SQLite's counts do not tell whose rows are whose.
    if index < running.count - 1 {
      for index in running[index...].indices { running[index].forgetIDs() }
    }
    return running.remove(at: index)
  }

  private func endedUnobserved(_ statement: Statement) {
    guard !(statement.isReadonly && statement.columnCount > 0), !database.isReadOnly,
      !isInTransaction
    else { return }
    // An observer that was added while it ran may not see what it committed.
    publisher.publish(TransactionChanges(in: .fullDatabase), database)
  }

  /// Records the effect of a statement that ended without a call of SQLite's hooks.
  private func apply(_ effect: StatementEffects.OnTransaction?) {
    switch effect {
    case .savepoint(let name):
      savepoints.begin(name, at: .init(changes: changes.count, events: waiting.count))
    case .rollbackTo(let name):
      let mark = savepoints.rollBack(to: name)
      changes.removeLast(downTo: mark.changes)
      waiting.removeLast(max(0, waiting.count - mark.events))
    case .release(let name):
      savepoints.release(name)
      if !isInTransaction {
        committedNothing()
      } else if savepoints.isEmpty {
        notifyWaiting()
      }
    case .commit:
      committedNothing()
    case .begin, .rollback, nil:
      break
    }
  }

  /// Returns and clears the error with which an observer refused the last statement's commit.
  func takeVeto() -> (any Error)? {
    defer { veto = nil }
    return veto
  }

  private var isInTransaction: Bool {
    handle.ifPresent { unsafe sqlite3_get_autocommit(handle.pointer) == 0 } ?? false
  }

  private var changeCount: CInt {
    handle.ifPresent { unsafe sqlite3_total_changes(handle.pointer) } ?? 0
  }

  // MARK: - Rows

  /// Called by SQLite before a row is changed.
  func willChange(_ event: DatabaseEvent, rowIDAfter: Int64) {
    guard let last = running.indices.last else { return }
    running[last].announce(event, rowIDAfter: rowIDAfter)
  }

  /// Called by SQLite after a row was changed.
  func changed(_ event: DatabaseEvent) {
    guard let last = running.indices.last else { return }
    if let silent = running[last].note(event) {
      silent.forEach { notify($0, running[last].observations) }
    }
    notify(event, running[last].observations)
  }

  private func notify(_ event: DatabaseEvent, _ observations: [RowObservation]) {
    guard savepoints.isEmpty else {
      if !observations.isEmpty { waiting.append((event.copy(), observations)) }
      return
    }
    for observation in observations { observation.notify(event) }
  }

  private func notifyWaiting() {
    guard !waiting.isEmpty else { return }
    Self.notifying.enter(self)
    defer { if running.isEmpty { Self.notifying.leave(self) } }
    let events = waiting
    waiting = []
    for (event, observations) in events {
      for observation in observations { observation.notify(event) }
    }
  }

  // MARK: - Transactions

  /// Called by SQLite before a commit.
  ///
  /// - Returns: Whether the commit proceeds: false when an observer refuses it.
  func willCommit() -> Bool {
    notifyWaiting()
    do {
      for observation in observations { try observation.observer?.databaseWillCommit() }
      ending = .commit
      return true
    } catch {
      ending = .veto(error)
      return false
    }
  }

  /// Called by SQLite when a transaction is rolled back.
  func rolledBack() {
    if case .veto = ending { return }
    ending = .rollback
  }

  /// Ends a transaction that took no lock, for which SQLite calls no hook.
  ///
  /// Observers wait for the end of the transaction that the code began, so it is reported too.
  private func committedNothing() {
    if willCommit() {
      committed()
    } else if case .veto(let error) = ending {
      veto = error
      rolledBackToBeginning(notifies: true)
    }
    ending = .none
  }

  private func committed() {
    // Observers may write, which begins the next transaction's changes.
    var committed = TransactionChanges()
    swap(&committed, &changes)
    forget()
    database.notifyingOfEnd {
      if !committed.isEmpty { publisher.publish(committed, database) }
      let ended = observations
      for observation in ended { observation.observerOfEnd()?.databaseDidCommit(database) }
    }
    restart()
    if changes.isEmpty {
      // Keeps the memory for the next transaction.
      committed.removeAll()
      swap(&committed, &changes)
    }
  }

  private func rolledBackToBeginning(notifies: Bool) {
    forget()
    guard notifies else { return }
    database.notifyingOfEnd {
      let ended = observations
      for observation in ended { observation.observerOfEnd()?.databaseDidRollback(database) }
    }
    restart()
  }

  private func forget() {
    changes.removeAll()
    savepoints.removeAll()
    waiting.removeAll(keepingCapacity: true)
  }

  private func restart() {
    guard !observations.isEmpty else { return }
    observations.removeAll { $0.observer == nil }
    for observation in observations { observation.isEnabled = true }
    letDeletionsGo()
  }

  // MARK: - Changes that SQLite does not see

  func notifyChanges(in region: DatabaseRegion) throws {
    // Outside of a transaction observers would be notified at once.
    if database.isTransactionGone { throw DatabaseError.transactionLost(path: database.path) }
    let kinds = try kinds(in: region)
    Self.notifying.enter(self)
    for observation in observations where kinds.contains(where: observation.observes) {
      observation.observer?.databaseDidChange()
    }
    if running.isEmpty { Self.notifying.leave(self) }
    var index = -1
    changes.insert(.init(effects: StatementEffects(modifying: region)), at: &index, after: 0)
    guard !isInTransaction else { return }
    committedNothing()
    if let error = takeVeto() { throw error }
  }

  /// Returns the kinds of changes that may modify a region, with the names that the schema has.
  ///
  /// The whole database is all tables of the app: a schema's own table has to be named.
  private func kinds(in region: DatabaseRegion) throws -> [DatabaseEventKind] {
    guard !observations.isEmpty else { return [] }
    return try database.withoutRecording {
      try database.verifySchemaCache()
      return try database.schemaNames().flatMap { schema in
        let own = DatabaseSchemaID(named: schema).schemaTableName
        let tables = try String.fetchAll(
          database,
          sql: """
            SELECT name FROM \(schema.quotedDatabaseIdentifier).sqlite_schema WHERE type = 'table'
            """)
        return (region.isFullDatabase ? tables : tables + [own])
          .filter { region.intersects(DatabaseRegion(table: $0)) }
          .flatMap { table in
            [.insert(tableName: table), .delete(tableName: table)]
              + DatabaseEventKind.updates(table, columns(of: table, in: schema, region))
          }
      }
    }
  }

  /// Returns the columns of a table that are in a region.
  private func columns(
    of table: String, in schema: String, _ region: DatabaseRegion
  ) -> [String] {
    let named = region.columns(of: table)
    let all: [String]
    do {
      let columns = try database.columns(in: table, in: schema).map(\.name)
      let dependent = try database.dependentColumns(in: table, in: schema)
      // Generated columns are in both.
      all = columns + dependent.filter { name in !columns.contains { $0.hasSameBytes(as: name) } }
    } catch {
      // A table whose columns cannot be read, as without its module: those that the region names may change.
      all = named
    }
    guard !named.isEmpty else { return all }
    let names = Set(named.map(\.foldedDatabaseIdentifier))
    return all.filter { names.contains($0.foldedDatabaseIdentifier) }
  }
}
