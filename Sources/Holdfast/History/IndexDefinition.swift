/// The parts of a CREATE INDEX statement that SQLite has accepted.
///
/// No pragma returns the expressions of an index; only its text contains them. Each part is a slice
/// of the text.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createindex.html>
struct IndexDefinition {
  /// The indexed terms, with the order if it is given.
  let terms: [Substring]

  /// The condition of a partial index.
  let predicate: Substring?

  init(_ sql: String) {
    var terms: [Substring?] = [nil]
    var predicate: Substring?
    var depth = 0
    var isPastTerms = false
    func extend(_ slice: inout Substring?, by token: Substring) {
      slice = sql[(slice?.startIndex ?? token.startIndex)..<token.endIndex]
    }
    for token in SQLTokens(sql) {
      if isPastTerms {
        let isKeyword = predicate == nil && token.lowercased() == "where"
        if isKeyword {
          predicate = sql[token.endIndex..<token.endIndex]
        } else if predicate?.isEmpty == true {
          predicate = token
        } else {
          extend(&predicate, by: token)
        }
        continue
      }
      if token == ")" { depth -= 1 }
      if token == ")" && depth == 0 {
        isPastTerms = true
      } else if token == "," && depth == 1 {
        terms.append(nil)
      } else if depth > 0 {
        extend(&terms[terms.count - 1], by: token)
      }
      if token == "(" { depth += 1 }
    }
    self.terms = terms.map { $0 ?? "" }
    self.predicate = predicate
  }

  /// Returns a term without the order that may follow it.
  ///
  /// `ASC` and `DESC` may also be names, where no order is allowed.
  ///
  /// - Parameters:
  ///   - index: The position of the term.
  ///   - isDescending: Whether the index is in descending order there.
  /// - Returns: The expression in SQL; `nil` when the index has fewer terms.
  func expression(_ index: Int, isDescending: Bool) -> Substring? {
    guard terms.indices.contains(index) else { return nil }
    let tokens = Array(SQLTokens(terms[index]))
    guard let last = tokens.last?.lowercased(), let beforeLast = tokens.dropLast().last else {
      return terms[index]
    }
    let hasOrder =
      switch last {
      case "desc": isDescending
      case "asc": !Self.demandsOperand(beforeLast)
      default: false
      }
    return hasOrder ? terms[index][..<beforeLast.endIndex] : terms[index]
  }

  /// Returns whether an operand must follow a token.
  private static func demandsOperand(_ token: Substring) -> Bool {
    guard token.isWord else {
      let first = token.unicodeScalars.first ?? " "
      return "+-*/%<>=!|&~,(.".unicodeScalars.contains(first) && !token.isNumber
    }
    return [
      "collate", "not", "and", "or", "is", "like", "glob", "regexp", "match", "between", "escape",
      "in", "case", "when", "then", "else", "from",
    ].contains(token.lowercased())
  }
}

extension Substring {
  /// Whether an SQL token is a number.
  fileprivate var isNumber: Bool {
    unicodeScalars.contains { ("0"..."9").contains($0) }
  }
}
