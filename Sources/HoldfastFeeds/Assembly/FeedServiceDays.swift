import HoldfastTransit

/// The days on which a service of a feed runs.
struct FeedServiceDays {
  /// The line in `calendar.txt`; `nil` for a service that has no row there.
  var line: Int?
  /// `monday` to `sunday`: bit 0 is Monday, bit 6 is Sunday.
  var weekdays = 0
  /// The first and the last day of the row in `calendar.txt`.
  var span: ClosedRange<ServiceDay>?
  /// The days of the exceptions in their order, and whether the service runs on them.
  var exceptions: [(day: ServiceDay, isAdded: Bool)] = []

  /// Returns whether the service runs on a day.
  func runs(on day: ServiceDay) -> Bool {
    var (low, high) = (0, exceptions.count)
    while low < high {
      let middle = (low + high) / 2
      if exceptions[middle].day < day { low = middle + 1 } else { high = middle }
    }
    if low < exceptions.count, exceptions[low].day == day { return exceptions[low].isAdded }
    return span?.contains(day) == true && weekdays >> day.weekday & 1 == 1
  }

  /// The last day on which the service runs; `nil` if it has none.
  var last: ServiceDay? {
    let added = exceptions.last(where: \.isAdded)?.day
    guard let span, weekdays != 0 else { return added }
    var day = span.upperBound
    while day >= span.lowerBound {
      if let added, added >= day { return added }
      if runs(on: day) { return day }
      day = ServiceDay(daysSince1970: day.daysSince1970 - 1)
    }
    return added
  }
}
