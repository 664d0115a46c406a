import Foundation

/// SQL text and its values while they are put together.
struct SQLBuilder {
  let db: Database

  /// Whether values are bound; if not, they are literals, as a schema needs them.
  let bindsValues: Bool

  /// The names of aliases, also in the queries around this one.
  let aliases: AliasNames

  /// The table to which columns without an alias belong, if it must be named.
  var columnTable: TableAliasIdentity?

  // Bytes, because a text is put together of dozens of parts, and a `String` takes each several times
  // slower.
  private var utf8: [UInt8] = []
  var values: [DatabaseValue] = []

  init(_ db: Database, bindsValues: Bool = true, aliases: AliasNames = AliasNames()) {
    self.db = db
    self.bindsValues = bindsValues
    self.aliases = aliases
    utf8.reserveCapacity(128)
  }

  /// The text without the values that are bound.
  var sql: String { String(decoding: utf8, as: UTF8.self) }

  /// The text with the values bound.
  var literal: SQL { SQL(sql: sql, arguments: StatementArguments(PackedValues(values))) }

  mutating func append(_ text: String) {
    utf8.append(contentsOf: text.utf8)
  }

  /// Removes the text.
  mutating func clear() {
    utf8.removeAll(keepingCapacity: true)
  }

  /// Appends a quoted name.
  mutating func append(name: String) {
    let quote = UInt8(ascii: "\"")
    guard !name.utf8.contains(quote) else { return append(name.quotedDatabaseIdentifier) }
    utf8.append(quote)
    append(name)
    utf8.append(quote)
  }

  mutating func append(_ value: DatabaseValue) {
    if bindsValues {
      utf8.append(UInt8(ascii: "?"))
      values.append(value)
    } else {
      append(value.sqlLiteral)
    }
  }

  /// Appends SQL with its values.
  ///
  /// Named and numbered parameters become positional ones, because other values may come before
  /// them.
  mutating func append(_ literal: SQL) throws {
    if let columnTable, literal.hasColumns {
      let prefix = aliases.name(of: columnTable).quotedDatabaseIdentifier + "."
      return try append(literal.withColumns(after: prefix))
    }
    guard !literal.hasDeferredParts else {
      return try literal.forEachPart(db, aliases, columnTable) { part in try append(part) }
    }
    let arguments = literal.arguments
    if arguments.isEmpty {
      append(literal.sql)
    } else if bindsValues, arguments.named == nil, !literal.sql.mayHaveNamedParameters {
      append(literal.sql)
      values.append(contentsOf: arguments.values)
    } else {
      try appendReplacingParameters(literal.sql, arguments)
    }
  }

  /// Appends one statement with its values, without the semicolons before it and without those and the comments at
  /// its end, so that it fits into brackets.
  mutating func append(statement literal: SQL) throws {
    let start = utf8.count
    try append(literal)
    guard utf8[start...].contains(where: { ";-/".utf8.contains($0) }) else { return }
    let text = String(decoding: utf8[start...], as: UTF8.self)
    var (begin, end) = (text.startIndex, text.startIndex)
    for token in SQLTokens(text) {
      if token != ";" {
        end = token.endIndex
      } else if end == text.startIndex {
        begin = token.endIndex
      }
    }
    utf8.removeLast(text.utf8[max(begin, end)...].count)
    utf8.removeSubrange(start..<start + text.utf8[..<begin].count)
  }

  private mutating func appendReplacingParameters(
    _ text: String, _ arguments: StatementArguments
  ) throws {
    let parameters = SQLParameters(text)
    // Numbers are the app's: one of 0 or beyond all values has no value.
    let limit = arguments.values.count + parameters.occurrences.count
    for (token, index) in parameters.occurrences where !(0..<limit).contains(index) {
      throw DatabaseError.missingArgument(String(token.dropFirst()), sql: text, path: db.path)
    }
    let values = try arguments.requiredValues(
      ofParameters: parameters.count, in: text, path: db.path, name: parameters.name)
    var start = text.startIndex
    for (token, index) in parameters.occurrences {
      utf8.append(contentsOf: text[start..<token.startIndex].utf8)
      start = token.endIndex
      append(values[index])
    }
    utf8.append(contentsOf: text[start...].utf8)
  }

  /// Appends a column with its new value.
  mutating func append(_ assignment: ColumnAssignment) throws {
    append(name: assignment.column)
    append(" = ")
    try append(assignment.value)
  }

  /// Appends the elements with a separator between them.
  mutating func append<Elements: Sequence>(
    _ elements: Elements, separator: String = ", ",
    _ body: (inout SQLBuilder, Elements.Element) throws -> Void
  ) rethrows {
    var isFirst = true
    for element in elements {
      if !isFirst { append(separator) }
      isFirst = false
      try body(&self, element)
    }
  }
}

extension String {
  /// Whether it may have a parameter with a number or a name.
  ///
  /// A character that begins one may also be part of a text.
  fileprivate var mayHaveNamedParameters: Bool {
    var isAfterMark = false
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"): return true
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isAfterMark: return true
      default: isAfterMark = byte == UInt8(ascii: "?")
      }
    }
    return false
  }
}

extension DatabaseValue {
  /// The value as a literal that can be an operand.
  var sqlLiteral: String {
    switch storage {
    // A minus could follow another one, which begins a comment.
    case .int64(let value) where value < 0: "(\(self))"
    case .double(let value) where value < 0: "(\(self))"
    // SQL text ends at its first NUL.
    case .string(let text) where text.utf8.contains(0):
      "CAST(\(DatabaseValue(storage: .blob(Data(text.utf8)))) AS TEXT)"
    default: description
    }
  }
}
