// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// One of SQLite's result codes, primary or extended.
///
/// The members have SQLite's own names, so that they can be looked up. In a `catch` pattern a
/// primary code matches all its extended codes:
///
/// ```swift
/// do {
///   try queue.write { db in try db.execute(sql: "INSERT INTO stop VALUES (1)") }
/// } catch ResultCode.SQLITE_CONSTRAINT_PRIMARYKEY {
///   // This stop exists already.
/// } catch ResultCode.SQLITE_CONSTRAINT {
///   // Another constraint.
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/rescode.html>
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number SQLite gives.
  public let rawValue: CInt

  /// Creates a code from SQLite's number; any number is accepted.
  public init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// The code without its extension: the lowest eight bits.
  public var primaryResultCode: ResultCode {
    ResultCode(rawValue: rawValue & 0xFF)
  }

  /// Whether the code has no extension.
  public var isPrimary: Bool {
    self == primaryResultCode
  }

  /// Matches a code in a pattern; a primary code matches its extended codes too.
  public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern.isPrimary ? pattern == code.primaryResultCode : pattern == code
  }

  /// Matches a ``DatabaseError`` with such a code in a `catch` pattern.
  public static func ~= (pattern: ResultCode, error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return pattern ~= error.extendedResultCode
  }
}

extension ResultCode: CustomStringConvertible {
  /// The number, with SQLite's sentence for it.
  public var description: String {
    "\(rawValue) (\(sentence))"
  }
}

// MARK: - Primary codes

extension ResultCode {
  /// The operation succeeded.
  public static let SQLITE_OK = ResultCode(rawValue: 0)
  /// Something that has no code of its own, such as a mistake in the SQL.
  public static let SQLITE_ERROR = ResultCode(rawValue: 1)
  /// SQLite itself, or an extension, broke an assumption.
  public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
  /// The requested access mode could not be had.
  public static let SQLITE_PERM = ResultCode(rawValue: 3)
  /// An operation was ended before it was complete.
  public static let SQLITE_ABORT = ResultCode(rawValue: 4)
  /// Another connection holds a lock that is needed.
  public static let SQLITE_BUSY = ResultCode(rawValue: 5)
  /// A lock conflict inside this process or this connection.
  public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
  /// Memory ran out.
  public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
  /// The database may not be changed.
  public static let SQLITE_READONLY = ResultCode(rawValue: 8)
  /// The operation was interrupted.
  public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
  /// The operating system reported an input or output error.
  public static let SQLITE_IOERR = ResultCode(rawValue: 10)
  /// The file's content breaks the file format.
  public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
  /// A file control or a table-valued thing is unknown.
  public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)
  /// The disk, or the database's page limit, is full.
  public static let SQLITE_FULL = ResultCode(rawValue: 13)
  /// A file could not be opened.
  public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
  /// The locking protocol of the write-ahead log failed.
  public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
  /// Not used by SQLite.
  public static let SQLITE_EMPTY = ResultCode(rawValue: 16)
  /// The schema changed and the statement could not be prepared again.
  public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
  /// A text or a blob is longer than SQLite's limit.
  public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)
  /// A constraint of the schema would be broken.
  public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
  /// A value's type does not fit its place.
  public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
  /// SQLite was called in a way that is not allowed.
  public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
  /// The file grew larger than the operating system supports.
  public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
  /// The authorizer refused, or on Apple platforms the system did.
  public static let SQLITE_AUTH = ResultCode(rawValue: 23)
  /// Not used by SQLite.
  public static let SQLITE_FORMAT = ResultCode(rawValue: 24)
  /// A parameter or column number is out of range.
  public static let SQLITE_RANGE = ResultCode(rawValue: 25)
  /// The file is not a database.
  public static let SQLITE_NOTADB = ResultCode(rawValue: 26)
  /// A notice for the log.
  public static let SQLITE_NOTICE = ResultCode(rawValue: 27)
  /// A warning for the log.
  public static let SQLITE_WARNING = ResultCode(rawValue: 28)
  /// A step produced a row.
  public static let SQLITE_ROW = ResultCode(rawValue: 100)
  /// A step finished the statement.
  public static let SQLITE_DONE = ResultCode(rawValue: 101)
}

