/// The transaction that the code of an access expects to be open.
///
/// After some errors SQLite rolls a transaction back by itself. Later statements of the transaction
/// would then commit one by one, so they are refused.
///
/// - SeeAlso:
///   <https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction>
struct ExpectedTransaction {
  enum Owner {
    /// SQL, or an equivalent call, began the transaction and may end it.
    case sql
    /// The transaction belongs to a closure, such as the argument of `write`, and ends with it.
    case closure
  }

  /// The owner of the transaction; `nil` when each statement commits by itself.
  private(set) var owner: Owner?

  /// Whether the transaction was found to be lost.
  ///
  /// It remains lost when other code, such as an observer, leaves another transaction open.
  private var isAborted = false

  /// Whether it is the transaction that was open when the access began.
  let isContinued: Bool

  init(owner: Owner? = nil, isContinued: Bool = false) {
    self.owner = owner
    self.isContinued = isContinued
  }

  /// Returns whether a transaction is expected and lost.
  ///
  /// - Parameter isOpen: Whether any transaction is open.
  /// - Returns: Whether the expected transaction is lost.
  func isGone(isOpen: Bool) -> Bool {
    owner != nil && (isAborted || !isOpen)
  }

  /// Whether a statement may run.
  enum Answer: Equatable {
    case run
    /// The statement's transaction is lost.
    case aborted
    /// The statement would commit the first part of a closure's changes.
    case commitsEarly
  }

  /// Returns whether a statement may run.
  ///
  /// - Parameters:
  ///   - verb: The transaction command, if the statement is one.
  ///   - isOpen: Whether any transaction is open.
  /// - Returns: Whether the statement may run, or why not.
  func answer(to verb: TransactionVerb?, isOpen: Bool) -> Answer {
    switch owner {
    case nil:
      return .run
    case .closure where isGone(isOpen: isOpen):
      return .aborted
    case .closure:
      return verb == .commit ? .commitsEarly : .run
    case .sql where isGone(isOpen: isOpen):
      // SAVEPOINT may be meant to be inside the transaction; these two cannot.
      return verb == .begin || verb == .rollback ? .run : .aborted
    case .sql:
      return .run
    }
  }

  /// Records whether a transaction is open, after a statement that may have begun or ended one.
  ///
  /// - Parameters:
  ///   - isOpen: Whether any transaction is open.
  ///   - isRequested: Whether the statement was to end the transaction.
  /// - Returns: Whether the expected transaction has just been lost.
  mutating func note(isOpen: Bool, isRequested: Bool) -> Bool {
    if isOpen {
      if owner == nil || owner == .sql && isAborted { self = ExpectedTransaction(owner: .sql) }
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

  /// Records that the code knows that its transaction was rolled back.
  mutating func acknowledgeRollback(isOpen: Bool) {
    if owner == .sql && !isOpen { self = ExpectedTransaction() }
  }
}

extension Database {
  /// Whether the code expects a transaction that is lost.
  package var isTransactionGone: Bool {
    unsafe expectedTransaction.owner != nil && expectedTransaction.isGone(isOpen: isTransactionOpen)
  }

  /// Whether a transaction is open; the caller has checked the access.
  var isTransactionOpen: Bool {
    handle.hasOpenTransaction
  }

  /// Returns the error if a statement may not run in the expected transaction.
  func refusalInTransaction(of statement: Statement) -> DatabaseError? {
    let verb = statement.transactionVerb
    switch unsafe expectedTransaction.answer(to: verb, isOpen: isTransactionOpen) {
    case .run: return nil
    case .aborted: return .transactionLost(sql: statement.sql, path: path)
    case .commitsEarly: return .commitInsideClosure(sql: statement.sql, path: path)
    }
  }

  /// Records the state of the transaction after a statement that failed or may have ended it.
  ///
  /// - Returns: Whether the expected transaction has just been lost; then call ``abortRuns()``.
  func noteTransaction(after verb: TransactionVerb?, _ code: CInt) -> Bool {
    let isOpen = isTransactionOpen
    if !isOpen { unsafe dateOfTransaction = nil }
    return unsafe expectedTransaction.note(
      isOpen: isOpen, isRequested: verb?.ended(code) ?? false)
  }

  /// Ends the active statements of a lost transaction; their cursors throw.
  func abortRuns() {
    var runs: [Statement] = []
    var next = activeRun
    while let statement = next {
      if statement.isPartOfTransaction { runs.append(statement) }
      next = unsafe statement.earlier?.takeUnretainedValue()
    }
    for statement in runs { statement.abort() }
  }

  /// Runs the closure with the transaction that was just begun.
  ///
  /// During the closure no statement may commit the transaction or begin another one.
  ///
  /// - Parameters:
  ///   - isGone: Set to whether the transaction was lost, when the closure has returned.
  ///   - body: The closure.
  /// - Returns: The return value of `body`.
  func owningTransaction<Value>(
    _ isGone: inout Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    unsafe expectedTransaction = ExpectedTransaction(owner: .closure)
    defer { unsafe expectedTransaction = ExpectedTransaction() }
    let value = try body()
    isGone = isTransactionGone
    return value
  }

  /// Runs the closure in a transaction that was begun before, until the access ends.
  package func continuingTransaction<Value>(_ body: () throws -> Value) rethrows -> Value {
    unsafe expectedTransaction = ExpectedTransaction(owner: .sql, isContinued: true)
    return try body()
  }

  /// Whether the transaction of ``continuingTransaction(_:)`` is still open, whatever other one may be.
  package var continuesTransaction: Bool {
    unsafe expectedTransaction.isContinued && !isTransactionGone
  }

  /// Runs the closure after the end of a transaction, expecting no transaction.
  ///
  /// A lost transaction that the surrounding code expects remains lost.
  package func afterTransaction<Value>(_ body: () throws -> Value) rethrows -> Value {
    let expected = unsafe expectedTransaction
    unsafe expectedTransaction = ExpectedTransaction()
    defer { if expected.owner != nil { unsafe expectedTransaction = expected } }
    return try body()
  }
}
