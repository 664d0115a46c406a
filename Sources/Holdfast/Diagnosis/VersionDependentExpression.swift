/// An expression in a schema whose result depends on the version of SQLite that evaluates it.
///
/// In an index, look-ups by another version miss rows and UNIQUE accepts duplicates; in a constraint, a
/// row that one version accepted is refused by another. A real number as text has 15 digits up to
/// SQLite 3.51.2 and 17 from 3.53.0, `round()` differs between 3.40.1 and 3.51.2, dates have more formats and
/// modifiers from 3.42 to 3.46, `->> '0'` finds an element of an array up to 3.45, and functions such as `sin()`
/// are those of the C library.
///
/// - SeeAlso: <https://www.sqlite.org/deterministic.html>, <https://www.sqlite.org/floatingpoint.html>,
///   <https://www.sqlite.org/lang_datefunc.html>
package struct VersionDependentExpression: Hashable, Sendable, CustomStringConvertible {
  /// The place of the expression in the schema.
  package enum Place: Hashable, Sendable {
    case index(String)
    case check
    case generatedColumn(String)
  }

  package let table: String
  package let place: Place

  /// The part that depends on the version, such as `round()`.
  package let cause: String

  /// The expression and the cause, without a period.
  package var description: String { "\(subject) depends on SQLite's version: it \(cause)" }

  /// The name of the place: "The index 'i' of 't'".
  package var subject: String {
    switch place {
    case .index(let name): "the index '\(name)' of '\(table)'"
    case .check: "a CHECK of '\(table)'"
    case .generatedColumn(let name): "the generated column '\(name)' of '\(table)'"
    }
  }
}

extension Database {
  /// Returns the indexes, CHECK constraints and generated columns of the main database whose results
  /// depend on SQLite's version.
  ///
  /// Columns that are declared for real numbers count as such, and others if a real number is stored in
  /// them, which is looked up only where an expression makes text of one.
  ///
  /// - Returns: The expressions, in the order of the schema.
  /// - Throws: ``DatabaseError`` when the schema or a table cannot be read.
  package func versionDependentExpressions() throws -> [VersionDependentExpression] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT type, name, tbl_name, sql FROM main.sqlite_schema
        WHERE sql IS NOT NULL AND (type = 'index' OR type = 'table' AND rootpage > 0) ORDER BY rowid
        """)
    let columns = ColumnLookup(self)
    return try rows.flatMap { row -> [VersionDependentExpression] in
      let table: String = try row.decode(forColumn: "tbl_name")
      let name: String = try row.decode(forColumn: "name")
      let sql: String = try row.decode(forColumn: "sql")
      let isIndex = try row.decode(String.self, forColumn: "type") == "index"
      let tokens = Array(SQLTokens(sql))
      let expressions =
        isIndex ? SchemaExpression.ofIndex(name, tokens) : SchemaExpression.ofTable(tokens)
      return try expressions.compactMap { expression in
        let isReal = { name in try columns.holdsRealNumbers(name, of: table) }
        var cause = try expression.cause(isReal: isReal)
        if cause == nil, case .generatedColumn(let column) = expression.place,
          try columns.storesText(column.foldedDatabaseIdentifier, of: table)
        {
          cause = try expression.causeInColumnForText(isReal: isReal)
        }
        return cause.map {
          VersionDependentExpression(table: table, place: expression.place, cause: $0)
        }
      }
    }
  }
}

/// The affinities of columns, and whether they hold real numbers, each looked up once.
private final class ColumnLookup {
  private let db: Database
  private var affinities: [String: [DatabaseIdentifier: ColumnAffinity]] = [:]
  private var realNumbers: [String: [DatabaseIdentifier: Bool]] = [:]

  init(_ db: Database) { self.db = db }

  private func affinities(of table: String) throws -> [DatabaseIdentifier: ColumnAffinity] {
    if let known = affinities[table] { return known }
    var found: [DatabaseIdentifier: ColumnAffinity] = [:]
    let columns = try Row.fetchAll(
      db, sql: "SELECT name, type FROM pragma_table_xinfo(?)", arguments: [table])
    for row in columns {
      let name: String = try row.decode(atIndex: 0)
      found[name.foldedDatabaseIdentifier] = ColumnAffinity(
        type: try row.decode(String?.self, atIndex: 1) ?? "")
    }
    affinities[table] = found
    return found
  }

  /// Whether a column stores numbers as text.
  func storesText(_ name: DatabaseIdentifier, of table: String) throws -> Bool {
    try affinities(of: table)[name] == .text
  }

  /// Whether a name belongs to a column with real numbers.
  func holdsRealNumbers(_ name: DatabaseIdentifier, of table: String) throws -> Bool {
    if let known = realNumbers[table]?[name] { return known }
    let answer = try findRealNumbers(name, of: table)
    realNumbers[table, default: [:]][name] = answer
    return answer
  }

  private func findRealNumbers(_ name: DatabaseIdentifier, of table: String) throws -> Bool {
    switch try affinities(of: table)[name] {
    case .real: return true
    // It stores a real number as the text that it was when it was stored.
    case nil, .text: return false
    case .integer, .numeric, .blob: break
    }
    do {
      return try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM main.\(table.quotedDatabaseIdentifier)
          WHERE typeof(\(name.text.quotedDatabaseIdentifier)) = 'real')
          """) ?? false
    } catch ResultCode.SQLITE_ERROR {
      // A generated column needs a function that is not there.
      return false
    }
  }
}

