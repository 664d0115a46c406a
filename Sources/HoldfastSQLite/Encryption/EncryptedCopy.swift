#if SQLCipher
  internal import CSQLCipher
  package import Foundation

  // Copies with another key: https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export

  extension Database {
    /// Copies the content into a new file with another key, or without one.
    ///
    /// - Parameters:
    ///   - path: The path of a file that does not exist, or is empty.
    ///   - key: The key of the copy; `nil` for one that is not encrypted.
    ///   - salt: The salt of a copy whose header stays readable; `nil` for any other.
    /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when the file has content.
    package func exportContent(to path: String, key: EncryptionKey?, salt: Data?) throws {
      precondition(salt?.count ?? 16 == 16, "A salt has 16 bytes.")
      try CipherVersion.check(self)
      // Without any key it would be that of the main database. No SQL contains the key itself, which
      // a trace would show.
      try execute(sql: "ATTACH DATABASE ? AS holdfast_export KEY ''", arguments: [path])
      do {
        if let key { try unsafe apply(key, to: "holdfast_export", sqlite3_key_v2) }
        if let salt {
          try execute(sql: "PRAGMA holdfast_export.cipher_plaintext_header_size = 32")
          try execute(sql: "PRAGMA holdfast_export.cipher_salt = \"x'\(hexadecimal(salt))'\"")
        }
        guard try Int.fetchOne(self, sql: "PRAGMA holdfast_export.page_count") == 0 else {
          throw DatabaseError.copyExists(at: path)
        }
        try copyContent(of: "main", to: "holdfast_export")
      } catch {
        // The first error is the one to report.
        do { try detach("holdfast_export") } catch _ {}
        throw error
      }
      try detach("holdfast_export")
    }

    /// Copies the content of one database of the connection into another one, which is empty.
    ///
    /// - Parameters:
    ///   - source: `main`, or the name of an attached database.
    ///   - target: The name of the other database, whose key the copy has.
    /// - Throws: ``DatabaseError`` with SQLite's code.
    package func copyContent(of source: String, to target: String) throws {
      // SQLite itself gives an attached database the text encoding of the main one.
      let vacuum = try Int.fetchOne(self, sql: "PRAGMA \(source).auto_vacuum") ?? 0
      try execute(sql: "PRAGMA \(target).auto_vacuum = \(vacuum)")
      try inTransaction(.deferred) {
        _ = try Row.fetchAll(self, sql: "SELECT sqlcipher_export('\(target)', '\(source)')")
        for number in [HeaderNumber.userVersion, .applicationID] {
          let value = try Int32.fetchOne(self, sql: "PRAGMA \(source).\(number.rawValue)") ?? 0
          try execute(sql: "PRAGMA \(target).\(number.rawValue) = \(value)")
        }
        return .commit
      }
    }
  }
#endif
