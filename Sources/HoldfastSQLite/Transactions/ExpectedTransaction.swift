/// The transaction that the code of an access believes to be open.
///
/// After some errors SQLite rolls a transaction back by itself. Statements that were written for
/// the transaction would then commit one by one, so they are refused.
///
/// - SeeAlso:
///   <https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction>
struct ExpectedTransaction {
  enum Owner {
    /// SQL, or a call that stands for it, began the transaction and may end it.
    case sql
    /// The transaction belongs to a closure, such as that of `write`, and ends with it.
    case closure
  }

  /// What the transaction belongs to; `nil` where each statement stands for itself.
  private(set) var owner: Owner?

  /// Whether the transaction was found to be gone.
  ///
  /// It stays gone when something else, such as an observer, leaves another one open.
  private var isAborted = false

  init(owner: Owner? = nil) {
    self.owner = owner
  }

  /// Whether a transaction is expected and gone.
  ///
  /// - Parameter isOpen: Whether any transaction is open.
  /// - Returns: Whether it is.
  func isGone(isOpen: Bool) -> Bool {
    owner != nil && (isAborted || !isOpen)
  }

  /// What to do with a statement.
  enum Answer: Equatable {
    case run
    /// The transaction that the statement was written for is gone.
    case aborted
    /// The statement would commit the first half of what a closure does.
    case commitsEarly
  }

  /// Returns what to do with a statement.
  ///
  /// - Parameters:
  ///   - verb: What it asks of the transaction.
  ///   - isOpen: Whether any transaction is open.
  /// - Returns: Whether the statement runs, or why it does not.
  func answer(to verb: TransactionVerb?, isOpen: Bool) -> Answer {
    switch owner {
    case nil:
      return .run
    case .closure where isGone(isOpen: isOpen):
      return .aborted
    case .closure:
      return verb == .commit ? .commitsEarly : .run
    case .sql where isGone(isOpen: isOpen):
      // SAVEPOINT may be meant to stand inside of the transaction; these two may not.
      return verb == .begin || verb == .rollback ? .run : .aborted
    case .sql:
      return .run
    }
  }

  /// Notes whether a transaction is open, after a statement that may have begun or ended one.
  ///
  /// - Parameters:
  ///   - isOpen: Whether any transaction is open.
  ///   - isRequested: Whether the statement asked for the end, if it is one.
  /// - Returns: Whether the expected transaction has just gone.
  mutating func note(isOpen: Bool, isRequested: Bool) -> Bool {
    if isOpen {
      if owner != .closure { self = ExpectedTransaction(owner: .sql) }
      return false
    }
    if owner == .sql && isRequested {
      self = ExpectedTransaction()
      return false
    }
    guard owner != nil, !isAborted else { return false }
    isAborted = true
    return true
  }

  /// Notes that the code knows that nothing of a transaction stays.
  mutating func acknowledgeRollback(isOpen: Bool) {
    if owner == .sql && !isOpen { self = ExpectedTransaction() }
  }
}

extension Database {
  /// Whether the code believes to be in a transaction that is gone.
  var isTransactionGone: Bool {
    unsafe expectedTransaction.owner != nil && expectedTransaction.isGone(isOpen: isTransactionOpen)
  }

  /// Whether a transaction is open, asked where the access was checked.
  var isTransactionOpen: Bool {
    handle.hasOpenTransaction
  }

  /// Why a statement may not run in the transaction that its code expects.
  func refusalInTransaction(of statement: Statement) -> DatabaseError? {
    let verb = statement.transactionVerb
    switch unsafe expectedTransaction.answer(to: verb, isOpen: isTransactionOpen) {
    case .run: return nil
    case .aborted: return .transactionLost(sql: statement.sql, path: path)
    case .commitsEarly: return .commitInsideClosure(sql: statement.sql, path: path)
    }
  }

  /// Notes what became of the transaction, after a statement that failed or may have ended it.
  ///
  /// - Returns: Whether the expected transaction has just gone; then ``abortRuns()`` has to follow.
  func noteTransaction(after verb: TransactionVerb?, _ code: CInt) -> Bool {
    unsafe expectedTransaction.note(
      isOpen: isTransactionOpen, isRequested: verb?.ended(code) ?? false)
  }

  /// Ends the statements that give rows of a transaction that is gone; their cursors throw.
  func abortRuns() {
    var runs: [Statement] = []
    var next = activeRun
    while let statement = next {
      if statement.isPartOfTransaction { runs.append(statement) }
      next = unsafe statement.earlier?.takeUnretainedValue()
    }
    for statement in runs { statement.abort() }
  }

  /// Runs the closure with the transaction that was just begun, and tells whether that is gone
  /// then.
  ///
  /// Until the closure ends nothing else may commit the transaction or begin another one.
  func owningTransaction<Value>(
    _ body: () throws -> Value
  ) rethrows -> (value: Value, isGone: Bool) {
    unsafe expectedTransaction = ExpectedTransaction(owner: .closure)
    defer { unsafe expectedTransaction = ExpectedTransaction() }
    let value = try body()
    return (value, isTransactionGone)
  }

  /// Runs the closure, to the end of the access, in a transaction that was begun before.
  package func continuingTransaction<Value>(_ body: () throws -> Value) rethrows -> Value {
    unsafe expectedTransaction = ExpectedTransaction(owner: .sql)
    return try body()
  }

  /// Runs the closure after the end of a transaction, where its statements stand for themselves.
  ///
  /// A transaction that the code around it expects stays gone.
  package func afterTransaction<Value>(_ body: () throws -> Value) rethrows -> Value {
    let expected = unsafe expectedTransaction
    unsafe expectedTransaction = ExpectedTransaction()
    defer { if expected.owner != nil { unsafe expectedTransaction = expected } }
    return try body()
  }
}
