/// The messages of traps, which are mistakes in the calling code.
package enum Misuse {
  /// Ends the process with a message, in release builds too.
  package static func trap(_ sentence: String) -> Never {
    // Not `preconditionFailure`, which prints no message in a release build.
    fatalError(sentence)
  }

  /// Ends the process, before a row is read, if a number of elements of a cursor is negative.
  static func checkCount(_ count: Int) {
    guard count >= 0 else { trap(negativeCount(count)) }
  }

  private static func negativeCount(_ count: Int) -> String {
    "A cursor was asked for \(count) elements. Pass 0 or a positive number."
  }

  static let outsideAccess =
    "Database was used outside of its access: it is valid only inside the closure of `read` or "
    + "`write`, and only on the thread that runs it."

  /// The message for a suspension that the configuration does not allow.
  package static let notSuspendable =
    "A database was suspended, or leased, whose connections cannot be ended from outside of their "
    + "accesses. Set `Configuration.allowsSuspension` before it is opened."

  /// The message for an access inside an access to the same database.
  package static let reentrant =
    "Database methods are not reentrant: an access was started inside another access to the same "
    + "database. Use the `Database` of the outer access instead."

  /// The message for a write inside of a read that would never begin.
  package static let barrierDeadlock =
    "A write inside of a read waits for a barrier, which waits for the end of that read. Write "
    + "after the read."

  /// The message for a write inside of a read, or the reverse, that would never begin.
  package static let crossedDeadlock =
    "Reads that write and a write that reads wait for each other: each of the pool's readers is "
    + "held by one of the reads, and the writer by the write. Write after the read, or read by the "
    + "`Database` of the write."

  /// The message for a concurrent read that is started outside of a write.
  package static let concurrentReadOutsideWrite =
    "A concurrent read was started outside of a write to the same database. Start it in the "
    + "closure of `writeWithoutTransaction`."

  /// The message for a read of the last commit that is started inside a transaction.
  package static func insideTransaction(_ what: String) -> String {
    "\(what) was started inside a transaction whose changes it could not see. Commit first, for "
      + "example with `db.inTransaction` inside of `writeWithoutTransaction`."
  }

  /// The message for a concurrent read in an access that blocks readers.
  package static let concurrentReadInBarrier =
    "A concurrent read was started inside a barrier, which keeps readers out. Use "
    + "`writeWithoutTransaction` in place of `barrierWriteWithoutTransaction`."

  /// The message for a subclass of ``Record`` without the name of its table.
  static func recordWithoutTable(_ type: Any.Type) -> String {
    "`\(type)` does not override `databaseTableName`, the name of its table."
  }

  static let stopOutsideOfChange =
    "stopObservingDatabaseChangesUntilNextTransaction() must be called from databaseDidChange."

  static let observedRead =
    "The end of a transaction that only reads is not reported. Call `afterNextTransaction` inside of "
    + "`write`."

  static let statementInUse =
    "A statement that is still giving rows was executed again. Finish its cursor first, or prepare "
    + "a second statement."

  static func unfitArguments(_ error: DatabaseError) -> String {
    "Values that do not fit were set as `arguments` of a statement: \(error). Call "
      + "`setArguments(_:)`, which throws."
  }

  static func refused(_ kind: String, _ name: String, _ code: CInt) -> String {
    "SQLite refuses the \(kind) '\(name)': \(ResultCode(rawValue: code).sentence). Its name and "
      + "argument count must be possible ones, and none of that name may be in use."
  }

  package static func migrationRegisteredTwice(_ identifier: String) -> String {
    "The migration '\(identifier)' is registered twice: each needs a name of its own."
  }

  package static func migrationNotRegistered(_ identifier: String) -> String {
    "The migration '\(identifier)' is not registered."
  }

  static let constraintNotUsable =
    "A plan of a virtual table used a constraint twice, or one of another query, or one whose "
    + "value is not known yet: look at `isUsable` first."

  static func noArgument(at index: Int, count: Int) -> String {
    "There is no argument \(index); the plan asked for \(count)."
  }

  static func argumentDefinedTwice(_ name: String) -> String {
    "already defined statement argument: \(name)"
  }

  static func notEncodable(_ value: Any, _ error: any Error) -> String {
    "A value of type \(type(of: value)) cannot be stored: \(error)"
  }

  static let emptySelection = "Invalid empty selection: what RETURNING gives back needs a column."

  static let emptySelect = "Invalid empty selection: a request needs at least one column."

  static let columnsOfNoTable =
    "AllColumnsExcluding was interpolated into SQL, where its table is not known: name the columns."

  static func twoPrimaryKeys(_ table: String) -> String {
    "The table '\(table)' is defined with two primary keys: it can have only one."
  }

  static let noEncryption =
    "Encryption needs the package's trait 'SQLCipher', with which this program was not built."

  /// The message of a name of GRDB that does not exist here.
  package static let unavailable = "The name does not exist here; the compiler says what to write."

  static func noScope(at index: Int, count: Int) -> String {
    "There is no scope \(index); the row has \(count) scopes."
  }

  static func noColumn(at index: Int, count: Int) -> String {
    "There is no column \(index); the row has \(count) columns."
  }
}
