#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// The bytes of a database's file are read through SQLite's own descriptor: closing a second one
// would drop the locks of the process.

extension Database {
  /// Returns the header of the file, read without a lock.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  package func header() throws -> DatabaseHeader {
    checkAccess()
    return try handle.header(path: path)
  }

  /// Returns the size of the file, in bytes.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  package func fileByteCount() throws -> Int64 {
    checkAccess()
    return try handle.fileByteCount(path: path)
  }

  /// Returns bytes of the file as they are on disk, without the content of the write-ahead log.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte.
  ///   - count: The number of bytes; the file must contain them.
  /// - Returns: Exactly `count` bytes.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  package func fileBytes(at offset: Int64, count: Int) throws -> [UInt8] {
    checkAccess()
    return try handle.fileBytes(at: offset, count: count, path: path)
  }

  /// Runs the closure while the connection cannot be closed from outside, and so keeps its locks.
  ///
  /// - Parameter body: The work; a suspension of the database waits for its end.
  /// - Returns: The result of `body`.
  /// - Throws: ``DatabaseError`` with `SQLITE_ABORT` when the connection was closed before;
  ///   whatever `body` throws.
  package func holdingLocks<Value>(_ body: () throws -> Value) throws -> Value {
    checkAccess()
    return try handle.inside(body)
  }
}

extension ConnectionHandle {
  func header(path: String?) throws -> DatabaseHeader {
    let length = try fileByteCount(path: path)
    let count = Int(min(length, Int64(DatabaseHeader.byteCount)))
    return DatabaseHeader(
      try fileBytes(at: 0, count: count, path: path), fileByteCount: length)
  }

  func fileByteCount(path: String?) throws -> Int64 {
    try inside {
      var length: sqlite3_int64 = 0
      try unsafe checkFile(path) { file, methods in
        unsafe methods.xFileSize?(file, &length) ?? SQLITE_CANTOPEN
      }
      return length
    }
  }

  func fileBytes(at offset: Int64, count: Int, path: String?) throws -> [UInt8] {
    try inside {
      var bytes = [UInt8](repeating: 0, count: count)
      guard count > 0 else { return bytes }
      try unsafe checkFile(path) { file, methods in
        unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe methods.xRead?(file, bytes.baseAddress, CInt(bytes.count), offset)
            ?? SQLITE_CANTOPEN
        }
      }
      return bytes
    }
  }

  /// Calls a function of SQLite's open file, which returns a result code.
  private func checkFile(
    _ path: String?,
    _ call: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> CInt
  ) throws(DatabaseError) {
    var found: UnsafeMutablePointer<sqlite3_file>?
    var code = unsafe sqlite3_file_control(
      pointer, "main", SQLITE_FCNTL_FILE_POINTER, &found)
    if code == SQLITE_OK {
      guard let file = unsafe found, let methods = unsafe file.pointee.pMethods else {
        throw DatabaseError(resultCode: .SQLITE_CANTOPEN, path: path)
      }
      code = unsafe call(file, methods.pointee)
    }
    guard code == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), path: path)
    }
  }
}
