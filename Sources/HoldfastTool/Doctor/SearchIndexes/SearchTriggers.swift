import Holdfast

/// A full-text table whose text lies in another table, as its declaration says.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#external_content_tables>,
///   <https://www.sqlite.org/fts3.html#_external_content_fts4_tables_>
struct ExternalContentTable: Equatable, Sendable {
  enum Module: String, Sendable { case fts4, fts5 }

  /// What has the texts.
  enum ContentKind: Sendable { case table, virtualTable, view }

  var module: Module
  var name: String
  var content: String

  /// Reads a `CREATE VIRTUAL TABLE` statement; `nil` when it has no external content.
  init?(name: String, sql: String) {
    guard let declaration = VirtualTableDeclaration(sql),
      let module = Module(rawValue: declaration.module),
      let content = declaration.options["content"], !content.isEmpty
    else { return nil }
    (self.module, self.name, self.content) = (module, name, content)
  }

  /// Returns what has the texts; a table where it does not exist.
  func contentKind(_ db: Database) throws -> ContentKind {
    switch try db.tableType(content) {
    case "view": .view
    case "virtual": .virtualTable
    default: .table
    }
  }
}

/// The state of the triggers that keep a full-text table with external content current.
struct SearchTriggers: Equatable, Sendable {
  /// The changes of the content after which the index is not updated.
  var missing: [String] = []
  /// The triggers that remove a row from the index by the wrong words.
  var wrong: [String] = []
  /// Whether a row that a conflict replaces stays in the index.
  var missesReplace = false
  /// The table with the triggers; the content itself may be a view.
  var table: String?
  /// Whether `synchronize(withTable:)` of GRDB has made the triggers, which have these names.
  var areOfGRDB = false

  /// Examines the triggers.
  ///
  /// - Parameters:
  ///   - table: The full-text table.
  ///   - triggers: The triggers of the database.
  init(of table: ExternalContentTable, triggers: Triggers) {
    // The content may be a view, whose tables have the triggers.
    let relevant = triggers.touching(table.name)
    func has(_ event: String, _ effect: Trigger.Effect) -> Bool {
      relevant.contains { $0.event == event && $0.effects(on: table).contains(effect) }
    }
    if !has("INSERT", .add) { missing.append("INSERT") }
    if !has("UPDATE", .add) || !has("UPDATE", .remove) && !has("UPDATE", .removeByRow) {
      missing.append("UPDATE")
    }
    if !has("DELETE", .remove) && !has("DELETE", .removeByRow) { missing.append("DELETE") }
    // FTS5 looks the words up in the content, which has changed when the trigger runs. FTS4 does too.
    wrong = relevant.filter { !$0.isBefore && $0.effects(on: table).contains(.removeByRow) }
      .map(\.name)
    self.table = relevant.first?.tableName
    areOfGRDB =
      !relevant.isEmpty
      && relevant.allSatisfy { $0.name.utf8.starts(with: "__\(table.name)_".utf8) }
    // Room turns recursive_triggers on where it writes.
    let areOfRoom = relevant.contains { $0.name.utf8.starts(with: "room_fts_content_sync_".utf8) }
    // Without triggers there is nothing that a replaced row could miss.
    guard !missing.contains("INSERT"), !areOfRoom else { return }
    missesReplace = !Set(relevant.map(\.table)).contains { content in
      triggers.on(content).contains {
        $0.isBefore && $0.event == "INSERT" && (!$0.effects(on: table).isEmpty || $0.keepsRows)
      }
    }
  }
}

/// The triggers of a database, which may have thousands of them, and of tables.
struct Triggers {
  private var byTarget: [DatabaseIdentifier: [Trigger]] = [:]
  private var byTable: [DatabaseIdentifier: [Trigger]] = [:]

  /// Reads the statements of all triggers.
  init(_ statements: [String]) {
    for trigger in statements.compactMap(Trigger.init) {
      byTable[trigger.table, default: []].append(trigger)
      for target in trigger.targets { byTarget[target, default: []].append(trigger) }
    }
  }

  /// Returns the triggers that change a table.
  fileprivate func touching(_ table: String) -> [Trigger] {
    byTarget[table.foldedDatabaseIdentifier] ?? []
  }

  /// Returns the triggers of a table.
  fileprivate func on(_ table: DatabaseIdentifier) -> [Trigger] { byTable[table] ?? [] }
}

/// A trigger, as far as its statement shows it.
private struct Trigger {
  enum Effect { case add, remove, removeByRow }

  var name: String
  var isBefore: Bool
  /// INSERT, UPDATE or DELETE.
  var event: String
  var table: DatabaseIdentifier
  var tableName: String
  private var statements: [ArraySlice<Substring>]

  init?(_ sql: String) {
    let tokens = Array(SQLTokens(sql))
    let words = tokens.map { $0.isWord ? $0.uppercased() : String($0) }
    guard let begin = words.firstIndex(of: "BEGIN"),
      let event = words[..<begin].firstIndex(where: { ["INSERT", "UPDATE", "DELETE"].contains($0) }
      ),
      let on = words[event..<begin].firstIndex(of: "ON"), on + 1 < begin
    else { return nil }
    let start = (words[..<begin].firstIndex(of: "TRIGGER") ?? 0) + 1
    guard start < begin else { return nil }
    let nameStart = words[start] == "IF" ? start + 3 : start
    guard nameStart < begin else { return nil }
    name = tokens[nameStart].withoutQuotes
    // "If neither BEFORE nor AFTER is specified, BEFORE is the default."
    isBefore = !words[..<event].contains("AFTER")
    self.event = words[event]
    // A schema before the name, as in "ON main.book".
    let table = on + 2 < begin && words[on + 2] == "." ? on + 3 : on + 1
    (self.table, tableName) = (tokens[table].unquotedName, tokens[table].withoutQuotes)
    statements = tokens[(begin + 1)...].split(separator: ";")
  }

  /// The tables that it changes.
  var targets: Set<DatabaseIdentifier> { Set(statements.compactMap { target(of: $0) }) }

  func effects(on table: ExternalContentTable) -> [Effect] {
    statements.filter { target(of: $0) == table.name.foldedDatabaseIdentifier }.flatMap {
      statement -> [Effect] in
      switch statement.first?.uppercased() {
      case "DELETE": return [.removeByRow]
      case "UPDATE": return [.removeByRow, .add]
      case "REPLACE": return [.removeByRow, .add]
      default:
        let isCommand = statement.contains { $0.utf8.elementsEqual("'delete'".utf8) }
        return isCommand ? [.remove] : [.add]
      }
    }
  }

  /// Whether the trigger writes the rows that are about to be replaced into another table.
  var keepsRows: Bool {
    statements.contains { statement in
      ["INSERT", "REPLACE"].contains(statement.first?.uppercased())
        && statement.contains { $0.isWord && $0.uppercased() == "SELECT" }
        && statement.contains { $0.isName && $0.unquotedName == table }
    }
  }

  /// The table that a statement of the trigger changes.
  private func target(of statement: ArraySlice<Substring>) -> DatabaseIdentifier? {
    let words = Array(statement)
    switch words.first?.uppercased() {
    case "INSERT", "REPLACE", "DELETE":
      let into = words.firstIndex { ["INTO", "FROM"].contains($0.uppercased()) }
      return into.flatMap { $0 + 1 < words.count ? words[$0 + 1].unquotedName : nil }
    case "UPDATE":
      // UPDATE OR REPLACE name
      let name = words.count > 3 && words[1].uppercased() == "OR" ? 3 : 1
      return name < words.count ? words[name].unquotedName : nil
    default: return nil
    }
  }
}
