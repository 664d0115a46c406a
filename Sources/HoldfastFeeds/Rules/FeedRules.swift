import Foundation
import Holdfast
import HoldfastTransit

/// The rules that a report on a feed examines, and an import does not need.
///
/// It belongs to one pass over a feed, and to one thread.
final class FeedRules {
  private let report: ReportBuilder
  private let services: ServiceRules
  private var calls: StopTimeRules?
  private var stopLines: [Int] = []
  private var routeLines: [Int] = []
  private var known = KnownIdentifiers()
  private var schedule: FeedSchedule?
  private var shapes = ShapeRules()
  private var pathways: PathwayRules?
  /// The stops of location groups, at all of which a trip stops that names the group.
  private var groupedStops: Set<ExactText> = []

  init(_ report: ReportBuilder, at instant: Date) {
    self.report = report
    services = ServiceRules(report, at: instant)
  }

  // MARK: While the feed is read

  func examine(_ stops: [FeedStop], lines: [Int]) {
    stopLines = lines
    known.insert(stops)
    let parents = Set(stops.compactMap(\.parentStation).map(ExactText.init))
    for (stop, line) in zip(stops, lines) {
      if stop.locationType == 0, stop.platformCode != nil, stop.parentStation == nil {
        add(
          .platformWithoutStation(stop.platformCode ?? ""), StopTable.file, line, "parent_station")
      }
      if stop.locationType == 1, !parents.contains(ExactText(stop.stopID)) {
        add(.stationWithoutStop(stop.stopID), StopTable.file, line, "stop_id")
      }
    }
  }

  func examine(_ routes: [FeedRoute], lines: [Int]) {
    routeLines = lines
    known.know([RouteTable.file])
    known.insert(routes.map(\.routeID), of: RouteTable.file)
    known.insert(routes.lazy.compactMap(\.networkID), of: "networks.txt")
    var seen: [[ExactText?]: Int] = [:]
    for (route, line) in zip(routes, lines) {
      if let order = route.routeSortOrder, order < 0 {
        add(.negative("\(order)"), RouteTable.file, line, "route_sort_order")
      }
      if RouteColors.areAlike(route.routeColor, route.routeTextColor) {
        let colors = "\(route.routeTextColor ?? "000000") on \(route.routeColor ?? "FFFFFF")"
        add(.routeColors(colors), RouteTable.file, line, "route_text_color")
      }
      let names = [route.routeShortName, route.routeLongName]
      if names == [nil, nil] { continue }
      let key = (names + [route.agencyID, "\(route.routeType)"]).map { $0.map(ExactText.init) }
      if let first = seen[key] {
        let name = names.compactMap { $0 }.joined(separator: " ")
        add(.duplicateRouteName(name, firstLine: first), RouteTable.file, line, "route_short_name")
      } else {
        seen[key] = line
      }
    }
  }

  func know(_ agencies: [FeedAgency]) {
    known.insert(agencies)
  }

  /// Makes it known that files that the feed does not have define nothing.
  func know(files: [String]) {
    known.know((FileRules.all.keys + [LocationsTable.file]).filter { !files.contains($0) })
  }

  /// Returns the rules for stop times, which belong to this report.
  func stopTimes(_ feed: Feed) -> StopTimeRules {
    let rules = StopTimeRules(feed, report)
    calls = rules
    return rules
  }

  /// Makes the trips, their calls and services known to the files that refer to them.
  func know(_ schedule: FeedSchedule?) {
    self.schedule = schedule
    guard let schedule else { return }
    known[TripTable.file] = schedule.tripIDs
    known.know([CalendarTable.file])
    known.insert(schedule.services.definedIDs, of: CalendarTable.file)
  }

  /// Makes the zones of services on demand known.
  func know(_ locations: FeedLocations) {
    known.know([LocationsTable.file])
    known.insert(locations.ids.lazy.map(\.text), of: LocationsTable.file)
  }

  /// Reads the rows of a file that an import keeps as text, and examines them.
  ///
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress throws.
  func examine(_ rows: inout FeedRows, _ header: FeedHeader) throws {
    if header.file == ShapeRules.file {
      try shapes.examine(&rows, header, in: report)
    } else if let rules = FileRules.all[header.file] {
      var pathways = header.file == PathwayRules.file ? PathwayRules(header, known) : nil
      let add = rowRules(header)
      try rules.examine(&rows, header, &known, in: report) { block in
        pathways?.add(block)
        add(block)
      }
      if let pathways { self.pathways = pathways }
    } else {
      let add = rowRules(header)
      try rows.forEachBlock({ _ in }, { rows, _ in add(rows) })
    }
  }

