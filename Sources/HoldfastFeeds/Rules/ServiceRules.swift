import Foundation
import HoldfastTransit

/// Rules for the days of services at an instant.
struct ServiceRules {
  private let report: ReportBuilder
  private let instant: Date

  init(_ report: ReportBuilder, at instant: Date) {
    (self.report, self.instant) = (report, instant)
  }

  func examine(_ feed: Feed, _ schedule: FeedSchedule?) {
    if let info = feed.info, (info.feedStartDate == nil) != (info.feedEndDate == nil) {
      let field = info.feedStartDate == nil ? "feed_start_date" : "feed_end_date"
      report.add(.oneFeedDate().at(FeedInfoTable.file, field: field))
    }
    guard let zone = feed.agencies.first.flatMap({ TimeZone(identifier: $0.agencyTimezone) }),
      let today = ServiceDay(instant, in: zone)
    else { return }
    let isSaid = feed.info?.feedStartDate != nil || feed.info?.feedEndDate != nil
    let file = isSaid ? FeedInfoTable.file : CalendarTable.file
    if let dates = feed.serviceDates { examine(dates, at: today, in: file) }
    if let schedule { examine(schedule, at: today) }
  }

  private func examine(_ dates: ClosedRange<FeedDate>, at today: ServiceDay, in file: String) {
    guard let first = ServiceDay(number: dates.lowerBound.number),
      let last = ServiceDay(number: dates.upperBound.number)
    else { return }
    let left = last.daysSince1970 - today.daysSince1970
    let isSaid = file == FeedInfoTable.file
    let (start, end) =
      isSaid ? ("feed_start_date", "feed_end_date") : ("start_date", "end_date")
    if today < first { report.add(.notYetValid(from: "\(first)").at(file, field: start)) }
    switch left {
    case ..<0: report.add(.expired("\(last)").at(file, field: end))
    case ..<7: report.add(.endsSoon(.endsInSevenDays, "\(last)").at(file, field: end))
    case ..<30: report.add(.endsSoon(.endsInThirtyDays, "\(last)").at(file, field: end))
    default: break
    }
  }

  private func examine(_ schedule: FeedSchedule, at today: ServiceDay) {
    let services = schedule.services.days()
    var hasTrips = [Bool](repeating: false, count: services.count)
    for trip in schedule.trips where trip.route != TripAssembler.dropped {
      hasTrips[Int(trip.service)] = true
    }
    let week = (0..<7).map { ServiceDay(daysSince1970: today.daysSince1970 + $0) }
    var runsThisWeek = false
    var isAhead = false
    for (number, service) in services.enumerated() where hasTrips[number] {
      if !runsThisWeek { runsThisWeek = week.contains { service.runs(on: $0) } }
      guard let last = service.last else {
        // Without exceptions, a row whose weekdays are all 0 says itself that nothing runs.
        if service.weekdays != 0 && service.span != nil || !service.exceptions.isEmpty {
          let file = service.line == nil ? CalendarDateTable.file : CalendarTable.file
          report.add(
            .removedDays(schedule.services.id(of: number))
              .at(file, line: service.line, field: "service_id"))
        }
        continue
      }
      if last >= today {
        isAhead = true
      } else {
        report.add(
          .expiredService(schedule.services.id(of: number), "\(last)")
            .at(
              service.line == nil ? CalendarDateTable.file : CalendarTable.file,
              line: service.line, field: "service_id"))
      }
    }
    // A feed that is over has been reported already.
    if isAhead, !runsThisWeek {
      report.add(.noServiceInNextSevenDays().at(CalendarTable.file, field: "service_id"))
    }
  }
}

extension ServiceDay {
  /// Creates the day of an instant; `nil` before the year 1 and after the year 9999.
  init?(_ instant: Date, in zone: TimeZone) {
    self.init(instant.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day()))
  }
}
