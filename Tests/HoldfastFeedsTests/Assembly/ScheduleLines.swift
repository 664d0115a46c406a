import Foundation
import HoldfastTransit

@testable import HoldfastFeeds

/// A schedule as sorted lines of text, one for each row of a file, so that two can be compared.
struct ScheduleLines {
  let lines: [String]
  let content: TimetableContent
  let report: FeedReport

  /// Reads a feed as the importer does.
  init(of url: URL) throws {
    var reading = FeedReading(of: try FeedSource(at: url), progress: { _ in })
    try reading.read(.timetable)
    let report = reading.report.value
    if let problem = report.firstError { throw FeedError(problem, in: report) }
    guard let schedule = reading.schedule else { throw FeedError(.badData, "no schedule") }
    var numbers = TripNumbers()
    let feed = reading.feed
    content = schedule.content(
      stops: feed.stops.indices.map { Int64($0 + 1) },
      routes: feed.routes.indices.map { Int64($0 + 1) }, numbers: &numbers)
    self.report = report
    lines = Self.lines(of: content, feed)
  }

  func lines(of file: String) -> [String] { lines.filter { $0.hasPrefix(file + " ") } }

  // MARK: The content

  private static func lines(of content: TimetableContent, _ feed: Feed) -> [String] {
    func text(_ index: Int32) -> String { index < 0 ? "" : content.texts[Int(index)] }
    func number(_ value: Int16?) -> String { value.map { "\($0)" } ?? "" }
    var lines: [String] = []
    for run in content.runs {
      let pattern = content.patterns[Int(run.pattern)]
      let timing = pattern.timings[Int(run.timing)]
      lines.append(
        row(
          "trips",
          [
            run.tripID, feed.routes[Int(pattern.rid) - 1].routeID,
            content.services[Int(run.service)].serviceID, text(run.headsign), text(run.shortName),
            number(pattern.directionID), text(run.block), text(run.shape),
            number(run.wheelchairAccessible), number(run.bikesAllowed), text(run.others),
          ]))
      for (index, call) in pattern.calls.enumerated() {
        lines.append(
          row(
            "stop_times",
            [
              run.tripID, time(timing.arrivals[index], run.start),
              time(timing.departures[index], run.start),
              call.sid == 0 ? "" : feed.stops[Int(call.sid) - 1].stopID, "\(call.sequence)",
              text(call.headsign), number(call.pickupType), number(call.dropOffType),
              call.distance.map { "\($0)" } ?? "", number(call.timepoint), text(call.others),
            ]))
      }
    }
    for service in content.services {
      if let week = service.week {
        lines.append(
          row(
            "calendar",
            [
              service.serviceID, String(week.days, radix: 2), "\(week.start)", "\(week.end)",
              text(week.others),
            ]))
      }
      for exception in service.exceptions {
        lines.append(
          row(
            "calendar_dates",
            [
              service.serviceID, "\(exception.date)", exception.isAdded ? "1" : "2",
              text(exception.others),
            ]))
      }
    }
    for frequency in content.frequencies {
      lines.append(
        row(
          "frequencies",
          [
            content.runs[Int(frequency.run)].tripID, time(frequency.start, 0),
            time(frequency.end, 0), "\(frequency.headway)", number(frequency.exactTimes),
            text(frequency.others),
          ]))
    }
    return lines.sorted()
  }

  private static func time(_ seconds: Int32, _ start: Int32) -> String {
    seconds == TimetableContent.Timing.blank ? "" : "\(seconds + start)"
  }

  // MARK: A naive reading

