import Foundation

extension ChangeHistory {
  /// Returns the changes after a token, or the reason why they are not known.
  ///
  /// In a `read` the answer is *isolated*: it is consistent with what the same access reads from
  /// the tables.
  ///
  /// - Parameters:
  ///   - db: A connection.
  ///   - token: The token at the end of the last answer; `nil` for all changes that are kept.
  ///   - detail: The level of detail for a row that was changed several times.
  ///   - author: The author whose changes are excluded, usually the caller's own; rows that other
  ///     authors changed as well are included.
  /// - Returns: The changes in order, or the reason why they are not known.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func changes(
    _ db: Database, after token: Token?, _ detail: Detail = .rows, excluding author: String? = nil
  ) throws -> Answer {
    try changes(db, after: token, detail, excluding: author, eventLimit: nil)
  }

  /// Returns the first changes after a token, of however many there are.
  ///
  /// What is recorded after them is not read. A row of theirs that was deleted since then may have its
  /// deletion among them.
  ///
  /// - Parameters:
  ///   - db: A connection.
  ///   - token: The token at the end of the last answer.
  ///   - count: The greatest number of changes.
  /// - Returns: Each of the first changes in order, or the reason why they are not known. The token of the
  ///   answer is the end of the history.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  package static func firstChanges(
    _ db: Database, after token: Token, atMost count: Int
  ) throws -> Answer {
    // A change may have further records, such as the row that it replaced.
    let answer = try changes(
      db, after: token, .everyChange, excluding: nil, eventLimit: 4 * count)
    guard case .changes(let changes, upTo: let end) = answer else { return answer }
    return .changes(Array(changes.prefix(count)), upTo: end)
  }

  private static func changes(
    _ db: Database, after token: Token?, _ detail: Detail, excluding author: String?,
    eventLimit: Int?
  ) throws -> Answer {
    let store = try HistoryStore(db)
    let token = token ?? store.token(store.start, time: 0)
    if let reason = try store.expiration(of: token, isFirst: token.time == 0, db) {
      return .expired(reason, startingAt: store.lastToken)
    }
    let tables = try Dictionary(
      uniqueKeysWithValues: HistoryTables.registered(db).map { ($0.id, try Side($0, db)) })
    let events = try events(db, after: token.number, tables, atMost: eventLimit)
    let isPresent = { (event: HistoryEvent) in
      guard let side = tables[event.subject.source] else { return false }
      guard let sql = side.presenceSQL else { return event.kind != .delete }
      return try Int.fetchOne(db, sql: sql, arguments: [event.number]) != nil
    }
    let findings =
      switch detail {
      case .rows: try HistoryEvent.rows(in: events, isPresent: isPresent)
      case .everyChange:
        try HistoryEvent.everyChange(
          in: events, after: (token.number, token.time), isPresent: isPresent)
      }
    let changes = findings.compactMap { finding -> Change? in
      if let author, finding.authors == [ExactText(author)] { return nil }
      return tables[finding.event.subject.source].map { Change(finding, of: $0, store) }
    }
    return .changes(changes, upTo: store.lastToken)
  }

  /// The properties of a table that are needed for its changes.
  fileprivate struct Side {
    let table: String
    let keyColumns: [String]

    /// The number of key values that identify a row of the table; `nil` when all must be compared.
    let subjectCount: Int?

    /// SQL that finds a row; `nil` for a table that is no longer tracked.
    let presenceSQL: String?

    init(_ registration: HistoryTables.Registration, _ db: Database) throws {
      table = registration.name
      guard registration.isTracked else {
        (keyColumns, subjectCount, presenceSQL) = (registration.keyColumns ?? [], nil, nil)
        return
      }
      let source = try HistorySource(registration, db)
      keyColumns = source.keyColumns
      subjectCount = source.subjectCount
      presenceSQL = source.presenceSQL
    }
  }

  private static func events(
    _ db: Database, after number: Int64, _ tables: [Int64: Side], atMost limit: Int?
  ) throws -> [HistoryEvent] {
    // A negative limit is none.
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM main.holdfast_history WHERE token > ? ORDER BY token LIMIT ?",
      arguments: [number, limit ?? -1])
    var events: [HistoryEvent] = []
    while let row = try rows.next() {
      guard let kind = HistoryEvent.Kind(rawValue: row[2]), let side = tables[row[1]] else {
        continue
      }
      let values = row.count - HistoryStore.fixedColumnCount
      let key = (0..<min(side.subjectCount ?? values, values)).map {
        row[HistoryStore.fixedColumnCount + $0] as DatabaseValue
      }
      events.append(
        HistoryEvent(
          number: row[0], subject: HistoryEvent.Subject(source: row[1], key: key), kind: kind,
          author: row[3], time: row[4]))
    }
    return events
  }
}

extension ChangeHistory.Change {
  fileprivate init(
    _ finding: HistoryEvent.Finding, of side: ChangeHistory.Side, _ store: HistoryStore
  ) {
    let event = finding.event
    self.init(
      token: store.token(finding.position.number, time: finding.position.time), table: side.table,
      keyColumns: side.keyColumns, key: Array(event.subject.key.prefix(side.keyColumns.count)),
      kind: finding.kind,
      author: event.author, time: Date(timeIntervalSince1970: Double(event.time) / 1000))
  }
}
