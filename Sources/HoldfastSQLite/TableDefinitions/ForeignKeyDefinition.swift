/// The definition of columns that refer to a row of another table, by
/// ``TableDefinition/belongsTo(_:inTable:onDelete:onUpdate:deferred:indexed:)``.
public final class ForeignKeyDefinition {
  let name: String
  private let table: String?
  private let deleteAction: Database.ForeignKeyAction?
  private let updateAction: Database.ForeignKeyAction?
  private let isDeferred: Bool
  private let isIndexed: Bool
  private var notNullResolution: Database.ConflictResolution??
  private var isUnique = false

  init(
    _ name: String, table: String?, deleteAction: Database.ForeignKeyAction?,
    updateAction: Database.ForeignKeyAction?, isDeferred: Bool, isIndexed: Bool
  ) {
    self.name = name
    self.table = table
    self.deleteAction = deleteAction
    self.updateAction = updateAction
    self.isDeferred = isDeferred
    self.isIndexed = isIndexed
  }

  /// Forbids rows that refer to no other row.
  ///
  /// - Parameter conflictResolution: The action when a row would have NULL.
  /// - Returns: This definition, so that more can be said of it.
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    notNullResolution = .some(conflictResolution)
    return self
  }

  /// Forbids two rows that refer to the same row, by a constraint of the column, or a unique index on several
  /// ones.
  ///
  /// - Returns: This definition, so that more can be said of it.
  @discardableResult
  public func unique() -> Self {
    isUnique = true
    return self
  }

  // MARK: - Columns

  /// The columns and constraints that the foreign key adds to its table.
  struct Expansion {
    var columns: [ColumnDefinition]

    /// The constraint, which a single column has itself.
    var clause: ForeignKeyClause
    var isIndexed: Bool
    var isUnique: Bool

    var names: [String] { columns.map(\.name) }
  }

  /// Returns the columns, one for each of the other table's primary key.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - newTable: The table that is being created, and what finds the columns of its primary key.
  /// - Returns: The columns and their constraint.
  /// - Throws: ``DatabaseError`` when the other table does not exist or has no primary key.
  func expansion(
    _ db: Database, newTable: NewTable?
  ) throws -> Expansion {
    let (other, key) = try target(db, newTable)
    let clause = ForeignKeyClause(
      table: other, columns: key.map(\.name), deleteAction: deleteAction,
      updateAction: updateAction, isDeferred: isDeferred)
    let columns = key.map { column in
      let definition = ColumnDefinition(
        name + column.name.prefix(1).uppercased() + column.name.dropFirst(), column.type)
      if let notNullResolution { definition.notNull(onConflict: notNullResolution) }
      if key.count == 1 { definition.references(clause) }
      return definition
    }
    return Expansion(columns: columns, clause: clause, isIndexed: isIndexed, isUnique: isUnique)
  }

  typealias NewTable = (name: String, key: () throws -> [ColumnDefinition])
  private typealias KeyColumn = (name: String, type: Database.ColumnType?)

  private func target(_ db: Database, _ newTable: NewTable?) throws -> (String, [KeyColumn]) {
    let found = try table(db, newTable?.name)
    if let newTable, newTable.name.foldedDatabaseIdentifier == found.foldedDatabaseIdentifier {
      let key = try newTable.key()
      guard !key.isEmpty else { throw DatabaseError.noPrimaryKey(found, path: db.path) }
      return (newTable.name, key.map { ($0.name, $0.declaredType) })
    }
    guard let key = try db.primaryKey(found).columnInfos else {
      throw DatabaseError.noPrimaryKey(found, path: db.path)
    }
    return (
      found, key.map { ($0.name, $0.type.isEmpty ? nil : Database.ColumnType(rawValue: $0.type)) }
    )
  }

  /// Returns whether the foreign key refers to the table that is being created.
  func refers(to newTable: String, _ db: Database) throws -> Bool {
    try table(db, newTable).foldedDatabaseIdentifier == newTable.foldedDatabaseIdentifier
  }

  /// Returns the name of the other table, which is the new one or exists.
  private func table(_ db: Database, _ newTable: String?) throws -> String {
    let names = table.map { [$0] } ?? PluralNoun.candidates(for: name)
    let found = try names.first { candidate in
      try candidate.foldedDatabaseIdentifier == newTable?.foldedDatabaseIdentifier
        || db.tableExists(candidate)
    }
    guard let found else {
      throw DatabaseError.noSuchTable(names.joined(separator: "' or '"), path: db.path)
    }
    return found
  }
}

/// English plurals, as names of tables.
enum PluralNoun {
  private static let irregular = [
    "person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice",
    "foot": "feet", "tooth": "teeth", "leaf": "leaves", "shelf": "shelves", "life": "lives",
    "datum": "data", "medium": "media", "index": "indices", "vertex": "vertices",
  ]

  /// Returns the names that the table of a singular noun may have, the likeliest first.
  static func candidates(for noun: String) -> [String] {
    var names = [noun]
    // The last word of a name like `homeAddress` has the plural.
    let start = noun.lastIndex(where: \.isUppercase) ?? noun.startIndex
    let (head, word) = (noun[..<start], noun[start...])
    if let plural = irregular[word.lowercased()] {
      names.append(head + String(word.prefix(1)) + plural.dropFirst())
    }
    let isAfterConsonant = word.dropLast().last.map { !"aeiou".contains($0) } ?? false
    if word.hasSuffix("y"), isAfterConsonant { names.append(noun.dropLast() + "ies") }
    if ["s", "x", "z", "ch", "sh", "o"].contains(where: word.hasSuffix) {
      names.append(noun + "es")
    }
    names.append(noun + "s")
    return names
  }
}
