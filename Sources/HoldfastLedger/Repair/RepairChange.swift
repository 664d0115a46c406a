import HoldfastFiles

/// The change of one record that carries out a decision; it reads and writes nothing.
struct RepairChange: Hashable {
  /// The change of the record's row.
  enum Update: Hashable {
    case none
    /// Writes a path, and where it is not `nil`, the state.
    case path(PathDialect.Written, state: Bool?)
    /// Counts the file as recorded again, at the stored path.
    case recorded
    /// Clears the row of a file that is gone, with the stored path in the table's dialect if that changes.
    case cleared(RelocatablePath, PathDialect.Written?)
  }

  /// The item of the report, as it is when the change succeeds.
  var item: RepairReport.Item
  var update = Update.none

  /// The path of which the record is the owner afterwards; `nil` when its owner stays as it was.
  var owned: RelocatablePath?

  /// Whether the recorded digest belongs to the file at ``owned`` from now on.
  var movesDigest = false

  /// Whether the note that the record was cleared is removed.
  var removesTombstone = false

  /// Whether the table's dialect has no text for the path, so that nothing is written.
  var isRefused = false

  /// Creates the change that a decision asks for.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - evidence: The evidence of the decision.
  ///   - record: The record.
  ///   - problem: Why a place of the file could not be examined, if one could not.
  ///   - dialect: The dialect of the table's paths.
  ///   - hasLocation: Whether the table has a location column.
  init(
    _ decision: RepairDecision, from evidence: RepairDecision.Evidence, of record: LedgerRecord,
    problem: String?, in dialect: PathDialect, hasLocation: Bool
  ) {
    let form = dialect.form(of: record.storedText)
    func written(_ path: RelocatablePath) -> PathDialect.Written? {
      dialect.write(path, as: form, hasLocation: hasLocation)
    }
    item = RepairReport.Item(
      id: record.id, answer: evidence.stored, action: .none, from: record.storedText)
    switch (decision, record.path) {
    case (.keep, _): break
    case (.leaveUnknown, _), (.rewrite, nil), (.restore, nil), (.clear, nil):
      item.answer = .unknown
      item.problem = problem ?? "places where it may be could not be examined"
    case (.rewrite, let path?), (.restore, let path?):
      if !evidence.needsRewriting {
        update = .recorded
      } else if let written = written(path) {
        set(written, isCleared: evidence.isCleared)
      } else {
        refuse(path)
        return
      }
      item.action = evidence.isCleared ? .restored : .rewritten
      owned = evidence.isCleared ? path : nil
      removesTombstone = evidence.isCleared
    case (.point(let found), _):
      guard let written = written(found.path) else {
        refuse(found.path)
        return
      }
      set(written, isCleared: evidence.isCleared)
      item.answer = .present
      item.action = .repaired(found.step)
      owned = found.path
      movesDigest = true
      removesTombstone = evidence.isCleared
    case (.clear, let path?):
      let written = form == .absolute ? written(path) : nil
      update = .cleared(path, written)
      item.action = .cleared
      item.to = written?.text
      item.location = written?.location
    }
  }

  private mutating func set(_ written: PathDialect.Written, isCleared: Bool) {
    update = .path(written, state: isCleared ? true : nil)
    item.to = written.text
    item.location = written.location
  }

  private mutating func refuse(_ path: RelocatablePath) {
    isRefused = true
    item.answer = .present
    item.problem = "the table's dialect has no text for '\(path)'"
  }
}
