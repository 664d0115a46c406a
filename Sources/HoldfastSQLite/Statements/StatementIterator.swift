#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// An iterator that prepares the statements of a SQL text one by one.
struct StatementIterator {
  private let sql: String
  /// The text with a terminating NUL; without it SQLite would copy the rest for each statement.
  private let bytes: ContiguousArray<UInt8>
  private let containsNUL: Bool
  private var offset = 0

  init(_ sql: String) {
    var sql = sql
    sql.makeContiguousUTF8()
    self.sql = sql
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(sql.utf8.count + 1)
    bytes.append(contentsOf: sql.utf8)
    containsNUL = bytes.contains(0)
    bytes.append(0)
    self.bytes = bytes
  }

  /// Prepares the next statement.
  ///
  /// - Returns: The statement; `nil` when only spaces and comments are left.
  mutating func next(on database: Database) throws(DatabaseError) -> Statement? {
    database.checkAccess()
    guard database.handle.isOpen else { throw .closed(path: database.path) }
    // SQLite stops reading at a NUL, and would silently not run what follows.
    guard !containsNUL else { throw .containsNUL(sql: sql, path: database.path) }
    // At the end SQLite is not called: the previous statements have succeeded, even if the database
    // was suspended right after.
    guard let verb = nextToken else { return nil }
    try database.makeDeferredObjects()
    try database.handle.enter()
    defer { database.handle.leave() }
    // An error of the preparation is not caused by an earlier interruption.
    database.handle.busyHandler.begin()
    // SQLite sets and reports its own automatic checkpoint while it prepares a pragma.
    let automaticCheckpoint =
      ["pragma", "explain"].contains(verb.lowercased()) ? database.handle.automaticCheckpoint : nil
    while offset < bytes.count - 1 {
      var statement: OpaquePointer?
      var consumed = 0
      func prepare() -> CInt {
        unsafe bytes.withUnsafeBufferPointer { buffer in
          unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
            guard let base = buffer.baseAddress else { return SQLITE_OK }
            let start = unsafe base + offset
            var tail: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(
              database.handle.pointer, start, CInt(clamping: buffer.count - offset),
              CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
            consumed = unsafe tail.map { unsafe $0 - start } ?? 0
            return code
          }
        }
      }
      let code = automaticCheckpoint?.givenBack(prepare) ?? prepare()
      guard code == SQLITE_OK else {
        throw database.handle.error(code, sql: sql, path: database.path)
      }
      let text = String(decoding: bytes[offset..<offset + consumed], as: UTF8.self)
      offset += consumed
      if let statement = unsafe statement {
        let statement = unsafe Statement(handle: statement, sql: text, database: database)
        if unsafe database.mayNamesBeAmbiguous { database.noteNames(of: statement) }
        return statement
      }
      // Spaces and comments yield no statement.
      if consumed == 0 { break }
    }
    return nil
  }

  /// Whether nothing but spaces, comments and semicolons is left.
  var isAtEnd: Bool { nextToken == nil }

  /// The first token that is left, if it is no semicolon.
  private var nextToken: Substring? {
    SQLTokens(Substring(sql.utf8.dropFirst(offset))).first { $0 != ";" }
  }

  /// Prepares a statement only to call the authorizer with its actions.
  ///
  /// - Returns: Whether SQLite could prepare it and, if `running` is true, whether it has a row.
  static func prepareForAuthorizer(_ sql: String, on database: Database, running: Bool = false)
    -> Bool
  {
    let succeeded = database.handle.ifPresent {
      var statement: OpaquePointer?
      func prepare() -> CInt {
        unsafe sqlite3_prepare_v3(database.handle.pointer, sql, -1, 0, &statement, nil)
      }
      let code = database.handle.automaticCheckpoint?.givenBack(prepare) ?? prepare()
      defer { _ = unsafe sqlite3_finalize(statement) }
      guard code == SQLITE_OK, running else { return code == SQLITE_OK }
      return unsafe sqlite3_step(statement) == SQLITE_ROW
    }
    return succeeded ?? false
  }
}