// MARK: - Extended codes

extension ResultCode {
  /// The code for an error: missing collseq.
  public static let SQLITE_ERROR_MISSING_COLLSEQ = ResultCode(rawValue: 257)
  /// The code for an error: retry.
  public static let SQLITE_ERROR_RETRY = ResultCode(rawValue: 513)
  /// The code for an error: snapshot.
  public static let SQLITE_ERROR_SNAPSHOT = ResultCode(rawValue: 769)
  /// The code for an input or output error: read.
  public static let SQLITE_IOERR_READ = ResultCode(rawValue: 266)
  /// The code for an input or output error: short read.
  public static let SQLITE_IOERR_SHORT_READ = ResultCode(rawValue: 522)
  /// The code for an input or output error: write.
  public static let SQLITE_IOERR_WRITE = ResultCode(rawValue: 778)
  /// The code for an input or output error: fsync.
  public static let SQLITE_IOERR_FSYNC = ResultCode(rawValue: 1034)
  /// The code for an input or output error: dir fsync.
  public static let SQLITE_IOERR_DIR_FSYNC = ResultCode(rawValue: 1290)
  /// The code for an input or output error: truncate.
  public static let SQLITE_IOERR_TRUNCATE = ResultCode(rawValue: 1546)
  /// The code for an input or output error: fstat.
  public static let SQLITE_IOERR_FSTAT = ResultCode(rawValue: 1802)
  /// The code for an input or output error: unlock.
  public static let SQLITE_IOERR_UNLOCK = ResultCode(rawValue: 2058)
  /// The code for an input or output error: rdlock.
  public static let SQLITE_IOERR_RDLOCK = ResultCode(rawValue: 2314)
  /// The code for an input or output error: delete.
  public static let SQLITE_IOERR_DELETE = ResultCode(rawValue: 2570)
  /// The code for an input or output error: blocked.
  public static let SQLITE_IOERR_BLOCKED = ResultCode(rawValue: 2826)
  /// The code for an input or output error: nomem.
  public static let SQLITE_IOERR_NOMEM = ResultCode(rawValue: 3082)
  /// The code for an input or output error: access.
  public static let SQLITE_IOERR_ACCESS = ResultCode(rawValue: 3338)
  /// The code for an input or output error: checkreservedlock.
  public static let SQLITE_IOERR_CHECKRESERVEDLOCK = ResultCode(rawValue: 3594)
  /// The code for an input or output error: lock.
  public static let SQLITE_IOERR_LOCK = ResultCode(rawValue: 3850)
  /// The code for an input or output error: close.
  public static let SQLITE_IOERR_CLOSE = ResultCode(rawValue: 4106)
  /// The code for an input or output error: dir close.
  public static let SQLITE_IOERR_DIR_CLOSE = ResultCode(rawValue: 4362)
  /// The code for an input or output error: shmopen.
  public static let SQLITE_IOERR_SHMOPEN = ResultCode(rawValue: 4618)
  /// The code for an input or output error: shmsize.
  public static let SQLITE_IOERR_SHMSIZE = ResultCode(rawValue: 4874)
  /// The code for an input or output error: shmlock.
  public static let SQLITE_IOERR_SHMLOCK = ResultCode(rawValue: 5130)
  /// The code for an input or output error: shmmap.
  public static let SQLITE_IOERR_SHMMAP = ResultCode(rawValue: 5386)
  /// The code for an input or output error: seek.
  public static let SQLITE_IOERR_SEEK = ResultCode(rawValue: 5642)
  /// The code for an input or output error: delete noent.
  public static let SQLITE_IOERR_DELETE_NOENT = ResultCode(rawValue: 5898)
  /// The code for an input or output error: mmap.
  public static let SQLITE_IOERR_MMAP = ResultCode(rawValue: 6154)
  /// The code for an input or output error: gettemppath.
  public static let SQLITE_IOERR_GETTEMPPATH = ResultCode(rawValue: 6410)
  /// The code for an input or output error: convpath.
  public static let SQLITE_IOERR_CONVPATH = ResultCode(rawValue: 6666)
  /// The code for an input or output error: vnode.
  public static let SQLITE_IOERR_VNODE = ResultCode(rawValue: 6922)
  /// The code for an input or output error: auth.
  public static let SQLITE_IOERR_AUTH = ResultCode(rawValue: 7178)
  /// The code for an input or output error: begin atomic.
  public static let SQLITE_IOERR_BEGIN_ATOMIC = ResultCode(rawValue: 7434)
  /// The code for an input or output error: commit atomic.
  public static let SQLITE_IOERR_COMMIT_ATOMIC = ResultCode(rawValue: 7690)
  /// The code for an input or output error: rollback atomic.
  public static let SQLITE_IOERR_ROLLBACK_ATOMIC = ResultCode(rawValue: 7946)
  /// The code for an input or output error: data.
  public static let SQLITE_IOERR_DATA = ResultCode(rawValue: 8202)
  /// The code for an input or output error: corruptfs.
  public static let SQLITE_IOERR_CORRUPTFS = ResultCode(rawValue: 8458)
  /// The code for a lock conflict: sharedcache.
  public static let SQLITE_LOCKED_SHAREDCACHE = ResultCode(rawValue: 262)
  /// The code for a lock conflict: vtab.
  public static let SQLITE_LOCKED_VTAB = ResultCode(rawValue: 518)
  /// The code for a busy database: recovery.
  public static let SQLITE_BUSY_RECOVERY = ResultCode(rawValue: 261)
  /// The code for a busy database: snapshot.
  public static let SQLITE_BUSY_SNAPSHOT = ResultCode(rawValue: 517)
  /// The code for a busy database: timeout.
  public static let SQLITE_BUSY_TIMEOUT = ResultCode(rawValue: 773)
  /// The code for a file that cannot be opened: notempdir.
  public static let SQLITE_CANTOPEN_NOTEMPDIR = ResultCode(rawValue: 270)
  /// The code for a file that cannot be opened: isdir.
  public static let SQLITE_CANTOPEN_ISDIR = ResultCode(rawValue: 526)
  /// The code for a file that cannot be opened: fullpath.
  public static let SQLITE_CANTOPEN_FULLPATH = ResultCode(rawValue: 782)
  /// The code for a file that cannot be opened: convpath.
  public static let SQLITE_CANTOPEN_CONVPATH = ResultCode(rawValue: 1038)
  /// The code for a file that cannot be opened: dirtywal.
  public static let SQLITE_CANTOPEN_DIRTYWAL = ResultCode(rawValue: 1294)
  /// The code for a file that cannot be opened: symlink.
  public static let SQLITE_CANTOPEN_SYMLINK = ResultCode(rawValue: 1550)
  /// The code for a corrupt file: vtab.
  public static let SQLITE_CORRUPT_VTAB = ResultCode(rawValue: 267)
  /// The code for a corrupt file: sequence.
  public static let SQLITE_CORRUPT_SEQUENCE = ResultCode(rawValue: 523)
  /// The code for a corrupt file: index.
  public static let SQLITE_CORRUPT_INDEX = ResultCode(rawValue: 779)
  /// The code for a database that may not be changed: recovery.
  public static let SQLITE_READONLY_RECOVERY = ResultCode(rawValue: 264)
  /// The code for a database that may not be changed: cantlock.
  public static let SQLITE_READONLY_CANTLOCK = ResultCode(rawValue: 520)
  /// The code for a database that may not be changed: rollback.
  public static let SQLITE_READONLY_ROLLBACK = ResultCode(rawValue: 776)
  /// The code for a database that may not be changed: dbmoved.
  public static let SQLITE_READONLY_DBMOVED = ResultCode(rawValue: 1032)
  /// The code for a database that may not be changed: cantinit.
  public static let SQLITE_READONLY_CANTINIT = ResultCode(rawValue: 1288)
  /// The code for a database that may not be changed: directory.
  public static let SQLITE_READONLY_DIRECTORY = ResultCode(rawValue: 1544)
  /// The code for an aborted operation: rollback.
  public static let SQLITE_ABORT_ROLLBACK = ResultCode(rawValue: 516)
  /// The code for a constraint that would be broken: check.
  public static let SQLITE_CONSTRAINT_CHECK = ResultCode(rawValue: 275)
  /// The code for a constraint that would be broken: commithook.
  public static let SQLITE_CONSTRAINT_COMMITHOOK = ResultCode(rawValue: 531)
  /// The code for a constraint that would be broken: foreignkey.
  public static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(rawValue: 787)
  /// The code for a constraint that would be broken: function.
  public static let SQLITE_CONSTRAINT_FUNCTION = ResultCode(rawValue: 1043)
  /// The code for a constraint that would be broken: notnull.
  public static let SQLITE_CONSTRAINT_NOTNULL = ResultCode(rawValue: 1299)
  /// The code for a constraint that would be broken: primarykey.
  public static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(rawValue: 1555)
  /// The code for a constraint that would be broken: trigger.
  public static let SQLITE_CONSTRAINT_TRIGGER = ResultCode(rawValue: 1811)
  /// The code for a constraint that would be broken: unique.
  public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 2067)
  /// The code for a constraint that would be broken: vtab.
  public static let SQLITE_CONSTRAINT_VTAB = ResultCode(rawValue: 2323)
  /// The code for a constraint that would be broken: rowid.
  public static let SQLITE_CONSTRAINT_ROWID = ResultCode(rawValue: 2579)
  /// The code for a constraint that would be broken: pinned.
  public static let SQLITE_CONSTRAINT_PINNED = ResultCode(rawValue: 2835)
  /// The code for a constraint that would be broken: datatype.
  public static let SQLITE_CONSTRAINT_DATATYPE = ResultCode(rawValue: 3091)
  /// The code for a notice: recover wal.
  public static let SQLITE_NOTICE_RECOVER_WAL = ResultCode(rawValue: 283)
  /// The code for a notice: recover rollback.
  public static let SQLITE_NOTICE_RECOVER_ROLLBACK = ResultCode(rawValue: 539)
  /// The code for a warning: autoindex.
  public static let SQLITE_WARNING_AUTOINDEX = ResultCode(rawValue: 284)
  /// The code for a refusal: user.
  public static let SQLITE_AUTH_USER = ResultCode(rawValue: 279)
  /// The code for a success: load permanently.
  public static let SQLITE_OK_LOAD_PERMANENTLY = ResultCode(rawValue: 256)
}

