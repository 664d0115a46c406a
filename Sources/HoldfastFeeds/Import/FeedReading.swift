import Foundation
import HoldfastTransit

/// One pass over a feed, from the first file to the last, in a fixed order.
struct FeedReading {
  enum Scope {
    /// The files that a ``Feed`` holds, and whether the other required files exist.
    case tables
    /// Also the files of the schedule: trips, times, services and frequencies.
    case timetable
    /// Also the text of the other files.
    case everything
  }

  let report: ReportBuilder
  private(set) var feed = Feed()
  /// The trips, times and services; `nil` if they were not read, or if the feed is refused.
  private(set) var schedule: FeedSchedule?
  let source: FeedSource
  private let meter: FeedMeter
  private let onRow: FeedRows.Observer?
  /// Whether shapes are read for an import.
  private let keepsShapes: Bool
  /// The rules that a report examines, and an import does not need.
  private let rules: FeedRules?

  /// The number of rows of a file up to which they are compared even if the feed is refused.
  ///
  /// A small archive may unpack to any number of rows, and keeping them in memory would be useless.
  static let mostRowsOfRefused = 50_000

  private static let tables = [
    AgencyTable.file, StopTable.file, RouteTable.file, CalendarTable.file, CalendarDateTable.file,
    FeedInfoTable.file,
  ]
  private static let scheduleTables = [
    TripTable.file, StopTimeTable.file, FrequencyTable.file,
  ]

  init(
    of source: FeedSource, progress: @escaping (Double) throws -> Void,
    onRow: FeedRows.Observer? = nil, examinedAt instant: Date? = nil, keepsShapes: Bool = true
  ) {
    self.keepsShapes = keepsShapes
    self.source = source
    self.onRow = onRow
    let report = ReportBuilder(source)
    self.report = report
    rules = instant.map { FeedRules(report, at: $0) }
    meter = FeedMeter(progress)
  }

  /// Releases the schedule, which takes most of the memory.
  mutating func releaseSchedule() { schedule = nil }

  mutating func read(_ scope: Scope) throws {
    let names = scope == .tables ? Self.tables : Self.tables + Self.scheduleTables
    let others = scope == .everything ? otherFiles : []
    let later = scope == .timetable ? plainFiles + shapeFiles : []
    meter.expect((source.files.filter { names.contains($0.name) } + others + later).map(\.size))
    report.addMissingFiles(of: source)
    try readTables(withSchedule: scope != .tables)
    if scope != .tables { try readSchedule() }
    rules?.know(schedule)
    for file in others { try scan(file) }
    if scope == .everything, let locations = try readLocations() { rules?.know(locations) }
    rules?.finish(feed, schedule)
  }

