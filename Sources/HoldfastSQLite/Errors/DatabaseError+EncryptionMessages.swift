// The error messages and advice about encryption.

extension DatabaseError {
  /// Returns the error of a file that was not read, with the reason.
  func explained(by fault: EncryptionFault) -> DatabaseError {
    var error = self
    error.encryptionFault = fault
    if [.missingKey, .wrongKey, .notEncrypted].contains(fault) {
      error.extendedResultCode = .SQLITE_NOTADB
    }
    let reason =
      switch fault {
      case .missingKey: "The database is encrypted and no key was given, or it is no database"
      case .wrongKey: "The key is not the database's, or the file is no database"
      case .notEncrypted: "A key was given, and the database is not encrypted"
      case .missingSalt: "The header is to stay readable, and no salt was given"
      case .unsuitableLibrary: "The library cannot read encrypted databases"
      }
    error.message = reason + (message.map { " (\($0))" } ?? "")
    return error
  }

  /// Advice on what to do after a fault of encryption.
  func advice(for fault: EncryptionFault) -> String {
    switch fault {
    case .missingKey:
      "Call `usePassphrase` or `useKey` first in `prepareDatabase`, in a build with the package's "
        + "trait 'SQLCipher'."
    case .wrongKey:
      "Check the passphrase or key, that a raw key is given as such, and the salt if the header is "
        + "readable; a file of SQLCipher 3 needs `PRAGMA cipher_compatibility = 3` after the key."
    case .notEncrypted:
      "Open it without a key, or copy it into an encrypted database with `exportContent`."
    case .missingSalt:
      "Call `usePlaintextHeader(salt:)` after the key in `prepareDatabase`, with 16 bytes that the "
        + "app keeps; without them each later connection takes the key for wrong."
    case .unsuitableLibrary:
      "Link SQLCipher 4.5.1 or newer, and no other SQLite before it."
    }
  }

  static func missingKey(path: String?) -> DatabaseError {
    unread(.SQLITE_NOTADB, path: path).explained(by: .missingKey)
  }

  static func missingSalt(path: String?) -> DatabaseError {
    unread(.SQLITE_MISUSE, path: path).explained(by: .missingSalt)
  }

  /// The error of a file that SQLite was not asked to read, so that it has no message.
  private static func unread(_ code: ResultCode, path: String?) -> DatabaseError {
    var error = DatabaseError(resultCode: code, path: path)
    error.message = nil
    return error
  }

  /// The error for a library with an old SQLCipher, or without one if there is no version.
  static func unsuitableLibrary(_ version: String?, path: String?) -> DatabaseError {
    var error = DatabaseError(resultCode: .SQLITE_MISUSE, path: path)
      .explained(by: .unsuitableLibrary)
    error.message =
      "The process is linked with \(version.map { "SQLCipher \($0)" } ?? "SQLite without encryption"),"
      + " and SQLCipher 4.5.1 or newer is needed"
    return error
  }

  package static func copyExists(at path: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_ERROR, message: "The file of the copy exists and has content", path: path)
  }

  static func lateKey(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "A key is given only in `prepareDatabase`; `changeKey` changes it afterwards",
      path: path)
  }

  static func keyChangeInTransaction(path: String?) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "The key cannot be changed inside a transaction: do it in "
        + "`barrierWriteWithoutTransaction`", path: path)
  }
}
