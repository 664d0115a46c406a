/// The tokens of a SQL text, with the same boundaries as in SQLite.
///
/// A token is a slice of the text: names, numbers, strings and blobs keep every character, and so
/// does the text between the first and the last token of a slice. White space and comments are not
/// tokens.
///
/// - SeeAlso: <https://www.sqlite.org/lang_keywords.html>, <https://www.sqlite.org/lang_expr.html>
package struct SQLTokens: Sequence, IteratorProtocol {
  // Bytes, because SQLite takes each byte beyond ASCII for a letter.
  private var rest: Substring.UTF8View

  package init(_ sql: some StringProtocol) {
    rest = Substring(sql).utf8
  }

  package mutating func next() -> Substring? {
    while let first = rest.first {
      switch first {
      case _ where Self.isSpace(first):
        rest.removeFirst()
      case 0xEF where rest.starts(with: "\u{FEFF}".utf8):
        rest = rest.dropFirst(3)
      case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8) && !rest.dropFirst(2).isEmpty:
        dropComment()
      default:
        return take(length(from: first))
      }
    }
    return nil
  }

  /// Returns the next word in capitals; `nil` at the end, and when the next token is no word.
  ///
  /// Semicolons before a word are skipped: SQLite prepares them with the statement that follows.
  package mutating func nextWord() -> String? {
    while let token = next() {
      if token == ";" { continue }
      guard token.isWord else { return nil }
      return String(
        decoding: token.utf8.map { Self.isSmallLetter($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
    return nil
  }

  /// The word with which the statement begins, in capitals.
  package var verb: String? {
    var tokens = self
    return tokens.nextWord()
  }

  /// Returns whether the text contains a word, in any letter case, outside of quotes and comments.
  ///
  /// - Parameter word: ASCII letters, all of them small.
  /// - Returns: Whether one of the tokens is the word.
  package func contains(word: String) -> Bool {
    // For letters only, a byte with this bit is that of a small letter.
    contains { token in token.utf8.elementsEqual(word.utf8) { $0 | 0x20 == $1 } }
  }

  private mutating func dropComment() {
    rest = rest.dropFirst(2)
    // A comment that nothing ends ends with the text.
    while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
    rest = rest.dropFirst(2)
  }

  private mutating func take(_ count: Int) -> Substring {
    let (start, limit) = (rest.startIndex, rest.endIndex)
    let end = rest.index(start, offsetBy: count, limitedBy: limit) ?? limit
    defer { rest = rest[end...] }
    return Substring(rest[..<end])
  }

  private func length(from first: UInt8) -> Int {
    switch Unicode.Scalar(first) {
    case "'", "\"", "`": return quotedLength(by: first)
    case "[": return rest.prefix { $0 != UInt8(ascii: "]") }.count + 1
    case "x", "X":
      let quote = UInt8(ascii: "'")
      if rest.dropFirst().first == quote {
        return 2 + rest.dropFirst(2).prefix { $0 != quote }.count + 1
      }
      return nameLength
    case "?": return 1 + rest.dropFirst().prefix(while: Self.isDigit).count
    case "$", "@", ":", "#": return namedParameterLength
    case "0"..."9": return numberLength
    case "." where rest.dropFirst().first.map(Self.isDigit) == true: return numberLength
    case _ where Self.isNamePart(first): return nameLength
    case "(", ")", ",", ".", ";", "*": return 1
    default:
      // An operator of several characters is one token.
      let operators = ["->>", "<<", ">>", "<=", ">=", "==", "!=", "<>", "||", "->"]
      return operators.first { rest.starts(with: $0.utf8) }?.utf8.count ?? 1
    }
  }

  private var nameLength: Int {
    // Nearly each token is a name, and nearly each text lies in one piece.
    unsafe rest.withContiguousStorageIfAvailable { unsafe Self.nameLength($0) }
      ?? Self.nameLength(rest)
  }

  private static func nameLength(_ bytes: some Collection<UInt8>) -> Int {
    bytes.prefix(while: isNamePart).count
  }

  /// The length of a parameter with a name: `:a`, `@a`, or as Tcl writes variables, `$a::b(c)`.
  private var namedParameterLength: Int {
    var count = 1
    var hasName = false
    var others = rest.dropFirst()
    while let byte = others.popFirst() {
      if Self.isNamePart(byte) {
        hasName = true
        count += 1
      } else if byte == UInt8(ascii: ":"), others.first == byte {
        others.removeFirst()
        count += 2
      } else if byte == UInt8(ascii: "("), hasName {
        let end = UInt8(ascii: ")")
        let inner = others.prefix { $0 != end && !Self.isSpace($0) }.count
        return count + 1 + inner + (others.dropFirst(inner).first == end ? 1 : 0)
      } else {
        break
      }
    }
    return count
  }

  /// The length of a number: `12`, `1.5`, `.5`, `1e-5`, `0x1F`, `1_000`.
  private var numberLength: Int {
    let isHexadecimal = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
    var count = 0
    var previous: Unicode.Scalar = "0"
    for byte in rest {
      let scalar = Unicode.Scalar(byte)
      // A sign belongs to the number right after its exponent's letter only.
      let isSign =
        !isHexadecimal && (scalar == "+" || scalar == "-") && (previous == "e" || previous == "E")
      guard isSign || scalar == "." || Self.isNamePart(byte) else { break }
      previous = scalar
      count += 1
    }
    return count
  }

  /// Returns the length of a quoted token, in which a doubled quote means one quote.
  private func quotedLength(by quote: UInt8) -> Int {
    var count = 1
    var others = rest.dropFirst()
    while let byte = others.popFirst() {
      count += 1
      guard byte == quote else { continue }
      guard others.first == quote else { break }
      others.removeFirst()
      count += 1
    }
    return count
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  static func isNamePart(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: byte >= 0x80
    }
  }
}

extension Substring {
  /// The name that a token of SQL represents, compared as SQLite compares names.
  package var unquotedName: DatabaseIdentifier {
    guard let quote = unicodeScalars.first, ["\"", "`", "[", "'"].contains(quote), utf8.count > 1
    else { return String(self).foldedDatabaseIdentifier }
    var inner = unicodeScalars.dropFirst().dropLast()
    var name = String.UnicodeScalarView()
    while let scalar = inner.popFirst() {
      // A doubled quote means one quote, even if a combining mark follows it.
      if scalar == quote, inner.first == quote { inner.removeFirst() }
      name.append(scalar)
    }
    return String(name).foldedDatabaseIdentifier
  }

  /// Whether a token of SQL is an unquoted name, or a keyword.
  package var isWord: Bool {
    guard let first = utf8.first else { return false }
    let isBlob = utf8.last == UInt8(ascii: "'")
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    return !isBlob && (isLetter || first == UInt8(ascii: "_") || first >= 0x80)
  }

  /// Whether a token of SQL may be a name: it is a word, or in quotes.
  package var isName: Bool {
    isWord || ["\"", "`", "["].contains(unicodeScalars.first)
  }
}

extension Substring {
  /// The name as a SQL string literal of the same characters.
  package var asString: String {
    var inner = isWord ? unicodeScalars : unicodeScalars.dropFirst().dropLast()
    let quote = isWord ? nil : unicodeScalars.first
    var string = "'"
    while let scalar = inner.popFirst() {
      // A doubled quote means one quote.
      if scalar == quote, inner.first == quote { inner.removeFirst() }
      string.unicodeScalars.append(scalar)
      if scalar == "'" { string.unicodeScalars.append(scalar) }
    }
    return string + "'"
  }
}

extension SQLTokens {
  /// Whether the statement is `PRAGMA journal_mode`, without a value, of any schema.
  var readsJournalMode: Bool {
    var tokens = self
    guard tokens.nextWord() == "PRAGMA" else { return false }
    var rest = Array(tokens)
    while rest.last == ";" { rest.removeLast() }
    // PRAGMA main.journal_mode
    if rest.count == 3, rest[1] == "." { rest.removeFirst(2) }
    return rest.count == 1 && rest[0].lowercased() == "journal_mode"
  }
}

extension String {
  /// The text without the semicolons and the white space at its beginning and its end.
  var withoutSemicolons: String {
    func isSeparator(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: ";") || byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
    guard utf8.first.map(isSeparator) == true || utf8.last.map(isSeparator) == true else {
      return self
    }
    let start = utf8.drop(while: isSeparator)
    let end = start.lastIndex { !isSeparator($0) }.map(start.index(after:)) ?? start.startIndex
    return String(self[start.startIndex..<end])
  }
}