  private mutating func readTables(withSchedule: Bool) throws {
    var others = Feed.Others()
    let agencies = try rows(AgencyTable.self) {
      others.agencies = $0.others
      $0.judge($1, lines: $2, in: report)
    }
    var stopIDs = InternTable<UInt8>()
    let stops = try rows(StopTable.self) {
      others.stops = $0.others
      stopIDs = $0.identifiers.table
      $0.judge($1, lines: $2, in: report)
      rules?.examine($1, lines: $2)
    }
    let routes = try rows(RouteTable.self) {
      others.routes = $0.others
      if let agencies { $0.judge($1, lines: $2, agencies: agencies, in: report) }
      rules?.examine($1, lines: $2)
    }
    others.agencies.useAll()
    others.stops.useAll()
    others.routes.useAll()
    rules?.know(agencies ?? [])
    rules?.know(files: source.files.map(\.name))
    feed.others = others
    (feed.agencies, feed.stops, feed.routes) = (agencies ?? [], stops ?? [], routes ?? [])
    var schedule: FeedSchedule?
    if withSchedule, report.value.errorCount == 0 {
      schedule = FeedSchedule(stopIDs: stopIDs, routes: feed.routes, report: report)
      if let rules { schedule?.examine(by: rules.stopTimes(feed).examine) }
    }
    var first: FeedDate?
    var last: FeedDate?
    func include(_ date: FeedDate) {
      first = min(first ?? date, date)
      last = max(last ?? date, date)
    }
    let calendars = try forEachRow(CalendarTable.self) { calendar, _, parser in
      if calendar.hasDay {
        include(calendar.startDate)
        include(calendar.endDate)
      }
      schedule?.add(calendar, parser)
    }
    let exceptions = try forEachRow(CalendarDateTable.self) { exception, _, _ in
      if exception.exceptionType == 1 { include(exception.date) }
      schedule?.add(exception)
    }
    schedule?.others.calendar = calendars?.others ?? OtherColumns()
    schedule?.others.calendarDates = exceptions?.others ?? OtherColumns()
    self.schedule = schedule
    var infos = 0
    var (starts, ends): ([FeedDate], [FeedDate]) = ([], [])
    try forEachRow(FeedInfoTable.self) { info, _, _ in
      infos += 1
      if infos == 1 { feed.info = info }
      if let start = info.feedStartDate { starts.append(start) }
      if let end = info.feedEndDate { ends.append(end) }
    }
    if let merged = source.mergedFeed {
      // Each feed has its own file.
      let counts = merged.rowCounts(of: FeedInfoTable.file)
      for (name, rows) in counts where rows > 1 {
        report.add(.severalRows(rows).at("\(name)/\(FeedInfoTable.file)"))
      }
      // And its own days; those of the services count while a feed has none.
      let known = counts.filter { $0.rows > 0 }.count == merged.parts.count ? infos : nil
      first = (starts + (starts.count == known ? [] : [first].compactMap(\.self))).min()
      last = (ends + (ends.count == known ? [] : [last].compactMap(\.self))).max()
    } else {
      if infos > 1 { report.add(.severalRows(infos).at(FeedInfoTable.file)) }
      first = feed.info?.feedStartDate ?? first
      last = feed.info?.feedEndDate ?? last
    }
    if let first, let last, first <= last { feed.serviceDates = first...last }
  }

  /// Reads the trips, their times and their frequencies, or only their text if the feed is refused.
  private mutating func readSchedule() throws {
    guard report.value.errorCount == 0, var schedule else {
      schedule = nil
      for file in source.files where Self.scheduleTables.contains(file.name) { try scan(file) }
      return
    }
    schedule.zones = try zoneIDs()
    // One reference: the arrays of the schedule are changed in place.
    self.schedule = nil
    let trips = try forEachRow(TripTable.self) {
      schedule.reserveTrips($0)
    } body: {
      schedule.add($0, of: $1, $2)
    }
    let times = try readTimes(&schedule)
    let frequencies = try forEachRow(FrequencyTable.self) { schedule.add($0, of: $1, $2) }
    schedule.others.trips = trips?.others ?? OtherColumns()
    schedule.others.stopTimes = times?.others ?? OtherColumns()
    schedule.others.frequencies = frequencies?.others ?? OtherColumns()
    FlexDraft.examine(schedule.others.trips, of: TripTable.file, in: report)
    FlexDraft.examine(schedule.others.stopTimes, of: StopTimeTable.file, in: report)
    schedule.finish()
    if report.value.errorCount == 0 { self.schedule = schedule }
  }

  /// Reads the times on several threads.
  private func readTimes(_ schedule: inout FeedSchedule) throws -> StopTimeTable? {
    // Observers receive each row.
    if onRow != nil {
      return try forEachRow(StopTimeTable.self) { schedule.add($0, of: $1, $2) }
    }
    guard var (rows, table) = try open(StopTimeTable.self) else { return nil }
    if let converter = schedule.converter(of: table) {
      var parser = RowParser(file: StopTimeTable.file, report: report)
      try rows.forEachCheckedBlock(converter.convert) { _, block, record in
        schedule.add(block, of: &table, &parser, record)
      }
    } else {
      // For the flaws of the text.
      try rows.forEachBlock({ _ in }, { _, _ in })
    }
    rows.close(needsRows: StopTimeTable.needsRows)
    return table
  }

  private func scan(_ file: FeedSource.File) throws {
    var rows = FeedRows(of: file, depth: .text, report: report, onRow: onRow)
    try rows.open(in: source, meter)
    if var header = rows.header, plainFiles.contains(file) {
      _ = PlainColumns(&header, of: file.name)
    }
    if let rules, let header = rows.header {
      try rules.examine(&rows, header)
    } else if onRow == nil {
      try rows.forEachBlock({ _ in }, { _, _ in })
    } else {
      while try rows.next() {}
    }
    rows.close(needsRows: false)
  }

