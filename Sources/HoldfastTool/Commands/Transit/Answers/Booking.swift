import HoldfastTransit

/// What riders book, and by which rule.
struct Booking: Hashable {
  enum Purpose: Hashable {
    case boarding, alighting
  }

  let purpose: Purpose
  let rule: BookingRule

  /// Creates a booking; `nil` without a rule.
  init?(_ purpose: Purpose, _ rule: BookingRule?) {
    guard let rule else { return nil }
    (self.purpose, self.rule) = (purpose, rule)
  }

  /// The rule as a line below a table.
  fileprivate var line: String {
    let own = purpose == .boarding ? rule.pickupMessage : rule.dropOffMessage
    let words = [
      rule.message ?? own, rule.notice, rule.phoneNumber, rule.bookingURL ?? rule.infoURL,
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
  /// From when on and until when to book; `nil` where riders may book at any time.
  fileprivate var notice: String? {
    let service = priorNoticeServiceID.map { " of service \($0)" } ?? ""
    func days(_ days: Int) -> String { "\(days) day\(days == 1 ? "" : "s")\(service) before" }
    let parts = [
      priorNoticeStartDay.map { "from \(priorNoticeStartTime.map { "\($0) " } ?? "")\(days($0))" },
      priorNoticeDurationMax.map { "at most \($0) min before" },
      priorNoticeDurationMin.flatMap { $0 > 0 ? "at least \($0) min before" : nil },
      priorNoticeLastDay.map {
        "\(priorNoticeLastTime.map { "by \($0) " } ?? "at least ")\(days($0))"
      },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
