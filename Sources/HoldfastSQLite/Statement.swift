internal import CSQLite
import Foundation

/// A prepared statement of one connection.
///
/// A statement is bound to the access that made it and must not leave it. Positional values and
/// names are checked against its parameters before it runs.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/stmt.html>
@safe
public final class Statement {
  /// The SQL, without the statements that follow it in the same text.
  public let sql: String

  /// Whether running the statement leaves the database file as it is.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/stmt_readonly.html>
  public let isReadonly: Bool

  /// The number of values the statement needs.
  public let parameterCount: Int

  /// The names of the columns of its rows, empty for a statement without rows.
  public var columnNames: [String] { row.layout.names }

  /// The number of columns of its rows.
  public var columnCount: Int { row.layout.names.count }

  unowned let database: Database
  private let handle: OpaquePointer
  private let owner: ConnectionHandle
  private var row: Row
  private var arguments = StatementArguments()
  private var reprepareCount: CInt = 0

  /// What those who follow changes know of the statement.
  var followed: FollowedStatement?
  private(set) var isStepping = false

  init(handle: OpaquePointer, sql: String, database: Database) {
    unsafe self.handle = handle
    self.sql = sql
    self.database = database
    owner = database.handle
    unsafe owner.own(handle)
    isReadonly = unsafe sqlite3_stmt_readonly(handle) != 0
    parameterCount = unsafe Int(sqlite3_bind_parameter_count(handle))
    row = unsafe Row(statement: handle, sql: sql)
  }

  deinit {
    unsafe owner.finalize(handle)
  }

  // MARK: - Parameters

  /// Binds values to the parameters.
  ///
  /// - Parameter arguments: A value for each parameter, by position or by name. Names that no
  ///   parameter has are ignored, so that one dictionary may serve several statements.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when a value is missing or too many are
  ///   given, with `SQLITE_TOOBIG` when one is longer than SQLite allows.
  public func setArguments(_ arguments: StatementArguments) throws(DatabaseError) {
    owner.checkAccess()
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
    // Kept before they are bound, because an error tells them.
    self.arguments = arguments
    do throws(DatabaseError) {
      try bind(arguments)
    } catch {
      clearArguments()
      throw error
    }
  }

  private func bind(_ arguments: StatementArguments) throws(DatabaseError) {
    let count = parameterCount
    let positional = arguments.values
    guard positional.count <= count, !(arguments.namedValues.isEmpty && positional.count < count)
    else {
      throw .wrongArgumentCount(
        expected: count, found: positional.count, sql: sql, path: database.path)
    }
    for (index, value) in positional.enumerated() {
      try bind(value, at: CInt(index + 1))
    }
    for index in positional.count..<count {
      let index = CInt(index + 1)
      guard let text = unsafe sqlite3_bind_parameter_name(handle, index) else {
        throw .wrongArgumentCount(
          expected: count, found: positional.count, sql: sql, path: database.path)
      }
      let name = unsafe String(String(cString: text).dropFirst())
      guard let value = arguments.namedValues[name] else {
        throw .missingArgument(name, sql: sql, path: database.path)
      }
      try bind(value, at: index)
    }
  }

  private func bind(_ value: DatabaseValue, at index: CInt) throws(DatabaseError) {
    let code =
      switch value.storage {
      case .null: unsafe sqlite3_bind_null(handle, index)
      case .int64(let value): unsafe sqlite3_bind_int64(handle, index, value)
      case .double(let value): unsafe sqlite3_bind_double(handle, index, value)
      case .string(let value): bind(value, at: index)
      case .blob(let value): bind(value, at: index)
      }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  // An empty text or blob may have no address, and a NULL address would bind NULL. A count past
  // the range of `int` is past SQLite's limit too, and is refused by it.

  private func bind(_ text: String, at index: CInt) -> CInt {
    var text = text
    return text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { utf8 in
        guard let address = utf8.baseAddress else {
          return unsafe holdfast_bind_text(handle, index, "", 0)
        }
        return unsafe holdfast_bind_text(handle, index, address, CInt(clamping: utf8.count))
      }
    }
  }

  private func bind(_ blob: Data, at index: CInt) -> CInt {
    unsafe blob.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress, bytes.count > 0 else {
        return unsafe sqlite3_bind_zeroblob(handle, index, 0)
      }
      return unsafe holdfast_bind_blob(handle, index, address, CInt(clamping: bytes.count))
    }
  }

  // MARK: - Running

  /// Runs the statement to its end and ignores its rows.
  ///
  /// - Parameter arguments: Values for the parameters; the ones set before when `nil`.
  /// - Throws: ``DatabaseError`` with the code SQLite gave.
  public func execute(arguments: StatementArguments? = nil) throws {
    try start(arguments: arguments)
    defer { reset() }
    while try step() != nil {}
  }

  /// Makes the statement ready for its first step.
  package func start(arguments: StatementArguments?) throws(DatabaseError) {
    owner.checkAccess()
    try database.checkCanRun(self)
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
    if let arguments {
      try setArguments(arguments)
    } else if parameterCount > 0 && self.arguments.isEmpty {
      try setArguments(StatementArguments())
    }
    isStepping = true
    database.began(self)
  }

  /// Moves to the next row.
  ///
  /// A row that the caller kept from the step before is given its own copy of the values.
  ///
  /// - Returns: The row, or `nil` at the end.
  package func step() throws -> Row? {
    owner.checkAccess()
    guard isStepping else { return nil }
    if !isKnownUniquelyReferenced(&row) {
      row.detach()
      row = unsafe Row(statement: handle, sql: sql, layout: row.layout)
    }
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW:
      // A changed schema makes SQLite prepare again, and `SELECT *` may have other columns now.
      let count = unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
      if count != reprepareCount {
        reprepareCount = count
        row.layout = unsafe RowLayout(statement: handle)
      }
      return row
    case SQLITE_DONE:
      reset()
      if let veto = database.broker?.takeVeto() { throw veto }
      return nil
    default:
      let error = failure(code)
      reset()
      throw database.broker?.takeVeto() ?? error
    }
  }

  /// Ends the run, so that the statement holds no lock and can run again.
  package func reset() {
    guard isStepping else { return }
    isStepping = false
    if !isKnownUniquelyReferenced(&row) {
      row.detach()
      row = unsafe Row(statement: handle, sql: sql, layout: row.layout)
    }
    database.ended(self)
    // The code of a failed step comes once more; it was thrown when it happened.
    let code = unsafe sqlite3_reset(handle)
    database.broker?.ended(self, code)
  }

  /// How often SQLite has prepared the statement again.
  var prepareCount: CInt {
    unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  /// Forgets the values, so that a cached statement keeps no large ones alive.
  func clearArguments() {
    guard !arguments.isEmpty else { return }
    _ = unsafe sqlite3_clear_bindings(handle)
    arguments = StatementArguments()
  }

  private func failure(_ code: CInt) -> DatabaseError {
    var error = owner.error(code, sql: sql, path: database.path)
    if error.resultCode == .SQLITE_BUSY && owner.busyHandler.isInterrupted {
      // SQLite knows only that the waiting ended without the lock.
      error = .interrupted(sql: sql, path: database.path)
    }
    error.arguments = arguments
    error.publicStatementArguments = database.configuration.publicStatementArguments
    return error
  }
}