  /// The files whose rows are only examined, each after those to which it refers.
  private var otherFiles: [FeedSource.File] {
    let read = Self.tables + Self.scheduleTables
    let files = source.files.filter { !read.contains($0.name) && FeedCatalog.isText($0.name) }
    let ranks = files.map { FileRules.rank(of: $0.name) }
    let order = files.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    return order.map { files[$0] } + source.otherFiles
  }

  /// Whether the feed has shapes.
  var hasShapes: Bool { source.files.contains { $0.name == ShapePointTable.file } }

  /// The file of the shapes, if they are kept.
  private var shapeFiles: [FeedSource.File] {
    source.files.filter { keepsShapes && $0.name == ShapePointTable.file }
  }

  /// The files that are kept as tables of texts.
  private var plainFiles: [FeedSource.File] {
    source.files.filter { TimetableSchema.plainFiles[$0.name] != nil } + source.otherFiles
  }

  /// Reads the files that are kept as tables of texts, after all others.
  ///
  /// - Parameter body: A closure that is called with each file and its rows after the header.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress and `body` throw.
  func readPlainFiles(_ body: (FeedSource.File, inout FeedRows) throws -> Void) throws {
    for file in plainFiles {
      // The problems of its text were reported when it was read for its values.
      let isReadAgain = Self.tables.contains(file.name)
      var rows = FeedRows(
        of: file, depth: .text, report: isReadAgain ? ReportBuilder(source) : report, onRow: nil)
      try rows.open(in: source, meter)
      try body(file, &rows)
      rows.close(needsRows: false)
    }
  }

  /// Reads the shapes.
  ///
  /// - Parameter body: A closure that is called with the rows after the header.
  /// - Returns: The result of `body`; `nil` if the feed has no such file.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress and `body` throw.
  func readShapes<Value>(_ body: (inout FeedRows) throws -> Value?) throws -> Value? {
    guard let file = source.files.first(where: { $0.name == ShapePointTable.file }) else {
      return nil
    }
    var rows = FeedRows(of: file, depth: .text, report: report, onRow: nil)
    try rows.open(in: source, meter)
    let value = try body(&rows)
    rows.close(needsRows: false)
    return value
  }

  /// Returns the rows of a file; `nil` when a feed with errors has too many to keep.
  private func rows<Table: FeedTable>(
    _: Table.Type, judge: (Table, [Table.Row], [Int]) -> Void
  ) throws -> [Table.Row]? {
    var rows: [Table.Row] = []
    var lines: [Int] = []
    var areWhole = true
    // Large arrays are not moved while they grow.
    let table = try forEachRow(Table.self) {
      rows.reserveCapacity($0)
      lines.reserveCapacity($0)
    } body: { row, _, parser in
      guard areWhole else { return }
      rows.append(row)
      lines.append(parser.line)
      if rows.count > Self.mostRowsOfRefused, report.value.errorCount > 0 {
        (rows, lines, areWhole) = ([], [], false)
      }
    }
    guard areWhole else { return nil }
    if let table { judge(table, rows, lines) }
    return rows
  }

  @discardableResult
  private func forEachRow<Table: FeedTable>(
    _: Table.Type, expecting reserve: (Int) -> Void = { _ in },
    body: (Table.Row, Table, RowParser) throws -> Void
  ) throws -> Table? {
    guard var (rows, table) = try open(Table.self) else { return nil }
    reserve(rows.expectedCount)
    while try rows.next() {
      if let row = table.row(rows.parser) { try body(row, table, rows.parser) }
    }
    rows.close(needsRows: needsRows(Table.self))
    return table
  }

  private func needsRows<Table: FeedTable>(_: Table.Type) -> Bool {
    Table.needsRows && FeedCatalog.isRequired(Table.file, in: source.files.map(\.name))
  }

  /// Opens the file of a table and reads its header; `nil` if there is none.
  private func open<Table: FeedTable>(_: Table.Type) throws -> (FeedRows, Table)? {
    guard let file = source.files.first(where: { $0.name == Table.file }) else { return nil }
    var rows = FeedRows(of: file, depth: Table.depth, report: report, onRow: onRow)
    try rows.open(in: source, meter)
    guard var header = rows.header else {
      rows.close(needsRows: needsRows(Table.self))
      return nil
    }
    let table = Table(&header)
    header.close()
    return (rows, table)
  }
}
