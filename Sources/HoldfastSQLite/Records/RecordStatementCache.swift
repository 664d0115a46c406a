/// A connection's cache of the statements of one record type, so that no SQL is built per record.
///
/// Only the thread that holds the connection uses it.
@usableFromInline
final class RecordStatementCache {
  let type: any TableRecord.Type
  let tableName: String

  /// The type, if its strategies store values.
  private let encodable: (any EncodableRecord.Type)?

  init(_ type: any TableRecord.Type) {
    self.type = type
    tableName = type.databaseTableName
    encodable = type as? any EncodableRecord.Type
  }

  var table: String { tableName.quotedDatabaseIdentifier }

  // MARK: - Containers

  // A record that is stored while another one is being encoded gets an empty container.
  private var spare = PersistenceContainer()

  /// Returns a container with reused memory, to be returned by ``keep(_:)``.
  @usableFromInline
  func takeContainer() -> PersistenceContainer {
    var container = PersistenceContainer()
    swap(&container, &spare)
    return container
  }

  /// Returns a container to the cache.
  @usableFromInline
  func keep(_ container: inout PersistenceContainer) {
    container.removeValues()
    swap(&container, &spare)
  }

  // MARK: - Shapes

  private var columns: ContiguousArray<String> = []
  private var shape = 0
  private var insertion: Statement?
  private var update: (statement: Statement, generation: Int)?

  /// Adopts the columns of the container; statements for other columns are discarded.
  @usableFromInline
  func adopt(_ container: inout PersistenceContainer, _ db: Database) throws {
    container.closeColumns()
    guard container.shape != shape || shape == 0 else { return }
    guard !container.cells.isEmpty else {
      throw DatabaseError.emptyRecord(type, table: tableName, path: db.path)
    }
    let isSame = container.columns.elementsEqual(columns) { $0.hasSameBytes(as: $1) }
    if !isSame {
      columns = container.columns
      insertion = nil
      update = nil
      shape += 1
    }
    container.shape = shape
  }

  // MARK: - Keys

  private var known: (key: PrimaryKeyInfo, generation: Int)?

  /// Returns the table's current primary key.
  func primaryKey(_ db: Database) throws -> PrimaryKeyInfo {
    try primaryKeyIfAny(db).checked(tableName, path: db.path)
  }

  /// Returns the table's current primary key, without columns if it is a view that has none.
  func primaryKeyIfAny(_ db: Database) throws -> PrimaryKeyInfo {
    try db.verifySchemaCache()
    if let known, known.generation == db.schemaCache.generation { return known.key }
    let key = try db.primaryKeyIfAny(tableName)
    known = (key, db.schemaCache.generation)
    return key
  }

  private struct TableColumns {
    let names: Set<String>
    let identifiers: Set<DatabaseIdentifier>
    let generation: Int
  }

  private var knownColumns: TableColumns?

  /// Returns the names of the table's current columns.
  @usableFromInline
  func tableColumns(_ db: Database) throws -> Set<String> {
    try currentColumns(db).names
  }

  private func currentColumns(_ db: Database) throws -> TableColumns {
    try db.verifySchemaCache()
    let generation = db.schemaCache.generation
    if let knownColumns, knownColumns.generation == generation { return knownColumns }
    let names = try db.columns(in: tableName).map(\.name)
    let columns = TableColumns(
      names: Set(names), identifiers: Set(names.map(\.foldedDatabaseIdentifier)),
      generation: generation)
    knownColumns = columns
    return columns
  }

  /// Returns the indexes of the key's columns in a container; `nil` if one is missing or all are
  /// NULL.
  func keyIndexes(_ key: PrimaryKeyInfo, in container: PersistenceContainer) -> [Int]? {
    let indexes = key.columns.compactMap(container.index(of:))
    guard indexes.count == key.columns.count,
      !indexes.allSatisfy(container.isNull(at:))
    else { return nil }
    return indexes
  }

  /// Returns the error with the record's key.
  func notFound(_ key: PrimaryKeyInfo, in container: PersistenceContainer) -> RecordError {
    let values = key.columns.map { ($0, container.value(of: $0) ?? .null) }
    return .recordNotFound(
      databaseTableName: tableName, key: Dictionary(values, uniquingKeysWith: { $1 }))
  }

  // MARK: - Insertion

