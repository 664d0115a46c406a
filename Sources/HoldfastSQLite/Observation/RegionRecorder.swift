/// A recorder of the region that statements read.
final class RegionRecorder {
  private let database: Database
  private var effects: [StatementEffects] = []
  private var region = DatabaseRegion()

  /// The tables that the access has created, whose rows come from what it has read before, and which no other
  /// access changes: without them two observations with temporary tables of one name would follow each other.
  private var created: Set<DatabaseIdentifier> = []

  /// Those that the statement which began last creates: `IF NOT EXISTS` names others too.
  private var beginning: Set<DatabaseIdentifier> = []

  /// The SQL of the statement that is about to begin, and the rows that it can read.
  private var announced: (sql: String, rows: KeyedRows)?

  private init(on database: Database) {
    self.database = database
  }

  /// Records which rows a statement can read, if it is the next one that begins.
  func announce(_ sql: String, _ rows: KeyedRows?) {
    announced = rows.map { (sql, $0) }
  }

  /// Records that a statement begins.
  func began(_ statement: Statement) {
    if let announced {
      statement.observe().keyedRows = announced.sql == statement.sql ? announced.rows : nil
      self.announced = nil
    } else {
      statement.observed?.keyedRows = nil
    }
    note(statement)
    guard let effects = statement.observed?.effects, effects.changesSchema else { return }
    beginning = Set(effects.createdTables.filter { !mayExist($0.key, in: $0.value) }.keys)
  }

  private func mayExist(_ table: DatabaseIdentifier, in schema: String) -> Bool {
    do {
      return try database.withoutRecording { try database.tableExists(table.text, in: schema) }
    } catch {
      // It is then observed, like every table that is not known to be new.
      return true
    }
  }

  /// Records that a statement ends, whose region may have changed meanwhile.
  func ended(_ statement: Statement) {
    note(statement)
    guard let observed = statement.observed else { return }
    observed.keyedRows = nil
    let effects = observed.effects
    guard effects.changesSchema else { return }
    // The name of one that is dropped may be that of another table, in another schema.
    created = created.filter { !effects.modifiedRegion.intersects(DatabaseRegion(table: $0.text)) }
    created.formUnion(beginning.intersection(effects.createdTables.keys))
  }

  private func note(_ statement: Statement) {
    // One without columns that writes may read too, as `CREATE TABLE … AS SELECT` does.
    guard statement.columnCount > 0 || !statement.isReadonly else { return }
    let observed = statement.observe()
    observed.update(statement)
    let effects = observed.effects
    // There are few, and it is mostly the last one: a statement is noted as it begins and ends.
    guard self.effects.lastIndex(where: { $0 === effects }) == nil else { return }
    if observed.keyedRows == nil { self.effects.append(effects) }
    region.formUnion(
      effects.readRegion.narrowed(to: observed.keyedRows).without(tables: created))
  }

  func note(_ other: DatabaseRegion) {
    region.formUnion(other)
  }

  static func record<Value>(
    on database: Database, _ body: () throws -> Value
  ) rethrows -> (value: Value, region: DatabaseRegion) {
    let broker = database.makeBroker()
    let outer = broker.recorder
    let recorder = RegionRecorder(on: database)
    broker.recorder = recorder
    defer {
      broker.recorder = outer
      outer?.note(recorder.region)
    }
    return (try body(), recorder.region)
  }
}

extension Database {
  /// Returns the SQL of a request that is fetched next.
  @usableFromInline
  func sqlToFetch(_ request: some FetchRequest, forSingleResult: Bool = false) throws -> SQL {
    let literal = try request.makeSQL(self, forSingleResult: forSingleResult)
    try willFetch(literal.sql) { try (request as? any KeyedRowsRequest)?.keyedRows(self) }
    return literal
  }

  /// Lets an observation that tracks the access know which rows the next statement can read.
  func willFetch(_ sql: String, _ rows: () throws -> KeyedRows?) rethrows {
    guard let recorder = broker?.recorder else { return }
    recorder.announce(sql, try rows())
  }

  /// Runs the closure, whose statements read nothing on which an observed value depends.
  func withoutRecording<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard let broker, let recorder = broker.recorder else { return try body() }
    broker.recorder = nil
    defer { broker.recorder = recorder }
    return try body()
  }

  /// Runs the closure and returns its value and the region that its statements read.
  package func recordingRegion<Value>(
    _ body: () throws -> Value
  ) rethrows -> (value: Value, region: DatabaseRegion) {
    checkAccess()
    return try RegionRecorder.record(on: self, body)
  }

  /// Adds a region that no statement reads to the tracked region of an observation.
  ///
  /// It has an effect only in an access that an observation tracks.
  ///
  /// - Parameter region: The region that the observed value depends on; evaluated only if an
  ///   observation tracks the access.
  /// - Throws: ``DatabaseError`` when the region cannot be determined.
  public func registerAccess(to region: @autoclosure () -> some DatabaseRegionConvertible) throws {
    checkAccess()
    guard let recorder = broker?.recorder else { return }
    recorder.note(try region().databaseRegion(self))
  }
}

extension Statement {
  /// The region that the statement reads: tables and columns, in all rows.
  ///
  /// Views are resolved to the tables that they read.
  public var databaseRegion: DatabaseRegion {
    checkAccess()
    let observed = observe()
    observed.update(self)
    return observed.effects.readRegion
  }

  /// Returns the statement's effects and the state of its run, for observing its changes.
  func observe() -> ObservedStatement {
    if let observed { return observed }
    let observed = ObservedStatement(self)
    self.observed = observed
    return observed
  }
}
