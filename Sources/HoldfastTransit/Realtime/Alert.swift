public import Foundation

/// A notice for riders about a stop, a route, a trip or a whole agency.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-alert>
public struct Alert: Hashable, Sendable, Identifiable {
  /// A span of time in which an alert is shown.
  public struct ActivePeriod: Hashable, Sendable {
    /// The beginning; `nil` if it has begun.
    public var start: Date?
    /// The end, which does not belong to it; `nil` if it is not known.
    public var end: Date?

    /// Creates a span of time.
    ///
    /// - Parameters:
    ///   - start: The beginning.
    ///   - end: The end.
    public init(start: Date? = nil, end: Date? = nil) {
      (self.start, self.end) = (start, end)
    }
  }

  /// The identifier within the feed message.
  public var id: String
  /// When the alert is shown; empty for as long as the message has it.
  ///
  /// It counts only where both ``communicationPeriods`` and ``impactPeriods`` are empty, which took its place.
  public var activePeriods: [ActivePeriod] = []
  /// When riders are told of it; empty if the message does not say so.
  public var communicationPeriods: [ActivePeriod] = []
  /// When it affects vehicles and stops; empty if the message does not say so.
  public var impactPeriods: [ActivePeriod] = []
  /// The entities that the alert is about: any of these.
  public var informedEntities: [EntitySelector] = []
  /// The cause, such as `STRIKE`; a number that has no name here stays one.
  public var cause: String?
  /// The effect, such as `NO_SERVICE`; a number that has no name here stays one.
  public var effect: String?
  /// The severity, such as `WARNING`; a number that has no name here stays one.
  public var severityLevel: String?
  /// The address of further information.
  public var url: TranslatedString?
  /// The header.
  public var headerText: TranslatedString?
  /// The description.
  public var descriptionText: TranslatedString?

  /// Creates an alert about nothing.
  ///
  /// - Parameter id: The identifier within the feed message.
  public init(id: String) {
    self.id = id
  }

  /// Returns whether the alert is active at any moment of a span of time.
  ///
  /// - Parameters:
  ///   - start: The beginning.
  ///   - end: The end, which belongs to it.
  /// - Returns: Whether it is active: "greater than or equal to the start time and less than the end
  ///   time" of one of its periods, those in which riders are told of it if there are any.
  /// - SeeAlso: <https://gtfs.org/documentation/realtime/examples/migration-active-period/>
  public func isActive(from start: Date, through end: Date) -> Bool {
    guard let shown = shownPeriods else { return true }
    return shown.contains { period in
      (period.start.map { $0 <= end } ?? true) && (period.end.map { $0 > start } ?? true)
    }
  }

  /// The periods in which the alert is shown; `nil` for as long as the message has it.
  var shownPeriods: [ActivePeriod]? {
    [communicationPeriods, impactPeriods, activePeriods].first { !$0.isEmpty }
  }

  /// Returns the first moment at which the alert has an effect, if that is after an instant; otherwise the instant.
  func firstMoment(from instant: Date?) -> Date? {
    let periods = [impactPeriods, activePeriods, communicationPeriods].first { !$0.isEmpty } ?? []
    let start = instant ?? .distantPast
    return periods.filter { $0.end.map { $0 > start } ?? true }
      .compactMap { $0.start.map { max($0, start) } ?? instant }.min() ?? instant
  }

  static let causes = [
    1: "UNKNOWN_CAUSE", 2: "OTHER_CAUSE", 3: "TECHNICAL_PROBLEM", 4: "STRIKE", 5: "DEMONSTRATION",
    6: "ACCIDENT", 7: "HOLIDAY", 8: "WEATHER", 9: "MAINTENANCE", 10: "CONSTRUCTION",
    11: "POLICE_ACTIVITY", 12: "MEDICAL_EMERGENCY", 13: "SPECIAL_EVENT",
  ]
  static let effects = [
    1: "NO_SERVICE", 2: "REDUCED_SERVICE", 3: "SIGNIFICANT_DELAYS", 4: "DETOUR",
    5: "ADDITIONAL_SERVICE", 6: "MODIFIED_SERVICE", 7: "OTHER_EFFECT", 8: "UNKNOWN_EFFECT",
    9: "STOP_MOVED", 10: "NO_EFFECT", 11: "ACCESSIBILITY_ISSUE",
  ]
  static let severityLevels = [1: "UNKNOWN_SEVERITY", 2: "INFO", 3: "WARNING", 4: "SEVERE"]
}

extension Alert {
  /// Hashes what tells most alerts apart.
  ///
  /// A board has the same alert many times, and each of its lists may be as long as a message.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(effect)
    hasher.combine(activePeriods.first)
    hasher.combine(informedEntities.count)
    hasher.combine(informedEntities.first)
    hasher.combine(informedEntities.last)
    hasher.combine(headerText?.translations.first)
    hasher.combine(descriptionText?.translations.first)
  }
}
