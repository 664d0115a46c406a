/// The definitions of a database's tables, indexes, views and triggers, in a form in which two schemas are
/// equal that differ only in their spelling.
///
/// The text of a definition depends on who wrote it: GRDB, another version of this library, or a
/// developer. If it alone decided, a database that GRDB has made would be taken for an outdated one. So
/// white space, comments, the quotes of names and the letter case of ASCII do not count, nor do
/// parentheses around a default value, nor the order of a table's constraints, nor what is said although it is so
/// without it: `ON CONFLICT ABORT`, and `NOT NULL` of a rowid. Earlier versions named the index of a reference
/// without `index_`.
///
/// A full-text table is compared by its definition only: what keeps it and its content table in step is
/// made with it, and differs from library to library.
struct ComparedSchema: Equatable {
  private struct Object: Hashable {
    let type: String
    let name: DatabaseIdentifier
    let table: DatabaseIdentifier
    let definition: Definition
  }

  private enum Token: Hashable {
    /// A name or a keyword.
    case name(DatabaseIdentifier)
    case other(ExactText)

    init(_ token: Substring) {
      self = token.isName ? .name(token.unquotedName) : .other(ExactText(String(token)))
    }
  }

  private let objects: Set<Object>

  /// Reads the schema of the main database, without what belongs to SQLite, GRDB and this library.
  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, sql FROM main.sqlite_schema
        WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'grdb\\_%' ESCAPE '\\'
          AND name NOT LIKE 'holdfast\\_%' ESCAPE '\\'
        """)
    let all = rows.map { row in
      let name: String = row["name"]
      let table: String = row["tbl_name"]
      let isOfReference = DatabaseIdentifier(name).hasPrefix("index_\(table)_on_".lowercased())
      return Object(
        type: row["type"],
        name: DatabaseIdentifier(isOfReference ? String(name.dropFirst("index_".count)) : name),
        table: DatabaseIdentifier(table),
        definition: Definition(row["sql"] as String? ?? "", of: name))
    }
    let parts = zip(all, rows).filter(\.0.definition.isFullText).flatMap {
      Self.partNames(ofFullTextTable: $0.1["name"])
    }
    objects = Set(all).filter { !parts.contains($0.name) }
  }

  /// Returns the names of what belongs to a full-text table: the tables of its module, and what follows
  /// another table, under the names that GRDB uses too.
  private static func partNames(ofFullTextTable name: String) -> [DatabaseIdentifier] {
    ["data", "idx", "content", "docsize", "config", "segments", "segdir", "stat"]
      .map { DatabaseIdentifier("\(name)_\($0)") }
      + ["bi", "ai", "bu", "au", "bd", "ad", "replaced"]
      .map { DatabaseIdentifier("__\(name)_\($0)") }
  }

  /// A statement that creates something.
  private struct Definition: Hashable {
    /// Whether it creates a full-text table.
    let isFullText: Bool
    /// The tokens; of a table those before its columns, of each column, and after them.
    private let parts: [[Token]]
    /// The constraints of a table, which have no order.
    private var constraints: Set<[Token]> = []

    init(_ sql: String, of name: String) {
      let tokens = Self.withoutDefaults(Array(SQLTokens(sql)))
      func isWord(_ index: Int, _ word: String) -> Bool {
        tokens.indices.contains(index) && tokens[index].uppercased() == word
      }
      let using = tokens.indices.first { isWord($0, "USING") } ?? tokens.endIndex
      isFullText =
        isWord(1, "VIRTUAL") && ["FTS3", "FTS4", "FTS5"].contains { isWord(using + 1, $0) }
      if isFullText {
        parts = Self.arguments(tokens)
      } else if isWord(1, "TABLE") {
        let items = Self.items(Self.withoutParenthesesOfDefaults(tokens))
        // A word that begins a constraint of the table; a column of such a name is in quotes.
        let words = ["CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK"]
        func isConstraint(_ item: [Substring]) -> Bool {
          item.first.map { words.contains($0.uppercased()) } ?? false
        }
        parts = items.filter { !isConstraint($0) }.map { $0.map(Token.init) }
        constraints = Set(items.filter(isConstraint).map { $0.map(Token.init) })
      } else {
        // The name is compared by itself.
        let name = Token.name(DatabaseIdentifier(name))
        parts = [tokens.map(Token.init).filter { $0 != name }]
      }
    }

    /// Returns the tokens without what says only what is so anyway.
    private static func withoutDefaults(_ tokens: [Substring]) -> [Substring] {
      var plain: [Substring] = []
      var rest = tokens[...]
      func begins(_ words: [String]) -> Bool {
        rest.count >= words.count && zip(rest, words).allSatisfy { $0.uppercased() == $1 }
      }
      func follows(_ words: [String]) -> Bool {
        plain.count >= words.count
          && zip(plain.suffix(words.count), words).allSatisfy { $0.uppercased() == $1 }
      }
      while let token = rest.first {
        if begins(["ON", "CONFLICT", "ABORT"]) {
          rest = rest.dropFirst(3)
        } else if begins(["NOT", "NULL"]),
          follows(["INTEGER", "PRIMARY", "KEY"])
            || follows(["INTEGER", "PRIMARY", "KEY", "AUTOINCREMENT"])
        {
          rest = rest.dropFirst(2)
        } else {
          plain.append(token)
          rest = rest.dropFirst()
        }
      }
      return plain
    }

    /// Returns the tokens without parentheses around a literal after `DEFAULT`.
    private static func withoutParenthesesOfDefaults(_ tokens: [Substring]) -> [Substring] {
      var plain: [Substring] = []
      var index = 0
      while index < tokens.count {
        plain.append(tokens[index])
        index += 1
        guard plain.last?.uppercased() == "DEFAULT", index < tokens.count, tokens[index] == "(",
          let end = tokens[index...].firstIndex(of: ")")
        else { continue }
        let value = tokens[index + 1..<end]
        let isNegative = value.first == "-"
        guard value.count == (isNegative ? 2 : 1), value.last?.isName == false else { continue }
        plain += value
        index = end + 1
      }
      return plain
    }

    /// Returns what is before the columns of a table, each item in its parentheses, and what is after
    /// them.
    private static func items(_ tokens: [Substring]) -> [[Substring]] {
      var items: [[Substring]] = [[]]
      var depth = 0
      for token in tokens {
        if token == "(" { depth += 1 }
        if token == ")" { depth -= 1 }
        let isBoundary =
          token == "(" && depth == 1 && items.count == 1 || token == "," && depth == 1
          || token == ")" && depth == 0
        if isBoundary { items.append([]) } else { items[items.count - 1].append(token) }
      }
      return items
    }

    /// Returns the words of a full-text table's arguments, in which quotes do not count.
    ///
    /// Nor does `remove_diacritics 2`, which this library writes where GRDB leaves SQLite's default, nor
    /// the tokenizer `unicode61` in `porter`, which is SQLite's default, nor the table that an FTS4 table
    /// follows, which here keeps its own texts.
    private static func arguments(_ tokens: [Substring]) -> [[Token]] {
      let options: [[String]] = [["remove_diacritics", "2"], ["remove_diacritics", "=", "2"]]
      return items(tokens).compactMap { argument in
        var words = argument.joined(separator: " ").lowercased()
          .filter { !"'\"`[]()".contains($0) }.replacing("=", with: " = ")
          .split(separator: " ").map(String.init)
        if words.starts(with: ["content", "="]) { return nil }
        for option in options {
          guard let start = words.indices.first(where: { words[$0...].starts(with: option) })
          else { continue }
          words.removeSubrange(start..<start + option.count)
        }
        if let porter = words.firstIndex(of: "porter"),
          words[porter...].dropFirst().first == "unicode61"
        {
          words.remove(at: porter + 1)
        }
        return words.map { .other(ExactText($0)) }
      }
    }
  }
}
