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
  /// SQLite's number of the code.
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

  /// Matches a ``DatabaseError`` with the code in a `catch` pattern.
  public static func ~= (pattern: ResultCode, error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return pattern ~= error.extendedResultCode
  }
}

extension ResultCode: CustomStringConvertible {
  /// The number, with SQLite's message for it.
  public var description: String {
    "\(rawValue) (\(sentence))"
  }
}

// MARK: - Primary codes

extension ResultCode {
  /// The operation succeeded.
  public static let SQLITE_OK = ResultCode(rawValue: 0)
  /// An error without a more specific code, such as a mistake in the SQL.
  public static let SQLITE_ERROR = ResultCode(rawValue: 1)
  /// An internal error of SQLite or an extension.
  public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
  /// The requested access mode could not be provided.
  public static let SQLITE_PERM = ResultCode(rawValue: 3)
  /// An operation was aborted before it was complete.
  public static let SQLITE_ABORT = ResultCode(rawValue: 4)
  /// Another connection holds a needed lock.
  public static let SQLITE_BUSY = ResultCode(rawValue: 5)
  /// A lock conflict inside this process or this connection.
  public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
  /// Memory ran out.
  public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
  /// The database cannot be written.
  public static let SQLITE_READONLY = ResultCode(rawValue: 8)
  /// The operation was interrupted.
  public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
  /// The operating system reported an input or output error.
  public static let SQLITE_IOERR = ResultCode(rawValue: 10)
  /// The content of the file is corrupt.
  public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
  /// A file control opcode is unknown, or an internal lookup failed.
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
  /// A constraint of the schema failed.
  public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
  /// A value has the wrong type, such as a text for a rowid.
  public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
  /// SQLite was called incorrectly.
  public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
  /// The file grew larger than the operating system supports.
  public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
  /// The authorizer refused an action, or on Apple platforms the system did.
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
  /// A collation that the SQL needs does not exist.
  public static let SQLITE_ERROR_MISSING_COLLSEQ = ResultCode(rawValue: 257)
  /// Preparing failed and must be tried again; SQLite uses the code internally.
  public static let SQLITE_ERROR_RETRY = ResultCode(rawValue: 513)
  /// A historical snapshot is no longer available.
  public static let SQLITE_ERROR_SNAPSHOT = ResultCode(rawValue: 769)
  /// Reading from a file failed.
  public static let SQLITE_IOERR_READ = ResultCode(rawValue: 266)
  /// Reading returned fewer bytes than requested.
  public static let SQLITE_IOERR_SHORT_READ = ResultCode(rawValue: 522)
  /// Writing to a file failed.
  public static let SQLITE_IOERR_WRITE = ResultCode(rawValue: 778)
  /// Syncing a file failed.
  public static let SQLITE_IOERR_FSYNC = ResultCode(rawValue: 1034)
  /// Syncing a directory failed.
  public static let SQLITE_IOERR_DIR_FSYNC = ResultCode(rawValue: 1290)
  /// Truncating a file failed.
  public static let SQLITE_IOERR_TRUNCATE = ResultCode(rawValue: 1546)
  /// Reading the attributes of an open file failed.
  public static let SQLITE_IOERR_FSTAT = ResultCode(rawValue: 1802)
  /// Releasing a file lock failed.
  public static let SQLITE_IOERR_UNLOCK = ResultCode(rawValue: 2058)
  /// Acquiring a read lock failed.
  public static let SQLITE_IOERR_RDLOCK = ResultCode(rawValue: 2314)
  /// Deleting a file failed.
  public static let SQLITE_IOERR_DELETE = ResultCode(rawValue: 2570)
  /// Not used by SQLite any more.
  public static let SQLITE_IOERR_BLOCKED = ResultCode(rawValue: 2826)
  /// Memory ran out during an input or output operation.
  public static let SQLITE_IOERR_NOMEM = ResultCode(rawValue: 3082)
  /// Checking the access to a file failed.
  public static let SQLITE_IOERR_ACCESS = ResultCode(rawValue: 3338)
  /// Checking for a reserved lock failed.
  public static let SQLITE_IOERR_CHECKRESERVEDLOCK = ResultCode(rawValue: 3594)
  /// Acquiring a file lock failed.
  public static let SQLITE_IOERR_LOCK = ResultCode(rawValue: 3850)
  /// Closing a file failed.
  public static let SQLITE_IOERR_CLOSE = ResultCode(rawValue: 4106)
  /// Not used by SQLite any more.
  public static let SQLITE_IOERR_DIR_CLOSE = ResultCode(rawValue: 4362)
  /// Opening the shared-memory file failed.
  public static let SQLITE_IOERR_SHMOPEN = ResultCode(rawValue: 4618)
  /// Enlarging the shared-memory file failed.
  public static let SQLITE_IOERR_SHMSIZE = ResultCode(rawValue: 4874)
  /// Not used by SQLite any more.
  public static let SQLITE_IOERR_SHMLOCK = ResultCode(rawValue: 5130)
  /// Mapping the shared-memory file failed.
  public static let SQLITE_IOERR_SHMMAP = ResultCode(rawValue: 5386)
  /// Setting the position in a file failed.
  public static let SQLITE_IOERR_SEEK = ResultCode(rawValue: 5642)
  /// A file that was to be deleted does not exist.
  public static let SQLITE_IOERR_DELETE_NOENT = ResultCode(rawValue: 5898)
  /// Mapping the database file into memory failed.
  public static let SQLITE_IOERR_MMAP = ResultCode(rawValue: 6154)
  /// No directory for temporary files was found.
  public static let SQLITE_IOERR_GETTEMPPATH = ResultCode(rawValue: 6410)
  /// Converting a path failed; on Windows with Cygwin only.
  public static let SQLITE_IOERR_CONVPATH = ResultCode(rawValue: 6666)
  /// Reserved for extensions.
  public static let SQLITE_IOERR_VNODE = ResultCode(rawValue: 6922)
  /// Reserved for extensions.
  public static let SQLITE_IOERR_AUTH = ResultCode(rawValue: 7178)
  /// Beginning an atomic write failed.
  public static let SQLITE_IOERR_BEGIN_ATOMIC = ResultCode(rawValue: 7434)
  /// Committing an atomic write failed.
  public static let SQLITE_IOERR_COMMIT_ATOMIC = ResultCode(rawValue: 7690)
  /// Rolling back an atomic write failed.
  public static let SQLITE_IOERR_ROLLBACK_ATOMIC = ResultCode(rawValue: 7946)
  /// A page has a wrong checksum; used by the checksum VFS only.
  public static let SQLITE_IOERR_DATA = ResultCode(rawValue: 8202)
  /// A read was outside the file's bounds, which often indicates a corrupt file system.
  public static let SQLITE_IOERR_CORRUPTFS = ResultCode(rawValue: 8458)
  /// Another connection with the same shared cache holds the lock.
  public static let SQLITE_LOCKED_SHAREDCACHE = ResultCode(rawValue: 262)
  /// Locks of other threads or processes block a virtual table; used by extensions only.
  public static let SQLITE_LOCKED_VTAB = ResultCode(rawValue: 518)
  /// Another process is recovering the write-ahead log.
  public static let SQLITE_BUSY_RECOVERY = ResultCode(rawValue: 261)
  /// A read transaction cannot write, because the database has changed since its snapshot.
  public static let SQLITE_BUSY_SNAPSHOT = ResultCode(rawValue: 517)
  /// A blocking file lock timed out.
  public static let SQLITE_BUSY_TIMEOUT = ResultCode(rawValue: 773)
  /// Not used by SQLite any more.
  public static let SQLITE_CANTOPEN_NOTEMPDIR = ResultCode(rawValue: 270)
  /// The path leads to a directory.
  public static let SQLITE_CANTOPEN_ISDIR = ResultCode(rawValue: 526)
  /// The full path could not be determined.
  public static let SQLITE_CANTOPEN_FULLPATH = ResultCode(rawValue: 782)
  /// Converting the path failed; on Windows with Cygwin only.
  public static let SQLITE_CANTOPEN_CONVPATH = ResultCode(rawValue: 1038)
  /// Not used by SQLite.
  public static let SQLITE_CANTOPEN_DIRTYWAL = ResultCode(rawValue: 1294)
  /// The path contains a symbolic link, which the open flags forbid.
  public static let SQLITE_CANTOPEN_SYMLINK = ResultCode(rawValue: 1550)
  /// The content of a virtual table is corrupt.
  public static let SQLITE_CORRUPT_VTAB = ResultCode(rawValue: 267)
  /// The schema of the table `sqlite_sequence` is corrupt.
  public static let SQLITE_CORRUPT_SEQUENCE = ResultCode(rawValue: 523)
  /// An entry is missing in an index.
  public static let SQLITE_CORRUPT_INDEX = ResultCode(rawValue: 779)
  /// The write-ahead log needs recovery, for which write access is missing.
  public static let SQLITE_READONLY_RECOVERY = ResultCode(rawValue: 264)
  /// The shared-memory file is read-only, so that the database cannot be locked.
  public static let SQLITE_READONLY_CANTLOCK = ResultCode(rawValue: 520)
  /// A hot journal must be rolled back, for which write access is missing.
  public static let SQLITE_READONLY_ROLLBACK = ResultCode(rawValue: 776)
  /// The database file was moved after it was opened.
  public static let SQLITE_READONLY_DBMOVED = ResultCode(rawValue: 1032)
  /// The shared-memory file must be initialized, for which write access is missing.
  public static let SQLITE_READONLY_CANTINIT = ResultCode(rawValue: 1288)
  /// The directory is read-only, so that no journal can be created.
  public static let SQLITE_READONLY_DIRECTORY = ResultCode(rawValue: 1544)
  /// The transaction was rolled back while the statement ran.
  public static let SQLITE_ABORT_ROLLBACK = ResultCode(rawValue: 516)
  /// A CHECK constraint failed.
  public static let SQLITE_CONSTRAINT_CHECK = ResultCode(rawValue: 275)
  /// A commit hook refused the commit.
  public static let SQLITE_CONSTRAINT_COMMITHOOK = ResultCode(rawValue: 531)
  /// A foreign key constraint failed.
  public static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(rawValue: 787)
  /// Not used by SQLite; available to functions of an extension.
  public static let SQLITE_CONSTRAINT_FUNCTION = ResultCode(rawValue: 1043)
  /// A NOT NULL constraint failed.
  public static let SQLITE_CONSTRAINT_NOTNULL = ResultCode(rawValue: 1299)
  /// A PRIMARY KEY constraint failed.
  public static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(rawValue: 1555)
  /// A trigger raised an error.
  public static let SQLITE_CONSTRAINT_TRIGGER = ResultCode(rawValue: 1811)
  /// A UNIQUE constraint failed.
  public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 2067)
  /// Not used by SQLite; available to virtual tables of an application.
  public static let SQLITE_CONSTRAINT_VTAB = ResultCode(rawValue: 2323)
  /// A rowid is not unique.
  public static let SQLITE_CONSTRAINT_ROWID = ResultCode(rawValue: 2579)
  /// An update trigger tried to delete the row that is being updated.
  public static let SQLITE_CONSTRAINT_PINNED = ResultCode(rawValue: 2835)
  /// A value does not have the declared type of its column in a STRICT table.
  public static let SQLITE_CONSTRAINT_DATATYPE = ResultCode(rawValue: 3091)
  /// A write-ahead log was recovered; for the log only.
  public static let SQLITE_NOTICE_RECOVER_WAL = ResultCode(rawValue: 283)
  /// A hot journal was rolled back; for the log only.
  public static let SQLITE_NOTICE_RECOVER_ROLLBACK = ResultCode(rawValue: 539)
  /// An automatic index was used; for the log only.
  public static let SQLITE_WARNING_AUTOINDEX = ResultCode(rawValue: 284)
  /// The logged-in user is not authorized; only with the user authentication extension.
  public static let SQLITE_AUTH_USER = ResultCode(rawValue: 279)
  /// An extension remains loaded after its connection closes.
  public static let SQLITE_OK_LOAD_PERMANENTLY = ResultCode(rawValue: 256)
  /// The path contains a symbolic link; SQLite uses the code internally.
  public static let SQLITE_OK_SYMLINK = ResultCode(rawValue: 512)
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
