/// The explanation of a file that SQLite takes for no database: a pure decision.
package enum KeyDiagnosis {
  /// Finds out why a file could not be read.
  ///
  /// - Parameters:
  ///   - header: The header of the file.
  ///   - hasKey: Whether the connection has a key.
  ///   - canDecrypt: Whether the library can read encrypted databases.
  /// - Returns: The reason; `nil` if encryption is none.
  package static func fault(
    of header: DatabaseHeader, hasKey: Bool, canDecrypt: Bool
  ) -> DatabaseError.EncryptionFault? {
    switch header.encryption {
    case .none: hasKey ? .notEncrypted : nil
    case .afterPlaintextHeader: hasKey ? .wrongKey : .missingKey
    // Any other file looks the same; without SQLCipher it is rather no database.
    case .possible: hasKey ? .wrongKey : canDecrypt ? .missingKey : nil
    case .impossible: nil
    }
  }
}

extension Database {
  /// Whether SQLite can read encrypted databases.
  package static var canDecrypt: Bool {
    #if SQLCipher
      true
    #else
      false
    #endif
  }

  /// Throws if the file is encrypted and the connection has not its key.
  ///
  /// Nothing may be written before: with a readable header, SQLite finds only later that it cannot
  /// read the rest.
  package func checkKey() throws {
    guard !isKeyChecked else { return }
    #if SQLCipher
      try checkCipherSalt()
      if try hasKey {
        try CipherVersion.check(self)
        try readSchema()
        isKeyChecked = true
        return
      }
    #endif
    if hasPlaintextHeader { throw DatabaseError.missingKey(path: path) }
  }

  /// Whether the file is encrypted after its header.
  private var hasPlaintextHeader: Bool {
    // A database in memory has no file, and what cannot be read now is reported by SQLite.
    do { return try header().encryption == .afterPlaintextHeader } catch _ { return false }
  }

  #if SQLCipher
    /// Reads the schema with the key.
    private func readSchema() throws {
      do {
        _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_master")
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_ERROR {
        // After a readable header SQLite meets what it cannot read as another error.
        throw hasPlaintextHeader ? error.explained(by: .wrongKey) : error
      }
    }
  #endif

  /// Returns the error that explains why a file is not read, if encryption does.
  func explaining(_ error: DatabaseError) -> DatabaseError {
    // After the key was checked, the error is of another database.
    guard [.SQLITE_NOTADB, .SQLITE_NOMEM].contains(error.resultCode),
      error.encryptionFault == nil, !isKeyChecked, path != nil
    else { return error }
    do {
      #if SQLCipher
        let hasKey = try hasKey
      #else
        let hasKey = false
      #endif
      // After a first failure, which a preparation may ignore, SQLCipher has no page to return.
      guard hasKey || error.resultCode == .SQLITE_NOTADB else { return error }
      let fault = KeyDiagnosis.fault(of: try header(), hasKey: hasKey, canDecrypt: Self.canDecrypt)
      return fault.map { error.explained(by: $0) } ?? error
    } catch _ {
      // The first error is the one to report.
      return error
    }
  }
}