/// The tokens of an expression in a schema.
struct SchemaExpression {
  var place: VersionDependentExpression.Place
  var tokens: ArraySlice<Substring>

  /// The names in it, also those of functions.
  var names: [DatabaseIdentifier] { tokens.filter(\.isName).map(\.unquotedName) }

  /// Whether functions and operators compute it, which another version or another build of SQLite may do otherwise.
  ///
  /// A text as a real number differs in its last digit too, and so does the second of a time with a fraction.
  var isComputed: Bool {
    tokens.indices.dropFirst().contains { index in
      ["||", "->", "->>"].contains(tokens[index])
        || ["LIKE", "GLOB", "REGEXP", "MATCH"].contains(tokens[index].uppercased())
        || tokens[index] == "(" && tokens[index - 1].isName
          && !Self.operators.contains(tokens[index - 1].lowercased())
    }
  }

  /// The indexed expressions, and the condition of a partial index.
  static func ofIndex(_ name: String, _ tokens: [Substring]) -> [SchemaExpression] {
    guard let start = tokens.firstIndex(of: "(") else { return [] }
    return [SchemaExpression(place: .index(name), tokens: tokens[start...])]
  }

  /// The CHECK constraints and the generated columns of a table.
  static func ofTable(_ tokens: [Substring]) -> [SchemaExpression] {
    guard let start = tokens.firstIndex(of: "(") else { return [] }
    var expressions: [SchemaExpression] = []
    var column = ""
    var isFirst = true
    var index = start + 1
    while index < tokens.endIndex, tokens[index] != ")" {
      if isFirst { column = tokens[index].unquotedText }
      isFirst = tokens[index] == ","
      guard index + 1 < tokens.endIndex, tokens[index + 1] == "(" else {
        index += 1
        continue
      }
      let group = tokens[...].group(from: index + 1)
      switch tokens[index].uppercased() {
      case "CHECK": expressions.append(SchemaExpression(place: .check, tokens: group))
      case "AS":
        expressions.append(SchemaExpression(place: .generatedColumn(column), tokens: group))
      default: break
      }
      index = group.endIndex
    }
    return expressions
  }

