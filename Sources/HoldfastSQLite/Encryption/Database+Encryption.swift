#if SQLCipher
  internal import CSQLCipher
  public import Foundation

  // Encryption by SQLCipher: https://www.zetetic.net/sqlcipher/sqlcipher-api/

  extension Database {
    /// Gives the passphrase of the database, or of one that is created.
    ///
    /// Call it first in ``Configuration/prepareDatabase(_:)``, where it reads the passphrase again for
    /// each connection:
    ///
    /// ```swift
    /// configuration.prepareDatabase { db in
    ///   try db.usePassphrase(passphraseFromKeychain())
    /// }
    /// ```
    ///
    /// Each connection derives the key, which takes a good part of a second;
    /// ``useKey(_:)`` with a raw key does not.
    ///
    /// - Parameter passphrase: The passphrase, as UTF-8; not empty.
    /// - Throws: ``DatabaseError`` when the library is older than SQLCipher 4.5.1, or with its code. A
    ///   wrong passphrase is found after the preparation, when the database is first read.
    public func usePassphrase(_ passphrase: String) throws {
      try useKey(.passphrase(passphrase))
    }

    /// Gives the passphrase of the database, or of one that is created.
    ///
    /// - Parameter passphrase: The bytes of the passphrase; not empty.
    /// - Throws: The same errors as ``usePassphrase(_:)-(String)``.
    public func usePassphrase(_ passphrase: Data) throws {
      try useKey(.passphrase(passphrase))
    }

    /// Gives the key of the database, or of one that is created.
    ///
    /// Call it first in ``Configuration/prepareDatabase(_:)``.
    ///
    /// - Parameter key: The key; a raw one opens a connection as fast as without encryption.
    /// - Throws: ``DatabaseError`` when the library is older than SQLCipher 4.5.1, or with its code. A
    ///   wrong key is found after the preparation, when the database is first read.
    public func useKey(_ key: EncryptionKey) throws {
      // Later it would be ignored, or pages of a plain database would be written encrypted.
      guard !isKeyChecked else { throw DatabaseError.lateKey(path: path) }
      try CipherVersion.check(self)
      // Another key has no salt yet.
      hasCipherSalt = false
      try unsafe apply(key, to: "main", sqlite3_key_v2)
    }

    /// Leaves the first 32 bytes of the file readable, which iOS needs to see of a database in a shared
    /// container that it is one in WAL mode, and otherwise ends the app for its locks.
    ///
    /// The salt of the database stands in these bytes otherwise, so the app keeps it and gives it to
    /// each connection. Call it after the key, in ``Configuration/prepareDatabase(_:)``:
    ///
    /// ```swift
    /// configuration.prepareDatabase { db in
    ///   try db.useKey(.raw(keyFromKeychain()))
    ///   try db.usePlaintextHeader(salt: saltFromKeychain())
    /// }
    /// ```
    ///
    /// The salt is no secret, but a database whose salt is lost cannot be read.
    ///
    /// - Parameter salt: 16 bytes: the result of ``makeCipherSalt()`` for a new database, of
    ///   ``cipherSalt()`` for one that was created without a readable header.
    /// - Throws: ``DatabaseError`` when no key was given before, or with SQLCipher's code.
    /// - Precondition: `salt` has 16 bytes.
    /// - SeeAlso: <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_plaintext_header_size>
    public func usePlaintextHeader(salt: Data) throws {
      precondition(salt.count == 16, "A salt has 16 bytes.")
      // Without a key both pragmas do nothing, and a new key would forget them.
      guard try hasKey else { throw DatabaseError.missingKey(path: path) }
      try execute(sql: "PRAGMA cipher_plaintext_header_size = 32")
      try execute(sql: "PRAGMA cipher_salt = \"x'\(hexadecimal(salt))'\"")
      hasCipherSalt = true
    }

    /// Returns a new random salt for ``usePlaintextHeader(salt:)``.
    ///
    /// - Returns: 16 bytes.
    public static func makeCipherSalt() -> Data {
      var generator = SystemRandomNumberGenerator()
      return Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Returns the salt of the database.
    ///
    /// - Returns: 16 bytes.
    /// - Throws: ``DatabaseError`` when the connection has no key.
    public func cipherSalt() throws -> Data {
      guard let text = try String.fetchOne(self, sql: "PRAGMA cipher_salt"), text.utf8.count == 32
      else { throw DatabaseError.missingKey(path: path) }
      let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      return Data(stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    func apply(
      _ key: EncryptionKey, to schema: String,
      _ function: (OpaquePointer, UnsafePointer<CChar>, UnsafeRawPointer?, CInt) -> CInt
    ) throws {
      checkAccess()
      guard !key.bytes.isEmpty else { throw DatabaseError.missingKey(path: path) }
      try handle.inside {
        let code = unsafe key.bytes.withUnsafeBytes { bytes in
          unsafe function(handle.pointer, schema, bytes.baseAddress, CInt(bytes.count))
        }
        guard code == SQLITE_OK else { throw handle.error(code, sql: nil, path: path) }
      }
    }
  }

  extension Database {
    /// Whether the connection has a key, right or wrong.
    ///
    /// - Throws: ``DatabaseError`` with SQLite's code.
    package var hasKey: Bool {
      get throws {
        try String.fetchOne(self, sql: "PRAGMA cipher_plaintext_header_size") != nil
      }
    }

    /// Throws if the app would not know the salt of a new database.
    func checkCipherSalt() throws {
      guard !hasCipherSalt,
        let size = try String.fetchOne(self, sql: "PRAGMA cipher_plaintext_header_size"),
        size != "0"
      else { return }
      throw DatabaseError.missingSalt(path: path)
    }
  }

  extension SQLTokens {
    /// Whether the connection has a salt after the statement: true if it gives one, false if it gives a
    /// key, which has no salt yet; `nil` if it does neither.
    var givesCipherSalt: Bool? {
      var tokens = self
      guard tokens.nextWord() == "PRAGMA" else { return nil }
      var name = tokens.next()?.lowercased()
      // Not that of an attached database.
      if name == "main", tokens.next() == "." { name = tokens.next()?.lowercased() }
      // Without a value it is asked for.
      guard ["=", "("].contains(tokens.next()) else { return nil }
      return switch name {
      case "cipher_salt": true
      case "key", "textkey", "hexkey": false
      default: nil
      }
    }
  }
#else
  extension Database {
    /// Needs the package's trait `SQLCipher`.
    @available(
      *, unavailable,
      message: "enable the trait 'SQLCipher' of the package: .package(…, traits: [\"SQLCipher\"])"
    )
    public func usePassphrase(_ passphrase: String) throws { Misuse.trap(Misuse.noEncryption) }

    /// Needs the package's trait `SQLCipher`.
    @available(
      *, unavailable,
      message: "enable the trait 'SQLCipher' of the package: .package(…, traits: [\"SQLCipher\"])"
    )
    public func changePassphrase(_ passphrase: String) throws { Misuse.trap(Misuse.noEncryption) }
  }
#endif
