// swift-format-ignore-file: AlwaysUseLowerCamelCase

// SQLite's result codes, as members of the error: `catch DatabaseError.SQLITE_CONSTRAINT`. They are the
// members of `ResultCode`, so a primary code matches its extended codes.

extension DatabaseError {
  /// The operation succeeded.
  @inlinable public static var SQLITE_OK: ResultCode { .SQLITE_OK }
  /// An error without a more specific code, such as a mistake in the SQL.
  @inlinable public static var SQLITE_ERROR: ResultCode { .SQLITE_ERROR }
  /// An internal error of SQLite or an extension.
  @inlinable public static var SQLITE_INTERNAL: ResultCode { .SQLITE_INTERNAL }
  /// The requested access mode could not be provided.
  @inlinable public static var SQLITE_PERM: ResultCode { .SQLITE_PERM }
  /// An operation was aborted before it was complete.
  @inlinable public static var SQLITE_ABORT: ResultCode { .SQLITE_ABORT }
  /// Another connection holds a needed lock.
  @inlinable public static var SQLITE_BUSY: ResultCode { .SQLITE_BUSY }
  /// A lock conflict inside this process or this connection.
  @inlinable public static var SQLITE_LOCKED: ResultCode { .SQLITE_LOCKED }
  /// Memory ran out.
  @inlinable public static var SQLITE_NOMEM: ResultCode { .SQLITE_NOMEM }
  /// The database cannot be written.
  @inlinable public static var SQLITE_READONLY: ResultCode { .SQLITE_READONLY }
  /// The operation was interrupted.
  @inlinable public static var SQLITE_INTERRUPT: ResultCode { .SQLITE_INTERRUPT }
  /// The operating system reported an input or output error.
  @inlinable public static var SQLITE_IOERR: ResultCode { .SQLITE_IOERR }
  /// The content of the file is corrupt.
  @inlinable public static var SQLITE_CORRUPT: ResultCode { .SQLITE_CORRUPT }
  /// A file control opcode is unknown, or an internal lookup failed.
  @inlinable public static var SQLITE_NOTFOUND: ResultCode { .SQLITE_NOTFOUND }
  /// The disk, or the database's page limit, is full.
  @inlinable public static var SQLITE_FULL: ResultCode { .SQLITE_FULL }
  /// A file could not be opened.
  @inlinable public static var SQLITE_CANTOPEN: ResultCode { .SQLITE_CANTOPEN }
  /// The locking protocol of the write-ahead log failed.
  @inlinable public static var SQLITE_PROTOCOL: ResultCode { .SQLITE_PROTOCOL }
  /// Not used by SQLite.
  @inlinable public static var SQLITE_EMPTY: ResultCode { .SQLITE_EMPTY }
  /// The schema changed and the statement could not be prepared again.
  @inlinable public static var SQLITE_SCHEMA: ResultCode { .SQLITE_SCHEMA }
  /// A text or a blob is longer than SQLite's limit.
  @inlinable public static var SQLITE_TOOBIG: ResultCode { .SQLITE_TOOBIG }
  /// A constraint of the schema failed.
  @inlinable public static var SQLITE_CONSTRAINT: ResultCode { .SQLITE_CONSTRAINT }
  /// A value has the wrong type, such as a text for a rowid.
  @inlinable public static var SQLITE_MISMATCH: ResultCode { .SQLITE_MISMATCH }
  /// SQLite was called incorrectly.
  @inlinable public static var SQLITE_MISUSE: ResultCode { .SQLITE_MISUSE }
  /// The file grew larger than the operating system supports.
  @inlinable public static var SQLITE_NOLFS: ResultCode { .SQLITE_NOLFS }
  /// The authorizer refused an action, or on Apple platforms the system did.
  @inlinable public static var SQLITE_AUTH: ResultCode { .SQLITE_AUTH }
  /// Not used by SQLite.
  @inlinable public static var SQLITE_FORMAT: ResultCode { .SQLITE_FORMAT }
  /// A parameter or column number is out of range.
  @inlinable public static var SQLITE_RANGE: ResultCode { .SQLITE_RANGE }
  /// The file is not a database.
  @inlinable public static var SQLITE_NOTADB: ResultCode { .SQLITE_NOTADB }
  /// A notice for the log.
  @inlinable public static var SQLITE_NOTICE: ResultCode { .SQLITE_NOTICE }
  /// A warning for the log.
  @inlinable public static var SQLITE_WARNING: ResultCode { .SQLITE_WARNING }
  /// A step produced a row.
  @inlinable public static var SQLITE_ROW: ResultCode { .SQLITE_ROW }
  /// A step finished the statement.
  @inlinable public static var SQLITE_DONE: ResultCode { .SQLITE_DONE }
  /// A collation that the SQL needs does not exist.
  @inlinable public static var SQLITE_ERROR_MISSING_COLLSEQ: ResultCode {
    .SQLITE_ERROR_MISSING_COLLSEQ
  }
  /// Preparing failed and must be tried again; SQLite uses the code internally.
  @inlinable public static var SQLITE_ERROR_RETRY: ResultCode { .SQLITE_ERROR_RETRY }
  /// A historical snapshot is no longer available.
  @inlinable public static var SQLITE_ERROR_SNAPSHOT: ResultCode { .SQLITE_ERROR_SNAPSHOT }
  /// Reading from a file failed.
  @inlinable public static var SQLITE_IOERR_READ: ResultCode { .SQLITE_IOERR_READ }
  /// Reading returned fewer bytes than requested.
  @inlinable public static var SQLITE_IOERR_SHORT_READ: ResultCode { .SQLITE_IOERR_SHORT_READ }
  /// Writing to a file failed.
  @inlinable public static var SQLITE_IOERR_WRITE: ResultCode { .SQLITE_IOERR_WRITE }
  /// Syncing a file failed.
  @inlinable public static var SQLITE_IOERR_FSYNC: ResultCode { .SQLITE_IOERR_FSYNC }
  /// Syncing a directory failed.
  @inlinable public static var SQLITE_IOERR_DIR_FSYNC: ResultCode { .SQLITE_IOERR_DIR_FSYNC }
  /// Truncating a file failed.
  @inlinable public static var SQLITE_IOERR_TRUNCATE: ResultCode { .SQLITE_IOERR_TRUNCATE }
  /// Reading the attributes of an open file failed.
  @inlinable public static var SQLITE_IOERR_FSTAT: ResultCode { .SQLITE_IOERR_FSTAT }
  /// Releasing a file lock failed.
  @inlinable public static var SQLITE_IOERR_UNLOCK: ResultCode { .SQLITE_IOERR_UNLOCK }
  /// Acquiring a read lock failed.
  @inlinable public static var SQLITE_IOERR_RDLOCK: ResultCode { .SQLITE_IOERR_RDLOCK }
  /// Deleting a file failed.
  @inlinable public static var SQLITE_IOERR_DELETE: ResultCode { .SQLITE_IOERR_DELETE }
  /// Not used by SQLite any more.
  @inlinable public static var SQLITE_IOERR_BLOCKED: ResultCode { .SQLITE_IOERR_BLOCKED }
  /// Memory ran out during an input or output operation.
  @inlinable public static var SQLITE_IOERR_NOMEM: ResultCode { .SQLITE_IOERR_NOMEM }
  /// Checking the access to a file failed.
  @inlinable public static var SQLITE_IOERR_ACCESS: ResultCode { .SQLITE_IOERR_ACCESS }
  /// Checking for a reserved lock failed.
  @inlinable public static var SQLITE_IOERR_CHECKRESERVEDLOCK: ResultCode {
    .SQLITE_IOERR_CHECKRESERVEDLOCK
  }
  /// Acquiring a file lock failed.
  @inlinable public static var SQLITE_IOERR_LOCK: ResultCode { .SQLITE_IOERR_LOCK }
  /// Closing a file failed.
  @inlinable public static var SQLITE_IOERR_CLOSE: ResultCode { .SQLITE_IOERR_CLOSE }
  /// Not used by SQLite any more.
  @inlinable public static var SQLITE_IOERR_DIR_CLOSE: ResultCode { .SQLITE_IOERR_DIR_CLOSE }
  /// Opening the shared-memory file failed.
  @inlinable public static var SQLITE_IOERR_SHMOPEN: ResultCode { .SQLITE_IOERR_SHMOPEN }
  /// Enlarging the shared-memory file failed.
  @inlinable public static var SQLITE_IOERR_SHMSIZE: ResultCode { .SQLITE_IOERR_SHMSIZE }
  /// Not used by SQLite any more.
  @inlinable public static var SQLITE_IOERR_SHMLOCK: ResultCode { .SQLITE_IOERR_SHMLOCK }
  /// Mapping the shared-memory file failed.
  @inlinable public static var SQLITE_IOERR_SHMMAP: ResultCode { .SQLITE_IOERR_SHMMAP }
  /// Setting the position in a file failed.
  @inlinable public static var SQLITE_IOERR_SEEK: ResultCode { .SQLITE_IOERR_SEEK }
  /// A file that was to be deleted does not exist.
  @inlinable public static var SQLITE_IOERR_DELETE_NOENT: ResultCode { .SQLITE_IOERR_DELETE_NOENT }
  /// Mapping the database file into memory failed.
  @inlinable public static var SQLITE_IOERR_MMAP: ResultCode { .SQLITE_IOERR_MMAP }
  /// No directory for temporary files was found.
  @inlinable public static var SQLITE_IOERR_GETTEMPPATH: ResultCode { .SQLITE_IOERR_GETTEMPPATH }
  /// Converting a path failed; on Windows with Cygwin only.
  @inlinable public static var SQLITE_IOERR_CONVPATH: ResultCode { .SQLITE_IOERR_CONVPATH }
  /// Reserved for extensions.
  @inlinable public static var SQLITE_IOERR_VNODE: ResultCode { .SQLITE_IOERR_VNODE }
  /// Reserved for extensions.
  @inlinable public static var SQLITE_IOERR_AUTH: ResultCode { .SQLITE_IOERR_AUTH }
  /// Beginning an atomic write failed.
  @inlinable public static var SQLITE_IOERR_BEGIN_ATOMIC: ResultCode { .SQLITE_IOERR_BEGIN_ATOMIC }
  /// Committing an atomic write failed.
  @inlinable public static var SQLITE_IOERR_COMMIT_ATOMIC: ResultCode {
    .SQLITE_IOERR_COMMIT_ATOMIC
  }
  /// Rolling back an atomic write failed.
  @inlinable public static var SQLITE_IOERR_ROLLBACK_ATOMIC: ResultCode {
    .SQLITE_IOERR_ROLLBACK_ATOMIC
  }
  /// A page has a wrong checksum; used by the checksum VFS only.
  @inlinable public static var SQLITE_IOERR_DATA: ResultCode { .SQLITE_IOERR_DATA }
  /// A read was outside the file's bounds, which often indicates a corrupt file system.
  @inlinable public static var SQLITE_IOERR_CORRUPTFS: ResultCode { .SQLITE_IOERR_CORRUPTFS }
  /// Another connection with the same shared cache holds the lock.
  @inlinable public static var SQLITE_LOCKED_SHAREDCACHE: ResultCode { .SQLITE_LOCKED_SHAREDCACHE }
  /// Locks of other threads or processes block a virtual table; used by extensions only.
  @inlinable public static var SQLITE_LOCKED_VTAB: ResultCode { .SQLITE_LOCKED_VTAB }
  /// Another process is recovering the write-ahead log.
  @inlinable public static var SQLITE_BUSY_RECOVERY: ResultCode { .SQLITE_BUSY_RECOVERY }
  /// A read transaction cannot write, because the database has changed since its snapshot.
  @inlinable public static var SQLITE_BUSY_SNAPSHOT: ResultCode { .SQLITE_BUSY_SNAPSHOT }
  /// A blocking file lock timed out.
  @inlinable public static var SQLITE_BUSY_TIMEOUT: ResultCode { .SQLITE_BUSY_TIMEOUT }
  /// Not used by SQLite any more.
  @inlinable public static var SQLITE_CANTOPEN_NOTEMPDIR: ResultCode { .SQLITE_CANTOPEN_NOTEMPDIR }
  /// The path leads to a directory.
  @inlinable public static var SQLITE_CANTOPEN_ISDIR: ResultCode { .SQLITE_CANTOPEN_ISDIR }
  /// The full path could not be determined.
  @inlinable public static var SQLITE_CANTOPEN_FULLPATH: ResultCode { .SQLITE_CANTOPEN_FULLPATH }
  /// Converting the path failed; on Windows with Cygwin only.
  @inlinable public static var SQLITE_CANTOPEN_CONVPATH: ResultCode { .SQLITE_CANTOPEN_CONVPATH }
  /// Not used by SQLite.
  @inlinable public static var SQLITE_CANTOPEN_DIRTYWAL: ResultCode { .SQLITE_CANTOPEN_DIRTYWAL }
  /// The path contains a symbolic link, which the open flags forbid.
  @inlinable public static var SQLITE_CANTOPEN_SYMLINK: ResultCode { .SQLITE_CANTOPEN_SYMLINK }
  /// The content of a virtual table is corrupt.
  @inlinable public static var SQLITE_CORRUPT_VTAB: ResultCode { .SQLITE_CORRUPT_VTAB }
  /// The schema of the table `sqlite_sequence` is corrupt.
  @inlinable public static var SQLITE_CORRUPT_SEQUENCE: ResultCode { .SQLITE_CORRUPT_SEQUENCE }
  /// An entry is missing in an index.
  @inlinable public static var SQLITE_CORRUPT_INDEX: ResultCode { .SQLITE_CORRUPT_INDEX }
  /// The write-ahead log needs recovery, for which write access is missing.
  @inlinable public static var SQLITE_READONLY_RECOVERY: ResultCode { .SQLITE_READONLY_RECOVERY }
  /// The shared-memory file is read-only, so that the database cannot be locked.
  @inlinable public static var SQLITE_READONLY_CANTLOCK: ResultCode { .SQLITE_READONLY_CANTLOCK }
  /// A hot journal must be rolled back, for which write access is missing.
  @inlinable public static var SQLITE_READONLY_ROLLBACK: ResultCode { .SQLITE_READONLY_ROLLBACK }
  /// The database file was moved after it was opened.
  @inlinable public static var SQLITE_READONLY_DBMOVED: ResultCode { .SQLITE_READONLY_DBMOVED }
  /// The shared-memory file must be initialized, for which write access is missing.
  @inlinable public static var SQLITE_READONLY_CANTINIT: ResultCode { .SQLITE_READONLY_CANTINIT }
  /// The directory is read-only, so that no journal can be created.
  @inlinable public static var SQLITE_READONLY_DIRECTORY: ResultCode { .SQLITE_READONLY_DIRECTORY }
  /// The transaction was rolled back while the statement ran.
  @inlinable public static var SQLITE_ABORT_ROLLBACK: ResultCode { .SQLITE_ABORT_ROLLBACK }
  /// A CHECK constraint failed.
  @inlinable public static var SQLITE_CONSTRAINT_CHECK: ResultCode { .SQLITE_CONSTRAINT_CHECK }
  /// A commit hook refused the commit.
  @inlinable public static var SQLITE_CONSTRAINT_COMMITHOOK: ResultCode {
    .SQLITE_CONSTRAINT_COMMITHOOK
  }
  /// A foreign key constraint failed.
  @inlinable public static var SQLITE_CONSTRAINT_FOREIGNKEY: ResultCode {
    .SQLITE_CONSTRAINT_FOREIGNKEY
  }
  /// Not used by SQLite; available to functions of an extension.
  @inlinable public static var SQLITE_CONSTRAINT_FUNCTION: ResultCode {
    .SQLITE_CONSTRAINT_FUNCTION
  }
  /// A NOT NULL constraint failed.
  @inlinable public static var SQLITE_CONSTRAINT_NOTNULL: ResultCode { .SQLITE_CONSTRAINT_NOTNULL }
  /// A PRIMARY KEY constraint failed.
  @inlinable public static var SQLITE_CONSTRAINT_PRIMARYKEY: ResultCode {
    .SQLITE_CONSTRAINT_PRIMARYKEY
  }
  /// A trigger raised an error.
  @inlinable public static var SQLITE_CONSTRAINT_TRIGGER: ResultCode { .SQLITE_CONSTRAINT_TRIGGER }
  /// A UNIQUE constraint failed.
  @inlinable public static var SQLITE_CONSTRAINT_UNIQUE: ResultCode { .SQLITE_CONSTRAINT_UNIQUE }
  /// Not used by SQLite; available to virtual tables of an application.
  @inlinable public static var SQLITE_CONSTRAINT_VTAB: ResultCode { .SQLITE_CONSTRAINT_VTAB }
  /// A rowid is not unique.
  @inlinable public static var SQLITE_CONSTRAINT_ROWID: ResultCode { .SQLITE_CONSTRAINT_ROWID }
  /// An update trigger tried to delete the row that is being updated.
  @inlinable public static var SQLITE_CONSTRAINT_PINNED: ResultCode { .SQLITE_CONSTRAINT_PINNED }
  /// A value does not have the declared type of its column in a STRICT table.
  @inlinable public static var SQLITE_CONSTRAINT_DATATYPE: ResultCode {
    .SQLITE_CONSTRAINT_DATATYPE
  }
  /// A write-ahead log was recovered; for the log only.
  @inlinable public static var SQLITE_NOTICE_RECOVER_WAL: ResultCode { .SQLITE_NOTICE_RECOVER_WAL }
  /// A hot journal was rolled back; for the log only.
  @inlinable public static var SQLITE_NOTICE_RECOVER_ROLLBACK: ResultCode {
    .SQLITE_NOTICE_RECOVER_ROLLBACK
  }
  /// An automatic index was used; for the log only.
  @inlinable public static var SQLITE_WARNING_AUTOINDEX: ResultCode { .SQLITE_WARNING_AUTOINDEX }
  /// The logged-in user is not authorized; only with the user authentication extension.
  @inlinable public static var SQLITE_AUTH_USER: ResultCode { .SQLITE_AUTH_USER }
  /// An extension remains loaded after its connection closes.
  @inlinable public static var SQLITE_OK_LOAD_PERMANENTLY: ResultCode {
    .SQLITE_OK_LOAD_PERMANENTLY
  }
  /// The path contains a symbolic link; SQLite uses the code internally.
  @inlinable public static var SQLITE_OK_SYMLINK: ResultCode { .SQLITE_OK_SYMLINK }
}
