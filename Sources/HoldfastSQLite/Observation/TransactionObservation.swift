/// An observer with the extent in which it is told.
final class TransactionObservation {
  private let extent: Database.TransactionObservationExtent
  private weak var passing: (any TransactionObserver)?
  private var kept: (any TransactionObserver)?

  /// Whether rows are told, and not only ends of transactions.
  var isEnabled = true

  init(_ observer: any TransactionObserver, extent: Database.TransactionObservationExtent) {
    self.extent = extent
    switch extent {
    case .observerLifetime: passing = observer
    case .nextTransaction, .databaseLifetime: kept = observer
    }
  }

  /// The observer, as long as it is to be told.
  var observer: (any TransactionObserver)? { kept ?? passing }

  /// Whether it ends with the open transaction, or the next one.
  var isOfOneTransaction: Bool { extent == .nextTransaction }

  /// Returns the observer that is told of the end of a transaction.
  ///
  /// One that waits for this end only is let go before it may cause another one.
  func observerOfEnd() -> (any TransactionObserver)? {
    let observer = observer
    if extent == .nextTransaction { kept = nil }
    return observer
  }

  func observes(_ eventKind: DatabaseEventKind) -> Bool {
    isEnabled && observer?.observes(eventsOfKind: eventKind) == true
  }
}

/// An observation of the rows that one run of a statement changes.
struct RowObservation {
  let observation: TransactionObservation

  /// The kinds it asked for; `nil` when these are all that the statement may do.
  let kinds: [DatabaseEventKind]?

  /// All kinds of which SQLite told when the statement was prepared.
  let foreseen: [DatabaseEventKind]

  init?(_ observation: TransactionObservation, of effects: StatementEffects) {
    let kinds = effects.rowEventKinds.filter(observation.observes)
    guard !kinds.isEmpty else { return nil }
    self.observation = observation
    self.kinds = kinds.count == effects.rowEventKinds.count ? nil : kinds
    foreseen = effects.rowEventKinds
  }

  /// Whether it asked for events of that kind.
  func observes(_ kind: DatabaseEventKind) -> Bool {
    (kinds ?? foreseen).contains(kind)
  }

  func tell(_ event: DatabaseEvent) {
    guard observation.isEnabled, wants(event) else { return }
    observation.observer?.databaseDidChange(with: event)
  }

  private func wants(_ event: DatabaseEvent) -> Bool {
    guard let kinds else { return true }
    // Virtual tables write into tables of their own, of which nothing was told.
    return kinds.contains(where: event.isOf) || !foreseen.contains(where: event.isOf)
  }
}
