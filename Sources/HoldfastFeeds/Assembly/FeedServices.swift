import HoldfastTransit

/// The services of a feed, from `calendar.txt` and `calendar_dates.txt`, each with a number.
struct FeedServices {
  private struct Week {
    var calendar: FeedCalendar
    var line: Int
  }

  private struct Exception {
    var service: UInt32
    var date: Int32
    var isAdded: Bool
    var others: Int32
  }

  /// The `service_id`s; the number of a text is the number of its service.
  private var ids = InternTable<UInt8>()
  private var weeks: [Week?] = []
  // In large feeds these are by far the most rows, so that they are not grouped before the end.
  private var exceptions: [Exception] = []

  /// Returns the number of a service, which is added if it is new.
  mutating func number(of id: String) -> (number: Int, isNew: Bool) {
    let service = ids.insert(id.utf8)
    if service.isNew { weeks.append(nil) }
    return service
  }

  /// Returns the `service_id` of a service.
  func id(of number: Int) -> String { ids.text(number) }

  /// The `service_id`s of rows of `calendar.txt` and `calendar_dates.txt`, without those that only trips name.
  var definedIDs: [String] {
    let excepted = Set(exceptions.lazy.map(\.service))
    return weeks.indices.filter { weeks[$0] != nil || excepted.contains(UInt32($0)) }.map(id(of:))
  }

  /// Adds a row of `calendar.txt`.
  ///
  /// - Returns: The problem if the row repeats or contradicts an earlier one; otherwise `nil`.
  mutating func add(_ calendar: FeedCalendar, line: Int) -> FeedProblem? {
    let service = number(of: calendar.serviceID).number
    if let week = weeks[service] {
      return week.calendar == calendar
        ? .repeatedRow(firstLine: week.line)
        : .duplicate(calendar.serviceID, firstLine: week.line)
    }
    weeks[service] = Week(calendar: calendar, line: line)
    return nil
  }

  /// Adds a row of `calendar_dates.txt`.
  mutating func add(_ row: FeedCalendarDate) {
    exceptions.append(
      Exception(
        service: UInt32(number(of: row.serviceID).number), date: Int32(row.date.number),
        isAdded: row.exceptionType == 1, others: row.others))
  }

  /// Leaves one exception for each day of a service, after the last row, and reports what is
  /// unusual.
  mutating func finish(in report: ReportBuilder) {
    // Of two that contradict each other the one that removes the service comes first.
    exceptions.sort {
      ($0.service, $0.date, $0.isAdded ? 1 : 0) < ($1.service, $1.date, $1.isAdded ? 1 : 0)
    }
    var kept: [Exception] = []
    kept.reserveCapacity(exceptions.count)
    for exception in exceptions {
      guard let last = kept.last, last.service == exception.service, last.date == exception.date
      else {
        kept.append(exception)
        continue
      }
      if last.isAdded == exception.isAdded, last.others != exception.others {
        kept[kept.count - 1].others = -1
      }
      let (service, date) = (id(of: Int(exception.service)), Int(exception.date))
      let problem =
        last.isAdded == exception.isAdded
        ? FeedProblem.duplicateException(of: service, date)
        : .contradictingException(of: service, date)
      report.add(problem.at(CalendarDateTable.file, field: "date"))
    }
    exceptions = kept
    let served = Set(exceptions.lazy.filter(\.isAdded).map(\.service))
    for (service, week) in weeks.enumerated() {
      guard let week, !week.calendar.hasDay, !served.contains(UInt32(service)) else { continue }
      report.add(
        .serviceWithoutDay().at(CalendarTable.file, line: week.line, field: "service_id"))
    }
  }

  /// Returns the days of the services after the last row, in the order of their numbers.
  func days() -> [FeedServiceDays] {
    var days = weeks.map { week in
      var days = FeedServiceDays()
      guard let week else { return days }
      days.line = week.line
      days.weekdays = week.calendar.days
      if week.calendar.hasDay,
        let first = ServiceDay(number: week.calendar.startDate.number),
        let last = ServiceDay(number: week.calendar.endDate.number)
      {
        days.span = first...last
      }
      return days
    }
    for exception in exceptions {
      guard let day = ServiceDay(number: Int(exception.date)) else { continue }
      days[Int(exception.service)].exceptions.append((day, exception.isAdded))
    }
    return days
  }

  /// The numbers of the records of other columns of `calendar.txt`.
  var recordsOfWeeks: some Sequence<Int32> { weeks.lazy.compactMap { $0?.calendar.others } }

  /// The numbers of the records of other columns of `calendar_dates.txt`.
  var recordsOfExceptions: some Sequence<Int32> { exceptions.lazy.map(\.others) }

  /// Returns the index of each service in the content.
  ///
  /// - Parameter used: The numbers of the services of the trips.
  /// - Returns: The indexes; -1 for a service that only dropped trips name.
  func indexes(usedBy used: Set<UInt32>) -> [Int32] {
    let excepted = Set(exceptions.lazy.map(\.service))
    var count: Int32 = 0
    return weeks.indices.map { number in
      let isKept =
        weeks[number] != nil || excepted.contains(UInt32(number)) || used.contains(UInt32(number))
      guard isKept else { return -1 }
      count += 1
      return count - 1
    }
  }

  /// Converts the services.
  ///
  /// - Parameters:
  ///   - indexes: The index of each service, as ``indexes(usedBy:)`` returns them.
  ///   - week: Returns the index of the text of a record of `calendar.txt`.
  ///   - exception: Returns the index of the text of a record of `calendar_dates.txt`.
  /// - Returns: Those whose index is not -1, each with its exceptions.
  func content(
    _ indexes: [Int32], week: (Int32) -> Int32, exception: (Int32) -> Int32
  ) -> [TimetableContent.Service] {
    var services = weeks.indices.filter { indexes[$0] >= 0 }.map { number in
      TimetableContent.Service(
        serviceID: id(of: number),
        week: weeks[number].map {
          TimetableContent.Service.Week(
            days: UInt8($0.calendar.days), start: $0.calendar.startDate.number,
            end: $0.calendar.endDate.number, others: week($0.calendar.others))
        })
    }
    for row in exceptions {
      services[Int(indexes[Int(row.service)])].exceptions.append(
        TimetableContent.Service.Exception(
          date: Int(row.date), isAdded: row.isAdded, others: exception(row.others)))
    }
    return services
  }
}
