import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct TableDefinitionTests {
  /// Returns the SQL of all tables and indexes that the closure creates.
  private func schema(_ body: (Database) throws -> Void) throws -> [String] {
    try Connection.inMemory { db in
      try body(db)
      return try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM (
            SELECT rowid AS place, sql FROM sqlite_schema
            UNION ALL SELECT rowid + 1000, sql FROM sqlite_temp_schema)
          WHERE sql NOT NULL ORDER BY place
          """)
    }
  }

  private func check(
    _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Database) throws -> Void
  ) throws {
    let found = try schema(body)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test func aColumnHasItsConstraints() throws {
    let allConstraints = """
      CREATE TABLE "t" ("a" TEXT NOT NULL ON CONFLICT IGNORE UNIQUE ON CONFLICT REPLACE CHECK \
      (LENGTH("a") > 3) CHECK (a <> '''') DEFAULT 'O''Brien' COLLATE "NOCASE", "b" INTEGER DEFAULT \
      (-1), "c", "d" DOUBLE GENERATED ALWAYS AS ("b" * 2) STORED, "e" GENERATED ALWAYS AS (a || '!') \
      VIRTUAL, "f" DATETIME DEFAULT CURRENT_TIMESTAMP, g TEXT, h DEFAULT 'x', UNIQUE ("b", "c") ON \
      CONFLICT FAIL, CHECK ("b" <> 7), CHECK (b < 9), CONSTRAINT x CHECK (b <> '0'))
      """
    try check(allConstraints, "CREATE INDEX \"t_on_c\" ON \"t\"(\"c\")") { db throws in
      try db.create(table: "t") { t in
        t.column("a", .text).notNull(onConflict: .ignore).unique(onConflict: .replace)
          .check { length($0) > 3 }.check(sql: "a <> ''''").defaults(to: "O'Brien").collate(.nocase)
        t.column("b", .integer).defaults(to: -1)
        t.column("c").indexed()
        t.column("d", .double).generatedAs(Column("b") * 2, .stored)
        t.column("e").generatedAs(sql: "a || '!'")
        t.column("f", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
        t.column(sql: "g TEXT")
        t.column(literal: "h DEFAULT \("x")")
        t.uniqueKey(["b", "c"], onConflict: .fail)
        t.check(Column("b") != 7)
        t.check(sql: "b < 9")
        t.constraint(literal: "CONSTRAINT x CHECK (b <> \("0"))")
      }
      try db.execute(sql: "INSERT INTO t (h) VALUES (1)")
      #expect(
        try String.fetchOne(db, sql: "SELECT a || b || d || e FROM t") == "O'Brien-1-2.0O'Brien!")
    }
  }

  @Test func aPrimaryKeyIsDeclaredInFourWays() throws {
    try check(
      "CREATE TABLE \"a\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT)",
      "CREATE TABLE sqlite_sequence(name,seq)",
      "CREATE TABLE \"b\" (\"code\" TEXT PRIMARY KEY ON CONFLICT REPLACE NOT NULL, \"n\") STRICT, WITHOUT ROWID"
        .replacing("\"n\"", with: "\"n\" ANY"),
      "CREATE TABLE \"c\" (\"x\", \"y\", PRIMARY KEY (\"x\", \"y\") ON CONFLICT IGNORE)",
      "CREATE TABLE \"d\" (\"bCode\" TEXT NOT NULL REFERENCES \"b\"(\"code\"), \"year\" INTEGER NOT NULL, "
        + "\"z\", PRIMARY KEY (\"bCode\", \"year\"))"
    ) { db throws in
      try db.create(table: "a") { $0.autoIncrementedPrimaryKey("id") }
      try db.create(table: "b", options: [.strict, .withoutRowID]) { t in
        t.primaryKey("code", .text, onConflict: .replace)
        t.column("n", .any)
      }
      try db.create(table: "c") { t in
        t.column("x")
        t.column("y")
        t.primaryKey(["x", "y"], onConflict: .ignore)
      }
      for _ in 0..<2 {
        try db.create(table: "d", options: .ifNotExists) { t in
          t.primaryKey {
            t.belongsTo("b")
            t.column("year", .integer)
          }
          t.column("z")
        }
      }
    }
  }

  @Test func foreignKeysFindTheKeysTheyReferTo() throws {
    try check(
      "CREATE TABLE \"teams\" (\"id\" INTEGER PRIMARY KEY)",
      "CREATE TABLE \"country\" (\"code\" TEXT, \"part\" INTEGER, PRIMARY KEY (\"code\", \"part\"))",
      "CREATE TABLE \"player\" (\"id\" INTEGER PRIMARY KEY, \"teamId\" INTEGER NOT NULL UNIQUE REFERENCES "
        + "\"teams\"(\"id\") ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED, "
        + "\"mentorId\" INTEGER REFERENCES \"player\"(\"id\"), \"homeCode\" TEXT, \"homePart\" INTEGER, "
        + "\"a\" REFERENCES \"player\"(\"id\") ON DELETE CASCADE ON UPDATE RESTRICT, "
        + "\"b\" REFERENCES \"teams\"(\"id\") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED, "
        + "\"c\" REFERENCES \"player\"(\"id\") REFERENCES \"teams\"(\"id\"), "
        + "FOREIGN KEY (\"c\") REFERENCES \"player\"(\"id\"), "
        + "FOREIGN KEY (\"a\", \"b\") REFERENCES \"country\"(\"code\", \"part\") ON DELETE RESTRICT, "
        + "FOREIGN KEY (\"b\", \"a\") REFERENCES \"x\"(\"y\", \"z\"), "
        + "FOREIGN KEY (\"homeCode\", \"homePart\") REFERENCES \"country\"(\"code\", \"part\"))",
      "CREATE INDEX \"index_player_on_homeCode_homePart\" ON \"player\"(\"homeCode\", \"homePart\")"
    ) { db throws in
      try db.create(table: "teams") { $0.column("id", .integer).primaryKey() }
      try db.create(table: "country") { t in
        t.column("code", .text)
        t.column("part", .integer)
        t.primaryKey(["code", "part"])
      }
      try db.create(table: "player") { t in
        t.primaryKey("id", .integer)
        t.belongsTo("team", onDelete: .cascade, onUpdate: .setNull, deferred: true).notNull()
          .unique()
        t.belongsTo("mentor", inTable: "PLAYER", indexed: false)
        t.belongsTo("home", inTable: "country")
        t.column("a").references("player", onDelete: .cascade, onUpdate: .restrict)
        t.column("b").references("teams", column: "id", onDelete: .restrict, deferred: true)
        t.column("c").references("player").references("teams")
        t.foreignKey(["c"], references: "player")
        t.foreignKey(["a", "b"], references: "country", onDelete: .restrict)
        t.foreignKey(["b", "a"], references: "x", columns: ["y", "z"])
      }
    }
    let refused: [((TableDefinition) -> Void, String)] = [
      ({ $0.belongsTo("nobody") }, "no such table: nobody' or 'nobodies' or 'nobodys"),
      ({ $0.column("a").references("nothing") }, "nothing"),
      ({ $0.column("a").references("loose") }, "loose declares no primary key"),
      ({ $0.column("a").references("new") }, "new declares no primary key"),
      ({ $0.belongsTo("new") }, "new declares no primary key"),
    ]
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE loose (x)")
      for (define, sentence) in refused {
        let error = try databaseError { try db.create(table: "new", body: define) }
        #expect(error.description.contains(sentence), "\(error)")
        #expect(try !db.tableExists("new"))
      }
      for (noun, table) in [
        ("person", "people"), ("homeAddress", "homeAddresses"), ("city", "cities"), ("day", "days"),
        ("grandChild", "grandChildren"),
      ] {
        try db.create(table: table) { $0.primaryKey("id", .integer) }
        try db.create(table: "of_\(noun)") { $0.belongsTo(noun) }
        #expect(try db.foreignKeys(on: "of_\(noun)").map(\.destinationTable) == [table])
      }
    }
  }

  /// The key of a new table is known to its own foreign keys, also where another table's key is part of it.
  @Test func aForeignKeyFindsAKeyOfForeignKeys() throws {
    let columns = "\"beforeTeamId\" INTEGER, \"beforeYear\" INTEGER"
    let references =
      "FOREIGN KEY (\"beforeTeamId\", \"beforeYear\") REFERENCES \"T\"(\"teamId\", \"year\")"
    let team = "CREATE TABLE \"team\" (\"id\" INTEGER PRIMARY KEY)"
    let key = "\"teamId\" INTEGER NOT NULL REFERENCES \"team\"(\"id\"), \"year\" INTEGER NOT NULL"
    try check(
      team,
      "CREATE TABLE \"grouped\" (\(key), \(columns), PRIMARY KEY (\"teamId\", \"year\"), "
        + "\(references.replacing("\"T\"", with: "\"grouped\"")))",
      "CREATE UNIQUE INDEX \"index_grouped_on_beforeTeamId_beforeYear\" ON "
        + "\"grouped\"(\"beforeTeamId\", \"beforeYear\")",
      "CREATE TABLE \"named\" (\(columns), \(key), PRIMARY KEY (\"teamId\", \"year\"), "
        + "\(references.replacing("\"T\"", with: "\"named\"")))"
    ) { db throws in
      try db.create(table: "team") { $0.primaryKey("id", .integer) }
      try db.create(table: "grouped") { t in
        t.primaryKey {
          t.belongsTo("team", indexed: false)
          t.column("year", .integer)
        }
        t.belongsTo("before", inTable: "grouped", indexed: false).unique()
      }
      try db.create(table: "named") { t in
        t.belongsTo("before", inTable: "named", indexed: false)
        t.belongsTo("team", indexed: false).notNull()
        t.column("year", .integer).notNull()
        t.primaryKey(["teamId", "year"])
      }
      let error = try databaseError {
        try db.create(table: "own") { t in t.primaryKey { t.belongsTo("own") } }
      }
      #expect(error.description.contains("own declares no primary key"))
    }
  }

  @Test func tablesAreAltered() throws {
    try check(
      "CREATE TABLE \"new\" (\"a\" TEXT, \"kind\" INTEGER NOT NULL DEFAULT 5, d INT, "
        + "f DEFAULT 'O''Brien')",
      "CREATE INDEX \"old_on_sort\" ON \"new\"(\"kind\")"
    ) { db throws in
      try db.create(table: "old") { t in
        t.column("a", .text)
        t.column("b", .text)
      }
      try db.alter(table: "old") { t in
        t.add(column: "sort", .integer).notNull().defaults(to: 5).indexed()
        t.addColumn(sql: "d INT")
        t.addColumn(literal: "f DEFAULT \("O'Brien")")
        t.rename(column: "sort", to: "kind")
        t.drop(column: "b")
      }
      try db.rename(table: "old", to: "new")
      let error = try databaseError {
        try db.alter(table: "new") { t in
          t.add(column: "e")
          t.add(column: "e")
        }
      }
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(try db.columns(in: "new").map(\.name) == ["a", "kind", "d", "f"])
    }
  }

  @Test func indexesAndViewsAreCreatedAndDropped() throws {
    try check(
      "CREATE TABLE t(a, b)",
      "CREATE UNIQUE INDEX \"i\" ON \"t\"(\"a\") WHERE (\"b\" IS NOT NULL) AND (\"a\" <> 'it''s')",
      "CREATE INDEX \"e\" ON \"t\"(\"a\" COLLATE \"NOCASE\", \"b\" + 1)",
      "CREATE VIEW \"v\" (\"x\") AS SELECT \"a\" FROM \"t\" WHERE \"b\" IN (1, CAST(x'6100' AS TEXT)) LIMIT 3",
      "CREATE VIEW \"w\" AS SELECT a FROM t WHERE b = 'ab'"
    ) { db throws in
      try db.execute(sql: "CREATE TABLE t(a, b)")
      try db.create(
        index: "i", on: "t", columns: ["a"], options: [.unique, .ifNotExists],
        condition: Column("b") != nil && Column("a") != "it's")
      try db.create(index: "i", on: "t", columns: ["a"], unique: true, ifNotExists: true)
      try db.create(
        index: "e", on: "t", expressions: [Column("a").collating(.nocase), Column("b") + 1])
      try db.create(indexOn: "t", columns: ["a", "b"])
      try db.create(index: "f", on: "t", columns: ["A", "b"])
      try db.drop(indexOn: "T", columns: ["a", "B"])
      // There is none any more.
      try db.drop(indexOn: "t", columns: ["a", "b"])
      #expect(
        try databaseError { try db.drop(indexOn: "u", columns: ["a"]) }.message
          == "no such table: u")
      let values: [any SQLExpressible] = [1, "a\0"]
      try db.create(
        view: "v", columns: ["x"],
        as: Table("t").filter(values.contains(Column("b"))).select(Column("a")).limit(3))
      try db.create(
        view: "w", options: .ifNotExists, asLiteral: "SELECT a FROM t WHERE b = \("ab")")
      try db.create(view: "gone", options: .temporary, as: SQLRequest<Row>("SELECT 1"))
      try db.drop(view: "gone")
      try db.create(table: "gone", ifNotExists: true) { $0.column("x") }
      try db.drop(table: "gone")
    }
  }

  /// Names and values that end quotes, are keywords, or differ only in what SQLite ignores.
  @Test func hostileNamesAreQuoted() throws {
    let names = [
      "a\"b", "select", "é", "É", "e\u{301}", "x'y`z]", "a b;--", "\"\u{308}", "Order", "",
    ]
    try Connection.inMemory { db throws in
      for name in names where !name.isEmpty {
        let table = Table("t" + name)
        try db.create(table: table.tableName) { t in
          t.primaryKey("id", .integer)
          for name in names { t.column(name, .text).indexed().defaults(to: name) }
          t.column("check").check { $0 != name }
        }
        try db.execute(literal: "INSERT INTO \(identifier: table.tableName) (id) VALUES (1)")
        for other in names {
          let column = Column(other)
          let request = table.filter(column == other).order(column.desc).group(column)
            .select(column.forKey(name), as: String.self)
          #expect(try request.fetchAll(db) == [other])
          #expect(try table.updateAll(db, column.set(to: name)) == 1)
          try db.drop(indexOn: table.tableName, columns: [other])
        }
        #expect(try table.filter(key: ["id": 1]).fetchCount(db) == 1)
        try db.create(view: "view" + name, as: table.filter(Column(name) == name))
        #expect(try Table("view" + name).fetchCount(db) == 1)
        let with = CommonTableExpression(
          named: name, columns: [name], request: table.select(Column(name)))
        #expect(try with.all().with(with).asRequest(of: String.self).fetchOne(db) == name)
        try db.drop(view: "view" + name)
        try db.drop(table: table.tableName)
      }
    }
  }

  /// Random tables with their indexes, views and changes, as the builder makes them and as SQL that is
  /// written in another style.
  ///
  /// `HOLDFAST_CASES=10000` runs more of them.
  @Test func randomTablesEqualHandWrittenOnes() throws {
    var random = SeededRandom()
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 200
    let parents =
      "CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE pair (`a b` INT, c TEXT, PRIMARY KEY (`a b`, c));"
    var refusedCount = 0
    for _ in 0..<count {
      let table = RandomTable(&random)
      let built = try tokens { db in
        try db.execute(sql: parents)
        try table.create(db)
      }
      let written = try tokens { db in try db.execute(sql: parents + table.sql) }
      #expect(built == written)
      // SQLite cannot rename every column that a view or a constraint uses.
      if case .failure = written { refusedCount += 1 }
    }
    #expect(refusedCount < count / 4)
  }

  private struct Refusal: Error, Equatable {
    var message: String?
  }

  /// Returns the tokens of the schema that the closure creates, or what SQLite says when it refuses it.
  private func tokens(_ body: (Database) throws -> Void) throws -> Result<[[String]], Refusal> {
    do {
      return .success(try schema(body).map(\.tokens))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // After a change SQLite checks the rest of the schema, where a missing name in double quotes is a
      // string, so that the reason depends on the quotes.
      let message = error.message?.split(separator: " after ", maxSplits: 1).first
      return .failure(Refusal(message: message.map(String.init)))
    }
  }
}