  private func insertionSQL(_ resolution: Database.ConflictResolution) -> String {
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ",")
    return "INSERT\(resolution.sql) INTO \(table) (\(names)) VALUES (\(values))"
  }

  // The key is valid as long as SQLite does not prepare the statement again after a schema change.
  private var insertedKey: (key: PrimaryKeyInfo, preparationCount: CInt)?

  @usableFromInline
  func insert(
    _ container: PersistenceContainer, _ db: Database, _ resolution: Database.ConflictResolution
  ) throws -> InsertionSuccess {
    guard resolution == .abort, insertion?.isStepping != true else {
      let key = try primaryKeyIfAny(db)
      return try db.withStatement(sql: insertionSQL(resolution)) { statement in
        try statement.run(with: container) { while try $0.advance() {} }
        return success(db, key)
      }
    }
    let statement: Statement
    if let known = insertion {
      statement = known
    } else {
      statement = try db.makeStatement(sql: insertionSQL(.abort))
      insertion = statement
      // Before it runs: the insertion is then the last statement of which a trace is told.
      insertedKey = (try primaryKeyIfAny(db), statement.preparationCount)
    }
    try statement.run(with: container) { while try $0.advance() {} }
    let count = statement.preparationCount
    if let insertedKey, insertedKey.preparationCount == count {
      return success(db, insertedKey.key)
    }
    let key = try primaryKeyIfAny(db)
    insertedKey = (key, count)
    return success(db, key)
  }

  private func success(_ db: Database, _ key: PrimaryKeyInfo) -> InsertionSuccess {
    InsertionSuccess(
      rowID: db.lastInsertedRowID, rowIDColumn: key.rowIDColumn,
      isStored: db.changesCount > 0 || key.isOfView)
  }

  /// Inserts, and lets the closure fetch the stored row.
  @usableFromInline
  func insertAndFetch<Value>(
    _ container: PersistenceContainer, _ db: Database, _ resolution: Database.ConflictResolution,
    selection: [any SQLSelectable], _ fetch: (Statement) throws -> Value
  ) throws -> (InsertionSuccess, Value) {
    let key = try primaryKeyIfAny(db)
    let value = try self.fetch(
      insertionSQL(resolution), returning: selection, container, db, fetch)
    return (success(db, key), value)
  }

  // MARK: - Upsert

  /// Inserts or updates the conflicting row, and decodes the stored row.
  @usableFromInline
  func upsert<Value>(
    _ container: PersistenceContainer, _ db: Database, target: [String],
    updating strategy: UpsertUpdateStrategy = .allColumns, assignments: [ColumnAssignment] = [],
    selection: [any SQLSelectable],
    _ decode: (Row) throws -> Value
  ) throws -> (InsertionSuccess, Value) {
    let key = try primaryKey(db)
    let fixed = Set(
      (key.columns + target + assignments.map(\.column)).map(\.foldedDatabaseIdentifier))
    var builder = SQLBuilder(db)
    let changing = assignments.filter { !$0.keepsValue }
    try builder.append(changing) { try $0.append($1) }
    var changes = changing.isEmpty ? [] : [builder.sql]
    if strategy == .allColumns {
      changes += columns.filter { !fixed.contains($0.foldedDatabaseIdentifier) }
        .map(\.quotedDatabaseIdentifier)
        .map { "\($0) = \"excluded\".\($0)" }
    }
    if changes.isEmpty {
      // DO NOTHING would return no row, so one column is set to the value that it has: one of the key, which
      // the triggers of an update rarely name.
      changes = key.columns.prefix(1).map(\.quotedDatabaseIdentifier).map { "\($0) = \($0)" }
    }
    let names = target.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let sql =
      insertionSQL(.abort) + " ON CONFLICT" + (target.isEmpty ? "" : "(\(names))")
      + " DO UPDATE SET " + changes.joined(separator: ", ")
    // A table WITHOUT ROWID has no rowid to return, and a column may have its name.
    let rowID: [any SQLSelectable] = [
      SQL(sql: (key.rowIDNames.first ?? key.rowIDColumn)?.quotedDatabaseIdentifier ?? "NULL")
    ]
    return try fetch(sql, returning: selection + rowID, container, and: builder.values, db) {
      statement in
      var rows = try RunningRows(statement, arguments: nil)
      defer { rows.end() }
      guard try rows.next() else {
        throw DatabaseError.nothingStored(sql: sql, path: db.path)
      }
      let value = try decode(rows.row)
      let id = try rows.row.decode(Int64?.self, atIndex: rows.row.count - 1)
      try rows.finish()
      return (
        InsertionSuccess(
          rowID: id ?? db.lastInsertedRowID, rowIDColumn: key.rowIDColumn, isStored: true), value
      )
    }
  }

  // MARK: - Update

  /// Updates the row with the record's key, or throws an error if there is none.
  @usableFromInline
  func update(
    _ container: PersistenceContainer, _ db: Database, _ resolution: Database.ConflictResolution,
    columns selected: [String]?
  ) throws -> PersistenceSuccess {
    let key = try primaryKey(db)
    let before = changesCount(key, db)
    if resolution == .abort, selected == nil, let update, !update.statement.isStepping,
      update.generation == db.schemaCache.generation
    {
      // The statement was made for these columns, so the key is among them; it may be NULL.
      try update.statement.run(with: container) { while try $0.advance() {} }
    } else {
      guard let sql = try updateSQL(key, container, db, resolution, selected) else {
        throw notFound(key, in: container)
      }
      let statement = try db.makeStatement(sql: sql)
      try statement.run(with: container) { while try $0.advance() {} }
      if resolution == .abort, selected == nil {
        update = (statement, db.schemaCache.generation)
      }
    }
    try checkFound(key, container, db, resolution, since: before)
    return PersistenceSuccess(isStored: true)
  }

  /// Updates, and lets the closure fetch the stored row.
  @usableFromInline
  func updateAndFetch<Value>(
    _ container: PersistenceContainer, _ db: Database, _ resolution: Database.ConflictResolution,
    columns selected: [String]?, selection: [any SQLSelectable],
    _ body: (Statement) throws -> Value
  ) throws -> (PersistenceSuccess, Value) {
    let key = try primaryKey(db)
    guard let sql = try updateSQL(key, container, db, resolution, selected) else {
      throw notFound(key, in: container)
    }
    let before = changesCount(key, db)
    let value = try fetch(sql, returning: selection, container, db, body)
    try checkFound(key, container, db, resolution, since: before)
    return (PersistenceSuccess(isStored: true), value)
  }

  /// Returns a count before a change of one row, which is needed only if it is one of a view.
  ///
  /// SQLite does not count the row, but the changes of the view's triggers.
  private func changesCount(_ key: PrimaryKeyInfo, _ db: Database) -> Int {
    key.isOfView ? db.totalChangesCount : 0
  }

  /// Returns whether the last statement changed a row.
  private func hasChanged(_ key: PrimaryKeyInfo, _ db: Database, since before: Int) -> Bool {
    key.isOfView ? db.totalChangesCount != before : db.changesCount > 0
  }

  private func checkFound(
    _ key: PrimaryKeyInfo, _ container: PersistenceContainer, _ db: Database,
    _ resolution: Database.ConflictResolution, since before: Int
  ) throws {
    guard !hasChanged(key, db, since: before) else { return }
    // A row that was not updated because of an ignored conflict exists, and a view's trigger may leave equal
    // values as they are.
    if resolution == .ignore || key.isOfView, try exists(container, db) { return }
    throw notFound(key, in: container)
  }

  /// Returns the SQL of an update, whose parameters are the container's columns in order.
  ///
  /// What the container has and the table has not is ignored, such as a count that was read with the record.
  private func updateSQL(
    _ key: PrimaryKeyInfo, _ container: PersistenceContainer, _ db: Database,
    _ resolution: Database.ConflictResolution, _ selected: [String]?
  ) throws -> String? {
    guard let keyIndexes = keyIndexes(key, in: container) else { return nil }
    let columns = try currentColumns(db).identifiers
    let names = selected.map { Set($0.map(\.foldedDatabaseIdentifier)) }
    var indexes = container.cells.indices.filter { index in
      guard !keyIndexes.contains(index) else { return false }
      let name = container.columns[index].foldedDatabaseIdentifier
      return columns.contains(name) && names?.contains(name) != false
    }
    // An update without changes still notifies observers, and shows whether the row exists.
    if indexes.isEmpty { indexes = keyIndexes }
    let changes = indexes.map { assignment($0, container) }.joined(separator: ", ")
    return "UPDATE\(resolution.sql) \(table) SET \(changes) WHERE "
      + condition(keyIndexes, container)
  }

  private func assignment(_ index: Int, _ container: PersistenceContainer) -> String {
    "\(container.columns[index].quotedDatabaseIdentifier)=?\(index + 1)"
  }

  private func condition(_ indexes: [Int], _ container: PersistenceContainer) -> String {
    indexes.map { assignment($0, container) }.joined(separator: " AND ")
  }

  // MARK: - The row of a record

  func exists(_ container: PersistenceContainer, _ db: Database) throws -> Bool {
    guard let indexes = try keyIndexes(primaryKey(db), in: container) else { return false }
    let sql = "SELECT 1 FROM \(table) WHERE " + condition(indexes, container)
    return try db.withStatement(sql: sql) { statement in
      try statement.run(with: container) { try $0.step() != nil }
    }
  }

  @usableFromInline
  func delete(_ container: PersistenceContainer, _ db: Database) throws -> Bool {
    let key = try primaryKey(db)
    guard let indexes = keyIndexes(key, in: container) else { return false }
    let before = changesCount(key, db)
    let sql = "DELETE FROM \(table) WHERE " + condition(indexes, container)
    try db.withStatement(sql: sql) { statement in
      try statement.run(with: container) { while try $0.advance() {} }
    }
    return hasChanged(key, db, since: before)
  }

  // MARK: - RETURNING

  /// Runs the closure with a RETURNING statement that has the record's values bound.
  private func fetch<Value>(
    _ sql: String, returning selection: [any SQLSelectable], _ container: PersistenceContainer,
    and values: [DatabaseValue] = [], _ db: Database, _ body: (Statement) throws -> Value
  ) throws -> Value {
    guard !selection.isEmpty else { Misuse.trap(Misuse.emptySelection) }
    let selected = try selection.built(db, from: .record(type))
    return try db.withStatement(sql: sql + " RETURNING " + selected.sql) { statement in
      let count = statement.parameterCount - values.count - selected.values.count
      try statement.setArguments(
        StatementArguments(container.values.prefix(count) + values + selected.values))
      return try body(statement)
    }
  }

  // MARK: - Lookup

  private var lookup: (statement: Statement, generation: Int)?

  /// Returns the value of a key as the record's strategies store it; `nil` without a strategy.
  @usableFromInline
  func stored(_ key: StrategicValue?, _ db: Database) throws -> DatabaseValue? {
    guard let encodable, let key else { return nil }
    return try key.encoded(by: encodable, at: singleKeyColumn(db))
  }

  /// Starts the statement that finds the row with a key.
  @usableFromInline
  func startLookup(_ key: DatabaseValue, _ db: Database) throws -> RunningRows {
    try db.verifySchemaCache()
    if let lookup, lookup.generation == db.schemaCache.generation, !lookup.statement.isStepping {
      try announceLookup(lookup.statement, key, db)
      return try RunningRows(lookup.statement, value: key)
    }
    let column = try singleKeyColumn(db)
    let selected = try type.databaseSelection.built(db, from: .record(type), bindsValues: false)
    let statement = try db.makeStatement(
      sql: "SELECT \(selected.sql) FROM \(table) WHERE \(column.quotedDatabaseIdentifier) = ?")
    if lookup?.statement.isStepping != true {
      lookup = (statement, db.schemaCache.generation)
    }
    try announceLookup(statement, key, db)
    return try RunningRows(statement, value: key)
  }

  private func announceLookup(
    _ statement: Statement, _ key: DatabaseValue, _ db: Database
  ) throws {
    try db.willFetch(statement.sql) {
      var query = SelectQuery(.record(type))
      query.conditions = [Column(try singleKeyColumn(db)) == key]
      return try query.keyedRows(db)
    }
  }

  /// Returns the only column of the primary key, or throws an error if it has several.
  func singleKeyColumn(_ db: Database) throws -> String {
    let columns = try primaryKey(db).columns
    guard columns.count == 1 else {
      throw DatabaseError.keyOfSeveralColumns(columns, table: tableName, path: db.path)
    }
    return columns[0]
  }
}

/// The record statement caches of a connection, by record type.
final class RecordStatementCaches {
  private var caches: [ObjectIdentifier: RecordStatementCache] = [:]

  // Consecutive records mostly have the same type.
  private var last: (type: ObjectIdentifier, cache: RecordStatementCache)?

  func cache(for type: any TableRecord.Type) -> RecordStatementCache {
    let id = ObjectIdentifier(type)
    if let last, last.type == id { return last.cache }
    let cache = caches[id] ?? RecordStatementCache(type)
    caches[id] = cache
    last = (id, cache)
    return cache
  }

  func removeAll() {
    caches = [:]
    last = nil
  }
}

extension Database {
  @usableFromInline
  func recordStatementCache(for type: any TableRecord.Type) -> RecordStatementCache {
    checkAccess()
    return recordStatementCaches.cache(for: type)
  }
}
