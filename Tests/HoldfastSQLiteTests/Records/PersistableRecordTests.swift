import Foundation
import HoldfastSQLite
import Testing

@Suite struct PersistableRecordTests {
  struct Player: Codable, FetchableRecord, MutablePersistableRecord, Hashable {
    var id: Int64?
    var name: String
    var score: Int

    mutating func didInsert(_ inserted: InsertionSuccess) {
      id = inserted.rowID
    }
  }

  /// A record of the same table, encoded and decoded manually.
  struct PlainPlayer: FetchableRecord, PersistableRecord, Hashable {
    static let databaseTableName = "player"
    var id: Int64
    var name: String

    init(id: Int64, name: String) {
      self.id = id
      self.name = name
    }

    init(row: Row) throws {
      id = try row.decode(forColumn: "id")
      name = try row.decode(forColumn: "name")
    }

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["name"] = name
    }
  }

  struct FullPlayer: Codable, FetchableRecord, TableRecord, Equatable {
    static let databaseTableName = "player"
    var id: Int64
    var name: String
    var score: Int
    var level: Int
  }

  struct Seat: Codable, FetchableRecord, PersistableRecord, Equatable {
    enum CodingKeys: String, CodingKey, ColumnExpression { case line, letter, guest }
    var line: Int?
    var letter: String?
    var guest: String?
  }

  /// A record that lacks some key columns of its table.
  struct Guest: Codable, PersistableRecord {
    static let databaseTableName = "seat"
    var line: Int
    var guest: String
  }

  private func withTables<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, name TEXT UNIQUE, score INTEGER NOT NULL DEFAULT 10,
            level AS (score / 10));
          CREATE TABLE seat (
            line INTEGER NOT NULL, letter TEXT NOT NULL, guest TEXT, PRIMARY KEY (line, letter))
            WITHOUT ROWID;
          """)
      return try body(db)
    }
  }

  // MARK: - Insert

  @Test func anInsertedRecordReceivesItsKey() throws {
    try withTables { db throws in
      var ann = Player(id: nil, name: "Ann", score: 5)
      try ann.insert(db)
      #expect(ann.id == 1)
      let bob = try Player(id: nil, name: "Bob", score: 6).inserted(db)
      #expect(bob.id == 2)
      let cid = try Player(id: 70, name: "Cid", score: 7).inserted(db)
      #expect(cid.id == 70)
      #expect(try Player.fetchAll(db) == [ann, bob, cid])
      try PlainPlayer(id: 3, name: "Dan").insert(db)
      #expect(try PlainPlayer.fetchOne(db, key: 3) == PlainPlayer(id: 3, name: "Dan"))
      #expect(try Player.fetchOne(db, key: 3)?.score == 10)
    }
  }

  @Test func theInsertionReportsTheRowIDColumn() throws {
    struct ReportedRow: Encodable, MutablePersistableRecord {
      static let databaseTableName = "player"
      var name: String
      var column: String? = "?"
      enum CodingKeys: CodingKey { case name }

      mutating func didInsert(_ inserted: InsertionSuccess) { column = inserted.rowIDColumn }
    }
    try withTables { db throws in
      #expect(try ReportedRow(name: "a").inserted(db).column == "id")
      #expect(try ReportedRow(name: "b").inserted(db).column == "id")
      // The cached statement belongs to the previous table.
      try db.execute(sql: "DROP TABLE player; CREATE TABLE player (key INTEGER PRIMARY KEY, name)")
      #expect(try ReportedRow(name: "c").inserted(db).column == "key")
      try db.execute(sql: "DROP TABLE player; CREATE TABLE player (name)")
      #expect(try ReportedRow(name: "d").inserted(db).column == nil)
    }
  }

  @Test func aFailedInsertionReportsItsValues() throws {
    try withTables { db throws in
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      let error = try databaseError { try PlainPlayer(id: 2, name: "Ann").insert(db) }
      #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error.arguments == [2, "Ann"])
      #expect(error.sql == #"INSERT INTO "player" ("id", "name") VALUES (?,?)"#)
      // And the cached statement still works.
      try PlainPlayer(id: 2, name: "Bob").insert(db)
      #expect(try Player.fetchCount(db) == 2)
    }
  }

  @Test func aConflictIsResolvedAsRequested() throws {
    struct Stubborn: Encodable, MutablePersistableRecord {
      static let databaseTableName = "player"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace, update: .ignore)
      var id: Int64?
      var name: String
      var isInserted = false
      enum CodingKeys: CodingKey { case id, name }

      mutating func didInsert(_ inserted: InsertionSuccess) { isInserted = true }
    }
    try withTables { db throws in
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      try PlainPlayer(id: 2, name: "Bob").insert(db)
      #expect(try Stubborn(id: 3, name: "Ann").inserted(db).isInserted)
      #expect(try Player.fetchAll(db).compactMap(\.id) == [2, 3])
      // Nothing was stored, so no callback was called.
      #expect(try !Stubborn(id: 4, name: "Ann").inserted(db, onConflict: .ignore).isInserted)
      #expect(try Player.fetchCount(db) == 2)
      // The row exists, although the update left it unchanged.
      try Stubborn(id: 3, name: "Bob").update(db)
      #expect(try PlainPlayer.find(db, key: 3).name == "Ann")
      #expect(throws: RecordError.self) { try Stubborn(id: 9, name: "Bob").update(db) }
      try PlainPlayer(id: 3, name: "Ann").update(db)
      try PlainPlayer(id: 3, name: "Bob").update(db, onConflict: .ignore)
      #expect(try PlainPlayer.find(db, key: 3).name == "Ann")
      #expect(throws: DatabaseError.self) {
        try Stubborn(id: 3, name: "Bob").update(db, onConflict: .abort)
      }
    }
  }

  @Test func aRecordWithoutColumnsIsRefused() throws {
    struct Nothing: PersistableRecord {
      static let databaseTableName = "player"
      func encode(to container: inout PersistenceContainer) {}
    }
    try withTables { db throws in
      let error = try databaseError { try Nothing().insert(db) }
      #expect(error.resultCode == .SQLITE_MISUSE)
      #expect(error.message?.contains("empty persistence container") == true)
    }
  }

  @Test func recordsOfOneTypeCanHaveDifferentColumns() throws {
    struct Loose: PersistableRecord {
      static let databaseTableName = "player"
      var columns: [(String, (any DatabaseValueConvertible)?)]

      func encode(to container: inout PersistenceContainer) {
        for (column, value) in columns { container[column] = value }
      }
    }
    try withTables { db throws in
      try Loose(columns: [("id", 1), ("name", "a"), ("score", 2)]).insert(db)
      try Loose(columns: [("id", 2), ("name", "b")]).insert(db)
      try Loose(columns: [("name", "c"), ("id", 3)]).insert(db)
      try Loose(columns: [("id", 4), ("name", "x"), ("score", 5), ("name", "d")]).insert(db)
      try Loose(columns: [("id", 5), ("name", "e"), ("score", 6)]).insert(db)
      try Loose(columns: [("id", 1), ("name", "f")]).update(db)
      try Loose(columns: [("score", 9), ("ID", 2)]).update(db)
      #expect(
        try Player.fetchAll(db) == [
          Player(id: 1, name: "f", score: 2), Player(id: 2, name: "b", score: 9),
          Player(id: 3, name: "c", score: 10), Player(id: 4, name: "d", score: 5),
          Player(id: 5, name: "e", score: 6),
        ])
    }
  }

  @Test func everyValueRoundTrips() throws {
    struct Anything: PersistableRecord {
      var value: (any DatabaseValueConvertible)?
      func encode(to container: inout PersistenceContainer) {
        container["value"] = value
        container["other"] = "after"
      }
    }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE anything (value, other)")
      let values: [DatabaseValue] = [
        nil, 1, 1.5, "", "text", "Ω\0x", DatabaseValue(storage: .blob(Data())),
        DatabaseValue(storage: .blob(Data([0, 1]))),
        DatabaseValue(storage: .string(String(repeating: "long ", count: 50_000))),
      ]
      for value in values { try Anything(value: value).insert(db) }
      #expect(try DatabaseValue.fetchAll(db, sql: "SELECT value FROM anything") == values)
      #expect(
        try Set(String.fetchAll(db, sql: "SELECT other FROM anything")) == ["after"])
    }
  }

  // MARK: - Update

  @Test func anUpdateChangesTheRowWithItsKey() throws {
    try withTables { db throws in
      var ann = try Player(name: "Ann", score: 5).inserted(db)
      let bob = try Player(name: "Bob", score: 6).inserted(db)
      for score in 7...9 {
        ann.score = score
        try ann.update(db)
        #expect(try Player.fetchAll(db) == [ann, bob])
      }
      var both = ann
      both.name = "Eve"
      both.score = 1
      try both.update(db, columns: ["SCORE"])
      #expect(try Player.find(db, key: 1) == Player(id: 1, name: "Ann", score: 1))
    }
  }

  @Test func anUpdateOfAMissingRowIsAnError() throws {
    try withTables { db throws in
      let missing = RecordError.recordNotFound(databaseTableName: "player", key: ["id": 9])
      #expect(throws: missing) { try Player(id: 9, name: "x", score: 0).update(db) }
      #expect(throws: RecordError.recordNotFound(databaseTableName: "player", key: ["id": nil])) {
        try Player(id: nil, name: "x", score: 0).update(db)
      }
      // The cached statement also reports the missing key.
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      try PlainPlayer(id: 1, name: "Bob").update(db)
      #expect(throws: missing) { try PlainPlayer(id: 9, name: "Eve").update(db) }
      #expect(throws: missing) { try PlainPlayer(id: 9, name: "Eve").updateAndFetch(db) }
    }
  }

  @Test func onlyChangedColumnsAreUpdated() throws {
    try withTables { db throws in
      var ann = try Player(name: "Ann", score: 5).inserted(db)
      try db.execute(sql: "UPDATE player SET name = 'other'")
      #expect(try ann.updateChanges(db) { $0.score = 6 })
      #expect(try Player.find(db, key: 1) == Player(id: 1, name: "other", score: 6))
      #expect(try !ann.updateChanges(db) { $0.score = 6 })
      let before = ann
      ann.name = "Bea"
      #expect(try ann.databaseChanges(from: before) == ["name": "Ann"])
      #expect(!ann.databaseEquals(before) && ann.databaseEquals(ann))
      var modified = before
      #expect(try modified.databaseChanges { $0.name = "Bea" } == ["name": "Ann"])
      #expect(try modified == ann && modified.databaseChanges { $0.score = 6 } == [:])
      #expect(try ann.updateChanges(db, from: before))
      #expect(try !ann.updateChanges(db, from: ann))
      #expect(try Player.find(db, key: 1) == ann)
      #expect(try ann.databaseDictionary == ["id": 1, "name": "Bea", "score": 6])
    }
  }

  @Test func compositeKeysAreSupported() throws {
    try withTables { db throws in
      var seat = Seat(line: 1, letter: "A", guest: "Ann")
      try seat.insert(db)
      try Seat(line: 1, letter: "B").insert(db)
      seat.guest = "Bob"
      try seat.update(db, columns: [Seat.CodingKeys.guest])
      #expect(try Seat.fetchOne(db, key: ["line": 1, "letter": "A"]) == seat)
      seat.guest = "Cid"
      try seat.save(db)
      try seat.upsert(db)
      #expect(try Seat.fetchCount(db) == 2)
      #expect(try seat.exists(db))
      #expect(try seat.delete(db))
      #expect(try !seat.delete(db))
      #expect(try !seat.exists(db))
      #expect(try !Seat(line: nil, letter: nil).exists(db))
      #expect(throws: RecordError.self) { try Seat(line: 1).update(db) }
      let guest = Guest(line: 1, guest: "Dan")
      #expect(throws: RecordError.self) { try guest.update(db) }
      #expect(try !guest.delete(db))
      #expect(try !guest.exists(db))
      #expect(try Seat.fetchCount(db) == 1)
    }
  }

  @Test func aRecordWithOnlyKeyColumnsCanBeUpdated() throws {
    struct Key: Codable, PersistableRecord { var id: Int }
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE key (id INTEGER PRIMARY KEY)")
      try Key(id: 1).insert(db)
      try Key(id: 1).update(db)
      try Key(id: 1).save(db)
      try Key(id: 1).upsert(db)
      #expect(throws: RecordError.self) { try Key(id: 2).update(db) }
    }
  }

  /// Such as a count that was read with the record.
  @Test func anUpdateIgnoresWhatTheTableHasNot() throws {
    struct Counted: Codable, PersistableRecord {
      static let databaseTableName = "player"
      var id: Int64
      var name: String
      var bookCount: Int
    }
    try withTables { db throws in
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      try Counted(id: 1, name: "Bea", bookCount: 3).update(db)
      #expect(try PlainPlayer.fetchOne(db, key: 1) == PlainPlayer(id: 1, name: "Bea"))
      try Counted(id: 1, name: "Cid", bookCount: 3).save(db)
      try Counted(id: 1, name: "Dan", bookCount: 3).update(db, columns: ["bookCount"])
      #expect(try PlainPlayer.fetchOne(db, key: 1) == PlainPlayer(id: 1, name: "Cid"))
      #expect(throws: DatabaseError.self) {
        try Counted(id: 2, name: "Eve", bookCount: 0).insert(db)
      }
    }
  }

  // MARK: - Save and upsert

  @Test func savingUpdatesOrInserts() throws {
    try withTables { db throws in
      var ann = Player(name: "Ann", score: 5)
      try ann.save(db)
      #expect(ann.id == 1)
      ann.score = 6
      try ann.save(db)
      let eve = try Player(id: 9, name: "Eve", score: 0).saved(db)
      #expect(try Player.fetchAll(db) == [ann, eve])
    }
  }

  /// A column of the name `rowid` is not the rowid.
  @Test func anUpsertReceivesTheRowIDThatAColumnHides() throws {
    struct Entry: Codable, MutablePersistableRecord {
      var id: Int64?
      var rowid: String
      var name: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY, rowid TEXT, name TEXT UNIQUE);
          INSERT INTO entry VALUES (5, 'x', 'a'), (7, 'y', 'b');
          """)
      for (name, id) in [("a", 5 as Int64), ("c", 8)] {
        var entry = Entry(rowid: "7", name: name)
        try entry.upsert(db)
        #expect(entry.id == id)
        try entry.delete(db)
      }
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM entry") == [7])
      try db.execute(
        sql:
          "CREATE TABLE note (ROWID, text UNIQUE); INSERT INTO note (_rowid_, text) VALUES (3, 'n')"
      )
      struct Note: Codable, TableRecord, MutablePersistableRecord {
        var id: Int64?
        var text: String
        enum CodingKeys: CodingKey { case text }
        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
      }
      var note = Note(text: "n")
      try note.upsert(db)
      #expect(note.id == 3)
    }
  }

  @Test func anUpsertOverwritesTheConflictingRow() throws {
    try withTables { db throws in
      var ann = Player(id: 1, name: "Ann", score: 5)
      try ann.upsert(db)
      _ = try Player(id: 1, name: "Ann", score: 6).inserted(db, onConflict: .ignore)
      ann.score = 7
      try ann.upsert(db)
      #expect(try Player.fetchAll(db) == [ann])
      // The other unique key conflicts: the row keeps its primary key, and the record receives that
      // key and not the key of the latest insertion.
      try PlainPlayer(id: 9, name: "Zoe").insert(db)
      var other = Player(id: nil, name: "Ann", score: 8)
      #expect(try other.upsertAndFetch(db) == Player(id: 1, name: "Ann", score: 8))
      #expect(other.id == 1)
      #expect(try other.upsertAndFetch(db, onConflict: ["name"]).score == 8)
      #expect(try other.upsertAndFetch(db, as: FullPlayer.self).level == 0)
      var clash = Player(id: 1, name: "Bob", score: 1)
      #expect(throws: DatabaseError.self) { try clash.upsertAndFetch(db, onConflict: ["name"]) }
      #expect(
        try PlainPlayer(id: 1, name: "Cid").upsertAndFetch(db) == PlainPlayer(id: 1, name: "Cid"))
      // The stored score is 8 again; the name of the conflicting row is kept or changed.
      var more = Player(name: "Cid", score: 5)
      let score = Column("score")
      let sum = try more.upsertAndFetch(db, onConflict: ["name"]) { excluded in
        [score.set(to: score + excluded[score] + 100)]
      }
      #expect(sum == Player(id: 1, name: "Cid", score: 113))
      let kept = try more.upsertAndFetch(db, as: FullPlayer.self, onConflict: ["name"]) { _ in
        [score.noOverwrite]
      }
      #expect(kept.score == 113)
      let named = try PlainPlayer(id: 1, name: "Dan").upsertAndFetch(db, onConflict: ["id"]) {
        [Column("name").set(to: $0["name"] + " Doe")]
      }
      #expect(named.name == "0")
      #expect(
        try PlainPlayer(id: 1, name: "Cid").upsertAndFetch(db, as: FullPlayer.self).score == 113)
      #expect(
        try Seat(line: 1, letter: "A", guest: "x").upsertAndFetch(db).guest == "x")
    }
  }

  struct Tag: Codable, FetchableRecord, MutablePersistableRecord, Hashable {
    var id: Int64?
    var name: String
    var uses: Int?
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  private func withTags(_ body: (Database) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE tag (
            id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, uses INTEGER DEFAULT 0);
          INSERT INTO tag VALUES (1, 'sea', 5), (2, 'lake', 6);
          """)
      try body(db)
    }
  }

  /// Other tables refer to the row by its primary key.
  @Test func anUpsertThatUpdatesNothingKeepsTheRow() throws {
    struct Name: Codable, FetchableRecord, MutablePersistableRecord, Hashable {
      static let databaseTableName = "tag"
      var id: Int64?
      var name: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try withTags { db throws in
      for id in [nil, 7] as [Int64?] {
        var tag = Name(id: id, name: "Sea")
        #expect(try tag.upsertAndFetch(db, onConflict: ["name"]) == Name(id: 1, name: "sea"))
        #expect(tag.id == 1)
        var other = Name(id: id, name: "SEA")
        let stored = try other.upsertAndFetch(db) { _ in [Column("name").noOverwrite] }
        #expect(stored == Name(id: 1, name: "sea"))
      }
      var new = Name(name: "river")
      #expect(try new.upsertAndFetch(db, onConflict: ["name"]) == Name(id: 3, name: "river"))
      #expect(
        try Tag.order(Column("id")).fetchAll(db) == [
          Tag(id: 1, name: "sea", uses: 5), Tag(id: 2, name: "lake", uses: 6),
          Tag(id: 3, name: "river", uses: 0),
        ])
    }
  }

  /// It counts as updated, because SQLite returns no other row.
  @Test func anUpsertThatUpdatesNothingRunsNoTriggerOfOtherColumns() throws {
    struct NamedTag: Codable, FetchableRecord, PersistableRecord, Hashable {
      static let databaseTableName = "tag"
      var name: String
      var uses: Int
    }
    try withTags { db throws in
      try db.execute(
        sql: """
          CREATE TABLE log (text);
          CREATE TRIGGER named AFTER UPDATE OF name, uses ON tag
            BEGIN INSERT INTO log VALUES (old.name || new.name); END;
          """)
      let tag = NamedTag(name: "SEA", uses: 9)
      let before = db.totalChangesCount
      let kept = try tag.upsertAndFetch(db, updating: .noColumnUnlessSpecified)
      #expect(kept == NamedTag(name: "sea", uses: 5))
      #expect(try String.fetchAll(db, sql: "SELECT text FROM log") == [])
      #expect(db.totalChangesCount == before + 1)
      _ = try tag.upsertAndFetch(db, onConflict: ["name"])
      #expect(try String.fetchAll(db, sql: "SELECT text FROM log") == ["seasea"])
    }
  }

  @Test func anUpsertUpdatesOnlyWhatIsSpecified() throws {
    struct FixedTag: Codable, FetchableRecord, PersistableRecord, Hashable {
      static let databaseTableName = "tag"
      var name: String
      var uses: Int
      enum Columns {
        static let name = Column("name")
      }
    }
    try withTags { db throws in
      var tag = Tag(name: "SEA", uses: 1)
      let kept = try tag.upsertAndFetch(db, updating: .noColumnUnlessSpecified)
      #expect(kept == Tag(id: 1, name: "sea", uses: 5))
      #expect(tag.id == 1)
      var used = Tag(name: "SEA", uses: 2)
      let sum = try used.upsertAndFetch(
        db, onConflict: ["name"], updating: .noColumnUnlessSpecified
      ) { [Column("uses").set(to: Column("uses") + $0[Column("uses")])] }
      #expect(sum == Tag(id: 1, name: "sea", uses: 7))
      let all = try used.upsertAndFetch(db, updating: .allColumns)
      #expect(all == Tag(id: 1, name: "SEA", uses: 2))
      let lake = try FixedTag(name: "LAKE", uses: 9)
        .upsertAndFetch(db, as: Tag.self, updating: .noColumnUnlessSpecified)
      #expect(lake == Tag(id: 2, name: "lake", uses: 6))
      let same = try FixedTag(name: "Lake", uses: 9)
        .upsertAndFetch(db, onConflict: ["name"], updating: .noColumnUnlessSpecified) {
          [Column("name").set(to: $0.name)]
        }
      #expect(same == FixedTag(name: "Lake", uses: 6))
    }
  }

  // MARK: - RETURNING

  @Test func theStoredRowIsReturned() throws {
    try withTables { db throws in
      let ann = try Player(name: "Ann", score: 25).insertAndFetch(db)
      #expect(ann == Player(id: 1, name: "Ann", score: 25))
      var bob = Player(name: "Bob", score: 30)
      #expect(
        try bob.insertAndFetch(db, as: FullPlayer.self)
          == FullPlayer(id: 2, name: "Bob", score: 30, level: 3))
      #expect(bob.id == 2)
      let plain = PlainPlayer(id: 3, name: "Cid")
      #expect(try plain.insertAndFetch(db, as: FullPlayer.self).score == 10)
      #expect(try plain.updateAndFetch(db, as: FullPlayer.self).level == 1)
      #expect(try plain.updateAndFetch(db) == plain)
      #expect(try plain.saveAndFetch(db) == plain)
      #expect(try plain.saveAndFetch(db, as: FullPlayer.self).level == 1)
      #expect(try PlainPlayer(id: 4, name: "Dan").saveAndFetch(db).id == 4)
      #expect(try Player(name: "Eve", score: 0).saveAndFetch(db).id == 5)
      #expect(try bob.updateChangesAndFetch(db) { $0.score = 99 }?.score == 99)
      #expect(try bob.updateChangesAndFetch(db) { $0.score = 99 } == nil)
    }
  }

  @Test func aClosureFetchesTheReturnedRows() throws {
    try withTables { db throws in
      let selection: [any SQLSelectable] = [SQL("level"), SQL("name || '!'")]
      var ann = Player(name: "Ann", score: 25)
      let level = try ann.insertAndFetch(db, selection: selection) { try Int.fetchOne($0) }
      #expect(level == 2 && ann.id == 1)
      ann.score = 45
      #expect(
        try ann.updateAndFetch(db, columns: ["score"], selection: selection) {
          try Row.fetchOne($0)?[1]
        } == "Ann!")
      ann.score = 55
      #expect(
        try ann.saveAndFetch(db, selection: selection) { try Int.fetchAll($0) } == [5])
      let plain = PlainPlayer(id: 7, name: "Bob")
      #expect(
        try plain.insertAndFetch(db, selection: [AllColumns()]) { try Row.fetchAll($0) }.count == 1)
      #expect(
        try plain.saveAndFetch(db, selection: selection) { try Int.fetchOne($0) } == 1)
      var dan = Player(name: "Dan", score: 25)
      let eve = PlainPlayer(id: 9, name: "Eve")
      let ofDan = try dan.insertAndFetch(db) {
        try Int.fetchOne($0)
      } select: { _ in
        selection
      }
      let ofEve = try eve.insertAndFetch(db) {
        try Int.fetchOne($0)
      } select: { _ in
        selection
      }
      #expect(ofDan == 2 && ofEve == 1)
    }
  }

  @Test func anIgnoredInsertionReturnsNil() throws {
    try withTables { db throws in
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      #expect(throws: RecordError.recordNotFound(databaseTableName: "player", key: ["id": 2])) {
        try PlainPlayer(id: 2, name: "Ann").insertAndFetch(db, onConflict: .ignore)
      }
    }
  }

  @Test func aForeignKeyIsCheckedAlthoughTheRowWasReturned() throws {
    struct Child: Codable, FetchableRecord, PersistableRecord { var parent: Int }
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (parent REFERENCES parent)
          """)
      for _ in 0..<2 {
        let error = try databaseError { _ = try Child(parent: 1).insertAndFetch(db) }
        #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        let value = try databaseError {
          _ = try Int.fetchOne(db, sql: "INSERT INTO child VALUES (1) RETURNING parent")
        }
        #expect(value.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        let upsert = try databaseError { _ = try Child(parent: 1).upsertAndFetch(db) }
        #expect(upsert.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      }
      #expect(try Child.fetchCount(db) == 0)
    }
  }

  // MARK: - Delete

  @Test func aRecordIsDeletedByItsKey() throws {
    try withTables { db throws in
      let ann = try Player(name: "Ann", score: 5).inserted(db)
      let bob = try Player(name: "Bob", score: 6).inserted(db)
      #expect(try ann.exists(db))
      #expect(try ann.delete(db))
      #expect(try !ann.exists(db))
      #expect(try !ann.delete(db))
      #expect(try !Player(name: "Bob", score: 6).delete(db))
      #expect(try Player.fetchAll(db) == [bob])
    }
  }

  // MARK: - Connection

  @Test func aChangedKeyOfATableIsNoticed() throws {
    try withTables { db throws in
      try PlainPlayer(id: 1, name: "Ann").insert(db)
      try PlainPlayer(id: 1, name: "Bob").update(db)
      try db.execute(
        sql: """
          DROP TABLE player;
          CREATE TABLE player (id INTEGER, name TEXT PRIMARY KEY);
          INSERT INTO player VALUES (1, 'Ann'), (1, 'Bob')
          """)
      try PlainPlayer(id: 5, name: "Bob").update(db)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM player ORDER BY name") == [1, 5])
      #expect(try PlainPlayer.find(db, key: "Bob").id == 5)
    }
  }

  @Test func aReadRefusesToWrite() throws {
    let connection = try Connection()
    try connection.withAccess { db in
      try db.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name)")
    }
    try connection.database.withAccess(isReadOnly: true) { db throws in
      let error = try databaseError { try PlainPlayer(id: 1, name: "x").insert(db) }
      #expect(error.resultCode == .SQLITE_READONLY)
    }
  }
}
