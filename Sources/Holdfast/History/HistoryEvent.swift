import Foundation

/// A row of the history as the triggers wrote it.
struct HistoryEvent {
  enum Kind: Int64 {
    case insert = 1
    case update = 2
    case delete = 3
    /// The row stood in the way of a new one, and may be gone since.
    case candidate = 4
  }

  /// A row of a table.
  struct Subject: Hashable {
    let source: Int64
    let key: [DatabaseValue]
  }

  let number: Int64
  let subject: Subject
  let kind: Kind
  let author: String?

  /// The same, compared by its bytes.
  var exactAuthor: ExactText? { author.map(ExactText.init) }
  let time: Int64

  /// A place in the history: the change with the number, and when it was made.
  typealias Place = (number: Int64, time: Int64)

  var place: Place { (number, time) }

  /// What this says of its row, told to those who asked.
  struct Finding {
    let event: HistoryEvent
    let kind: ChangeHistory.Kind

    /// Whoever changed the row, as far as it is known.
    let authors: Set<ExactText?>

    /// The place from which on everything that comes after this is told.
    let place: Place
  }

  // MARK: - Decisions

  /// Tells each change, also the deletions that fired no trigger.
  ///
  /// A REPLACE deletes without one. The row was noted as a candidate before, or a trigger of the user
  /// put it in the way after that, which was noted as a change: in both cases it was there, and the
  /// next that happened to it is an insertion, or nothing happened and it is not there any more.
  ///
  /// - Parameters:
  ///   - events: What was noted, in order.
  ///   - start: The place before them.
  ///   - isPresent: Whether the row of an event is there.
  /// - Returns: The changes in order, each deletion after the change that was noted before it.
  static func everyChange(
    in events: [HistoryEvent], after start: Place, isPresent: (HistoryEvent) throws -> Bool
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
    // Whoever stops between a candidate and its deletion must be told again from before both, for
    // they are known by each other only.
    var open: (place: Place, end: Int64)?
    for event in events {
      if let end = spans[event.number] {
        open = (open?.place ?? before, max(open?.end ?? end, end))
      }
      let isDeleted = deleted.contains(event.number)
      if let kind = event.kind.change {
        findings.append(
          Finding(
            event: event, kind: kind, authors: [event.exactAuthor],
            place: open?.place ?? event.place))
      }
      if open?.end == event.number { open = nil }
      if isDeleted {
        findings.append(
          Finding(
            event: event, kind: .delete, authors: [event.exactAuthor],
            place: open?.place ?? event.place)
        )
      }
      before = event.place
    }
    return findings
  }

  /// Tells for each row what became of it, in the order of the last changes.
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

  /// Tells insertions that were noted late from those after a deletion that was not noted.
  private struct Order {
    private var lastChanges: [Int64: Int64] = [:]

    mutating func append(_ event: HistoryEvent) {
      if event.kind != .candidate { lastChanges[event.subject.source] = event.number }
    }

    /// Whether an insertion was noted late, because a trigger of the user updates what is inserted.
    ///
    /// Then it comes right after the update. What deletes a row by a REPLACE is a change of another row
    /// of the same table, noted in between.
    func isLate(_ event: HistoryEvent, after last: HistoryEvent) -> Bool {
      event.kind == .insert && last.kind == .update
        && lastChanges[event.subject.source] == last.number
    }
  }

  /// What was noted of one row.
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
      Finding(event: event, kind: kind, authors: authors, place: event.place)
    }

    /// Whether the row was there before.
    ///
    /// What a trigger of the user changes may be noted before the change that fired it, so the first
    /// event alone does not tell.
    private func wasThere(isPresent: Bool) -> Bool {
      let (inserted, deleted) = (counts[.insert] ?? 0, counts[.delete] ?? 0)
      // With more deletions than insertions to account for, nothing else can be.
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
  /// The change that was noted; `nil` for none.
  fileprivate var change: ChangeHistory.Kind? {
    switch self {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    case .candidate: nil
    }
  }
}
