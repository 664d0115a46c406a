import Holdfast
import HoldfastTestSupport
import Testing

/// Requests as an app makes and observes them.
@Suite struct ObservedRequestTests {
  struct Stop: Codable, FetchableRecord, PersistableRecord, Identifiable {
    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
    }
    var id: Int64?
    var name: String
  }

  /// A request of an app's own.
  struct LongNames: FetchRequest {
    typealias RowDecoder = String

    func makeSQL(_ db: Database) throws -> SQL {
      "SELECT name FROM stop WHERE \(length(Stop.Columns.name) > 1)"
    }
  }

  @Test func anObservedRequestIsFetchedWhenItsColumnsChange() async throws {
    let stops = try ObservedStops(.pool)
    let journal = Journal<[String]>()
    let observation = ValueObservation.tracking { db in
      try Stop.all().named("a").select { $0.name }.asRequest(of: String.self).fetchAll(db)
    }
    let cancellable = observation.start(in: stops.writer, scheduling: .task) { error in
      Issue.record(error)
    } onChange: { names in
      journal.append(names)
    }
    let regions = Journal<Int>()
    let ofRegion = DatabaseRegionObservation(tracking: Stop.select { $0.name }, LongNames())
      .start(in: stops.writer) { error in
        Issue.record(error)
      } onChange: { db in
        regions.append(db.totalChangesCount)
      }
    await journal.reaches(1)
    try stops.add("a")
    await journal.reaches(2)
    try stops.write("UPDATE stop SET id = 9; INSERT INTO route VALUES (1, 'a')")
    try stops.write("UPDATE stop SET name = 'a2'")
    await journal.reaches(3)
    #expect(journal.entries == [[], ["a"], ["a2"]])
    #expect(regions.entries.count == 2)
    withExtendedLifetime((cancellable, ofRegion)) {}
  }

  /// Its region is determined at the first commit, which may be of another row.
  @Test(
    .enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"),
    arguments: ObservedStops.Kind.allCases)
  func aRequestOfOneRowIsObservedFromTheFirstCommit(kind: ObservedStops.Kind) throws {
    let stops = try ObservedStops(kind)
    try stops.write("INSERT INTO stop VALUES (1, 'a'), (2, 'b')")
    let changes = Journal<Int>()
    let ofRegion = DatabaseRegionObservation(tracking: Stop.filter(id: 1))
      .start(in: stops.writer) { error in
        Issue.record(error)
      } onChange: { db in
        changes.append(db.totalChangesCount)
      }
    try stops.write("UPDATE stop SET name = 'b2' WHERE id = 2")
    try stops.write("UPDATE stop SET name = 'b3' WHERE id = 2")
    #expect(changes.entries == [])
    try stops.write("UPDATE stop SET name = 'a2' WHERE id = 1")
    #expect(changes.entries.count == 1)
    withExtendedLifetime(ofRegion) {}
  }

  /// A search reads a column of the index that has its name and is hidden, which SQLite reports; an
  /// update changes it, which it does not.
  @Test(arguments: [
    ("fts5(name)", "SELECT count(*) FROM search WHERE search MATCH 'quay'"),
    ("fts5(name)", "SELECT max(rowid) FROM search WHERE search MATCH 'quay'"),
    ("fts4(name)", "SELECT count(*) FROM search WHERE search MATCH 'quay'"),
  ])
  func aSearchIsObservedInATableOfItsOwn(module: String, sql: String) throws {
    let stops = try ObservedStops(.pool)
    try stops.write("CREATE VIRTUAL TABLE search USING \(module)")
    try stops.write("INSERT INTO search (rowid, name) VALUES (1, 'hill'), (2, 'mill')")
    let changes = Journal<Int>()
    let observation = DatabaseRegionObservation(tracking: SQLRequest<Int>(sql: sql))
      .start(in: stops.writer) { error in
        Issue.record(error)
      } onChange: { db in
        changes.append(db.totalChangesCount)
      }
    try stops.write("UPDATE search SET name = 'quay' WHERE rowid = 1")
    #expect(changes.entries.count == 1)
    withExtendedLifetime(observation) {}
  }

  /// The triggers of another table change the index, also after connections were opened again.
  @Test func aSearchIsObservedInASynchronizedTable() async throws {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let stops = try ObservedStops(.pool, configuration)
    try await stops.writer.write { db in
      try db.create(virtualTable: "stop_ft", using: FTS4()) { t in
        t.synchronize(withTable: "stop")
        t.column("name")
      }
    }
    let (values, regions) = (Journal<[String]>(), Journal<Int>())
    let search = Table("stop_ft").matching(FTS3Pattern(matchingAllPrefixesIn: "qu"))
    let observation = ValueObservation.tracking { db in
      try search.select(Column("name"), as: String.self).fetchAll(db)
    }.removeDuplicates()
    let cancellable = observation.start(in: stops.writer, scheduling: .task) { error in
      Issue.record(error)
    } onChange: { names in
      values.append(names)
    }
    let ofRegion = DatabaseRegionObservation(tracking: search).start(in: stops.writer) { error in
      Issue.record(error)
    } onChange: { db in
      regions.append(db.totalChangesCount)
    }
    await values.reaches(1)
    try stops.add("quay")
    await values.reaches(2)
    try stops.write("INSERT INTO route VALUES (1, 'quay')")
    #expect(regions.entries.count == 1)
    await stops.writer.suspend()
    stops.writer.resume()
    try stops.write("UPDATE OR IGNORE stop SET name = 'quayside'")
    await values.reaches(3)
    #expect(values.entries == [[], ["quay"], ["quayside"]])
    withExtendedLifetime((cancellable, ofRegion)) {}
  }

  @Test func anAppDefinesAndQueriesATable() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "stop", options: .ifNotExists) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().collate(.nocase)
      }
      for name in ["Quay", "Wharf", "Pier", "x"] { try Stop(id: nil, name: name).insert(db) }
      let cte = CommonTableExpression(named: "first", request: Stop.select { $0.id }.limit(2))
      #expect(try Stop.with(cte).filter { cte.contains($0.id) }.fetchCount(db) == 2)
      #expect(try Stop.select(max(Column("id")), as: Int.self).fetchOne(db) == 4)
      #expect(try LongNames().fetchCount(db) == 3)
      #expect(try Stop.filter(LongNames().contains(Column("name"))).fetchAll(db).count == 3)
      #expect(try Stop.filter(id: 2).updateAll(db) { $0.name.set(to: "z") } == 1)
      #expect(try Table<Stop>("stop").filter(id: 2).fetchOne(db)?.name == "z")
      #expect(try Stop.order(\.name.desc).limit(1).fetchOne(db)?.name == "z")
      #expect(
        try ["X"].contains("X") && Stop.filter(["X"].contains(Column("name"))).fetchCount(db) == 1)
      #expect(min(1, 2) + max(1, 2) + abs(-3) == 6)
    }
  }
}

extension DerivableRequest<ObservedRequestTests.Stop> {
  fileprivate func named(_ prefix: String) -> Self {
    filter(Column("name").like(prefix + "%")).order(\.name)
  }
}
