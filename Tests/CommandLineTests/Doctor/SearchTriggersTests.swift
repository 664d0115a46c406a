import Testing

@testable import HoldfastTool

@Suite struct SearchTriggersTests {
  private let table = ExternalContentTable(
    name: "book_ft",
    sql: "CREATE VIRTUAL TABLE book_ft USING fts5(title, content='book', content_rowid='id')")

  private static let insert =
    "CREATE TRIGGER ai AFTER INSERT ON book BEGIN INSERT INTO book_ft(rowid, title) VALUES (new.id, new.title); END"
  private static let delete = """
    CREATE TRIGGER ad AFTER DELETE ON "book" BEGIN
      INSERT INTO book_ft(book_ft, rowid, title) VALUES('delete', old.id, old.title);
    END
    """
  private static let update = """
    CREATE TRIGGER IF NOT EXISTS au AFTER UPDATE OF title ON main.book BEGIN
      INSERT INTO book_ft(book_ft, rowid, title) VALUES('delete', old.id, old.title);
      INSERT INTO book_ft(rowid, title) VALUES (new.id, new.title);
    END
    """

  private func triggers(_ sql: String...) throws -> SearchTriggers {
    SearchTriggers(of: try #require(table), triggers: Triggers(sql))
  }

  @Test func aDeclarationHasItsContent() throws {
    #expect(table?.content == "book")
    #expect(table?.module == .fts5)
    let fts4 = ExternalContentTable(
      name: "x", sql: "create virtual table x using FTS4 (content=\"a b\", title, tokenize=porter)")
    #expect(fts4?.content == "a b")
    let marked = ExternalContentTable(
      name: "x", sql: "create virtual table x using fts5(title, content='a''\u{301}b')")
    #expect(marked?.content.unicodeScalars.elementsEqual("a'\u{301}b".unicodeScalars) == true)
    for sql in [
      "CREATE VIRTUAL TABLE x USING fts5(title)",
      "CREATE VIRTUAL TABLE x USING fts5(title, content='')",
      "CREATE VIRTUAL TABLE x USING rtree(id, a, b)", "CREATE TABLE x (a)", "nonsense",
    ] {
      #expect(ExternalContentTable(name: "x", sql: sql) == nil, "\(sql)")
    }
  }

  @Test func theDocumentedTriggersMissOnlyReplace() throws {
    let found = try triggers(Self.insert, Self.delete, Self.update)
    #expect(found.missing == [])
    #expect(found.wrong == [])
    #expect(found.missesReplace)
  }

  @Test func aTriggerBeforeInsertRemovesWhatIsReplaced() throws {
    let before = """
      CREATE TRIGGER bi BEFORE INSERT ON book BEGIN
        INSERT INTO book_ft(book_ft, rowid, title) SELECT 'delete', id, title FROM book WHERE id = new.id;
      END
      """
    #expect(try !triggers(Self.insert, Self.delete, Self.update, before).missesReplace)
  }

  /// Room makes them, and turns recursive_triggers on in each connection that writes.
  @Test func theTriggersOfRoomMissNothing() throws {
    let table = try #require(
      ExternalContentTable(
        name: "book_ft", sql: "CREATE VIRTUAL TABLE book_ft USING fts4(title, content=book)"))
    for (name, missesReplace) in [("sync_", true), ("room_fts_content_sync_book_ft_", false)] {
      let events = ["BEFORE UPDATE", "BEFORE DELETE", "AFTER UPDATE", "AFTER INSERT"]
      let triggers = events.enumerated().map { number, event in
        let change =
          event.hasPrefix("BEFORE")
          ? "DELETE FROM book_ft WHERE docid = old.rowid"
          : "INSERT INTO book_ft (docid, title) VALUES (new.rowid, new.title)"
        return "CREATE TRIGGER \(name)\(number) \(event) ON book BEGIN \(change); END"
      }
      let found = SearchTriggers(of: table, triggers: Triggers(triggers))
      #expect(found.missing == [] && found.wrong == [])
      #expect(found.missesReplace == missesReplace)
    }
  }

  @Test func missingTriggersAreNamed() throws {
    #expect(try triggers().missing == ["INSERT", "UPDATE", "DELETE"])
    #expect(try !triggers().missesReplace)
    #expect(try triggers(Self.insert, Self.update).missing == ["DELETE"])
    let other = "CREATE TRIGGER o AFTER DELETE ON book BEGIN DELETE FROM log; END"
    #expect(try triggers(Self.insert, Self.update, other).missing == ["DELETE"])
  }

  /// The words are looked up in the content, which has changed by then.
  @Test func aPlainDeleteAfterTheChangeIsWrong() throws {
    let plain =
      "CREATE TRIGGER ad AFTER DELETE ON book BEGIN DELETE FROM book_ft WHERE rowid = old.id; END"
    let found = try triggers(Self.insert, Self.update, plain)
    #expect(found.wrong == ["ad"])
    #expect(found.missing == [])
    let before = plain.replacing("AFTER", with: "BEFORE")
    #expect(try triggers(Self.insert, Self.update, before).wrong == [])
    // Without a word, a trigger runs before.
    let silent = plain.replacing("AFTER ", with: "")
    #expect(try triggers(Self.insert, Self.update, silent).wrong == [])
  }

  /// Only a damaged or hostile schema has such a text.
  @Test(arguments: [
    "CREATE INSERT ON x BEGIN TRIGGER", "CREATE TRIGGER IF INSERT ON x BEGIN",
    "TRIGGER INSERT ON x BEGIN IF",
  ])
  func aTextThatIsNoTriggerIsIgnored(sql: String) throws {
    #expect(try triggers(sql).missing == ["INSERT", "UPDATE", "DELETE"])
  }
}
