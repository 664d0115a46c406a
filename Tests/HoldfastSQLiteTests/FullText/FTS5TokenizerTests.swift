import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS5TokenizerTests {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "No pier at 100%s" }
  }

  /// A tokenizer that leaves out "the" and "of", finds "first" as "1st", and refuses "pier".
  ///
  /// Its arguments are the tokenizer that it wraps.
  final class Names: FTS5WrapperTokenizer {
    static let name = "names"
    let wrappedTokenizer: any FTS5Tokenizer
    private let life = Life()

    init(db: Database, arguments: [String]) throws {
      if arguments == ["refuse"] { throw Refusal() }
      wrappedTokenizer = try db.makeTokenizer(
        arguments.isEmpty ? .unicode61() : FTS5TokenizerDescriptor(components: arguments))
    }

    func accept(
      token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
      tokenCallback: FTS5WrapperTokenCallback
    ) throws {
      if token == "the" || token == "of" { return }
      if token == "pier" { throw Refusal() }
      try tokenCallback(token, flags)
      guard tokenization == .document, token == "first" else { return }
      try tokenCallback("1st", flags.union(.colocated))
    }
  }

  /// A tokenizer of the words between spaces, the first with the fault that its argument names.
  final class Words: FTS5CustomTokenizer {
    static let name = "WORDS"
    private let fault: String?
    private let life = Life()

    init(db: Database, arguments: [String]) { fault = arguments.first }

    func tokenize(
      context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
      pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
      let text = unsafe UnsafeBufferPointer(start: pText, count: Int(nText))
      for word in text.indices.split(whereSeparator: { unsafe text[$0] == 32 }) {
        var (start, end, count) = (CInt(word.startIndex), CInt(word.endIndex), CInt(word.count))
        var bytes = unsafe text.baseAddress.map { unsafe $0 + word.startIndex }
        switch start == 0 ? fault : nil {
        case "beyond": end += 1 << 20
        case "before": start -= 1 << 20
        case "reversed": swap(&start, &end)
        case "negative": count = -1
        case "nothing": unsafe bytes = nil
        case "full": return ResultCode.SQLITE_FULL.rawValue
        case "row": return ResultCode.SQLITE_ROW.rawValue
        default: break
        }
        // The code is ignored, which is a fault too.
        _ = unsafe tokenCallback(context, 0, bytes, count, start, end)
      }
      return 0
    }
  }

  /// A tokenizer of the words that a table does not contain.
  final class Unlisted: FTS5WrapperTokenizer {
    static let name = "unlisted"
    let wrappedTokenizer: any FTS5Tokenizer
    private let words: Set<String>

    init(db: Database, arguments: [String]) throws {
      wrappedTokenizer = try db.makeTokenizer(.ascii())
      words = try String.fetchSet(db, sql: "SELECT word FROM list")
    }

    func accept(
      token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
      tokenCallback: FTS5WrapperTokenCallback
    ) throws {
      if !words.contains(token) { try tokenCallback(token, flags) }
    }
  }

  /// Runs the closure with a connection that has the tokenizers, closes it, and expects that nothing is
  /// left of them.
  private func withTokenizers(
    _ path: String? = nil, _ body: (Database) throws -> Void
  ) throws {
    try Life.$alive.withValue(Shared(0)) {
      let connection = try Connection(path)
      try connection.withAccess { db in
        db.add(tokenizer: Names.self)
        db.add(tokenizer: Words.self)
        db.add(tokenizer: Unlisted.self)
        try body(db)
      }
      connection.database.close()
      #expect(Life.alive.value == 0)
    }
  }

  private func create(_ tokenizer: FTS5TokenizerDescriptor, _ db: Database) throws {
    try db.create(virtualTable: "t", using: FTS5()) { t in
      t.tokenizer = tokenizer
      t.column("x")
    }
  }

  private func marked(_ pattern: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH ? ORDER BY rowid",
      arguments: [pattern])
  }

  @Test(
    arguments: [
      (.ascii(separators: ["x"], tokenCharacters: ["-"]), "A-b xCé", "a-b cé"),
      (.unicode61(), "Café\0au lait", "cafe au lait"), (.unicode61(categories: "L*"), "a1b", "a b"),
      (.porter(), "burning cafés", "burn cafe"), (.trigram(), "Quay", "qua uay"),
      (.porter(wrapping: .ascii()), "burning É", "burn É"), (.unicode61(), "", ""),
      (Names.tokenizerDescriptor(), "The FIRST of é", "first =1st e"),
      (Names.tokenizerDescriptor(), "of", ""),
      // Synonyms pass through wrappers, ours and SQLite's.
      (Names.tokenizerDescriptor(arguments: ["names"]), "first", "first =1st =1st"),
      (.porter(wrapping: Names.tokenizerDescriptor()), "first burning", "first =1st burn"),
      (Words.tokenizerDescriptor(), "A  \0b é", "A \0b é"),
    ] as [(FTS5TokenizerDescriptor, String, String)])
  func textsAreTokenizedWithoutATable(
    descriptor: FTS5TokenizerDescriptor, text: String, expected: String
  ) throws {
    try withTokenizers { db throws in
      let tokenizer = try db.makeTokenizer(descriptor)
      let tokens = try tokenizer.tokenize(document: text)
        .map { ($0.flags == .colocated ? "=" : "") + $0.token }
      #expect(tokens == expected.split(separator: " ").map(String.init))
      #expect(
        try tokenizer.tokenize(query: text).map(\.token) == tokens.filter { !$0.hasPrefix("=") })
    }
  }

  @Test func aTableUsesATokenizerOnEachConnection() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    try withTokenizers(path) { db throws in
      try create(Names.tokenizerDescriptor(), db)
      // The last one contains bytes that are not valid UTF-8, and a NUL.
      for text in ["The first of many", "1st", "", "\0first", "many"] {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
      }
      try db.execute(sql: "INSERT INTO t VALUES (CAST(x'66697273742080c3206d616e79ff' AS TEXT))")
    }
    try withTokenizers(path) { db throws in
      #expect(try marked("\"the 1st many\"", db).first == "The [first of many]")
      #expect(try marked("1st", db).count == 4)
      #expect(try marked("first many", db).count == 2)
      try db.execute(sql: "DELETE FROM t WHERE t MATCH '1st'")
      #expect(try marked("m*", db) == ["[many]"])
      try db.checkFTS5Integrity(inTable: "t")
      // Another one of the same name is used by tables that are opened afterwards.
      db.add(tokenizer: Names.self)
      #expect(Life.alive.value == 1)
    }
  }

  @Test func aTokenizerReadsTables() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    try withTokenizers(path) { db throws in
      try db.execute(sql: "CREATE TABLE list (word); INSERT INTO list VALUES ('quay')")
      try create(Unlisted.tokenizerDescriptor(), db)
      try db.execute(sql: "INSERT INTO t VALUES ('circular quay')")
    }
    try withTokenizers(path) { db throws in
      let statement = try db.makeStatement(sql: "SELECT x FROM t WHERE t MATCH 'circular'")
      #expect(try String.fetchOne(statement) == "circular quay")
      #expect(statement.databaseRegion.description == "t(t,x)")
      #expect(try marked("quay", db) == [])
    }
  }

  @Test(arguments: [
    "beyond": (ResultCode.SQLITE_ERROR, "a token from the bytes 0 to 1048580 of a text of 6 bytes"),
    "before": (.SQLITE_ERROR, "a token from the bytes -1048576 to 4 of a text of 6 bytes"),
    "reversed": (.SQLITE_ERROR, "a token from the bytes 4 to 0 of a text of 6 bytes"),
    "negative": (.SQLITE_ERROR, "one without bytes of its own"),
    "nothing": (.SQLITE_ERROR, "one without bytes of its own"),
    "full": (.SQLITE_FULL, "The tokenizer Words failed: database or disk is full"),
    "row": (.SQLITE_ERROR, "The tokenizer Words failed"),
  ])
  func aFaultFailsTheStatement(fault: String, expected: (code: ResultCode, message: String)) throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    try withTokenizers(path) { db throws in
      try create(Words.tokenizerDescriptor(), db)
      try db.execute(sql: "INSERT INTO t VALUES ('quay a')")
      // As a later version of the program might make it.
      try db.execute(
        sql: """
          PRAGMA writable_schema = 1;
          UPDATE sqlite_schema SET sql = replace(sql, 'WORDS', 'WORDS'''' ''''\(fault)')
          """)
    }
    try withTokenizers(path) { db throws in
      for sql in ["SELECT highlight(t, 0, '', '') FROM t", "INSERT INTO t VALUES ('quay a')"] {
        let error = try databaseError { _ = try Row.fetchAll(db, sql: sql) }
        #expect(error.extendedResultCode == expected.code)
        #expect(error.message?.contains(expected.message) == true, "\(error)")
      }
      let tokenizer = try db.makeTokenizer(Words.tokenizerDescriptor(arguments: [fault]))
      let error = try databaseError { _ = try tokenizer.tokenize(document: "quay a") }
      #expect(error.message?.contains(expected.message) == true)
    }
  }

  @Test func anErrorFailsTheStatement() throws {
    try withTokenizers { db throws in
      try create(Names.tokenizerDescriptor(), db)
      try db.execute(sql: "INSERT INTO t VALUES ('wharf')")
      for sql in [
        "INSERT INTO t VALUES ('second pier')", "SELECT * FROM t WHERE t MATCH 'pier'",
        "CREATE VIRTUAL TABLE u USING fts5 (x, tokenize = 'names refuse')",
        "CREATE VIRTUAL TABLE u USING fts5 (x, tokenize = 'porter names refuse'); "
          + "INSERT INTO u VALUES ('a')",
      ] {
        let error = try databaseError { try db.execute(sql: sql) }
        #expect(error.resultCode == .SQLITE_ERROR)
        #expect(error.message == "No pier at 100%s")
      }
      // Its message is not that of a later error.
      let error = try databaseError { try db.execute(sql: "SELECT * FROM t WHERE t MATCH '\"'") }
      #expect(error.message == "unterminated string")
      try db.checkFTS5Integrity(inTable: "t")
      for descriptor in [
        Names.tokenizerDescriptor(arguments: ["refuse"]),
        Names.tokenizerDescriptor(arguments: ["names", "refuse"]),
      ] {
        let error = try databaseError { _ = try db.makeTokenizer(descriptor) }
        #expect(error.message == "No pier at 100%s")
      }
    }
  }

  /// A tokenizer may use another connection, whose error is its own.
  @Test func anErrorStaysOnItsConnection() throws {
    final class Nested: FTS5WrapperTokenizer {
      static let name = "nested"
      let wrappedTokenizer: any FTS5Tokenizer
      init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
      }
      func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
      ) throws {
        try Connection.inMemory { db in
          db.add(tokenizer: Names.self)
          try db.execute(sql: "CREATE VIRTUAL TABLE u USING fts5 (x, tokenize = 'names')")
          let error = try databaseError { try db.execute(sql: "INSERT INTO u VALUES ('pier')") }
          #expect(error.message == "No pier at 100%s")
        }
        try tokenCallback(token, flags)
      }
    }
    try withTokenizers { db throws in
      db.add(tokenizer: Nested.self)
      try create(Nested.tokenizerDescriptor(), db)
      try db.execute(sql: "INSERT INTO t VALUES ('quay')")
      let tokens = try db.makeTokenizer(Nested.tokenizerDescriptor()).tokenize(document: "quay")
      #expect(tokens.count == 1)
    }
  }

  @Test func aMissingTokenizerIsNamed() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    try withTokenizers(path) { db throws in
      try create(Names.tokenizerDescriptor(), db)
      try db.execute(sql: "INSERT INTO t VALUES ('first')")
    }
    try Connection(path).withAccess { db throws in
      for body in [
        { _ = try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH 'first'") },
        { _ = try db.makeTokenizer(Names.tokenizerDescriptor()) },
        { _ = try db.makeTokenizer(FTS5TokenizerDescriptor(components: [])) },
      ] {
        let error = try databaseError(body)
        #expect(error.message?.hasPrefix("no such tokenizer: ") == true)
        #expect(error.advice?.contains("`db.add(tokenizer:)`") == true)
      }
      // It can be added later.
      db.add(tokenizer: Names.self)
      #expect(try marked("1st", db) == ["[first]"])
    }
  }
}