  /// The C library's, whose last digit differs.
  private static let mathematics: Set<String> = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "exp", "ln", "log",
    "log10", "log2", "pow", "power", "sin", "sinh", "tan", "tanh",
  ]

  /// Functions that read their arguments as text.
  private static let textFunctions: Set<String> = [
    "concat", "concat_ws", "format", "glob", "hex", "instr", "json", "json_array", "json_extract",
    "json_insert", "json_object", "json_quote", "json_replace", "json_set", "jsonb", "jsonb_array",
    "jsonb_extract", "jsonb_insert", "jsonb_object", "jsonb_replace", "jsonb_set", "length", "like",
    "lower", "ltrim", "printf", "quote", "replace", "rtrim", "substr", "substring", "trim",
    "unicode",
    "upper",
  ]

  /// Returns what of the expression depends on the version of SQLite; `nil` when nothing does.
  func cause(isReal: (DatabaseIdentifier) throws -> Bool) rethrows -> String? {
    // Each call is looked through up to its end. SQLite itself refuses an expression of this length.
    guard tokens.count <= 10_000 else { return nil }
    for index in tokens.indices {
      let word = tokens[index].lowercased()
      if tokens[index].isWord, index + 1 < tokens.endIndex, tokens[index + 1] == "(",
        !["like", "glob"].contains(word) || index == tokens.startIndex
          || ["(", ","].contains(tokens[index - 1])
      {
        if word == "round" || Self.mathematics.contains(word) { return "calls \(word)()" }
        let arguments = tokens.group(from: index + 1)
        if let text = Self.newDateText(in: arguments, of: word) {
          return "calls \(word)() with \(text)"
        }
        let makesText =
          Self.textFunctions.contains(word) || word == "cast" && Self.isText(castTo: arguments)
        if makesText, let number = try Self.realNumber(in: arguments, isReal) {
          return "makes text of the real number \(number)"
        }
      } else if ["||", "->", "->>", "like", "glob"].contains(word) {
        if word.hasPrefix("->"), let element = Self.element(in: tokens[(index + 1)...]) {
          return "looks up \(element) by \(word)"
        }
        for operand in [tokens.operand(before: index), tokens.operand(after: index)] {
          if let number = try Self.realNumber(in: operand, isReal) {
            return "makes text of the real number \(number)"
          }
        }
      }
    }
    return nil
  }

  private static let dateFunctions: Set = [
    "date", "datetime", "julianday", "strftime", "time", "unixepoch",
  ]
  /// Modifiers of dates that earlier versions answer with NULL: from 3.42, and from 3.46.
  private static let newModifiers: Set = ["subsec", "subsecond", "floor", "ceiling"]
  /// Letters of formats of dates that earlier versions answer with NULL: from 3.44, and from 3.46.
  private static let newFormats = Set("eFIklpPRTugGUV".utf8)

  /// Returns an argument of a function of dates for which earlier versions return NULL; `nil` when there is none.
  private static func newDateText(
    in arguments: ArraySlice<Substring>, of function: String
  ) -> Substring? {
    guard dateFunctions.contains(function) else { return nil }
    for token in arguments where token.utf8.first == UInt8(ascii: "'") {
      let text = Array(token.utf8.dropFirst().dropLast())
      if newModifiers.contains(String(decoding: text, as: UTF8.self).lowercased())
        || isDateShift(text) || function == "strftime" && hasNewFormat(text)
      {
        return token
      }
    }
    return nil
  }

  /// Whether a modifier shifts a date by years, months and days, as from 3.43.
  private static func isDateShift(_ text: [UInt8]) -> Bool {
    let sign = [UInt8(ascii: "+"), UInt8(ascii: "-")]
    return text.count > 10 && sign.contains(text[0]) && text[5] == UInt8(ascii: "-")
      && text[8] == UInt8(ascii: "-")
  }

  private static func hasNewFormat(_ text: [UInt8]) -> Bool {
    var isMark = false
    for byte in text {
      if isMark, newFormats.contains(byte) { return true }
      // Two of them are a percent sign.
      isMark = !isMark && byte == UInt8(ascii: "%")
    }
    return false
  }

  /// Returns the element of an array that tokens after `->` or `->>` look up and some versions do not find: a
  /// number as text up to 3.45, and one below zero from 3.47; `nil` for all else.
  private static func element(in tokens: ArraySlice<Substring>) -> String? {
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard let first = tokens.first else { return nil }
    if first == "-", let number = tokens.dropFirst().first, isNumber(number) { return "-\(number)" }
    return first.utf8.first == UInt8(ascii: "'") && isNumber(first.dropFirst().dropLast())
      ? String(first) : nil
  }

  /// Returns what of an expression depends on the version where its result becomes text by the type of the
  /// column that stores it; `nil` when nothing does, or the result may be none of the numbers in it.
  func causeInColumnForText(isReal: (DatabaseIdentifier) throws -> Bool) rethrows -> String? {
    let isNumber = tokens.indices.allSatisfy { index in
      let isCall = index + 1 < tokens.endIndex && tokens[index + 1] == "("
      return isCall && tokens[index].isWord
        ? Self.numberFunctions.contains(tokens[index].lowercased())
        : tokens[index].isName
          || tokens[index].utf8.first.map { (0x30...0x39).contains($0) } == true
          || ["(", ")", ",", "+", "-", "*", "/"].contains(tokens[index])
    }
    guard isNumber, let number = try Self.realNumber(in: tokens, isReal) else { return nil }
    return "stores the real number \(number) as text"
  }

  /// Functions that return one of their arguments.
  private static let numberFunctions: Set = ["abs", "coalesce", "ifnull", "max", "min", "nullif"]

  /// Words before an expression in parentheses that are no functions.
  private static let operators: Set = [
    "and", "between", "case", "else", "in", "is", "not", "or", "then", "when", "where",
  ]

  private static func isText(castTo group: ArraySlice<Substring>) -> Bool {
    let type = group.suffix { $0.uppercased() != "AS" }.joined(separator: " ").uppercased()
    return ["CHAR", "CLOB", "TEXT", "BLOB"].contains { type.contains($0) }
  }

  private static func realNumber(
    in operand: ArraySlice<Substring>, _ isReal: (DatabaseIdentifier) throws -> Bool
  ) rethrows -> Substring? {
    let computes = operand.contains { ["+", "-", "*", "/", "%"].contains($0) }
    var index = operand.startIndex
    while index < operand.endIndex {
      let token = operand[index]
      // A condition decides what is returned, and is not returned itself.
      if let end = operand.endOfCondition(from: index) {
        index = end
        continue
      }
      let isCall = index + 1 < operand.endIndex && operand[index + 1] == "("
      if isCall, token.isWord {
        let group = operand.group(from: index + 1)
        switch token.lowercased() {
        case "cast":
          let type = group.suffix { $0.uppercased() != "AS" }.joined(separator: " ").uppercased()
          if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return token }
          // As a whole number its text is the same in every version.
          if type.contains("INT") {
            index = group.endIndex
            continue
          }
        case "julianday": return token
        case "if", "iif":
          index = group.endOfFirstArgument
          continue
        case let name where numberFunctions.contains(name) || operators.contains(name): break
        default:
          // The result is something else than the arguments, such as a length or a date.
          index = group.endIndex
          continue
        }
      }
      let isNumber = token.utf8.first.map { (0x30...0x39).contains($0) } == true
      // Every version writes so many digits alike, unless something is computed with them.
      let isShort = token.utf8.count { (0x30...0x39).contains($0) } <= 15
      if isNumber, token.isReal, !isShort || computes { return token }
      if !isCall, token.isName, try isReal(token.unquotedName) { return token }
      index += 1
    }
    return nil
  }
}

