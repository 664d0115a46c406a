import Foundation

extension ChangeHistory {
  /// Returns what changed after a token, or says that the history cannot tell.
  ///
  /// In a `read` the answer is *isolated*: it fits what the same access reads from the tables.
  ///
  /// - Parameters:
  ///   - db: A connection.
  ///   - token: Where the last answer ended; `nil` for all that is kept.
  ///   - detail: How much is told of a row that was changed several times.
  ///   - author: Whose changes are left out, mostly one's own; rows that others changed as well
  ///     are told.
  /// - Returns: The changes in order, or why there are none to be had.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the database has no history.
  public static func changes(
    _ db: Database, after token: Token?, _ detail: Detail = .rows, excluding author: String? = nil
  ) throws -> Answer {
    let store = try HistoryStore(db)
    let token = token ?? store.token(store.start, time: 0)
    if let reason = try store.expiration(of: token, isFirst: token.time == 0, db) {
      return .expired(reason, startingAt: store.lastToken)
    }
    let tables = try Dictionary(
      uniqueKeysWithValues: HistoryTables.registered(db).map { ($0.id, try Side($0, db)) })
    let events = try events(db, after: token.number, tables)
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

  /// What a change needs to know of its table.
  fileprivate struct Side {
    let table: String
    let keyColumns: [String]

    /// How many values tell a row of the table from all others; `nil` when all must be looked at.
    let subjectCount: Int?

    /// Finds a row; `nil` for a table that takes part no longer.
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
    _ db: Database, after number: Int64, _ tables: [Int64: Side]
  ) throws -> [HistoryEvent] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM main.holdfast_history WHERE token > ? ORDER BY token",
      arguments: [number])
    var events: [HistoryEvent] = []
    while let row = try rows.next() {
      guard let kind = HistoryEvent.Kind(rawValue: row[2]), let side = tables[row[1]] else {
        continue
      }
      let values = row.count - HistoryStore.fixedColumnCount
      let key = (0..<min(side.subjectCount ?? values, values)).map {
        row[HistoryStore.fixedColumnCount + $0]
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
      token: store.token(finding.place.number, time: finding.place.time), table: side.table,
      keyColumns: side.keyColumns, key: Array(event.subject.key.prefix(side.keyColumns.count)),
      kind: finding.kind,
      author: event.author, time: Date(timeIntervalSince1970: Double(event.time) / 1000))
  }
}
