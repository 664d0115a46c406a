#if SQLCipher
  public import Foundation
  import HoldfastFiles
  public import HoldfastSQLite

  // Copies of a database with another key, or without one.

  extension DatabaseWriter {
    /// Copies the content into a new file that is encrypted with another key, or not encrypted.
    ///
    /// This is how a plain database becomes an encrypted one, and the reverse. The copy is of one
    /// committed state, with the numbers in the header; its journal mode is `DELETE`. It is not
    /// atomic: after a crash an incomplete file may remain. No other write runs meanwhile.
    ///
    /// In a table without an `INTEGER PRIMARY KEY`, rows may have other rowids in the copy, as after
    /// `VACUUM`. Rebuild the full-text tables that find rows of such a table by their rowids.
    ///
    /// ```swift
    /// try plain.exportContent(to: "/…/encrypted.db", key: .raw(keyFromKeychain()))
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of a file that does not exist, or is empty; a relative path is resolved
    ///     against the current folder.
    ///   - key: The key of the copy; `nil` for one that is not encrypted.
    ///   - salt: The 16 bytes of `usePlaintextHeader(salt:)`, for a copy whose header stays readable;
    ///     `nil` for any other.
    /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the file has content; `FileError` as
    ///   `vacuum(into:)` does.
    /// - SeeAlso: <https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export>
    @available(
      *, noasync,
      message:
        "Write `try await exportContent(…)`, which blocks no thread; at the top level of main.swift, in a function."
    )
    public func exportContent(to path: String, key: EncryptionKey?, salt: Data? = nil) throws {
      let target = try CopyTarget(path)
      try target.refuseContent()
      try writeWithoutTransaction { db in
        try db.exportContent(to: target.path, key: key, salt: salt)
      }
    }

    /// Copies the content into a new file with another key, or without one, while the task is
    /// suspended.
    ///
    /// - Parameters:
    ///   - path: The path of a file that does not exist, or is empty.
    ///   - key: The key of the copy; `nil` for one that is not encrypted.
    ///   - salt: The salt of a copy whose header stays readable; `nil` for any other.
    /// - Throws: `CancellationError`; the same errors as the blocking form.
    public func exportContent(to path: String, key: EncryptionKey?, salt: Data? = nil) async throws
    {
      let target = try CopyTarget(path)
      try target.refuseContent()
      try await writeWithoutTransaction { db in
        try db.exportContent(to: target.path, key: key, salt: salt)
      }
    }
  }

  extension CopyTarget {
    /// Throws if the file isn't empty: it could be an encrypted database.
    fileprivate func refuseContent() throws {
      guard path.utf8.first == UInt8(ascii: "/") else { return }
      if try FilePath(path).byteCount() ?? 0 > 0 { throw DatabaseError.copyExists(at: path) }
    }
  }
#endif
