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
  let time: Int64

  /// What this says of its row, told to those who asked.
  struct Finding {
    let event: HistoryEvent
    let kind: ChangeHistory.Kind

    /// Whoever changed the row, as far as it is known.
    let authors: Set<ExactText?>
  }

  // MARK: - Decisions

  /// Decides which candidates were deleted, and leaves the others out.
  ///
  /// A candidate was deleted exactly when the next that happened to its row is an insertion, or
  /// nothing happened and the row is not there: of several in a row it was the last one.
  static func everyChange(
    in events: [HistoryEvent], isPresent: (HistoryEvent) throws -> Bool
  ) rethrows -> [Finding] {
    var deleted: Set<Int64> = []
    var waiting: [Subject: HistoryEvent] = [:]
    for event in events {
      guard event.kind != .candidate else {
        waiting[event.subject] = event
        continue
      }
      if let candidate = waiting.removeValue(forKey: event.subject), event.kind == .insert {
        deleted.insert(candidate.number)
      }
    }
    for candidate in waiting.values where try !isPresent(candidate) {
      deleted.insert(candidate.number)
    }
    return events.compactMap { event in
      let kind: ChangeHistory.Kind
      switch event.kind {
      case .insert: kind = .insert
      case .update: kind = .update
      case .delete: kind = .delete
      case .candidate:
        guard deleted.contains(event.number) else { return nil }
        kind = .delete
      }
      return Finding(event: event, kind: kind, authors: [event.author.map(ExactText.init)])
    }
  }

  /// Tells for each row what became of it, in the order of the last changes.
  static func rows(
    in events: [HistoryEvent], isPresent: (HistoryEvent) throws -> Bool
  ) rethrows -> [Finding] {
    struct Story {
      var wasThere: Bool
      var lastChange: HistoryEvent?
      var last: HistoryEvent
      var authors: Set<ExactText?> = []
    }
    var stories: [Subject: Story] = [:]
    for event in events {
      var story =
        stories[event.subject] ?? Story(wasThere: event.kind != .insert, last: event)
      story.last = event
      if event.kind != .candidate {
        story.lastChange = event
        story.authors.insert(event.author.map(ExactText.init))
      }
      stories[event.subject] = story
    }
    return try stories.values.compactMap { story -> Finding? in
      switch (story.wasThere, try isPresent(story.last)) {
      case (true, true):
        return story.lastChange.map {
          Finding(event: $0, kind: .update, authors: story.authors)
        }
      case (false, true):
        return story.lastChange.map {
          Finding(event: $0, kind: .insert, authors: story.authors)
        }
      case (true, false):
        let end = story.lastChange?.kind == .delete ? story.lastChange ?? story.last : story.last
        return Finding(
          event: end, kind: .delete, authors: story.authors.union([end.author.map(ExactText.init)]))
      case (false, false): return nil
      }
    }.sorted { $0.event.number < $1.event.number }
  }
}
