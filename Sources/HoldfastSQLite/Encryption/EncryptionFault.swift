extension DatabaseError {
  /// The reason why a database could not be opened with its key, or without one.
  ///
  /// The code of the first three is `SQLITE_NOTADB`, as SQLCipher reports them all.
  public enum EncryptionFault: Hashable, Sendable {
    /// The database is encrypted, or no database, and no passphrase or key was given.
    case missingKey
    /// The passphrase or key is not the one of the database, or the file is no database.
    case wrongKey
    /// A passphrase or key was given, and the database is not encrypted.
    case notEncrypted
    /// The header stays readable, and the salt whose place it takes was not given.
    case missingSalt
    /// The library is older than SQLCipher 4.5.1, or is SQLite without encryption.
    case unsuitableLibrary
  }
}
