import HoldfastSQLite
import Testing

struct SQLTokensTests {
  @Test(arguments: [
    ("x'00' X'fF' x", ["x'00'", "X'fF'", "x"]),
    (
      "1e-5 1E+5 .5 1. 0x1F+1 0xE-1 1-1",
      ["1e-5", "1E+5", ".5", "1.", "0x1F", "+", "1", "0xE", "-", "1", "1", "-", "1"]
    ),
    ("'it''s' \"a\"\"b\" `c``d` [e \" f]", ["'it''s'", "\"a\"\"b\"", "`c``d`", "[e \" f]"]),
    ("a->b->>'$' a- > b", ["a", "->", "b", "->>", "'$'", "a", "-", ">", "b"]),
    ("a--x\nb/* ( */c/d*e /* open", ["a", "b", "c", "/", "d", "*", "e"]),
    (
      "a<=b<>c!=d==e||f<<g>>h&~i",
      [
        "a", "<=", "b", "<>", "c", "!=", "d", "==", "e", "||", "f", "<<", "g", ">>", "h", "&", "~",
        "i",
      ]
    ),
    ("?12 :a @b $c t.a", ["?12", ":a", "@b", "$c", "t", ".", "a"]),
    ("?AND ?1OR ??:a:b", ["?", "AND", "?1", "OR", "?", "?", ":a", ":b"]),
    ("$a::b(c)d #a @a(b c", ["$a::b(c)", "d", "#a", "@a(b", "c"]),
    ("\u{FEFF}a\u{B}\u{C}b\u{FEFF} /*", ["a", "b\u{FEFF}", "/", "*"]),
    ("cafe\u{301} '\u{301}'(\u{301}", ["cafe\u{301}", "'\u{301}'", "(", "\u{301}"]),
  ])
  func tokensEndWhereSQLiteEndsThem(sql: String, tokens: [String]) {
    #expect(SQLTokens(sql).map { Array($0.utf8) } == tokens.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("commit", "COMMIT"), ("/* x */ COMMIT", "COMMIT"), ("-- x\n;;\u{FEFF} Commit;", "COMMIT"),
    ("COMM\u{131}T", "COMM\u{131}T"), ("_t", "_T"), ("'COMMIT'", nil), ("(COMMIT)", nil),
    ("/* COMMIT", nil), ("", nil), ("EXPLAIN COMMIT", "EXPLAIN"),
  ])
  func aStatementBeginsWithItsVerb(sql: String, verb: String?) {
    #expect(SQLTokens(sql).verb == verb)
  }

  @Test(arguments: [
    ("UPDATE OR REPLACE t SET a = 1", true), ("UPDATE OR/**/RePlace t SET a = 1", true),
    ("UPDATE t SET a = replace(a, 'x', 'y')", true),
    ("UPDATE t SET a = 'OR REPLACE'", false), ("UPDATE t SET \"replace\" = 1", false),
    ("UPDATE t SET a = 1 -- OR REPLACE", false), ("UPDATE t /* OR REPLACE */ SET a = 1", false),
    ("UPDATE replaced SET replac = x'00'", false), ("", false),
  ])
  func aWordIsFoundOutsideOfQuotesAndComments(sql: String, contains: Bool) {
    #expect(SQLTokens(sql).contains(word: "replace") == contains)
  }

  @Test func wordsEndWhereSomethingElseComes() {
    var tokens = SQLTokens("rollback--\ntransaction/**/to 1 x")
    let words = (0..<4).map { _ in tokens.nextWord() }
    #expect(words == ["ROLLBACK", "TRANSACTION", "TO", nil])
  }

  @Test func namesAndStringsLoseTheirQuotes() {
    #expect(SQLTokens("\"A\"\"b\" `c` [D e] f").map(\.unquotedName) == ["a\"b", "c", "d e", "f"])
    #expect(SQLTokens("\"it's\"\"\" word").map(\.asString) == ["'it''s\"'", "'word'"])
  }
}
