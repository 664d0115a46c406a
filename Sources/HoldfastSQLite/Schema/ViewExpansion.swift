/// The number of statements that the views of a schema become when SQLite prepares them.
///
/// SQLite puts the statement of a view in place of each mention of it: thirty views that mention the one before
/// twice become a thousand million. That is before anything runs, so no limit of steps ends it. Common table
/// expressions of a single view are counted too, but SQLite puts them in place even where views are forbidden.
struct ViewExpansion {
  /// More statements than any view has that is made to be read.
  static let most = 50_000
  /// Views that mention one another through more of them count as endless.
  private static let deepest = 200

  /// A view, or a common table expression in one.
  private struct Part: Hashable {
    var view: DatabaseIdentifier
    var expression: DatabaseIdentifier?
  }

  /// The mentions of other parts in each part.
  private var mentions: [Part: [Part]] = [:]

  /// Reads the statements of all views.
  init(_ views: [(name: String, sql: String)]) {
    let names = Set(views.map(\.name.foldedDatabaseIdentifier))
    for view in views {
      read(Array(SQLTokens(view.sql)), of: view.name.foldedDatabaseIdentifier, among: names)
    }
  }

  private mutating func read(
    _ tokens: [Substring], of view: DatabaseIdentifier, among views: Set<DatabaseIdentifier>
  ) {
    let expressions = Self.expressions(in: tokens)
    let known = Set(expressions.map(\.name))
    var open: [(name: DatabaseIdentifier, end: Int)] = []
    var next = 0
    for index in Self.tables(in: tokens) {
      while next < expressions.count, expressions[next].body.lowerBound < index {
        open.append((expressions[next].name, expressions[next].body.upperBound))
        next += 1
      }
      open.removeAll { $0.end < index }
      let name = tokens[index].unquotedName
      // Its own name in it is a recursion, which runs step by step.
      guard name != open.last?.name, known.contains(name) || views.contains(name) else { continue }
      mentions[Part(view: view, expression: open.last?.name), default: []].append(
        known.contains(name) ? Part(view: view, expression: name) : Part(view: name))
    }
  }

  /// The words after which a statement names no more tables.
  private static let endsOfTables: Set = [
    "SELECT", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "EXCEPT",
    "INTERSECT",
  ]

  /// Returns the places where a statement names a table: after FROM, JOIN and IN, and after commas between them.
  private static func tables(in tokens: [Substring]) -> [Int] {
    var places: [Int] = []
    // Whether tables are named in each open group, and whether one comes next.
    var areTables = [false]
    var isNext = false
    for (index, token) in tokens.enumerated() {
      let word = token.isWord ? token.uppercased() : String(token)
      switch word {
      case "FROM", "JOIN", "IN":
        isNext = true
        if word != "IN" { areTables[areTables.count - 1] = true }
      case "(":
        // After IN it is a list of values, or a statement of its own.
        isNext = isNext && index > 0 && tokens[index - 1].uppercased() != "IN"
        areTables.append(isNext)
      case ")":
        if areTables.count > 1 { areTables.removeLast() }
        isNext = false
      case ",": isNext = areTables.last == true
      case ".": isNext = index > 0 && places.last == index - 1
      case _ where endsOfTables.contains(word):
        areTables[areTables.count - 1] = false
        isNext = false
      default:
        if isNext, token.isName { places.append(index) }
        isNext = false
      }
    }
    return places
  }

  /// Returns the common table expressions of a statement with the places of their bodies.
  private static func expressions(
    in tokens: [Substring]
  ) -> [(name: DatabaseIdentifier, body: Range<Int>)] {
    var ends: [Int: Int] = [:]
    var groups: [Int] = []
    for index in tokens.indices {
      if tokens[index] == "(" { groups.append(index) }
      if tokens[index] == ")", let start = groups.popLast() { ends[start] = index }
    }
    return tokens.indices.compactMap { start in
      guard tokens[start].isName else { return nil }
      var index = start + 1
      if let end = ends[index] { index = end + 1 }
      guard index < tokens.endIndex, tokens[index].uppercased() == "AS" else { return nil }
      index += 1
      while index < tokens.endIndex, ["NOT", "MATERIALIZED"].contains(tokens[index].uppercased()) {
        index += 1
      }
      return ends[index].map { (tokens[start].unquotedName, index..<$0) }
    }
  }

  /// Whether one of the views becomes more statements than any that is made to be read.
  var isEndless: Bool {
    var counts: [Part: Int] = [:]
    return mentions.keys.contains { count(of: $0, &counts, depth: 0) > Self.most }
  }

  /// Returns the number of statements of a part, or one more than ``most``.
  private func count(of part: Part, _ counts: inout [Part: Int], depth: Int) -> Int {
    if let known = counts[part] { return known }
    guard depth < Self.deepest else { return Self.most + 1 }
    // SQLite refuses views that mention each other in a circle.
    counts[part] = 1
    var count = 1
    for other in mentions[part] ?? [] where count <= Self.most {
      count += self.count(of: other, &counts, depth: depth + 1)
    }
    count = min(count, Self.most + 1)
    counts[part] = count
    return count
  }
}

extension Database {
  /// Whether one of the file's views is made to be prepared for ever.
  var hasEndlessViews: Bool {
    do {
      let views = try Row.fetchAll(
        self,
        sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' AND sql IS NOT NULL"
      ).map {
        (name: try $0.decode(String.self, atIndex: 0), sql: try $0.decode(String.self, atIndex: 1))
      }
      return ViewExpansion(views).isEndless
    } catch {
      // A schema that cannot be read is reported when it is used.
      return false
    }
  }
}
