import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Random requests are observed during random commits.
///
/// `HOLDFAST_CASES=10000` runs more of them.
@Suite struct RandomObservationTests {
  /// Observers are notified of each commit that changes the rows, and of none that cannot.
  @Test func observationFiresForCommitsThatMayChangeTheRows() throws {
    var random = SeededRandom(seed: 14)
    let caseCount = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 200
    var seen = (changes: 0, others: 0)
    try Connection.inMemory { db throws in
      let publisher = CommitPublisher()
      db.publishCommits(to: publisher)
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, t TEXT,
          x INTEGER UNIQUE, j AS (json_object('a', a, 'list', json_array(b, t))));
          CREATE TABLE note (n INTEGER PRIMARY KEY, x INTEGER, y INTEGER,
          item INTEGER REFERENCES item ON DELETE CASCADE ON UPDATE CASCADE);
          CREATE TABLE other (v INTEGER); INSERT INTO other VALUES (0);
          CREATE TRIGGER marks UPDATE OF y ON note
          BEGIN UPDATE item SET b = NEW.y WHERE id = NEW.item; END;
          """)
      for _ in 0..<caseCount {
        try db.execute(sql: "DELETE FROM item")
        for item in (1...10).map({ RandomItem($0, &random) }) where item.t != "%" {
          try db.execute(
            sql: "INSERT INTO item (id, a, b, t, x) VALUES (?, ?, ?, ?, ?)",
            arguments: [item.id, item.a, item.b, item.t, item.id])
          try db.execute(sql: "INSERT INTO note (x, item) VALUES (?, ?)", arguments: [1, item.id])
        }
        let observed = ObservedRequest(&random)
        let region = try observed.request.databaseRegion(db)
        let (commits, events) = (Commits(), Events(region))
        publisher.add(commits, observing: region)
        defer { publisher.remove(commits) }
        db.add(transactionObserver: events)
        var rows = try observed.rows(db)
        for _ in 0..<8 {
          var changes: [Change] = []
          let count = Int.random(in: 1...2, using: &random)
          let isolates = count > 1 || Bool.random(using: &random)
          let start = (commits.journal.entries.count, events.count)
          if isolates { try db.beginTransaction() }
          for _ in 0..<count {
            let made = try Change.random(&random, db)
            let isUndone = isolates && Int.random(in: 0..<5, using: &random) == 0
            if isUndone { try db.execute(sql: "SAVEPOINT s") }
            try db.execute(sql: made[0].sql)
            if isUndone { try db.execute(sql: "ROLLBACK TO s; RELEASE s") } else { changes += made }
          }
          if isolates { try db.commit() }
          let new = try observed.rows(db)
          let notices = [
            commits.journal.entries.dropFirst(start.0).contains { $0.touch(region) },
            events.count > start.1,
          ]
          let mayChange = changes.contains(where: observed.mayBeChanged)
          // An event does not tell which rowid a row had before, nor without the hook what is replaced.
          let tellsEvents =
            Database.reportsReplacedRows && !changes.contains { $0.columns?.contains("id") == true }
          let isMissed = rows != new && (!notices[0] || tellsEvents && !notices[1])
          guard !isMissed, mayChange || notices == [false, false] else {
            let sql = try observed.request.makeSQL(db).sql
            Issue.record(
              "\(sql), \(region), \(changes.map(\.sql)): \(rows) \(new) \(notices) \(mayChange)")
            return
          }
          if rows != new { seen.changes += 1 }
          if !mayChange { seen.others += 1 }
          rows = new
        }
      }
    }
    #expect(seen.changes > caseCount)
    #expect(seen.others > caseCount)
  }

  /// The changes of each commit, as observations of regions see them.
  private final class Commits: CommitObserver {
    let journal = Journal<TransactionChanges>()
    func didCommit(_ changes: TransactionChanges, _ db: Database?) { journal.append(changes) }
  }

  /// The commits in which the region changed, as an app's own observer counts them.
  private final class Events: TransactionObserver {
    private let region: DatabaseRegion
    private var isChanged = false
    private(set) var count = 0

    init(_ region: DatabaseRegion) { self.region = region }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      region.isModified(byEventsOfKind: eventKind)
    }

    func databaseDidChange(with event: DatabaseEvent) {
      if region.isModified(by: event) { isChanged = true }
    }

    func databaseDidCommit(_ db: Database) {
      count += isChanged ? 1 : 0
      isChanged = false
    }

    func databaseDidRollback(_ db: Database) { isChanged = false }
  }
}

/// A request over `item`, and what Swift knows of the rows and columns that it reads.
private struct ObservedRequest {
  var request: QueryInterfaceRequest<Row>
  var isOrdered = false
  /// As in a term; `note.x` for a column of `note`.
  var reads: Set<String>
  /// The only rows that it reads; `nil` for all.
  var ids: Set<Int>?

  init(_ random: inout SeededRandom) {
    let condition = RandomTerm.truth(Int.random(in: 0...2, using: &random), [], &random)
    let (column, key) = (RandomTerm.number(1, [], &random), RandomTerm.number(1, [], &random))
    let isFiltered = Bool.random(using: &random)
    reads = isFiltered ? condition.reads : []
    request = isFiltered ? Table<Row>("item").filter(condition.sql) : Table<Row>("item").all()
    if Int.random(in: 0..<4, using: &random) == 0 {
      let notes = Table("note").filter(Column("x") > 0).select([Column("item")], as: Int.self)
      request = request.filter(notes.contains(Column("id")))
      reads.formUnion(["note.x", "note.item", "id", "query"])
    }
    let keys = Set((0..<3).map { _ in Int.random(in: 1...12, using: &random) })
    let hasKeys = Int.random(in: 0..<3, using: &random) == 0
    if hasKeys { request = request.filter(keys: keys) }
    switch Int.random(in: 0..<6, using: &random) {
    case 4:
      request = request.annotated(with: column.sql.forKey("extra"))
      reads.formUnion(column.reads.union(["*"]))
    case 5:
      let kept = CommonTableExpression(named: "kept", request: request.select(Column("id")))
      request = Table<Row>("item").with(kept).filter(kept.contains(Column("id")))
        .select(column.sql)
      reads.formUnion(column.reads.union(["id", "query"]))
    case 0:
      request = request.select(column.sql)
      reads.formUnion(column.reads)
    case 1:
      isOrdered = true
      request = request.order(key.sql.desc, Column("id")).limit(3, offset: 1).select(Column("id"))
      reads.formUnion(key.reads.union(["id"]))
    case 2:
      request = request.select(column.sql, count(.allColumns), max(Column("b"))).group(column.sql)
      reads.formUnion(column.reads.union(["b"]))
    default:
      reads.insert("*")
    }
    if hasKeys {
      reads.insert("id")
      ids = reads.contains("query") ? nil : keys
    }
  }

  func rows(_ db: Database) throws -> [String] {
    let rows = try request.fetchAll(db).map(\.description)
    return isOrdered ? rows : rows.sorted()
  }

  /// Whether a change may be of the rows and columns that the request reads.
  func mayBeChanged(by change: Change) -> Bool {
    let columns = reads.filter { $0.hasPrefix("note.") == (change.table == "note") }
    switch change.table {
    case "item":
      guard let ids, Database.reportsReplacedRows else { break }
      guard !ids.isDisjoint(with: change.rows) else { return false }
    case "note" where !columns.isEmpty: break
    default: return false
    }
    // A query that reads no column is one of the whole table.
    return !change.rows.isEmpty
      && (columns.subtracting(["query"]).isEmpty || columns.contains("*")
        || change.columns.map { !$0.isDisjoint(with: columns) } ?? true)
  }
}

/// A change of rows in one table.
private struct Change {
  var sql: String
  var table = "item"
  /// The columns that are updated; `nil` where rows come or go.
  var columns: Set<String>?
  /// The rows, before and after; of another table than `item`, some number if there may be any.
  var rows: Set<Int> = [0]

  /// Returns what one statement changes, the first with its SQL.
  static func random(_ random: inout SeededRandom, _ db: Database) throws -> [Change] {
    let (id, new) = (Int.random(in: 1...12, using: &random), Int.random(in: 1...12, using: &random))
    let value = ["NULL", "0", "1", "5"].randomElement(using: &random) ?? ""
    let column = ["a", "b", "t"].randomElement(using: &random) ?? ""
    func ids(_ condition: String) throws -> Set<Int> {
      try Int.fetchSet(db, sql: "SELECT id FROM item WHERE \(condition)")
    }
    let this = try ids("id = \(id)")
    let holders = try ids("x = \(new)").union([id])
    let notes = Change(sql: "", table: "note")
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      return [
        Change(
          sql: "INSERT OR IGNORE INTO item (id, a, b) VALUES (\(id), \(value), 1)",
          rows: this.isEmpty ? [id] : [])
      ]
    case 1: return [Change(sql: "DELETE FROM item WHERE id = \(id)", rows: this), notes]
    case 2, 3:
      return [
        Change(
          sql: "UPDATE item SET \(column) = \(value) WHERE id = \(id)", columns: [column, "j"],
          rows: this)
      ]
    case 4:
      return [
        Change(
          sql: "UPDATE item SET \(column) = \(column) || 1 WHERE a > \(value)",
          columns: [column, "j"], rows: try ids("a > \(value)"))
      ]
    case 5:
      return [
        Change(
          sql: "UPDATE OR IGNORE item SET x = \(new) WHERE id = \(id)", columns: ["x", "j"],
          rows: this)
      ]
    case 6:
      return [
        Change(
          sql: "UPDATE OR IGNORE item SET id = \(new) WHERE id = \(id)", columns: ["id", "j"],
          rows: this.isEmpty ? [] : [id, new]), notes,
      ]
    case 7:
      return [
        Change(
          sql: "INSERT OR REPLACE INTO item (id, a, x) VALUES (\(id), \(value), \(new))",
          rows: holders), notes,
      ]
    case 8:
      return [
        Change(
          sql: "UPDATE OR REPLACE item SET x = \(new) WHERE id = \(id)",
          rows: this.isEmpty ? [] : holders), notes,
      ]
    case 9:
      let sql = "INSERT INTO item (id, b) VALUES (\(id), \(value)) ON CONFLICT DO UPDATE SET b = 7"
      return [Change(sql: sql, rows: [id])]
    case 10:
      let item = try Int.fetchSet(db, sql: "SELECT item FROM note WHERE n % 2 = 0 AND item > \(id)")
      return [
        Change(
          sql: "UPDATE note SET y = \(value) WHERE n % 2 = 0 AND item > \(id)", table: "note",
          columns: ["note.y"]), Change(sql: "", columns: ["b", "j"], rows: item),
      ]
    case 11:
      return [
        Change(
          sql: "UPDATE note SET x = 1 - x WHERE item = \(id)", table: "note", columns: ["note.x"])
      ]
    default:
      return id == 1
        ? [Change(sql: "DELETE FROM item", rows: try ids("1")), notes]
        : [Change(sql: "UPDATE other SET v = v + 1", table: "other")]
    }
  }
}
