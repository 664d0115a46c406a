/// A source of facts that a schema does not declare, such as the primary key of a view.
///
/// With it, `find(_:id:)` and the functions that save, update and delete a record work on views. Those that write
/// need INSTEAD OF triggers.
///
/// ```swift
/// struct Views: DatabaseSchemaSource {
///   func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
///     view.name == "playerDetail" ? ["id"] : nil
///   }
/// }
/// configuration.schemaSource = Views()
/// ```
///
/// A connection asks once for each view, and again when the schema has changed. Migrations run without a source,
/// because they must mean the same in every version of an app; see ``Database/withSchemaSource(_:execute:)``.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtrigger.html#instead_of_triggers>
public protocol DatabaseSchemaSource: Sendable {
  /// Returns the columns that identify a row of a view; `nil` by default.
  ///
  /// The columns must identify each row, and never be NULL; that is not checked.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access, which has no source during the call.
  ///   - view: The view, with its name as it is written where the key is needed.
  /// - Returns: The names of the columns; `nil` if the source does not know the view, and an empty array if the
  ///   view has no primary key.
  /// - Throws: An error that the function that needs the key throws too.
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]?
}

extension DatabaseSchemaSource {
  /// Returns `nil`: the source knows no view.
  public func columnsForPrimaryKey(
    _ db: Database, inView view: DatabaseObjectID
  ) throws -> [String]? { nil }

  /// Returns a source that asks another one about what this one does not know.
  ///
  /// - Parameter other: The other source.
  /// - Returns: A source that asks `other` only where this one returns `nil`.
  public func then(_ other: some DatabaseSchemaSource) -> some DatabaseSchemaSource {
    ChainedSchemaSource(first: self, second: other)
  }
}

/// Two sources, of which the second one is asked about what the first one does not know.
private struct ChainedSchemaSource: DatabaseSchemaSource {
  let first: any DatabaseSchemaSource
  let second: any DatabaseSchemaSource

  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    try first.columnsForPrimaryKey(db, inView: view)
      ?? second.columnsForPrimaryKey(db, inView: view)
  }
}

extension Database {
  /// Runs a closure with another source of facts that the schema does not declare.
  ///
  /// ```swift
  /// migrator.registerMigration("names of views") { db in
  ///   try db.withSchemaSource(Views()) { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schemaSource: The source; `nil` for none.
  ///   - block: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: Whatever the closure throws.
  public func withSchemaSource<Value>(
    _ schemaSource: (any DatabaseSchemaSource)?, execute block: () throws -> Value
  ) rethrows -> Value {
    checkAccess()
    let before = self.schemaSource
    // Keys that another source named are not known any more.
    schemaCache.forgetPrimaryKeys()
    self.schemaSource = schemaSource
    defer {
      schemaCache.forgetPrimaryKeys()
      self.schemaSource = before
    }
    return try block()
  }

  /// Returns the primary key of a view: the one that the source names, or one without columns.
  func primaryKey(ofView view: DatabaseObjectID, _ columns: [ColumnInfo]) throws -> PrimaryKeyInfo {
    let names = try schemaSource.flatMap { source in
      try withSchemaSource(nil) { try source.columnsForPrimaryKey(self, inView: view) }
    }
    guard let names, !names.isEmpty else {
      return PrimaryKeyInfo(
        columns: [], rowIDColumn: nil, tableHasRowID: false, columnInfos: nil, rowIDNames: [],
        isOfView: true)
    }
    let infos = try names.map { name in
      let folded = name.foldedDatabaseIdentifier
      guard let info = columns.first(where: { $0.name.foldedDatabaseIdentifier == folded }) else {
        throw DatabaseError.noSuchColumn(name, in: view.name, path: path)
      }
      return info
    }
    return PrimaryKeyInfo(
      columns: infos.map(\.name), rowIDColumn: nil, tableHasRowID: false, columnInfos: infos,
      rowIDNames: [], isOfView: true)
  }
}
