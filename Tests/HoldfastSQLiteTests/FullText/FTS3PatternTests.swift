import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS3PatternTests {
  private static let initializers: [@Sendable (String) -> FTS3Pattern?] = [
    { FTS3Pattern(matchingAllPrefixesIn: $0) }, { FTS3Pattern(matchingAllTokensIn: $0) },
    { FTS3Pattern(matchingAnyTokenIn: $0) }, { FTS3Pattern(matchingPhrase: $0) },
  ]

  /// Runs the closure with the names that FTS5's patterns find, with each tokenizer.
  private func withNames(
    _ tokenizers: [FTS3TokenizerDescriptor] = [.unicode61(), .simple],
    _ body: (Database) throws -> Void
  ) throws {
    for tokenizer in tokenizers {
      try Connection.inMemory { db in
        try db.create(virtualTable: "stop", using: FTS4()) { t in
          t.tokenizer = tokenizer
          t.column("name")
        }
        for name in FTS5PatternTests.names + ["Burning Man", "burn the man", "The Man Burning"] {
          try db.execute(sql: "INSERT INTO stop VALUES (?)", arguments: [name])
        }
        try body(db)
      }
    }
  }

  private func names(_ pattern: FTS3Pattern?, _ db: Database) throws -> [String] {
    try Table("stop").matching(pattern).select(Column("name"), as: String.self).fetchAll(db)
  }

  @Test func everyNameIsFoundByItself() throws {
    try withNames { db throws in
      for name in FTS5PatternTests.names {
        for make in Self.initializers {
          #expect(try names(make(name), db).contains(name))
        }
        // The star follows a word, whatever the word ends with.
        for word in name.split(separator: " ").map(String.init) {
          let prefixes = word.indices.map { String(word[...$0]) + "\"*:🚋" }
          for pattern in prefixes.compactMap({ FTS3Pattern(matchingAllPrefixesIn: $0) }) {
            #expect(try names(pattern, db).contains(name), "\(pattern.rawPattern)")
          }
        }
      }
    }
  }

  @Test func operatorsAreWords() throws {
    try withNames { db throws in
      let cases: [(FTS3Pattern?, [String])] = [
        (FTS3Pattern(matchingAllTokensIn: "man burn"), ["burn the man"]),
        (
          .init(matchingAllPrefixesIn: "man bur"),
          ["Burning Man", "burn the man", "The Man Burning"]
        ),
        (.init(matchingPhrase: "the man"), ["burn the man", "The Man Burning"]),
        (.init(matchingAnyTokenIn: "o'brien toronto xyz"), ["TORONTO", "O'Brien Street"]),
        (.init(matchingAllTokensIn: "circular OR toronto"), []),
        (.init(matchingAllTokensIn: "circular NOT toronto"), []),
        (
          .init(matchingAllTokensIn: "central -platform"),
          ["Central - Platform 4", "Central-Platform"]
        ),
        (.init(matchingAllTokensIn: "name:toronto"), []),
        (.init(matchingAllPrefixesIn: "^quay"), ["Circular Quay"]),
        (.init(matchingPhrase: "circ* quay"), []), (nil, []),
        (try FTS3Pattern(rawPattern: "toronto OR name:circ*"), ["Circular Quay", "TORONTO"]),
      ]
      for (pattern, expected) in cases {
        #expect(try names(pattern, db) == expected, "\(pattern?.rawPattern ?? "")")
      }
      #expect(try FTS3Pattern.fetchOne(db, sql: "SELECT '('")?.rawPattern == "(")
    }
  }

  @Test func anyTextIsAPatternOrNone() throws {
    var random = SeededRandom()
    for text in ["", " ", "\0", "-", "\"", "*^", "()", "🚋", "\u{301}"] {
      #expect(Self.initializers.allSatisfy { $0(text) == nil }, "\(text)")
    }
    try withNames([.unicode61(), .simple, .porter]) { db in
      for number in 0..<1000 {
        let count = number.isMultiple(of: 250) ? 3000 : Int.random(in: 1...20, using: &random)
        let text = (1...count)
          .map { _ in FTS5PatternTests.pieces.randomElement(using: &random) ?? "" }.joined()
        _ = try names(Self.initializers[number % 4](text), db)
      }
    }
  }

  // They are invalid with and without `SQLITE_ENABLE_FTS3_PARENTHESIS`.
  @Test(arguments: ["\"quay", "OR", "quay OR", "OR quay", "quay OR OR quay"])
  func anInvalidPatternIsRefused(rawPattern: String) throws {
    let error = try databaseError { _ = try FTS3Pattern(rawPattern: rawPattern) }
    #expect(error.message == "malformed MATCH expression: [\(rawPattern)]")
    #expect(error.resultCode == .SQLITE_ERROR)
    let nul = try databaseError { _ = try FTS3Pattern(rawPattern: rawPattern + "\0") }
    #expect(nul.message == "The full-text pattern contains a NUL character")
  }
}
