/// An observer and the lifetime of its observation.
final class TransactionObservation {
  private let extent: Database.TransactionObservationExtent
  private weak var passing: (any TransactionObserver)?
  private var kept: (any TransactionObserver)?

  /// Whether the observer is notified of rows, and not only of the ends of transactions.
  var isEnabled = true

  init(_ observer: any TransactionObserver, extent: Database.TransactionObservationExtent) {
    self.extent = extent
    switch extent {
    case .observerLifetime: passing = observer
    case .nextTransaction, .databaseLifetime: kept = observer
    }
  }

  /// The observer; `nil` when it was deallocated or its observation has ended.
  var observer: (any TransactionObserver)? { kept ?? passing }

  /// Whether the observation ends with the open transaction, or else the next one.
  var isOfOneTransaction: Bool { extent == .nextTransaction }

  /// Returns the observer to notify of the end of a transaction.
  ///
  /// An observer of one transaction is released here, before it can cause another end.
  func observerOfEnd() -> (any TransactionObserver)? {
    let observer = observer
    if extent == .nextTransaction { kept = nil }
    return observer
  }

  func observes(_ eventKind: DatabaseEventKind) -> Bool {
    isEnabled && observer?.observes(eventsOfKind: eventKind) == true
  }
}

/// An observation of the rows that a statement changes in one run.
struct RowObservation {
  let observation: TransactionObservation

  /// The observed kinds; `nil` when they are all that the statement may cause.
  let kinds: [DatabaseEventKind]?

  /// All kinds that SQLite reported when the statement was prepared.
  let foreseen: [DatabaseEventKind]

  init?(_ observation: TransactionObservation, of effects: StatementEffects) {
    let kinds = effects.rowEventKinds.filter(observation.observes)
    guard !kinds.isEmpty else { return nil }
    self.observation = observation
    self.kinds = kinds.count == effects.rowEventKinds.count ? nil : kinds
    foreseen = effects.rowEventKinds
  }

  /// Whether events of that kind are observed.
  func observes(_ kind: DatabaseEventKind) -> Bool {
    (kinds ?? foreseen).contains(kind)
  }

  func notify(_ event: DatabaseEvent) {
    guard observation.isEnabled, wants(event) else { return }
    observation.observer?.databaseDidChange(with: event)
  }

  private func wants(_ event: DatabaseEvent) -> Bool {
    guard let kinds else { return true }
    // Virtual tables write into shadow tables, which the authorizer did not report.
    return kinds.contains(where: event.isOf) || !foreseen.contains(where: event.isOf)
  }
}
