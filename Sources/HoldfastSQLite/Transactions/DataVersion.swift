extension Database {
  /// Returns whether another connection has committed since the last call; `nil` at the first call.
  ///
  /// Other connections of this process count too. `true` may be wrong, for example after a
  /// checkpoint that empties the write-ahead log; `false` never is.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when a lock keeps the file from being read.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_data_version>
  package func hasForeignCommits() throws -> Bool? {
    let version = try Int.fetchOne(self, sql: "PRAGMA data_version")
    defer { dataVersion = version }
    return dataVersion.map { $0 != version }
  }
}
