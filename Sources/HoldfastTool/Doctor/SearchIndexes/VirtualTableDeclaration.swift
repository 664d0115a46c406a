import Holdfast

/// The module and the options of a virtual table.
struct VirtualTableDeclaration: Equatable, Sendable {
  /// The module, in lowercase.
  var module: String
  /// The values of options such as `content = "book"`, by lowercase name, without quotes.
  private(set) var options: [String: String] = [:]
  /// The tokenizer of an FTS4 or FTS3 table with its arguments, without quotes; empty for the default one.
  private(set) var tokenizer: [String] = []
  /// The columns of an FTS4 table of which no word is in the index, each from an option of its own.
  private(set) var unindexed: [String] = []

  /// The names of FTS5's options, in the order in which it compares them with one of which only the beginning is
  /// there.
  ///
  /// - SeeAlso: `fts5ConfigParseSpecial` in SQLite's `fts5_config.c`.
  private static let optionsOfFTS5 = [
    "prefix", "tokenize", "content", "contentless_delete", "contentless_unindexed", "content_rowid",
    "columnsize", "locale", "detail", "tokendata",
  ]

  init?(_ sql: String) {
    var tokens = Array(SQLTokens(sql))[...]
    guard let using = tokens.firstIndex(where: { $0.isWord && $0.uppercased() == "USING" }),
      using + 1 < tokens.endIndex
    else { return nil }
    module = tokens[using + 1].withoutQuotes.lowercased()
    tokens = tokens[(using + 2)...].dropFirst().dropLast()
    for argument in tokens.split(separator: ",") where argument.count > 1 {
      if ["fts3", "fts4"].contains(module) {
        addOfFTS4(argument, sql)
      } else if argument.dropFirst().first == "=" {
        let name = argument.first?.lowercased() ?? ""
        let known = module == "fts5" ? Self.optionsOfFTS5.first { $0.hasPrefix(name) } : nil
        options[known ?? name] = argument.dropFirst(2).map(\.withoutQuotes).joined(separator: " ")
      }
    }
  }

  /// Adds an argument of FTS4 or FTS3, which read its text and not its tokens.
  ///
  /// - SeeAlso: `fts3InitVtab` and `fts3IsSpecialColumn` in SQLite's `fts3.c`.
  private mutating func addOfFTS4(_ argument: ArraySlice<Substring>, _ sql: String) {
    guard let name = argument.first?.lowercased(), let last = argument.last else { return }
    let rest = argument.dropFirst()
    if name == "tokenize" {
      // "tokenize porter" is the older form. Of several the first counts.
      guard tokenizer.isEmpty else { return }
      tokenizer = rest.filter { $0 != "=" }.map(\.withoutQuotes)
    } else if rest.first == "=", let equals = rest.first {
      // What no quote begins is the rest of the text, with the spaces before it.
      var value = String(sql[equals.endIndex..<last.endIndex])
      if let first = rest.dropFirst().first, first.isQuoted, first.startIndex == equals.endIndex {
        value = first.withoutQuotes
      }
      options[name] = value
      if name == "notindexed" { unindexed.append(value) }
    }
  }
}

extension Substring {
  /// Whether a token of SQL is a name or a string in quotes.
  fileprivate var isQuoted: Bool {
    unicodeScalars.count > 1 && ["\"", "`", "[", "'"].contains(unicodeScalars.first)
  }

  /// The name or the string that a token of SQL represents, with its case.
  var withoutQuotes: String {
    guard isQuoted, let quote = unicodeScalars.first else { return String(self) }
    let inner = unicodeScalars.dropFirst().dropLast()
    guard quote != "[" else { return String(String.UnicodeScalarView(inner)) }
    // Of two quotes the first is left out, also where a combining mark follows them.
    var text = String.UnicodeScalarView()
    var isSecond = false
    for scalar in inner {
      isSecond = scalar == quote && !isSecond
      if !isSecond { text.append(scalar) }
    }
    return String(text)
  }
}
