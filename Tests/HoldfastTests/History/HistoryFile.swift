import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// A database with tables that have a change history.
struct HistoryFile: Sendable {
  let folder: TemporaryDirectory
  let pool: DatabasePool

  var path: String { folder.file("t.db").path }

  /// Creates the tables and installs the history for some of them.
  init(_ sql: String, tables: [String] = ["t"], author: String? = nil) throws {
    folder = try TemporaryDirectory()
    pool = try Self.open(folder.file("t.db").path, author: author)
    try pool.blockingWrite { db in
      try db.execute(sql: sql)
      try ChangeHistory.install(on: db, tables: tables)
    }
  }

  static func open(_ path: String, author: String? = nil) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.historyAuthor = author
    return try DatabasePool(path: path, configuration: configuration)
  }

  func token() throws -> ChangeHistory.Token {
    try pool.blockingRead { db in try ChangeHistory.currentToken(db) }
  }

  func write(_ sql: String) throws {
    try pool.blockingWrite { db in try db.execute(sql: sql) }
  }

  /// Returns the history's result.
  func answer(
    after token: ChangeHistory.Token?, _ detail: ChangeHistory.Detail = .rows,
    excluding author: String? = nil
  ) throws -> ChangeHistory.Answer {
    try pool.blockingRead { db in
      try ChangeHistory.changes(db, after: token, detail, excluding: author)
    }
  }

  /// Returns the changes after a token; an expired token is a failure.
  func changes(
    after token: ChangeHistory.Token? = nil, _ detail: ChangeHistory.Detail = .rows,
    excluding author: String? = nil
  ) throws -> [ChangeHistory.Change] {
    try answer(after: token, detail, excluding: author).changes
  }

  /// Returns the changes in short form: `insert t 1`.
  func lines(
    after token: ChangeHistory.Token? = nil, _ detail: ChangeHistory.Detail = .rows
  ) throws -> [String] {
    try changes(after: token, detail).map(\.line)
  }
}

extension ChangeHistory.Answer {
  var changes: [ChangeHistory.Change] {
    get throws {
      guard case .changes(let changes, upTo: _) = self else {
        throw Expired(answer: self)
      }
      return changes
    }
  }

  var expiration: ChangeHistory.Expiration? {
    guard case .expired(let reason, startingAt: _) = self else { return nil }
    return reason
  }

  /// The token for the next request.
  var next: ChangeHistory.Token {
    switch self {
    case .changes(_, upTo: let token), .expired(_, startingAt: let token): token
    }
  }

  struct Expired: Error {
    var answer: ChangeHistory.Answer
  }
}

extension ChangeHistory.Change {
  var line: String {
    "\(kind.rawValue) \(table) \(key.map(\.description).joined(separator: ","))"
  }
}