extension Substring {
  /// Whether a number has a point or an exponent.
  fileprivate var isReal: Bool {
    !lowercased().hasPrefix("0x") && contains { ".eE".contains($0) }
  }

  /// The name without quotes, in its letter case.
  fileprivate var unquotedText: String {
    guard let first, "\"`[".contains(first), count > 1 else { return String(self) }
    return String(dropFirst().dropLast())
  }
}

extension ArraySlice<Substring> {
  /// The tokens after the last one that fulfills no condition.
  fileprivate func suffix(while condition: (Substring) -> Bool) -> ArraySlice<Substring> {
    guard let last = lastIndex(where: { !condition($0) }) else { return self }
    return self[(last + 1)...]
  }

  /// Returns a group in parentheses, both included; up to the end when it is not closed.
  fileprivate func group(from start: Int) -> ArraySlice<Substring> {
    var depth = 0
    for index in self[start...].indices {
      if self[index] == "(" { depth += 1 }
      if self[index] == ")" { depth -= 1 }
      if depth == 0 { return self[start...index] }
    }
    return self[start...]
  }

  /// The place after the first argument of a call, whose arguments these are.
  fileprivate var endOfFirstArgument: Int {
    var depth = 0
    for index in indices {
      if self[index] == "(" { depth += 1 }
      if self[index] == ")" { depth -= 1 }
      if depth == 1, self[index] == "," { return index }
    }
    return endIndex
  }

  /// Returns the place after the operand of a CASE, or after the condition of a WHEN; `nil` elsewhere.
  fileprivate func endOfCondition(from start: Int) -> Int? {
    let ends = ["CASE": "WHEN", "WHEN": "THEN"]
    guard let end = ends[self[start].uppercased()] else { return nil }
    var depth = 0
    for index in self[(start + 1)...].indices {
      let word = self[index].uppercased()
      if depth == 0, word == end { return index }
      if word == "CASE" { depth += 1 }
      if word == "END" { depth -= 1 }
    }
    return endIndex
  }

  fileprivate func operand(after index: Int) -> ArraySlice<Substring> {
    var start = index + 1
    while start < endIndex, ["-", "+"].contains(self[start]) { start += 1 }
    guard start < endIndex else { return [] }
    if self[start] == "(" { return group(from: start) }
    if self[start].uppercased() == "CASE" {
      var depth = 0
      for place in self[start...].indices {
        if self[place].uppercased() == "CASE" { depth += 1 }
        if self[place].uppercased() == "END" { depth -= 1 }
        if depth == 0 { return self[start...place] }
      }
    }
    guard start + 1 < endIndex, self[start + 1] == "(" else { return self[start...start] }
    return self[start..<group(from: start + 1).endIndex]
  }

  fileprivate func operand(before index: Int) -> ArraySlice<Substring> {
    guard index > startIndex else { return [] }
    let ends = [")": "(", "END": "CASE"]
    guard let end = ends.keys.first(where: { $0 == self[index - 1].uppercased() }) else {
      return self[(index - 1)..<index]
    }
    var depth = 0
    for start in self[..<index].indices.reversed() {
      if self[start].uppercased() == end { depth += 1 }
      if self[start].uppercased() == ends[end] { depth -= 1 }
      guard depth == 0 else { continue }
      let isCall = start > startIndex && self[start - 1].isName
      return self[(isCall ? start - 1 : start)..<index]
    }
    return self[..<index]
  }
}