  /// Returns what examines the rows of a file whose values depend on each other.
  private func rowRules(_ header: FeedHeader) -> (CSVRows) -> Void {
    let file = header.file
    switch file {
    case TransferRowRules.file:
      let rules = TransferRowRules(header)
      return { [report] rows in
        for row in 0..<rows.count where !rows.isBlank(row) {
          for field in rules.missing(rows[row]) {
            report.add(.blankValue(.blankValue).at(file, line: rows.line(of: row), field: field))
          }
        }
      }
    case TranslationRowRules.file:
      guard var rules = TranslationRowRules(header, known, schedule) else { return { _ in } }
      return { [report] rows in
        for row in 0..<rows.count where !rows.isBlank(row) {
          guard let (problem, field) = rules.problem(rows[row]) else { continue }
          report.add(problem.at(file, line: rows.line(of: row), field: field))
        }
      }
    case "location_group_stops.txt":
      guard let stop = header.firstIndex(of: "stop_id") else { return { _ in } }
      return { rows in
        for row in 0..<rows.count where !rows[row].isBlank(stop) {
          self.groupedStops.insert(ExactText(rows[row].text(stop)))
        }
      }
    default: return { _ in }
    }
  }

  // MARK: At the end

  /// Reports what only the whole feed shows.
  func finish(_ feed: Feed, _ schedule: FeedSchedule?) {
    services.examine(feed, schedule)
    examineLevels(of: feed.stops)
    examineAccess(feed)
    pathways?.finish(feed.stops, lines: stopLines, in: report)
    guard let schedule, let calls else { return }
    for (number, stop) in feed.stops.enumerated() {
      if stop.locationType == 0, !calls.isServed[number],
        !groupedStops.contains(ExactText(stop.stopID))
      {
        add(.stopWithoutCalls(stop.stopID), StopTable.file, stopLines[number], "stop_id")
      }
    }
    var isUsed = [Bool](repeating: false, count: feed.routes.count)
    for trip in schedule.trips where trip.route != TripAssembler.dropped {
      isUsed[Int(trip.route)] = true
    }
    for (number, route) in feed.routes.enumerated() where !isUsed[number] {
      add(.routeWithoutTrip(route.routeID), RouteTable.file, routeLines[number], "route_id")
    }
    shapes.finish(schedule, in: report)
    TripShapeRules(shapes.points, shapes.ids, report).examine(schedule, feed)
    var blocks = BlockRules(schedule, report)
    blocks.examine()
    var windows = WindowRules(schedule, report)
    windows.examine()
    let others = OtherColumnRules(known)
    for (file, columns) in [
      (AgencyTable.file, feed.others.agencies), (RouteTable.file, feed.others.routes),
      (StopTable.file, feed.others.stops), (TripTable.file, schedule.others.trips),
      (StopTimeTable.file, schedule.others.stopTimes),
    ] { others.examine(columns, of: file, in: report) }
  }

  /// Reports values of `stop_access` where GTFS gives them no meaning.
  private func examineAccess(_ feed: Feed) {
    let name = "stop_access"
    let others = feed.others.stops
    guard let position = others.names.firstIndex(of: name) else { return }
    for (stop, line) in zip(feed.stops, stopLines) {
      guard let value = others.values(stop.others)?[position], !value.isEmpty else { continue }
      if stop.locationType != 0 {
        add(.stopAccess(.stopAccessElsewhere, stop.stopID), StopTable.file, line, name)
      } else if stop.parentStation == nil {
        add(.stopAccess(.stopAccessWithoutParent, stop.stopID), StopTable.file, line, name)
      }
    }
  }

  /// Reports stops whose level does not exist; levels are read after stops.
  private func examineLevels(of stops: [FeedStop]) {
    let file = "levels.txt"
    let levels = known[file]
    for (stop, line) in zip(stops, stopLines) {
      guard let level = stop.levelID, levels?.number(of: level.utf8) == nil else { continue }
      add(.unknownReference(.unknownLevel, level, file), StopTable.file, line, "level_id")
    }
  }

  private func add(_ problem: FeedProblem, _ file: String, _ line: Int, _ field: String) {
    report.add(problem.at(file, line: line, field: field))
  }
}
