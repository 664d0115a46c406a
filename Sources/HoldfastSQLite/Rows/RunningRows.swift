/// The rows of one run of a statement, one after the other.
///
/// The run's row is lent to it: nobody else holds it unless a record kept it, and then it receives
/// its own copy of the values before the statement moves on.
@usableFromInline
struct RunningRows: ~Copyable {
  @usableFromInline let statement: Statement

  /// The row the statement stands on, valid after `next` returned true.
  @usableFromInline var row: Row

  // The run stays inside of SQLite, where nobody ends the connection, but for the pauses of a
  // cursor.
  @usableFromInline var isInside = true

  /// Starts the run.
  @usableFromInline
  init(_ statement: Statement, arguments: StatementArguments?) throws(DatabaseError) {
    try statement.enter()
    do throws(DatabaseError) {
      try statement.start(arguments: arguments)
    } catch {
      statement.leave()
      throw error
    }
    self.statement = statement
    row = statement.lendRow()
  }

  /// Starts the run of a statement that has one parameter.
  init(_ statement: Statement, value: DatabaseValue) throws(DatabaseError) {
    try statement.enter()
    do throws(DatabaseError) {
      try statement.start(with: value)
    } catch {
      statement.leave()
      throw error
    }
    self.statement = statement
    row = statement.lendRow()
  }

  /// Moves to the next row; false at the end.
  @inlinable
  mutating func next() throws -> Bool {
    if !isKnownUniquelyReferenced(&row) { row = statement.replace(row) }
    return try statement.advance()
  }

  /// Lets a statement that writes come to its end.
  ///
  /// There its foreign keys are checked: one that is given up halfway is undone without a word.
  @inlinable
  mutating func finish() throws {
    guard !statement.isReadonly else { return }
    while try next() {}
  }

  /// Ends the run.
  @inlinable
  mutating func end() {
    let isKept = !isKnownUniquelyReferenced(&row)
    statement.takeBack(row, isKept: isKept)
    if isInside { statement.leave() }
  }

  /// Ends the run of a cursor that goes, whose row nobody can read on.
  func giveUp() {
    statement.takeBack(row, isKept: true)
  }

  // MARK: - Pauses

  /// Comes out of SQLite until the next row is wanted; a row that is kept gets its own values.
  mutating func pause() {
    guard statement.isSuspendable else { return }
    if !isKnownUniquelyReferenced(&row) { row.detach() }
    isInside = false
    statement.leave()
  }

  /// Goes into SQLite again.
  mutating func resume() throws {
    guard !isInside else { return }
    try statement.enter()
    isInside = true
  }
}
