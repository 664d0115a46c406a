/// Services, by the days on which they run.
///
/// A feed may give each trip a service of its own, and a message may name as many days.
struct ServiceIndex {
  private let services: [Int32: StoredService]
  /// The services of days that exceptions add.
  private var added: [ServiceDay: [Int32]] = [:]
  /// The spans of `calendar.txt`, by the days of the week.
  private var weeks: [UInt8: IntervalTree<Int32>] = [:]

  /// Creates the index of services, by their numbers.
  init(_ services: [Int32: StoredService]) {
    self.services = services
    var spans: [UInt8: [(span: ClosedRange<Int>, element: Int32)]] = [:]
    for (number, service) in services {
      for exception in service.exceptions where exception.isAdded {
        added[exception.day, default: []].append(number)
      }
      guard let days = service.days else { continue }
      let span = days.lowerBound.daysSince1970...days.upperBound.daysSince1970
      spans[service.weekdays, default: []].append((span, number))
    }
    weeks = spans.mapValues(IntervalTree.init)
  }

  /// Calls a closure with the number of each service that runs on a day.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether the closure returned true each time.
  /// - Throws: The errors of the closure.
  @discardableResult
  func forEach(on day: ServiceDay, while body: (Int32) throws -> Bool) rethrows -> Bool {
    for number in added[day] ?? [] { guard try body(number) else { return false } }
    for (weekdays, spans) in weeks where weekdays >> UInt8(day.weekday) & 1 == 1 {
      let isWhole = try spans.forEach(with: day.daysSince1970) { number in
        // An exception removes the day, or adds it, which was looked at above.
        guard services[number]?.exception(on: day) == nil else { return true }
        return try body(number)
      }
      guard isWhole else { return false }
    }
    return true
  }
}
