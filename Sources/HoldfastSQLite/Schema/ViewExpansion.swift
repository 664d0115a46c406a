/// The number of statements that the views and triggers of a schema become when SQLite prepares them.
///
/// SQLite puts the statement of a view in place of each mention of it: thirty views that mention the one before
/// twice become a thousand million. That is before anything runs, so no limit of steps ends it. Common table
/// expressions of a single view are counted too, but SQLite puts them in place even where views are forbidden.
struct ViewExpansion {
  /// More statements than any view has that is made to be read.
  static let most = 50_000
  /// Views that mention one another through more of them count as endless.
  private static let deepest = 500

  /// A view or a trigger of a schema.
  struct Object {
    var name: String
    var sql: String
    var isTrigger = false
  }

  /// A view or a trigger, or a common table expression in one, by the place of its body: several may have the
  /// same name.
  private struct Part: Hashable {
    var name: DatabaseIdentifier
    var isTrigger = false
    var expression: Int?
  }

  /// The mentions of other parts in each part.
  private var mentions: [Part: [Part]] = [:]

  /// Whether one of the views becomes more statements than any that is made to be read.
  private(set) var hasEndlessViews = false
  /// Whether one of the triggers does.
  private(set) var hasEndlessTriggers = false

  /// Reads the statements of all views and triggers.
  init(_ objects: [Object]) {
    guard Self.mayBeEndless(objects) else { return }
    let views = Set(objects.filter { !$0.isTrigger }.map(\.name.foldedDatabaseIdentifier))
    for object in objects {
      let part = Part(name: object.name.foldedDatabaseIdentifier, isTrigger: object.isTrigger)
      read(Array(SQLTokens(object.sql)), of: part, among: views)
    }
    var sizes: [Part: Size] = [:]
    for part in mentions.keys where size(of: part, &sizes, depth: 0).count > Self.most {
      if part.isTrigger { hasEndlessTriggers = true } else { hasEndlessViews = true }
    }
    mentions = [:]
  }

  /// Returns whether views or triggers may become too many statements; to count these takes much longer.
  ///
  /// Without common table expressions none becomes more than the product of all of them, each counted as one more
  /// than the words in it that are names of others. Nearly each schema has far fewer.
  private static func mayBeEndless(_ objects: [Object]) -> Bool {
    let views = objects.filter { !$0.isTrigger }.map { SQLWords.hash($0.name) }
    let names = Set(views.compactMap(\.self))
    // A name in quotes, or one with the hash of another, is not found.
    guard names.count == views.count else { return true }
    var product = 1
    for object in objects {
      let own = object.isTrigger ? nil : SQLWords.hash(object.name)
      var factor = 1
      for word in SQLWords(object.sql) {
        if word.hash == with { return true }
        // Before a period it is no view.
        if names.contains(word.hash), word.hash != own, !word.isBeforePeriod { factor += 1 }
      }
      product *= factor
      guard product <= most else { return true }
    }
    return false
  }

  private static let with = SQLWords.hash("with")

  private mutating func read(
    _ tokens: [Substring], of object: Part, among views: Set<DatabaseIdentifier>
  ) {
    let expressions = Self.expressions(in: tokens)
    let places = Self.tables(in: tokens)
    guard !expressions.isEmpty else {
      let others = places.map { tokens[$0].unquotedName }.filter(views.contains)
      mentions[object, default: []] += others.map { Part(name: $0) }
      return
    }
    let named = Set(places)
    let byGroup = Dictionary(grouping: expressions, by: \.group)
    let bodies = Set(expressions.map(\.body))
    // The expressions that can be named, the innermost last; the open groups; and the open bodies.
    var visible: [DatabaseIdentifier: [Int]] = [:]
    var (groups, open) = ([-1], [Int]())
    for outer in byGroup[-1] ?? [] { visible[outer.name, default: []].append(outer.body) }
    for (index, token) in tokens.enumerated() {
      if token == "(" {
        groups.append(index)
        if bodies.contains(index) { open.append(index) }
        for inner in byGroup[index] ?? [] { visible[inner.name, default: []].append(inner.body) }
      } else if token == ")", groups.count > 1 {
        let group = groups.removeLast()
        if open.last == group { open.removeLast() }
        for inner in byGroup[group] ?? [] { visible[inner.name]?.removeLast() }
      }
      guard named.contains(index) else { continue }
      let name = token.unquotedName
      // With its schema it is a view.
      let isQualified = index > 0 && tokens[index - 1] == "."
      let expression = isQualified ? nil : visible[name]?.last
      // Its own name in it is a recursion, which runs step by step.
      guard expression != nil ? expression != open.last : views.contains(name) else { continue }
      var (place, mentioned) = (object, Part(name: name))
      place.expression = open.last
      if let expression {
        mentioned = object
        mentioned.expression = expression
      }
      mentions[place, default: []].append(mentioned)
    }
  }

  /// The words after which a statement names no more tables.
  private static let endsOfTables: Set = [
    "SELECT", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "EXCEPT",
    "INTERSECT",
  ]

