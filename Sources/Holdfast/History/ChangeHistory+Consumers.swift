public import Foundation

extension ChangeHistory {
  /// A reader of the history whose position the database stores.
  public struct Consumer: Hashable, Sendable {
    /// The name, unique in the database.
    public let name: String

    /// The token up to which it has seen the changes.
    public let token: Token

    /// The time when it was last moved, by the clock of the process that moved it.
    public let time: Date
  }

  /// Returns all consumers, in the order of their names.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func consumers(_ db: Database) throws -> [Consumer] {
    guard try HistoryStore.exists(db) else { throw DatabaseError.noHistory(path: db.path) }
    return try Row.fetchAll(
      db, sql: "SELECT name, token, time FROM main.holdfast_history_consumers ORDER BY name"
    ).compactMap { row in
      Token(row[1] as String).map {
        Consumer(
          name: row[0], token: $0,
          time: Date(timeIntervalSince1970: Double(row[2] as Int64) / 1000))
      }
    }
  }

  /// Records that a consumer has seen all changes up to a token; adds the consumer if it is new.
  ///
  /// From then on ``purge(_:olderThan:)`` keeps the later changes, until it is moved or dropped.
  ///
  /// - Parameters:
  ///   - name: The consumer's name, such as the name of its process.
  ///   - token: The token up to which it has seen the changes.
  ///   - db: A connection that may write.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func moveConsumer(_ name: String, to token: Token, _ db: Database) throws {
    guard try HistoryStore.exists(db) else { throw DatabaseError.noHistory(path: db.path) }
    try db.execute(
      sql: """
        INSERT INTO main.holdfast_history_consumers (name, token, time)
        VALUES (?, ?, \(HistoryStore.now))
        ON CONFLICT DO UPDATE SET token = excluded.token, time = excluded.time
        """, arguments: [name, token.description])
  }

  /// Returns the token of a consumer.
  ///
  /// - Parameters:
  ///   - name: The consumer's name.
  ///   - db: A connection.
  /// - Returns: The token up to which it has seen the changes; `nil` when there is no such
  ///   consumer.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func token(ofConsumer name: String, _ db: Database) throws -> Token? {
    try consumers(db).first { $0.name.hasSameBytes(as: name) }?.token
  }

  /// Removes a consumer, so that the history no longer keeps changes for it.
  ///
  /// - Parameters:
  ///   - name: The consumer's name; an unknown one is ignored.
  ///   - db: A connection that may write.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func dropConsumer(_ name: String, _ db: Database) throws {
    guard try HistoryStore.exists(db) else { throw DatabaseError.noHistory(path: db.path) }
    try db.execute(
      sql: "DELETE FROM main.holdfast_history_consumers WHERE name = ?", arguments: [name])
  }

  /// Removes the consumers that were not moved since a date.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - db: A connection that may write.
  /// - Returns: The names of the removed consumers.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  @discardableResult
  public static func dropConsumers(unusedSince date: Date, _ db: Database) throws -> [String] {
    let unused = try consumers(db).filter { $0.time < date }.map(\.name)
    for name in unused { try dropConsumer(name, db) }
    return unused
  }

  /// Removes the changes that every consumer has seen.
  ///
  /// Tokens older than the last removed change expire. Without consumers, all changes are removed.
  ///
  /// - Parameters:
  ///   - db: A connection that may write.
  ///   - date: Changes made at or after this date are kept too; `nil` sets no such limit.
  /// - Returns: The number of removed changes.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  @discardableResult
  public static func purge(_ db: Database, olderThan date: Date? = nil) throws -> Int {
    var removed = 0
    try db.inSavepoint {
      let store = try HistoryStore(db)
      // A consumer whose token has expired must start over, so nothing is kept for it.
      let awaited = try consumers(db).map(\.token).filter {
        $0.store == store.id && $0.number >= store.start
      }
      var end = awaited.map(\.number).min() ?? store.last.number
      if let date {
        // The first change that is recent enough keeps all later ones, whatever their times are.
        let first = try Int64.fetchOne(
          db, sql: "SELECT min(token) FROM main.holdfast_history WHERE time >= ?",
          arguments: [Int64(date.timeIntervalSince1970 * 1000)])
        end = min(end, first.map { max($0, .min + 1) - 1 } ?? end)
      }
      guard end > store.start else { return .commit }
      // The newest row stays, because its number must not be used again.
      try db.execute(
        sql: "DELETE FROM main.holdfast_history WHERE token <= ? AND token < ?",
        arguments: [end, store.last.number])
      removed = db.changesCount
      try db.execute(sql: "UPDATE main.holdfast_history_store SET start = ?", arguments: [end])
      return .commit
    }
    return removed
  }
}
