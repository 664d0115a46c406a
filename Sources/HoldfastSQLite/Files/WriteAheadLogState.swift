internal import CSQLite

/// How much the write-ahead log holds, and which states of it are read.
///
/// - SeeAlso: <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
package struct WriteAheadLogState: Hashable, Sendable {
  /// The number of the last frame that is committed.
  package var frameCount: Int
  /// How many of them are in the database already.
  package var checkpointedFrameCount: Int
  /// The last frame that the readers of each mark see; `nil` where the mark is not in use.
  package var readMarks: [Int?]
}

extension Database {
  /// Looks into the wal-index, which SQLite has mapped into memory.
  ///
  /// The file of the index is not opened for it: closing it would drop SQLite's locks.
  ///
  /// - Returns: `nil` when the database has no write-ahead log that it shares.
  /// - Throws: ``DatabaseError`` when the database cannot be read.
  package func writeAheadLogState() throws -> WriteAheadLogState? {
    let modes = [
      try presentMode("journal_mode"), try presentMode("locking_mode"),
    ]
    // An exclusive one has its index in memory of its own, and asking would make the file.
    guard modes == ["wal", "normal"] else { return nil }
    // Whoever ends the connection unmaps the index.
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

  /// The word of a pragma for a mode, such as `journal_mode`.
  package func presentMode(_ pragma: String) throws -> String {
    // To SQLite these pragmas are writing ones, though they only ask.
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
    // The size of each page of the index; the last argument asks for none to be made.
    guard unsafe map(file, 0, 32768, 0, &page) == SQLITE_OK else { return nil }
    return unsafe page
  }
}