// MARK: - English names

extension ResultCode {
  /// The same as `SQLITE_BUSY`.
  public static let busy = SQLITE_BUSY
  /// The same as `SQLITE_BUSY_SNAPSHOT`.
  public static let busySnapshot = SQLITE_BUSY_SNAPSHOT
  /// The same as `SQLITE_READONLY`.
  public static let readOnly = SQLITE_READONLY
  /// The same as `SQLITE_INTERRUPT`.
  public static let interrupted = SQLITE_INTERRUPT
  /// The same as `SQLITE_IOERR`.
  public static let inputOutput = SQLITE_IOERR
  /// The same as `SQLITE_CORRUPT`.
  public static let corrupt = SQLITE_CORRUPT
  /// The same as `SQLITE_FULL`.
  public static let full = SQLITE_FULL
  /// The same as `SQLITE_CANTOPEN`.
  public static let cannotOpen = SQLITE_CANTOPEN
  /// The same as `SQLITE_CONSTRAINT`.
  public static let constraint = SQLITE_CONSTRAINT
  /// The same as `SQLITE_MISUSE`.
  public static let misuse = SQLITE_MISUSE
  /// The same as `SQLITE_NOTADB`.
  public static let notADatabase = SQLITE_NOTADB
  /// The same as `SQLITE_ABORT`.
  public static let aborted = SQLITE_ABORT
}
