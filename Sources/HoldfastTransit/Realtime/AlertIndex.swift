import Foundation
import Holdfast

/// The alerts of a message, by what their selectors name.
///
/// A board asks for the alerts of each of its departures, and most alerts are about other stops.
struct AlertIndex: Sendable {
  /// The field of a selector that fits the fewest subjects.
  private enum Key: Hashable {
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

  /// A selector of an alert.
  private struct Place {
    let alert, selector: Int
  }

  private let alerts: [Alert]
  private let timestamp: Date?
  private var places: [Key: [Place]] = [:]
  private var numbersByID: [ExactText: [Int]] = [:]
  /// The spans of time of alerts that have many.
  private var spans: [Int: ActiveSpans] = [:]
  /// The first moments at which alerts have an effect that are not yet that of the message.
  private var moments: [Int: Date] = [:]

  /// Creates the index of alerts.
  ///
  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - timestamp: The moment at which the message was made.
  init(_ alerts: [Alert], asOf timestamp: Date? = nil) {
    (self.alerts, self.timestamp) = (alerts, timestamp)
    for (number, alert) in alerts.enumerated() {
      numbersByID[ExactText(alert.id), default: []].append(number)
      for (selector, entity) in alert.informedEntities.enumerated() {
        places[Key(entity), default: []].append(Place(alert: number, selector: selector))
      }
      if let shown = alert.shownPeriods, shown.count > ActiveSpans.few {
        spans[number] = ActiveSpans(shown)
      }
      if let moment = alert.firstMoment(from: timestamp), moment != timestamp {
        moments[number] = moment
      }
    }
  }

  /// Returns the alerts about a subject, or that are given, which are active in a span of time.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - others: The identifiers of further alerts.
  ///   - start: The beginning.
  ///   - end: The end, which belongs to it.
  /// - Returns: The alerts, in their order.
  func alerts(
    about subject: AlertSubject, or others: Set<ExactText>, from start: Date, through end: Date
  ) -> [Alert] {
    numbers(about: subject, or: others) { number, selector in
      alerts[number].informedEntities[selector]
        .selects(subject, at: moments[number] ?? timestamp)
    }.filter { number in
      spans[number]?.overlap(from: start, through: end)
        ?? alerts[number].isActive(from: start, through: end)
    }.map { alerts[$0] }
  }

  /// Returns the indices of the alerts that may be about a subject, or are given, in their order.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - others: The identifiers of further alerts.
  ///   - fits: Whether a selector of an alert fits, which names something of the subject.
  /// - Returns: The indices.
  func numbers(
    about subject: AlertSubject, or others: Set<ExactText> = [],
    where fits: (_ alert: Int, _ selector: Int) -> Bool = { _, _ in true }
  ) -> [Int] {
    let keys: [Key?] = [
      subject.tripID.map { .trip(ExactText($0)) }, subject.routeID.map { .route(ExactText($0)) },
      subject.agencyID.map { .agency(ExactText($0)) }, subject.routeType.map { .routeType($0) },
      .others,
    ]
    var found = Set(others.lazy.compactMap { numbersByID[$0] }.joined())
    // An alert may have as many selectors as a message; those that name something else are not looked at.
    for key in keys.compactMap(\.self) + subject.stopIDs.map(Key.stop) {
      for place in places[key] ?? [] where !found.contains(place.alert) {
        if fits(place.alert, place.selector) { found.insert(place.alert) }
      }
    }
    return found.sorted()
  }
}

/// Spans of time, sorted and without overlaps.
///
/// A board asks for each of its departures, and an alert may have as many spans as a message.
struct ActiveSpans: Sendable {
  /// The number of spans that are looked at as fast one after another.
  static let few = 8

  private var starts: [Date] = []
  private var ends: [Date] = []

  /// Creates the spans; one that ends before it begins is none.
  init(_ periods: [Alert.ActivePeriod]) {
    let spans = periods.map { ($0.start ?? .distantPast, $0.end ?? .distantFuture) }
      .filter { $0.0 < $0.1 }.sorted { $0.0 < $1.0 }
    for (start, end) in spans {
      if let last = ends.last, start <= last {
        ends[ends.count - 1] = max(last, end)
      } else {
        starts.append(start)
        ends.append(end)
      }
    }
  }

  /// Returns whether one of the spans has a moment of another one, whose end belongs to it.
  func overlap(from start: Date, through end: Date) -> Bool {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= start { low = middle + 1 } else { high = middle }
    }
    return low < starts.count && starts[low] <= end
  }
}