extension String {
  /// The tokens of SQL: names without their quotes, words in capitals.
  fileprivate var tokens: [String] {
    SQLTokens(self).map { token in
      guard let quote = token.first, "\"`[".contains(quote) else { return token.uppercased() }
      let end = quote == "[" ? "]" : String(quote)
      return "name " + token.dropFirst().dropLast().replacing(end + end, with: end)
    }
  }
}

/// A table of which both the builder's calls and the SQL are known.
private struct RandomTable {
  private struct Part {
    var sql: String
    var define: (TableDefinition) -> Void
  }

  private var name: String
  private var parts: [Part] = []
  private var constraints: [Part] = []
  private var options: TableOptions = []
  private var indexes: [String] = []
  /// What follows the table: indexes, views and changes of it.
  private var statements: [(sql: String, run: (Database) throws -> Void)] = []

  init(_ random: inout SeededRandom) {
    let words = ["name", "order", "a b", "x\"y", "ÄÖ", "it's", "group", "1st", "`q"]
    name = words.randomElement(using: &random) ?? ""
    if Bool.random(using: &random) { options.insert(.temporary) }
    if Bool.random(using: &random) { options.insert(.ifNotExists) }
    if Bool.random(using: &random) { options.insert(.strict) }
    let columns = (1...Int.random(in: 1...5, using: &random)).map {
      "\(words.randomElement(using: &random) ?? "")\($0)"
    }
    let isKeyed = Int.random(in: 0..<3, using: &random)
    for (index, column) in columns.enumerated() {
      addColumn(column, isKey: index == 0 && isKeyed == 1, &random)
    }
    if isKeyed == 2 {
      constraints.append(
        Part(sql: "primary key(\(Self.list(columns.reversed())))") {
          $0.primaryKey(Array(columns.reversed()))
        })
    }
    if isKeyed > 0, Bool.random(using: &random) { options.insert(.withoutRowID) }
    addGeneratedColumn(from: columns[0], &random)
    addConstraints(columns, &random)
    addForeignKeys(columns, &random)
    addIndexes(columns, &random)
    addView(of: columns[0], &random)
    addChanges(of: columns[0], &random)
  }

