#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The state of the write-ahead log and its readers.
///
/// - SeeAlso: <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
package struct WriteAheadLogState: Hashable, Sendable {
  /// The number of the last committed frame.
  package var frameCount: Int
  /// The number of frames that are in the database file already.
  package var checkpointedFrameCount: Int
  /// The last frame that the readers of each read mark see; `nil` for a mark that is not in use.
  package var readMarks: [Int?]
}

extension Database {
  /// Returns the state of the write-ahead log, from the wal-index that SQLite has mapped.
  ///
  /// The index file is not opened: closing it would drop SQLite's locks.
  ///
  /// - Returns: The state; `nil` when the database has no shared write-ahead log.
  /// - Throws: ``DatabaseError`` when the database cannot be read.
  package func writeAheadLogState() throws -> WriteAheadLogState? {
    let modes = [
      try presentMode("journal_mode"), try presentMode("locking_mode"),
    ]
    // In exclusive locking mode the index is in private memory, and mapping it would create a file.
    guard modes == ["wal", "normal"] else { return nil }
    // Closing the connection from outside would unmap the index.
    return try handle.inside {
      // The first read maps it.
      try execute(sql: "SELECT 1 FROM sqlite_master LIMIT 0")
      guard let index = unsafe mappedIndex() else { return nil }
      func number(at offset: Int) -> UInt32 {
        unsafe index.load(fromByteOffset: offset, as: UInt32.self)
      }
      let marks = (0..<5).map { number(at: 100 + 4 * $0) }
      return WriteAheadLogState(
        frameCount: Int(number(at: 16)), checkpointedFrameCount: Int(number(at: 96)),
        readMarks: marks.map { $0 == UInt32.max ? nil : Int($0) })
    }
  }

  /// Returns the current value of a mode pragma, such as `journal_mode`.
  package func presentMode(_ pragma: String) throws -> String {
    // SQLite treats these pragmas as statements that write, although they only read.
    try whileReadOnly(false) {
      try String.fetchOne(self, sql: "PRAGMA \(pragma)") ?? ""
    }
  }

  private func mappedIndex() -> UnsafeMutableRawPointer? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(
      handle.pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file,
      let methods = unsafe file.pointee.pMethods?.pointee, methods.iVersion >= 2,
      let map = unsafe methods.xShmMap
    else { return nil }
    var page: UnsafeMutableRawPointer?
    // 32768 is the size of an index page; the 0 after it means that none is created.
    guard unsafe map(file, 0, 32768, 0, &page) == SQLITE_OK else { return nil }
    return unsafe page
  }
}
