import HoldfastFiles

/// The decision about one record, from the evidence about its file; it reads and writes nothing.
enum RepairDecision: Hashable {
  /// The evidence about the file of a record.
  struct Evidence: Hashable {
    /// Whether the stored path has a file.
    var stored: Presence

    /// Whether the file at the stored path has another length or content than
    /// the recorded one.
    var isOtherFile = false

    /// Whether the stored text is not in the table's dialect.
    var needsRewriting = false

    /// Whether the record was cleared before.
    var isCleared = false

    /// The file, at another path.
    var found: Found?

    /// Whether a place where the file may be could not be examined.
    var isDoubtful = false

    /// Whether the file at the stored path of a cleared record is another record's by now.
    var isOwnedByAnother = false
  }

  /// A file that was found, and how.
  struct Found: Hashable {
    var path: RelocatablePath
    var step: RepairStep
  }

  case keep
  case rewrite
  case restore
  case point(Found)
  case clear
  case leaveUnknown

  /// Decides about a record.
  ///
  /// - Parameter evidence: The evidence about its file.
  init(_ evidence: Evidence) {
    switch (evidence.stored, evidence.found) {
    case (.present, let found?) where evidence.isOtherFile && evidence.isCleared:
      self = .point(found)
    case (.present, _) where evidence.isOtherFile:
      self = evidence.isCleared ? .keep : .leaveUnknown
    case (.present, _):
      self =
        switch (evidence.isCleared, evidence.needsRewriting) {
        case (true, _): evidence.isOwnedByAnother ? .keep : .restore
        case (false, let needsRewriting): needsRewriting ? .rewrite : .keep
        }
    case (_, let found?): self = .point(found)
    case (.absent, nil) where !evidence.isDoubtful: self = evidence.isCleared ? .keep : .clear
    case (.absent, nil), (.unknown, nil): self = .leaveUnknown
    }
  }
}
