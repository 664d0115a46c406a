// Other database files on one connection.

extension Database {
  /// Attaches a file, which can be read and not written under the name.
  ///
  /// An encrypted file is read with the key of the connection, and any other one without a key.
  ///
  /// - Precondition: `Configuration.attachesURIs` is true; no transaction is open.
  /// - Parameters:
  ///   - path: The absolute path of the file.
  ///   - schema: The name.
  ///   - isNeverModified: Whether the file is never modified, so that SQLite takes no lock and uses
  ///     no companion file.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/lang_attach.html>
  package func attach(
    readOnlyFileAt path: String, as schema: String, isNeverModified: Bool
  ) throws {
    precondition(configuration.attachesURIs)
    let name = DatabaseLocation.attachmentName(path, isNeverModified: isNeverModified)
    // Without these words SQLCipher takes the key of the main database.
    let isPlain = try Self.canDecrypt && DatabaseHeader(ofFileAt: path).isDatabase
    try execute(
      sql: "ATTACH DATABASE ? AS \(schema.quotedDatabaseIdentifier)\(isPlain ? " KEY ''" : "")",
      arguments: [name])
    // SQLite reads the file lazily; this detects a file that is not a database.
    _ = try Int.fetchOne(self, sql: "PRAGMA \(schema.quotedDatabaseIdentifier).schema_version")
  }

  /// Detaches a file.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code, when a statement that reads it still runs.
  package func detach(_ schema: String) throws {
    try execute(sql: "DETACH DATABASE \(schema.quotedDatabaseIdentifier)")
  }
}
