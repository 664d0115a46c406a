import HoldfastTransit

/// Rules for windows of services on demand, in place of which a row of `stop_times.txt` has no times.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stop_timestxt>,
///   `start_pickup_drop_off_window`.
struct WindowRules {
  /// The window in the other columns of a row.
  private struct Window {
    var start: String?
    var end: String?
    var hasZone: Bool
  }

  /// A row of a pattern that has a window or a zone.
  private struct Row {
    var call: Int
    var sequence: Int32
    var window: Window
  }

  private let schedule: FeedSchedule
  private let report: ReportBuilder
  private var others: OtherColumns
  private var windows: [Int32: Window?] = [:]

  init(_ schedule: FeedSchedule, _ report: ReportBuilder) {
    (self.schedule, self.report) = (schedule, report)
    others = schedule.others.stopTimes
  }

  /// Reports rows with a window and a time, and windows that are not whole; once for each timing.
  mutating func examine() {
    let wanted = [
      "start_pickup_drop_off_window", "end_pickup_drop_off_window", "location_id",
      "location_group_id",
    ]
    guard others.allNames.contains(where: wanted.contains) else { return }
    others.useAll()
    let columns = wanted.map(others.names.firstIndex(of:))
    var rows: [UInt32: [Row]] = [:]
    var seen: Set<UInt32> = []
    for (number, trip) in schedule.trips.enumerated() where trip.route != TripAssembler.dropped {
      let place = schedule.assembler.places[number]
      guard seen.insert(place.timing).inserted else { continue }
      let found = rows[place.pattern] ?? self.rows(of: place.pattern, columns)
      rows[place.pattern] = found
      guard !found.isEmpty else { continue }
      let timing = schedule.assembler.timing(place.timing)
      for row in found {
        let times = [timing.arrivals[row.call], timing.departures[row.call]]
        let hasTime = times.contains { $0 != TimetableContent.Timing.blank }
        guard let problem = problem(row, hasTime, schedule.tripIDs.text(number)) else { continue }
        // The end that is missing or no time, otherwise the start.
        let window = row.window
        let hasStart = window.start.map { window.end == nil || Self.seconds($0) != nil } ?? false
        let isEnd = hasStart && window.end.flatMap(Self.seconds) == nil
        report.add(problem.at(StopTimeTable.file, field: wanted[isEnd ? 1 : 0]))
      }
    }
  }

  private mutating func rows(of pattern: UInt32, _ columns: [Int?]) -> [Row] {
    var rows: [Row] = []
    for (index, call) in schedule.assembler.pattern(pattern).calls.enumerated() {
      guard let window = window(call.2.others, columns) else { continue }
      rows.append(Row(call: index, sequence: call.1, window: window))
    }
    return rows
  }

  private mutating func window(_ record: Int32, _ columns: [Int?]) -> Window? {
    guard record >= 0 else { return nil }
    if let known = windows[record] { return known }
    let values = others.values(record) ?? []
    let texts = columns.map { column in
      column.flatMap { values.indices.contains($0) && !values[$0].isEmpty ? values[$0] : nil }
    }
    let window =
      texts.allSatisfy { $0 == nil }
      ? nil
      : Window(start: texts[0], end: texts[1], hasZone: texts[2] != nil || texts[3] != nil)
    windows[record] = .some(window)
    return window
  }

  private func problem(_ row: Row, _ hasTime: Bool, _ trip: String) -> FeedProblem? {
    let window = row.window
    guard let start = window.start, let end = window.end else {
      // A zone needs a window, and a window both ends.
      return .missingWindow(trip, row.sequence)
    }
    if hasTime { return .timeBesideWindow(trip, row.sequence) }
    guard let first = Self.seconds(start) else { return .badTime(.badTextTime, start) }
    guard let last = Self.seconds(end) else { return .badTime(.badTextTime, end) }
    return first < last ? nil : .reversedWindow(trip, row.sequence, "\(start) – \(end)")
  }

  /// Returns a time in seconds; `nil` if it is none.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...999).contains(hours), (0...59).contains(minutes), (0...59).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }
}
