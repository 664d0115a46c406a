import Foundation

/// A row of the history, as written by the triggers.
struct HistoryEvent {
  enum Kind: Int64 {
    case insert = 1
    case update = 2
    case delete = 3
    /// The row conflicted with a new one, and may have been deleted by it.
    case candidate = 4
  }

  /// A row of a table.
  ///
  /// Two keys that are equal numbers of different storage classes are two rows, as they may be one after
  /// the other.
  struct Subject: Hashable {
    let source: Int64
    let key: [DatabaseValue]

    static func == (lhs: Subject, rhs: Subject) -> Bool {
      lhs.source == rhs.source
        && lhs.key.elementsEqual(rhs.key) { $0 == $1 && $0.typeName == $1.typeName }
    }
  }

  let number: Int64
  let subject: Subject
  let kind: Kind
  let author: String?

  /// The author, compared by bytes.
  var exactAuthor: ExactText? { author.map(ExactText.init) }
  let time: Int64

  /// A position in the history: the number and the time of a change.
  typealias Position = (number: Int64, time: Int64)

  var position: Position { (number, time) }

  /// A change of a row, as returned to the reader.
  struct Finding {
    let event: HistoryEvent
    let kind: ChangeHistory.Kind

    /// The known authors of the row's changes.
    let authors: Set<ExactText?>

    /// The position after which a reader gets everything that follows this change.
    let position: Position
  }

  // MARK: - Decisions

  /// Returns each change, including the deletions that fired no trigger.
  ///
  /// A REPLACE deletes without a trigger. The row was recorded as a candidate before, or a user's
  /// trigger made it conflict after that, which was recorded as a change: in both cases it existed,
  /// and its next event is an insertion, or there is none and the row no longer exists.
  ///
  /// - Parameters:
  ///   - events: The recorded events, in order.
  ///   - start: The position before them.
  ///   - isPresent: Returns whether the row of an event exists.
  /// - Returns: The changes in order, each such deletion after the row's last recorded event.
  static func everyChange(
    in events: [HistoryEvent], after start: Position, isPresent: (HistoryEvent) throws -> Bool
  ) rethrows -> [Finding] {
    var deleted: Set<Int64> = []
    // From the candidate to the change after which it was deleted.
    var spans: [Int64: Int64] = [:]
    var stories: [Subject: (last: HistoryEvent, wasSeen: Bool, candidate: Int64?)] = [:]
    var order = Order()
    for event in events {
      let story = stories[event.subject]
      let isLate = story.map { order.isLate(event, after: $0.last) } ?? false
      order.append(event)
      if let story, event.kind == .insert, story.last.kind != .delete, story.wasSeen || !isLate {
        deleted.insert(story.last.number)
        spans[story.candidate ?? story.last.number] = story.last.number
      }
      let isSeen =
        switch event.kind {
        case .insert, .candidate: true
        case .update: story?.wasSeen ?? false
        case .delete: false
        }
      let candidate = event.kind == .candidate ? event.number : story?.candidate
      let isOver = event.kind == .insert || event.kind == .delete
      stories[event.subject] = (event, isSeen, isOver ? nil : candidate)
    }
    for story in stories.values
    where try story.last.kind != .delete && !isPresent(story.last) {
      deleted.insert(story.last.number)
      spans[story.candidate ?? story.last.number] = story.last.number
    }
    var findings: [Finding] = []
    var before = start
    // A reader that stops between a candidate and its deletion must continue before both, because
    // the deletion is only found with its candidate.
    var open: (position: Position, end: Int64)?
    for event in events {
      if let end = spans[event.number] {
        open = (open?.position ?? before, max(open?.end ?? end, end))
      }
      let isDeleted = deleted.contains(event.number)
      if let kind = event.kind.change {
        findings.append(
          Finding(
            event: event, kind: kind, authors: [event.exactAuthor],
            position: open?.position ?? event.position))
      }
      if open?.end == event.number { open = nil }
      if isDeleted {
        findings.append(
          Finding(
            event: event, kind: .delete, authors: [event.exactAuthor],
            position: open?.position ?? event.position)
        )
      }
      before = event.position
    }
    return findings
  }

  /// Returns one change for each row with its final state, in the order of the last changes.
  static func rows(
    in events: [HistoryEvent], isPresent: (HistoryEvent) throws -> Bool
  ) rethrows -> [Finding] {
    var stories: [Subject: Story] = [:]
    var order = Order()
    for event in events {
      stories[event.subject, default: Story(first: event)].append(event, order)
      order.append(event)
    }
    return try stories.values.compactMap { story in
      try story.finding(isPresent: isPresent(story.last))
    }.sorted { $0.event.number < $1.event.number }
  }

  /// The last change of each table, which distinguishes insertions that were recorded late from
  /// those after an unrecorded deletion.
  private struct Order {
    private var lastChanges: [Int64: Int64] = [:]

    mutating func append(_ event: HistoryEvent) {
      if event.kind != .candidate { lastChanges[event.subject.source] = event.number }
    }

    /// Returns whether an insertion was recorded late, because a user's trigger updates the new
    /// row.
    ///
    /// Then it directly follows the update. If a REPLACE deleted the row, a change of another row
    /// of the same table was recorded in between.
    func isLate(_ event: HistoryEvent, after last: HistoryEvent) -> Bool {
      event.kind == .insert && last.kind == .update
        && lastChanges[event.subject.source] == last.number
    }
  }

  /// The recorded events of one row.
  private struct Story {
    private let first: HistoryEvent
    private(set) var last: HistoryEvent
    private var lastChange: HistoryEvent?
    private var counts: [Kind: Int] = [:]
    private var authors: Set<ExactText?> = []
    private var beginsLate = false

    init(first: HistoryEvent) {
      (self.first, last) = (first, first)
    }

    mutating func append(_ event: HistoryEvent, _ order: Order) {
      if event.kind == .insert, counts[.insert] == nil, counts[.candidate] == nil {
        beginsLate = order.isLate(event, after: last)
      }
      last = event
      counts[event.kind, default: 0] += 1
      guard event.kind != .candidate else { return }
      lastChange = event
      authors.insert(event.exactAuthor)
    }

    func finding(isPresent: Bool) -> Finding? {
      let wasThere = wasThere(isPresent: isPresent)
      if isPresent {
        return lastChange.map { finding($0, wasThere ? .update : .insert, authors) }
      }
      guard wasThere else { return nil }
      let end = lastChange?.kind == .delete ? lastChange ?? last : last
      return finding(end, .delete, authors.union([end.exactAuthor]))
    }

    private func finding(
      _ event: HistoryEvent, _ kind: ChangeHistory.Kind, _ authors: Set<ExactText?>
    ) -> Finding {
      Finding(event: event, kind: kind, authors: authors, position: event.position)
    }

    /// Returns whether the row existed before the events.
    ///
    /// A change by a user's trigger may be recorded before the change that fired it, so the first
    /// event alone is not sufficient.
    private func wasThere(isPresent: Bool) -> Bool {
      let (inserted, deleted) = (counts[.insert] ?? 0, counts[.delete] ?? 0)
      // With more deletions than insertions, counting a missing row, the row must have existed.
      if (isPresent ? 1 : 0) - inserted + deleted == 1 { return true }
      switch first.kind {
      case .insert: return false
      case .update: return !isPresent || !beginsLate
      case .delete, .candidate: return true
      }
    }
  }
}

extension HistoryEvent.Kind {
  /// The recorded kind of change; `nil` for a candidate.
  fileprivate var change: ChangeHistory.Kind? {
    switch self {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    case .candidate: nil
    }
  }
}
