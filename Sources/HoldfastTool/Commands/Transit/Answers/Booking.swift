import Foundation
import HoldfastTransit

/// What riders book, and by which rule.
struct Booking: Hashable {
  enum Purpose: Hashable {
    case boarding, alighting
  }

  let purpose: Purpose
  let rule: BookingRule
  /// The zone in which riders read the times of the call.
  let zone: TimeZone

  /// Creates a booking; `nil` without a rule.
  init?(_ purpose: Purpose, _ rule: BookingRule?, in zone: TimeZone) {
    guard let rule else { return nil }
    (self.purpose, self.rule, self.zone) = (purpose, rule, zone)
  }

  /// The rule as a line below a table.
  fileprivate var line: String {
    let own = purpose == .boarding ? rule.pickupMessage : rule.dropOffMessage
    let words = [
      rule.message ?? own, rule.notice(in: zone), rule.phoneNumber, rule.bookingURL ?? rule.infoURL,
    ]
    return "Booking (\(rule.id)): \(words.compactMap(\.self).joined(separator: ", "))"
  }
}

extension Output {
  /// Says how riders book, each rule once.
  func note(_ bookings: some Sequence<Booking>) {
    var known: Set<String> = []
    for line in bookings.lazy.map(\.line) where known.insert(line).inserted { note(line) }
  }
}

extension BookingRule {
  /// Returns from when on and until when to book; `nil` where riders may book at any time.
  ///
  /// As the offset of a time in a table, the zone of the times is named where it is another one than that of the
  /// call; on the day of notice its offset may be another one.
  fileprivate func notice(in zone: TimeZone) -> String? {
    let isElsewhere = zone.identifier != timeZone.identifier
    func time(_ text: String) -> String {
      isElsewhere ? "\(text) \(timeZone.identifier)" : text
    }
    let service = priorNoticeServiceID.map { " of service \($0)" } ?? ""
    func days(_ days: Int) -> String { "\(days) day\(days == 1 ? "" : "s")\(service) before" }
    let parts = [
      priorNoticeStartDay.map { day in
        "from \(priorNoticeStartTime.map { "\(time($0)) " } ?? "")\(days(day))"
      },
      priorNoticeDurationMax.map { "at most \($0) min before" },
      priorNoticeDurationMin.flatMap { $0 > 0 ? "at least \($0) min before" : nil },
      priorNoticeLastDay.map {
        "\(priorNoticeLastTime.map { "by \(time($0)) " } ?? "at least ")\(days($0))"
      },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
