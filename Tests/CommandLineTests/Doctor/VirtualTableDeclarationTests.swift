import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct VirtualTableDeclarationTests {
  private let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  private func declaration(_ arguments: String) throws -> VirtualTableDeclaration {
    try #require(VirtualTableDeclaration("CREATE VIRTUAL TABLE t USING \(arguments)"))
  }

  /// FTS5 reads one word, in any quotes, and of a name as much as there is.
  @Test(
    arguments: [
      ("content=book", "book"), ("content = 'book'", "book"), ("c=\"book\"", "book"),
      ("CONT=`book`", "book"), ("content=[a book]", "a book"), ("content='it''s'", "it's"),
      ("content=", ""), ("content=``", ""), ("content_=id", nil), ("content UNINDEXED", nil),
      ("'content=book'", nil),
    ] as [(String, String?)]) func theContentOfFTS5IsFound(argument: String, content: String?)
    throws
  {
    #expect(try declaration("fts5(text, \(argument))").options["content"] == content)
  }

  /// FTS4 reads a text, which may begin with spaces.
  @Test(arguments: [
    ("content=book", "book"), ("content='book'", "book"), ("CONTENT=\"book\"", "book"),
    ("content= book", " book"), ("content='book' of mine", "book"),
    ("content=book of mine", "book of mine"), ("content=", ""), ("content='it''s'", "it's"),
  ]) func theContentOfFTS4IsFound(argument: String, content: String) throws {
    #expect(try declaration("fts4(text, \(argument))").options["content"] == content)
  }

  @Test(
    arguments: [
      ("tokenize=porter", ["porter"]), ("tokenize porter", ["porter"]),
      ("tokenize 'porter'", ["porter"]), ("TOKENIZE = [porter]", ["porter"]),
      (
        "tokenize unicode61 \"remove_diacritics=2\" 'tokenchars=-'",
        ["unicode61", "remove_diacritics=2", "tokenchars=-"]
      ),
      ("tokenize=porter, tokenize=simple", ["porter"]), ("tokenize", []), ("tokenizer porter", []),
    ] as [(String, [String])]) func theTokenizerOfFTS3IsFound(argument: String, words: [String])
    throws
  {
    #expect(try declaration("fts3(text, \(argument))").tokenizer == words)
    #expect(try declaration("FTS4(text, \(argument))").tokenizer == words)
  }

  @Test func eachColumnWithoutWordsIsFound() throws {
    let found = try declaration("fts4(a, b, notindexed=a, notindexed=\"b\")")
    #expect(found.unindexed == ["a", "b"])
  }

  // MARK: - The check

  private func problems(_ sql: String) throws -> [String] {
    try copy.database("Documents/a.sqlite") { db in try db.execute(sql: sql) }
    let file = copy.url("Documents/a.sqlite").path(percentEncoded: false)
    let answer = try ToolProcess.run("db", "check", file, "--json").objects.first
    #expect(answer?["warnings"] as? [String] == [])
    return try #require(answer?["problems"] as? [String])
  }

  /// The older form of the option; that tokenizer finds no word in a text of punctuation.
  @Test func aTokenizerWithoutAnEqualsSignIsUsed() throws {
    #expect(
      try problems(
        """
        CREATE TABLE book (text);
        CREATE VIRTUAL TABLE t USING fts4(text, content=book, tokenize unicode61);
        INSERT INTO book (rowid, text) VALUES (1, 'harbour'), (2, '«»');
        INSERT INTO t (docid, text) VALUES (1, 'harbour')
        """) == [])
  }

  @Test(arguments: [
    ("content= book", "no such table: main. book"),
    ("content=book, languageid=language", "no such column: language"),
  ]) func aTableThatCannotReadItsTextsIsAProblem(options: String, reason: String) throws {
    let sentence = "The full-text table 't' cannot read its texts: "
    #expect(
      try problems(
        "CREATE TABLE book (text); CREATE VIRTUAL TABLE t USING fts4(text, \(options))")
        == [sentence + reason])
  }
}
