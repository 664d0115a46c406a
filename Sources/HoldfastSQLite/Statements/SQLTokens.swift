/// The tokens of a SQL text, with the same boundaries as in SQLite.
///
/// A token is a slice of the text: names, numbers, strings and blobs keep every character, and so
/// does the text between the first and the last token of a slice. White space and comments are not
/// tokens.
///
/// - SeeAlso: <https://www.sqlite.org/lang_keywords.html>, <https://www.sqlite.org/lang_expr.html>
package struct SQLTokens: Sequence, IteratorProtocol {
  private var rest: Substring.UnicodeScalarView

  package init(_ sql: some StringProtocol) {
    rest = Substring(sql).unicodeScalars
  }

  package mutating func next() -> Substring? {
    while let first = rest.first {
      if " \t\n\r\u{C}\u{FEFF}".unicodeScalars.contains(first) {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars), rest.count > 2 {
        dropComment()
      } else {
        return take(length(from: first))
      }
    }
    return nil
  }

  private mutating func dropComment() {
    rest = rest.dropFirst(2)
    // A comment that nothing ends ends with the text.
    while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
    rest = rest.dropFirst(2)
  }

  private mutating func take(_ count: Int) -> Substring {
    defer { rest = rest.dropFirst(count) }
    return Substring(rest.prefix(count))
  }

  private func length(from first: Unicode.Scalar) -> Int {
    switch first {
    case "'", "\"", "`": return quotedLength(by: first)
    case "[": return rest.prefix { $0 != "]" }.count + 1
    case "x", "X":
      if rest.dropFirst().first == "'" {
        return 2 + rest.dropFirst(2).prefix { $0 != "'" }.count + 1
      }
      return nameLength
    case "?", "$", "@", ":", "#": return 1 + rest.dropFirst().prefix(while: Self.isNamePart).count
    case "0"..."9": return numberLength
    case "." where rest.dropFirst().first.map(Self.isDigit) == true: return numberLength
    case _ where Self.isNamePart(first): return nameLength
    default:
      // An operator of several characters is one token.
      let operators = ["->>", "<<", ">>", "<=", ">=", "==", "!=", "<>", "||", "->"]
      return operators.first { rest.starts(with: $0.unicodeScalars) }?.unicodeScalars.count ?? 1
    }
  }

  private var nameLength: Int { rest.prefix(while: Self.isNamePart).count }

  /// The length of a number: `12`, `1.5`, `.5`, `1e-5`, `0x1F`, `1_000`.
  private var numberLength: Int {
    let isHexadecimal =
      rest.starts(with: "0x".unicodeScalars) || rest.starts(with: "0X".unicodeScalars)
    var count = 0
    var previous: Unicode.Scalar = "0"
    for scalar in rest {
      // A sign belongs to the number right after its exponent's letter only.
      let isSign =
        !isHexadecimal && (scalar == "+" || scalar == "-") && (previous == "e" || previous == "E")
      guard isSign || scalar == "." || Self.isNamePart(scalar) else { break }
      previous = scalar
      count += 1
    }
    return count
  }

  /// Returns the length of a quoted token, in which a doubled quote means one quote.
  private func quotedLength(by quote: Unicode.Scalar) -> Int {
    var count = 1
    var others = rest.dropFirst()
    while let scalar = others.popFirst() {
      count += 1
      guard scalar == quote else { continue }
      guard others.first == quote else { break }
      others.removeFirst()
      count += 1
    }
    return count
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    // SQLite takes every character beyond ASCII for a letter.
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value >= 0x80
    }
  }
}

extension Substring {
  /// The name that a token of SQL represents, compared as SQLite compares names.
  package var unquotedName: DatabaseIdentifier {
    guard let quote = unicodeScalars.first, unicodeScalars.count > 1,
      ["\"", "`", "[", "'"].contains(quote)
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
    guard let first = unicodeScalars.first else { return false }
    let isBlob = unicodeScalars.last == "'"
    return !isBlob && (first.properties.isAlphabetic || first == "_" || first.value >= 0x80)
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
