/// The exceptions of a service, as the database stores them in one blob.
struct StoredExceptions {
  struct Exception: Equatable {
    var day: ServiceDay
    var isAdded: Bool
    /// The number of the text with the other columns; 0 if they are blank.
    var others: Int32
  }

  /// The days from the year 1 to the year 9999, each of which has at most one exception.
  private static let plausibleDays = -719_162...2_932_896

  /// The largest number of exceptions of a service.
  static let most = plausibleDays.count

  /// The exceptions by their days, each of which occurs once.
  var exceptions: [Exception]

  init(_ exceptions: [Exception]) {
    self.exceptions = exceptions.sorted { $0.day < $1.day }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: exceptions.count)
    IntegerColumn.append(exceptions.map { Int64($0.day.daysSince1970) }, to: &writer)
    IntegerColumn.append(exceptions.map { $0.isAdded ? 1 : 0 }, to: &writer)
    IntegerColumn.append(exceptions.map { Int64($0.others) }, to: &writer)
    return writer.bytes
  }

  /// Decodes the exceptions.
  ///
  /// - Parameters:
  ///   - bytes: The blob.
  ///   - limit: The largest number of exceptions; a few bytes can state any number of days in a row.
  /// - Throws: `DamagedBytes` when the blob is not what a writer makes.
  init(_ bytes: [UInt8], atMost limit: Int = most) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: min(limit, Self.most))
    // The days, the kinds and the numbers of the other columns.
    var codes: [Int64] = []
    for _ in 0..<3 { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    try reader.end()
    exceptions = []
    exceptions.reserveCapacity(count)
    for index in 0..<count {
      let (day, kind, others) = (codes[index], codes[count + index], codes[2 * count + index])
      guard 0...1 ~= kind, 0...Int64(Int32.max) ~= others, index == 0 || codes[index - 1] < day,
        let day = Int(exactly: day), Self.plausibleDays.contains(day)
      else {
        throw DamagedBytes()
      }
      exceptions.append(
        Exception(
          day: ServiceDay(daysSince1970: day), isAdded: kind == 1,
          others: Int32(truncatingIfNeeded: others)))
    }
  }
}

/// The days on which a service runs.
struct StoredService {
  /// `monday` to `sunday`: bit 0 is Monday; 0 if the service has no row in `calendar.txt`.
  let weekdays: UInt8
  /// The first and the last day of the row in `calendar.txt`.
  let days: ClosedRange<ServiceDay>?
  /// The days on which the exceptions differ from the week, sorted.
  let exceptions: [StoredExceptions.Exception]

  /// Returns the exception of a day; `nil` when there is none.
  func exception(on day: ServiceDay) -> StoredExceptions.Exception? {
    var (low, high) = (0, exceptions.count)
    while low < high {
      let middle = (low + high) / 2
      if exceptions[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low < exceptions.count && exceptions[low].day == day ? exceptions[low] : nil
  }

  /// Returns whether the service runs on a day.
  ///
  /// An exception decides; without one the row of `calendar.txt` does.
  func runs(on day: ServiceDay) -> Bool {
    if let exception = exception(on: day) { return exception.isAdded }
    guard let days, days.contains(day) else { return false }
    return weekdays >> UInt8(day.weekday) & 1 == 1
  }

  /// The first and the last day on which the service runs; `nil` when it never does.
  var span: ClosedRange<ServiceDay>? {
    let numbers = days.map { $0.lowerBound.daysSince1970...$0.upperBound.daysSince1970 }
    let first = [exceptions.first(where: \.isAdded)?.day, numbers.flatMap(firstOfWeek)]
    let last = [
      exceptions.last(where: \.isAdded)?.day, numbers.flatMap { firstOfWeek($0.reversed()) },
    ]
    guard let first = first.compactMap(\.self).min(), let last = last.compactMap(\.self).max()
    else { return nil }
    return first...last
  }

  /// Returns the first of some days of the week on which the service runs.
  private func firstOfWeek(_ days: some Sequence<Int>) -> ServiceDay? {
    // Without a weekday every day would be looked at; with one, the removed days are.
    guard weekdays & 0x7F != 0 else { return nil }
    return days.lazy.map(ServiceDay.init(daysSince1970:)).first(where: runs)
  }
}
