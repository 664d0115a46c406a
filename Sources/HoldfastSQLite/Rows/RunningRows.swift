/// An iteration over the rows of one run of a statement.
///
/// It holds the only reference to the run's row. If the caller keeps the row, it gets its own copy
/// of the values before the statement moves on.
@usableFromInline
struct RunningRows: ~Copyable {
  @usableFromInline let statement: Statement

  /// The current row, valid after `next` returned true.
  @usableFromInline var row: Row

  // The run stays inside SQLite, where the connection cannot be closed from outside, except during
  // the pauses of a cursor.
  @usableFromInline var isInside = true

  /// Whether the connection can be closed by a suspension, between two calls of SQLite.
  private let isSuspendable: Bool

  /// Starts the run.
  @usableFromInline
  init(
    _ statement: Statement, arguments: consuming StatementArguments?
  ) throws(DatabaseError) {
    try self.init(statement, arguments) {
      (statement, arguments: consuming StatementArguments?) throws(DatabaseError) in
      try statement.start(arguments: arguments)
    }
  }

  /// Starts the run of a statement that has one parameter.
  init(_ statement: Statement, value: DatabaseValue) throws(DatabaseError) {
    try self.init(statement, value) { (statement, value) throws(DatabaseError) in
      try statement.start(with: value)
    }
  }

  /// Starts the run of a statement that has three parameters, all integers.
  init(
    _ statement: Statement, _ first: Int64, _ second: Int64, _ third: Int64
  ) throws(DatabaseError) {
    try self.init(statement, (first, second, third)) { (statement, place) throws(DatabaseError) in
      try statement.start { () throws(DatabaseError) in
        try statement.bind(place.0, place.1, place.2)
      }
    }
  }

  // The values are passed on, because a closure would copy what it captures.
  @inline(__always)
  private init<Values>(
    _ statement: Statement, _ values: consuming Values,
    start: (Statement, consuming Values) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try statement.enter()
    do throws(DatabaseError) {
      try start(statement, values)
    } catch {
      statement.leave()
      throw error
    }
    self.statement = statement
    isSuspendable = statement.isSuspendable
    row = statement.borrowRow()
  }

  /// Moves to the next row; returns false at the end, and once the statement runs for others.
  // One call from the app's module for each row, and all else is the library's own.
  @usableFromInline
  mutating func next() throws -> Bool {
    try moveOn()
  }

  @inline(__always)
  private mutating func moveOn() throws -> Bool {
    guard statement.runs(for: row) else { return false }
    if !isKnownUniquelyReferenced(&row) { row = statement.replace(row) }
    return try statement.advance()
  }

  /// Moves a cursor to the next row, on the thread that holds the connection.
  ///
  /// - Returns: False at the end.
  @inline(__always)
  mutating func nextOfCursor() throws -> Bool {
    statement.checkAccess()
    return try isSuspendable ? nextAfterPause() : moveOn()
  }

  // Separate, because most connections cannot be suspended.
  @inline(never)
  private mutating func nextAfterPause() throws -> Bool {
    try resume()
    do {
      row.endPause()
      if try next() { return true }
    } catch {
      pause()
      throw error
    }
    pause()
    return false
  }

  /// Runs a statement that writes to its end.
  ///
  /// Foreign keys are checked at the end: a statement that is reset earlier is silently rolled
  /// back.
  @inlinable
  mutating func finish() throws {
    guard !statement.isReadonly else { return }
    while try next() {}
  }

  /// Ends the run.
  @inlinable
  mutating func end() {
    let isKept = !isKnownUniquelyReferenced(&row)
    statement.reclaim(row, isKept: isKept)
    if isInside { statement.leave() }
  }

  /// Ends the run of a cursor that is deallocated.
  func abandon() {
    statement.reclaim(row, isKept: true)
  }

  // MARK: - Pauses

  /// Leaves SQLite until the next row is needed; a row that the caller reads meanwhile enters for each value.
  mutating func pause() {
    // The element's initializer may have moved the cursor itself, and left.
    guard isSuspendable, isInside else { return }
    if !isKnownUniquelyReferenced(&row) { row.beginPause() }
    isInside = false
    statement.leave()
  }

  /// Enters SQLite again.
  mutating func resume() throws {
    guard !isInside else { return }
    try statement.enter()
    isInside = true
  }
}