  /// Returns the places where a statement names a table: after FROM, JOIN and IN, and after commas between them.
  static func tables(in tokens: [Substring]) -> [Int] {
    var places: [Int] = []
    // Whether tables are named in each open group, and whether one comes next.
    var areTables = [false]
    var isNext = false
    for (index, token) in tokens.enumerated() {
      // The words that matter have at most nine letters.
      let word = token.isWord && token.utf8.count < 10 ? token.uppercased() : String(token)
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
      // Common table expressions, or the next statement of a trigger.
      case "WITH", ";":
        areTables[areTables.count - 1] = false
        isNext = false
      case _ where (5..<10).contains(token.utf8.count) && endsOfTables.contains(word):
        areTables[areTables.count - 1] = false
        isNext = false
      default:
        // SQLite takes a string for a name here.
        if isNext, token.isName || token.first == "'" { places.append(index) }
        isNext = false
      }
    }
    return places
  }

  /// Returns the common table expressions of a statement, with the places of their bodies and of the groups in
  /// which they can be named; -1 for the statement itself.
  private static func expressions(
    in tokens: [Substring]
  ) -> [(name: DatabaseIdentifier, body: Int, group: Int)] {
    let candidates = tokens.indices.filter { index in
      tokens[index].utf8.count == 2 && tokens[index].uppercased() == "AS"
        && index + 1 < tokens.endIndex && mayBeginBody(tokens[index + 1])
    }
    // Most views have none.
    guard !candidates.isEmpty else { return [] }
    var (ends, outer): ([Int: Int], [Int: Int]) = ([:], [:])
    var starts: [Int: Int] = [:]
    var groups: [Int] = []
    for index in tokens.indices {
      if tokens[index] == "(" {
        outer[index] = groups.last ?? -1
        groups.append(index)
      }
      if tokens[index] == ")", let start = groups.popLast() {
        (ends[start], starts[index]) = (index, start)
      }
    }
    return candidates.compactMap { candidate in
      // Its name, and the names of its columns, come first.
      let name = (starts[candidate - 1] ?? candidate) - 1
      guard name >= 0, tokens[name].isName || tokens[name].first == "'" else { return nil }
      var index = candidate + 1
      while index < tokens.endIndex, ["NOT", "MATERIALIZED"].contains(tokens[index].uppercased()) {
        index += 1
      }
      // A window has no statement.
      guard ends[index] != nil, let group = outer[index],
        ["SELECT", "VALUES", "WITH"].contains(tokens[index + 1].uppercased())
      else { return nil }
      return (tokens[name].unquotedName, index, group)
    }
  }

  /// Whether the body of a common table expression may begin with a token.
  private static func mayBeginBody(_ token: Substring) -> Bool {
    switch token.utf8.count {
    case 1: token == "("
    case 3, 12: ["NOT", "MATERIALIZED"].contains(token.uppercased())
    default: false
    }
  }

  /// The number of statements of a part, and of the parts in a row that mention one another.
  private struct Size {
    var count = 1
    var height = 1
  }

  /// Returns the size of a part; the count is one more than ``most`` where it is too large or too deep.
  private func size(of part: Part, _ sizes: inout [Part: Size], depth: Int) -> Size {
    if let known = sizes[part] { return known }
    guard depth < Self.deepest else { return Size(count: Self.most + 1) }
    // SQLite refuses views that mention each other in a circle.
    sizes[part] = Size()
    var size = Size()
    for other in mentions[part] ?? [] where size.count <= Self.most {
      let inner = self.size(of: other, &sizes, depth: depth + 1)
      size.count += inner.count
      size.height = max(size.height, inner.height + 1)
    }
    // However many of them were known before.
    size.count = size.height > Self.deepest ? Self.most + 1 : min(size.count, Self.most + 1)
    sizes[part] = size
    return size
  }
}

extension Database {
  /// Whether one of the file's views is made to be prepared for ever.
  package var hasEndlessViews: Bool { viewExpansion?.hasEndlessViews ?? false }

  /// Whether one of the file's triggers is, and with it each statement that changes its table.
  package var hasEndlessTriggers: Bool { viewExpansion?.hasEndlessTriggers ?? false }

  private var viewExpansion: ViewExpansion? {
    do {
      return try cached { db in
        let rows = try Row.fetchAll(
          db,
          sql: """
            SELECT ifnull(name, ''), sql, type = 'trigger' FROM main.sqlite_schema
            WHERE type IN ('view', 'trigger') AND sql IS NOT NULL
            """)
        return ViewExpansion(
          try rows.map {
            ViewExpansion.Object(
              name: try $0.decode(String.self, atIndex: 0),
              sql: try $0.decode(String.self, atIndex: 1),
              isTrigger: try $0.decode(Bool.self, atIndex: 2))
          })
      }
    } catch {
      // A schema that cannot be read is reported when it is used.
      return nil
    }
  }
}
