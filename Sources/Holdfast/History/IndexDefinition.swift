/// The parts of a CREATE INDEX statement that SQLite has accepted.
///
/// No pragma tells the expressions of an index; only its text does.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createindex.html>
struct IndexDefinition {
  /// What is indexed, term by term, without the order.
  let terms: [String]

  /// The condition of a partial index.
  let predicate: String?

  init(_ sql: String) {
    var terms: [[Substring]] = [[]]
    var predicate: [Substring] = []
    var depth = 0
    var isPastTerms = false
    for token in SQLTokens(sql) {
      if isPastTerms {
        predicate.append(token)
        continue
      }
      switch token {
      case "(":
        if depth > 0 { terms[terms.count - 1].append(token) }
        depth += 1
      case ")":
        depth -= 1
        if depth == 0 { isPastTerms = true } else { terms[terms.count - 1].append(token) }
      case "," where depth == 1: terms.append([])
      case _ where depth > 0: terms[terms.count - 1].append(token)
      default: break
      }
    }
    self.terms = terms.map { tokens in
      var tokens = tokens
      if let last = tokens.last?.lowercased(), ["asc", "desc"].contains(last) {
        tokens.removeLast()
      }
      return tokens.joined(separator: " ")
    }
    self.predicate =
      predicate.first?.lowercased() == "where"
      ? predicate.dropFirst().joined(separator: " ") : nil
  }
}

/// The words of a SQL text: names, numbers, texts in quotes, single characters; no comments.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/complete.html>
struct SQLTokens: Sequence, IteratorProtocol {
  private var rest: Substring.UnicodeScalarView

  init(_ sql: String) {
    rest = Substring(sql).unicodeScalars
  }

  mutating func next() -> Substring? {
    while let first = rest.first {
      if " \t\n\r\u{C}".unicodeScalars.contains(first) {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        dropComment()
      } else {
        return take(length(from: first))
      }
    }
    return nil
  }

  private mutating func dropComment() {
    rest = rest.dropFirst(2)
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
    case "[": return (rest.prefix { $0 != "]" }).count + 1
    case _ where Self.isWord(first): return rest.prefix(while: Self.isWord).count
    default:
      // Operators of several characters must not be torn.
      let operators = ["->>", "<<", ">>", "<=", ">=", "==", "!=", "<>", "||", "->"]
      return operators.first { rest.starts(with: $0.unicodeScalars) }?.unicodeScalars.count ?? 1
    }
  }

  /// A quote inside of the text is doubled, which reads as two texts side by side.
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

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    // A number's point is part of it; a name's qualification may be, because nothing looks at it.
    scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || scalar == "_" || scalar == "$" || scalar == "."
  }
}

extension Substring {
  /// The name for which a word of SQL stands, as SQLite compares names.
  var unquotedName: DatabaseIdentifier {
    guard let first = unicodeScalars.first, unicodeScalars.count > 1,
      ["\"", "`", "[", "'"].contains(first)
    else { return String(self).foldedDatabaseIdentifier }
    let inner = String(unicodeScalars.dropFirst().dropLast())
    let quote = String(first)
    return inner.replacing(quote + quote, with: quote).foldedDatabaseIdentifier
  }
}
