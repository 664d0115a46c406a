import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS5PatternTokensTests {
  static let names = [
    "Burning Man", "burn the man", "Man", "Mandala", "The Man Burning", "O'Brien",
  ]

  private func matches(_ pattern: FTS5Pattern?) throws -> [String] {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE words USING fts5 (name, kind)")
      for name in Self.names {
        try db.execute(sql: "INSERT INTO words VALUES (?, 'place')", arguments: [name])
      }
      return try String.fetchAll(
        db, sql: "SELECT name FROM words WHERE words MATCH ? ORDER BY rowid", arguments: [pattern])
    }
  }

  // IB-B20: the whole input was one phrase, so "man burn" found nothing.
  @Test func wordsMatchInAnyOrderAndByPrefix() throws {
    #expect(
      try matches(FTS5Pattern(matchingAllPrefixesIn: "man burn"))
        == ["Burning Man", "burn the man", "The Man Burning"])
    #expect(try matches(FTS5Pattern(matchingAllTokensIn: "man burn")) == ["burn the man"])
    #expect(
      try matches(FTS5Pattern(matchingAllTokensIn: "MAN burning"))
        == ["Burning Man", "The Man Burning"])
  }

  @Test func anySingleWordMatches() throws {
    #expect(
      try matches(FTS5Pattern(matchingAnyTokenIn: "mandala brien xyz")) == ["Mandala", "O'Brien"])
    #expect(try matches(FTS5Pattern(matchingAnyTokenIn: "o'brien")) == ["O'Brien"])
  }

  @Test func aPhraseKeepsItsOrder() throws {
    #expect(try matches(FTS5Pattern(matchingPhrase: "man burning")) == ["The Man Burning"])
    #expect(
      try matches(FTS5Pattern(matchingPhrase: "the man")) == ["burn the man", "The Man Burning"])
    #expect(try matches(FTS5Pattern(matchingPrefixPhrase: "the man")) == ["The Man Burning"])
    #expect(try matches(FTS5Pattern(matchingPrefixPhrase: "man")) == ["Man"])
  }

  @Test(arguments: ["", " ", "\0", "-", "\"", "*", "()", "🚋"])
  func textWithoutAWordHasNoPattern(text: String) {
    #expect(FTS5Pattern(matchingAllTokensIn: text) == nil)
    #expect(FTS5Pattern(matchingAnyTokenIn: text) == nil)
    #expect(FTS5Pattern(matchingPhrase: text) == nil)
    #expect(FTS5Pattern(matchingPrefixPhrase: text) == nil)
  }

  @Test(arguments: [
    "OR", "a OR", "NEAR(a b)", "\"", "a\"b", "name:x", "{a b}:c", "^a", "-a", "a*", "a + b", "a\0b",
    "a\"\u{301}b", "(", "AND NOT", "'", "\u{1A}x",
  ])
  func noTextCausesAnError(text: String) throws {
    for pattern in [
      FTS5Pattern(matchingAllTokensIn: text), FTS5Pattern(matchingAnyTokenIn: text),
      FTS5Pattern(matchingPhrase: text), FTS5Pattern(matchingPrefixPhrase: text),
    ] where pattern != nil {
      _ = try matches(pattern)
    }
  }

  @Test func aRawPatternIsValidated() throws {
    for pattern in ["man", "man OR burn*", "NEAR(man burning, 3)", "\"the man\" NOT burn", "^man"] {
      #expect(try FTS5Pattern(rawPattern: pattern).rawPattern == pattern)
    }
    #expect(
      try matches(FTS5Pattern(rawPattern: "man NOT (the OR burning)")) == ["Man"])
    for pattern in ["", "man AND", "\"", "(", "NEAR(", "*", "a b:c", "name: man", "-name: man"] {
      let error = try databaseError { _ = try FTS5Pattern(rawPattern: pattern) }
      #expect(error.resultCode == .SQLITE_ERROR, "\(pattern)")
    }
    let error = try databaseError { _ = try FTS5Pattern(rawPattern: "a\0b") }
    #expect(error.message == "The full-text pattern contains a NUL character")
  }

  @Test func aRawPatternCanNameTheAllowedColumns() throws {
    let pattern = try FTS5Pattern(rawPattern: "name : man", allowedColumns: ["name", "kind"])
    #expect(try matches(pattern).count == 4)
    #expect(throws: DatabaseError.self) {
      try FTS5Pattern(rawPattern: "other : man", allowedColumns: ["name"])
    }
  }

  @Test func aRawPatternIsCheckedAgainstItsTable() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE words USING fts5 (name, kind)")
      #expect(
        try db.makeFTS5Pattern(rawPattern: "kind : x", forTable: "words").rawPattern == "kind : x")
      #expect(throws: DatabaseError.self) {
        try db.makeFTS5Pattern(rawPattern: "other : x", forTable: "words")
      }
      let error = try databaseError {
        _ = try db.makeFTS5Pattern(rawPattern: "x", forTable: "missing")
      }
      #expect(error.message == "no such table: missing")
    }
  }
}
