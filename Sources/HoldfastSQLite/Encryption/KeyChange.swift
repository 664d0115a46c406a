#if SQLCipher
  internal import CSQLCipher
  public import Foundation

  // A change of the key: https://www.zetetic.net/sqlcipher/sqlcipher-api/#rekey

  extension Database {
    /// Encrypts the database with another passphrase; see ``changeKey(_:)``.
    ///
    /// - Parameter passphrase: The new passphrase, as UTF-8; not empty.
    /// - Throws: The errors of ``changeKey(_:)``.
    public func changePassphrase(_ passphrase: String) throws {
      try changeKey(.passphrase(passphrase))
    }

    /// Encrypts the database with another passphrase; see ``changeKey(_:)``.
    ///
    /// - Parameter passphrase: The bytes of the new passphrase; not empty.
    /// - Throws: The errors of ``changeKey(_:)``.
    public func changePassphrase(_ passphrase: Data) throws {
      try changeKey(.passphrase(passphrase))
    }

    /// Encrypts the database with another key.
    ///
    /// All pages are written again, in a transaction of their own, and the file is then read with the
    /// new key before the call returns. Other connections fail until they are opened with the new key:
    /// in a pool, call it in `barrierWriteWithoutTransaction`, and then
    /// `invalidateReadOnlyConnections()`. A pool of another process fails with `SQLITE_NOTADB` or
    /// `SQLITE_NOMEM`, as SQLCipher calls a page that it cannot decrypt, and writes nothing; it
    /// continues with the new key after it was suspended or opened again. Its observations may end.
    ///
    /// - Parameter key: The new key.
    /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when another connection holds a lock, with
    ///   `SQLITE_READONLY` in a read or in memory, with `SQLITE_MISUSE` inside a transaction; the database
    ///   then keeps its key. When the file cannot be read with the new key afterwards, the error of that
    ///   reading; the connection is then closed, so that it writes nothing with either key.
    public func changeKey(_ key: EncryptionKey) throws {
      guard let path, !isReadOnly else { throw DatabaseError.writeInRead(sql: "", path: path) }
      guard !isInsideTransaction else { throw DatabaseError.keyChangeInTransaction(path: path) }
      guard try hasKey else { throw DatabaseError.missingKey(path: path) }
      // SQLCipher itself reports no failure: without a lock it would change nothing, and write later
      // pages with the new key.
      try execute(sql: "BEGIN IMMEDIATE")
      do {
        try unsafe apply(key, to: "main", sqlite3_rekey_v2)
        if isInsideTransaction { try execute(sql: "COMMIT") }
        try readAgain(with: key, at: path)
      } catch {
        // It must not write another page with a key of which only a part of the file knows.
        close()
        throw error
      }
    }

    /// Reads the file on a connection of its own, with the settings of this one.
    private func readAgain(with key: EncryptionKey, at path: String) throws {
      let settings = [
        "cipher_page_size", "kdf_iter", "cipher_hmac_algorithm", "cipher_kdf_algorithm",
        "cipher_use_hmac", "cipher_plaintext_header_size",
      ]
      var pragmas = try settings.compactMap { name in
        try String.fetchOne(self, sql: "PRAGMA \(name)").map { "PRAGMA \(name) = \($0)" }
      }
      let salt = try hexadecimal(cipherSalt())
      pragmas.append("PRAGMA cipher_salt = \"x'\(salt)'\"")
      var configuration = Configuration()
      configuration.busyMode = self.configuration.busyMode
      configuration.prepareDatabase { [pragmas] db in
        try db.useKey(key)
        for pragma in pragmas { try db.execute(sql: pragma) }
      }
      // Not read-only, because a log may have no index yet.
      let other = try Database(
        path: path, isReadOnly: false, configuration: configuration, token: AccessToken())
      other.close()
    }
  }
#endif
