import Foundation
import Holdfast

/// `holdfast db history DB [--after TOKEN]`.
struct DatabaseHistory: Verb {
  private let database = Argument("DB", "A SQLite database with a change history.", .path)
  private let after = Option(
    "--after", "TOKEN", "Shows only changes after this token.", .token)

  var declaration: Declaration {
    Declaration(
      "history", "Lists the changed rows of each table, and their authors.", database, after)
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let path = arguments[database].relativePath
    let opened = try ReadDatabase(output.console) {
      try DatabaseQueue(readingFileAt: arguments[database])
    }
    let token = arguments[after]
    let answer = try await opened.read { queue in
      try await queue.read { db in
        guard try db.tableExists("holdfast_history") else { throw ToolError.noHistory(path) }
        return try ChangeHistory.changes(db, after: token, .everyChange)
      }
    }
    switch answer {
    case .changes(let changes, upTo: _):
      // A token is pasted after --after, and a part of a time is none.
      let layout = TextTable.Layout(identifiers: ["time", "token"])
      try output.records(of: "changes", as: layout, changes.lazy.map(OutputRecord.init(change:)))
    case .expired(let reason, startingAt: _):
      throw ToolError.historyExpired(reason, path)
    }
    return .success
  }
}

extension Reading<ChangeHistory.Token> {
  /// A token of the history.
  fileprivate static let token = Reading(expected: "a token printed by 'holdfast db history'") {
    ChangeHistory.Token($0)
  }
}

extension OutputRecord {
  /// Creates the record of a change.
  init(change: ChangeHistory.Change) {
    self = [
      "time": .text(change.time.timestamp(in: .gmt)),
      "kind": .text(change.kind.rawValue),
      "table": .text(change.table),
      "key": .record(
        OutputRecord(
          columns: OutputRecord.distinct(change.keyColumns), cells: change.key.map(Cell.init))),
      "author": Cell(change.author),
      "token": .text(change.token.description),
    ]
  }
}