  private static func quoted(_ name: String) -> String {
    "`" + name.replacing("`", with: "``") + "`"
  }
  private static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ",") }
  private static func text(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

  private mutating func addColumn(_ column: String, isKey: Bool, _ random: inout SeededRandom) {
    var sql = Self.quoted(column)
    var steps: [(ColumnDefinition) -> Void] = []
    let type =
      [Database.ColumnType.text, .integer, .blob, .any, .real].randomElement(using: &random)
      ?? .text
    sql += " \(type.rawValue.lowercased())"
    if isKey {
      sql += " primary key on conflict ignore"
      steps.append { $0.primaryKey(onConflict: .ignore) }
    }
    func maybe(_ addition: String, _ step: @escaping (ColumnDefinition) -> Void) {
      guard Bool.random(using: &random) else { return }
      sql += " " + addition
      steps.append(step)
    }
    maybe("not null") { $0.notNull() }
    maybe("unique on conflict ignore") { $0.unique(onConflict: .ignore) }
    let word = ["it's", "", "\"x\"", "a -- b", "ÄÖ"].randomElement(using: &random) ?? ""
    maybe("check(\(Self.quoted(column)) in(\(Self.text(word)),5))") { column in
      column.check { ([word, 5] as [any SQLExpressible]).contains($0) }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: maybe("default \(Self.text(word))") { $0.defaults(to: word) }
    case 1: maybe("default 1.5") { $0.defaults(to: 1.5) }
    case 2: maybe("default x'00ff'") { $0.defaults(to: Data([0, 255])) }
    default: maybe("default (1+1)") { $0.defaults(sql: "(1 + 1)") }
    }
    maybe("collate `rtrim`") { $0.collate(Database.CollationName(rawValue: "rtrim")) }
    maybe("references [parent](`id`) on delete set default") {
      $0.references("parent", onDelete: .setDefault)
    }
    if Bool.random(using: &random) {
      indexes.append(
        "create index \(options.sql)\(Self.quoted("\(name)_on_\(column)")) on \(Self.quoted(name))(\(Self.quoted(column)));"
      )
      steps.append { $0.indexed() }
    }
    parts.append(
      Part(sql: sql) { t in
        let definition = t.column(column, type)
        for step in steps { step(definition) }
      })
  }

  private mutating func addGeneratedColumn(
    from column: String, _ random: inout SeededRandom
  ) {
    guard Bool.random(using: &random) else { return }
    let (isStored, isNotNull) = (Bool.random(using: &random), Bool.random(using: &random))
    let sql = "`made` integer \(isNotNull ? "not null" : "") generated always as"
    parts.append(
      Part(sql: "\(sql) (length(\(Self.quoted(column))) - 1) \(isStored ? "stored" : "virtual")") {
        t in
        let definition = t.column("made", .integer)
          .generatedAs(length(Column(column)) - 1, isStored ? .stored : .virtual)
        if isNotNull { definition.notNull() }
      })
  }

  private mutating func addConstraints(_ columns: [String], _ random: inout SeededRandom) {
    if Bool.random(using: &random) {
      constraints.append(Part(sql: "unique(\(Self.list(columns)))") { $0.uniqueKey(columns) })
    }
    if Bool.random(using: &random) {
      constraints.append(
        Part(sql: "check((\(Self.quoted(columns[0])) is null) or (\(Self.quoted(columns[0])) < 9))")
        { t in
          t.check(Column(columns[0]) == nil || Column(columns[0]) < 9)
        })
    }
  }

  private mutating func addForeignKeys(_ columns: [String], _ random: inout SeededRandom) {
    if Bool.random(using: &random) {
      let clause =
        "`parent`(`id`) on delete cascade on update restrict deferrable initially deferred"
      constraints.append(
        Part(sql: "foreign key(\(Self.quoted(columns[0]))) references \(clause)") {
          $0.foreignKey(
            [columns[0]], references: "parent", onDelete: .cascade, onUpdate: .restrict,
            deferred: true)
        })
    }
    if columns.count > 1, Bool.random(using: &random) {
      let names = Array(columns.suffix(2))
      constraints.append(
        Part(sql: "foreign key(\(Self.list(names))) references `pair`(`c`,`a b`)") {
          $0.foreignKey(names, references: "pair", columns: ["c", "a b"])
        })
    }
    if Bool.random(using: &random) {
      parts.append(
        Part(sql: "`ofId` integer references `parent`(`id`)") {
          $0.belongsTo("of", inTable: "parent", indexed: false)
        })
    }
    if Bool.random(using: &random) {
      parts.append(
        Part(sql: "`pairA b` INT not null, `pairC` text not null") {
          $0.belongsTo("pair", onUpdate: .cascade).notNull()
        })
      constraints.append(
        Part(sql: "foreign key(`pairA b`,`pairC`) references `pair`(`a b`,`c`) on update cascade") {
          _ in
        })
      indexes.append(
        "create index \(options.sql)\(Self.quoted("index_\(name)_on_pairA b_pairC")) on \(Self.quoted(name))(`pairA b`,`pairC`);"
      )
    }
  }

  private mutating func addIndexes(_ columns: [String], _ random: inout SeededRandom) {
    let (name, column) = (name, columns[0])
    let (table, quoted) = (Self.quoted(name), Self.quoted(column))
    let isUnique = Bool.random(using: &random)
    let start = "create \(isUnique ? "unique " : "")index "
    let options: IndexOptions = isUnique ? [.unique, .ifNotExists] : []
    if Bool.random(using: &random) {
      let sql = "`on values` on \(table)(length(\(quoted)),\(quoted) collate `NOCASE`)"
      statements.append(
        (
          start + sql,
          { db in
            try db.create(
              index: "on values", on: name,
              expressions: [length(Column(column)), Column(column).collating(.nocase)],
              options: options)
          }
        ))
    }
    if Bool.random(using: &random) {
      let sql = "\(Self.quoted("index_\(name)_on_\(columns.joined(separator: "_"))")) on \(table)"
      statements.append(
        (
          "\(start)\(sql)(\(Self.list(columns))) where (\(quoted) > 3) and (\(quoted) <> 'it''s')",
          { db in
            try db.create(
              indexOn: name, columns: columns, options: options,
              condition: Column(column) > 3 && Column(column) != "it's")
          }
        ))
    }
  }

  private mutating func addView(of column: String, _ random: inout SeededRandom) {
    guard Bool.random(using: &random) else { return }
    let (name, isTemporary) = (name, Bool.random(using: &random))
    let (table, quoted) = (Self.quoted(name), Self.quoted(column))
    statements.append(
      (
        "create \(isTemporary ? "temporary " : "")view `a view`(`x y`) as"
          + " select \(quoted) from \(table) where \(quoted) like 'a''%' order by \(quoted) desc",
        { db in
          try db.create(
            view: "a view", options: isTemporary ? .temporary : [], columns: ["x y"],
            as: Table(name).select(Column(column)).filter(Column(column).like("a'%"))
              .order(Column(column).desc))
        }
      ))
  }

  private mutating func addChanges(of column: String, _ random: inout SeededRandom) {
    let (name, table) = (name, Self.quoted(name))
    let words = ["more", "it's", "a \"b\"", "order"]
    let (added, new) = (
      "+" + (words.randomElement(using: &random) ?? ""),
      "-" + (words.randomElement(using: &random) ?? "")
    )
    if Bool.random(using: &random) {
      let isKept = Bool.random(using: &random)
      let drop = isKept ? "" : ";alter table \(table) drop column \(Self.quoted(added))"
      statements.append(
        (
          "alter table \(table) add \(Self.quoted(added)) text not null default 'x'\(drop)",
          { db in
            try db.alter(table: name) { t in
              t.add(column: added, .text).notNull().defaults(to: "x")
              if !isKept { t.drop(column: added) }
            }
          }
        ))
    }
    if Bool.random(using: &random) {
      statements.append(
        (
          "alter table \(table) rename column \(Self.quoted(column)) to \(Self.quoted(new))",
          { db in try db.alter(table: name) { $0.rename(column: column, to: new) } }
        ))
    }
    if Bool.random(using: &random) {
      statements.append(
        (
          "alter table \(table) rename to \(Self.quoted("new " + name))",
          { db in try db.rename(table: name, to: "new " + name) }
        ))
    }
  }

  func create(_ db: Database) throws {
    try db.create(table: name, options: options) { t in
      for part in parts + constraints { part.define(t) }
    }
    for statement in statements { try statement.run(db) }
  }

  var sql: String {
    let suffixes = [
      options.contains(.strict) ? "strict" : nil,
      options.contains(.withoutRowID) ? "without rowid" : nil,
    ]
    return
      "create \(options.contains(.temporary) ? "temp " : "")table \(options.sql)\(Self.quoted(name))("
      + (parts + constraints).map(\.sql).joined(separator: ",\n") + ")"
      + suffixes.compactMap(\.self).joined(separator: ",") + ";" + indexes.joined()
      + statements.map(\.sql).joined(separator: ";")
  }
}

extension TableOptions {
  fileprivate var sql: String { contains(.ifNotExists) ? "if not exists " : "" }
}