  /// Reads the rows of a feed without interning, for feeds without repeated keys.
  static func naive(of url: URL) throws -> [String] {
    var rows: [String: [[String: String]]] = [:]
    var names: [String: [String]] = [:]
    var reading = FeedReading(of: try FeedSource(at: url), progress: { _ in }) {
      file, columns, record in
      let surplus = min(columns.count, record.count)..<record.count
      guard surplus.allSatisfy(record.isBlank) else { return }
      names[file] = columns
      var row: [String: String] = [:]
      for (index, column) in columns.enumerated() where row[column] == nil {
        row[column] = record.text(index)
      }
      rows[file, default: []].append(row)
    }
    try reading.read(.timetable)
    let stops = Set((rows["stops.txt"] ?? []).compactMap { $0["stop_id"] })
    let routes = Set((rows["routes.txt"] ?? []).compactMap { $0["route_id"] })
    let trips = (rows["trips.txt"] ?? []).filter {
      routes.contains($0["route_id"] ?? "") && $0["trip_id"] != "" && $0["service_id"] != ""
    }
    let tripIDs = Set(trips.compactMap { $0["trip_id"] })
    var lines: [String] = []
    for trip in trips {
      var values = tripColumns.map { trip[$0] ?? "" }
      values[5] = number(values[5], 1)
      values[8] = number(values[8], 2)
      values[9] = number(values[9], 2)
      values.append(others(trip, names["trips.txt"], rows["trips.txt"], tripColumns))
      lines.append(row("trips", values))
    }
    for call in rows["stop_times.txt"] ?? [] {
      let stop = call["stop_id"] ?? ""
      let isArea = stop.isEmpty && (call["location_id"] ?? call["location_group_id"] ?? "") != ""
      guard tripIDs.contains(call["trip_id"] ?? ""), stops.contains(stop) || isArea,
        let sequence = Int32(call["stop_sequence"] ?? ""), sequence >= 0
      else { continue }
      let distance = Double(call["shape_dist_traveled"] ?? "")
      let values: [String] = [
        call["trip_id"] ?? "", time(call["arrival_time"]), time(call["departure_time"]), stop,
        "\(sequence)", call["stop_headsign"] ?? "", number(call["pickup_type"], 3),
        number(call["drop_off_type"], 3), distance.map { $0 == 0 ? "0.0" : "\($0)" } ?? "",
        number(call["timepoint"], 1),
        others(call, names["stop_times.txt"], rows["stop_times.txt"], stopTimeColumns),
      ]
      lines.append(row("stop_times", values))
    }
    return lines.sorted()
  }

  private static let tripColumns = [
    "trip_id", "route_id", "service_id", "trip_headsign", "trip_short_name", "direction_id",
    "block_id", "shape_id", "wheelchair_accessible", "bikes_allowed",
  ]
  private static let stopTimeColumns = [
    "trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "stop_headsign",
    "pickup_type", "drop_off_type", "shape_dist_traveled", "timepoint", "continuous_pickup",
    "continuous_drop_off",
  ]

  private static func others(
    _ row: [String: String], _ names: [String]?, _ rows: [[String: String]]?, _ known: [String]
  ) -> String {
    let others = Set(names ?? []).subtracting(known).sorted().filter { name in
      rows?.contains { $0[name, default: ""] != "" } == true
    }
    let values = others.map { row[$0] ?? "" }
    if values.allSatisfy(\.isEmpty) { return "" }
    return values.map { value in
      value.contains { ",\"\n\r".contains($0) }
        ? "\"\(value.replacing("\"", with: "\"\""))\"" : value
    }.joined(separator: ",")
  }

  private static func number(_ text: String?, _ last: Int) -> String {
    Int(text ?? "").flatMap { (0...last).contains($0) ? "\($0)" : nil } ?? ""
  }

  private static func time(_ text: String?) -> String {
    let parts = (text ?? "").split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].count == 2, parts[2].count == 2, !parts[0].isEmpty,
      let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Int(parts[2]),
      hours >= 0, minutes < 60, seconds < 60
    else { return "" }
    return "\(hours * 3600 + minutes * 60 + seconds)"
  }

  private static func row(_ file: String, _ values: [String]) -> String {
    "\(file) " + values.joined(separator: "|")
  }
}
