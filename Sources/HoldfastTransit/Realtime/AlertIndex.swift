import Holdfast

/// The alerts of a message, by what their selectors name.
///
/// A board asks for the alerts of each of its departures, and most alerts are about other stops.
struct AlertIndex: Sendable {
  /// The field of a selector that fits the fewest subjects.
  private enum Key: Hashable {
    /// The alert itself.
    case alert(ExactText)
    case trip(ExactText)
    case stop(ExactText)
    case route(ExactText)
    case agency(ExactText)
    case routeType(Int)
    case others

    init(_ selector: EntitySelector) {
      let trip = selector.trip?.affected
      if let tripID = trip?.tripID {
        self = .trip(ExactText(tripID))
      } else if let stopID = selector.stopID {
        self = .stop(ExactText(stopID))
      } else if let routeID = selector.routeID ?? trip?.routeID {
        self = .route(ExactText(routeID))
      } else if let agencyID = selector.agencyID {
        self = .agency(ExactText(agencyID))
      } else {
        self = selector.routeType.map { .routeType($0) } ?? .others
      }
    }
  }

  private var numbers: [Key: [Int]] = [:]

  /// Creates the index of alerts.
  init(_ alerts: [Alert]) {
    for (number, alert) in alerts.enumerated() {
      let keys = Set(alert.informedEntities.map(Key.init)).union([.alert(ExactText(alert.id))])
      for key in keys {
        numbers[key, default: []].append(number)
      }
    }
  }

  /// Returns the indices of all alerts that may be about a subject, or are given, in their order.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - others: The identifiers of further alerts.
  /// - Returns: The indices.
  func alerts(about subject: AlertSubject, or others: Set<ExactText> = []) -> [Int] {
    let keys: [Key?] = [
      subject.tripID.map { .trip(ExactText($0)) }, subject.routeID.map { .route(ExactText($0)) },
      subject.agencyID.map { .agency(ExactText($0)) }, subject.routeType.map { .routeType($0) },
      .others,
    ]
    let found =
      (keys.compactMap(\.self) + subject.stopIDs.map { .stop($0) } + others.map { .alert($0) })
      .compactMap { numbers[$0] }
    // Mostly only one of them has alerts, which are in their order.
    return found.count == 1 ? found[0] : Set(found.joined()).sorted()
  }
}
