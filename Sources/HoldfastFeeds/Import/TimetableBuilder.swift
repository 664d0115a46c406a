import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// A builder that writes a feed into a new timetable database.
struct TimetableBuilder {
  private let feed: Feed
  private let agencies: [FeedAgency]
  /// The number of each agency that has an identifier, the first one of several.
  private let agencyNumbers: [ExactText: Int]
  private let places: StopPlaces
  private let reading: FeedReading
  private let stopNumbers, routeNumbers: AssignedNumbers
  private let search: SearchIndexWriter
  private let schedule: TimetableContent
  private let otherAgencies, otherStops, otherRoutes: OtherRows
  /// The number of rows in each table of texts, by the name of its file.
  private var plainRows: [String: Int] = [:]
  private let shapeDetail: ShapeDetail
  /// The number of points of shapes; `nil` if there are none.
  private var shapePoints: Int?
  /// The number of zones of services on demand; `nil` if there is no file of them.
  private var locations: Int?

  /// Creates a builder of what was read from a feed without errors.
  init(_ reading: FeedReading, numbers: StableNumbers, shapeDetail: ShapeDetail = .full) {
    self.shapeDetail = shapeDetail
    let feed = reading.feed
    self.feed = feed
    // Sorted by content, so that the order of the feed's rows does not matter.
    agencies = feed.agencies.map { (Self.sortKey(of: $0, feed.others.agencies), $0) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    agencyNumbers = Dictionary(
      agencies.enumerated().compactMap { index, agency in
        agency.agencyID.map { (ExactText($0), index + 1) }
      }, uniquingKeysWith: { first, _ in first })
    otherAgencies = OtherRows(AgencyTable.file, feed.others.agencies)
    otherStops = OtherRows(StopTable.file, feed.others.stops)
    otherRoutes = OtherRows(RouteTable.file, feed.others.routes)
    places = StopPlaces(feed.stops)
    stopNumbers = numbers.numbers(ofStops: feed.stops.map(\.stopID))
    routeNumbers = numbers.numbers(ofRoutes: feed.routes.map(\.routeID))
    // Begins now, because the schedule's content is made by one thread.
    search = Self.search(feed.stops, stopNumbers, places)
    var tripNumbers = numbers.trips
    schedule =
      reading.schedule?.content(
        stops: stopNumbers.numbers, routes: routeNumbers.numbers, numbers: &tripNumbers)
      ?? TimetableContent()
    var reading = reading
    reading.releaseSchedule()
    self.reading = reading
  }

  /// Creates the database.
  ///
  /// A single SQL statement, such as the one that builds the search index, is not interrupted.
  ///
  /// - Parameters:
  ///   - url: The file, which must not exist.
  ///   - progress: Called with the fraction done, from 0 to 1; an error that it throws ends the work.
  /// - Returns: The result of the import.
  /// - Throws: `DatabaseError` with SQLite's code; ``FeedError`` when a file that is kept as text cannot
  ///   be read; whatever `progress` throws.
  mutating func build(at url: URL, progress: @escaping (Double) throws -> Void) throws -> FeedImport
  {
    let queue = try DatabaseQueue(
      path: url.path(percentEncoded: false), configuration: .forUnpublishedFile)
    defer { queue.closeIgnoringErrors() }
    // A mutable value cannot be captured.
    let builder = self
    let filled = try queue.write { db in try builder.fill(db, progress) }
    (plainRows, shapePoints, locations) = (filled.plainRows, filled.shapePoints, filled.locations)
    try progress(0.9)
    try queue.writeWithoutTransaction { db in
      // The search index was built twice; the pages of the first one are free now.
      try db.execute(sql: "VACUUM")
    }
    var report = reading.report.value
    for (problem, count) in TimetableFallbacks(feed, places).problems {
      report.problems.append(problem)
      report.count(problem, times: count)
    }
    let files = Set(report.files.map(\.name))
    var result = FeedImport(
      report: report, rows: rows.filter { files.contains($0.key) },
      feedIdentity: filled.identity.description, bytes: try queue.read { db in try Self.bytes(db) },
      output: url)
    result.stopsWithoutService = schedule.stopsWithoutService
    // Rows that name stops which the feed lacks are of no stop.
    result.isWithoutService =
      !schedule.servesAnyStop
      && (schedule.stopsWithoutService > 0
        || report.problems.contains { $0.severity == .warning && $0.file == StopTimeTable.file })
    return result
  }

  /// The rows that were written into a database.
  private struct Filled: Sendable {
    var identity: SHA256Digest
    var plainRows: [String: Int]
    var shapePoints: Int?
    var locations: Int?
  }

  /// Fills the empty database.
  private func fill(
    _ db: Database, _ progress: @escaping (Double) throws -> Void
  ) throws -> Filled {
    // Patterns are coded while everything else is inserted.
    let timetable = TimetableWriter(schedule)
    let stopIDs = StopIDForm(of: feed.stops.map(\.stopID) + stopNumbers.retired.map(\.id))
    try TimetableSchema.create(db, stopIDs: stopIDs)
    try TimetableSchema.createOtherTables(
      db,
      columns: [
        AgencyTable.file: otherAgencies.ownNames, StopTable.file: otherStops.ownNames,
        RouteTable.file: otherRoutes.ownNames,
      ])
    // The rest of the feed is read here; it counts as reading.
    let plainRows = try reading.writePlainTables(db)
    let shapePoints = try reading.writeShapes(db, shapeDetail)
    let locations = try reading.writeLocations(db)
    var meter = RowMeter(rowCount) { try progress($0 * 0.7) }
    try insertAgencies(db, &meter)
    // The index is built while everything else is inserted.
    var search = search
    try search.build(schedule, db)
    try insertStops(db, stopIDs, &meter)
    try insertRoutes(db, &meter)
    try progress(0.7)
    try timetable.write(db) { try progress(0.7 + $0 * 0.1) }
    // Trips are decoded for it while the index is written.
    let identity = try TimetableIdentity(db)
    try search.write(db)
    try progress(0.8)
    return Filled(
      identity: try insertMetadata(db, identity), plainRows: plainRows, shapePoints: shapePoints,
      locations: locations)
  }

  /// Checks the created database: its structure, its rows, its search index.
  func verify(_ url: URL) throws {
    let timetable = try Timetable(at: url)
    defer { timetable.reader.closeIgnoringErrors() }
    try timetable.reader.read { db in
      let problems = try db.integrityProblems()
      let found = try rows(in: db)
      guard problems.isEmpty, found == rows else {
        throw FeedError.unsoundDatabase(problems: problems, rows: found, expected: rows)
      }
    }
  }

  /// The number of rows of each file that the database is to hold.
  private var rows: [String: Int] {
    [
      AgencyTable.file: feed.agencies.count, StopTable.file: feed.stops.count,
      RouteTable.file: feed.routes.count,
    ].merging(schedule.rows) { $1 }.merging(plainRows) { $1 }
      .merging(shapePoints.map { [ShapePointTable.file: $0] } ?? [:]) { $1 }
      .merging(locations.map { [LocationsTable.file: $0] } ?? [:]) { $1 }
  }

  /// The number of rows of each file that a database holds.
  private func rows(in db: Database) throws -> [String: Int] {
    let trips = try TripCounts(db)
    var plain: [String: Int] = [:]
    for file in plainRows.keys {
      let table = TimetableSchema.table(ofFile: file).quotedDatabaseIdentifier
      plain[file] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
    }
    if shapePoints != nil {
      var points = 0
      try ShapeTable(db).forEach { points += $1.points.count }
      plain[ShapePointTable.file] = points
    }
    if locations != nil { plain[LocationsTable.file] = try LocationsTable(db).count() }
    return [
      AgencyTable.file: try Int.fetchOne(db, sql: "SELECT count(*) FROM agency") ?? 0,
      StopTable.file: try Int.fetchOne(db, sql: "SELECT count(*) FROM stops") ?? 0,
      RouteTable.file: try Int.fetchOne(db, sql: "SELECT count(*) FROM routes") ?? 0,
      TripTable.file: trips.trips,
      StopTimeTable.file: trips.stopTimes,
      CalendarTable.file: trips.calendars,
      CalendarDateTable.file: trips.calendarDates,
      FrequencyTable.file: trips.frequencies,
    ].merging(plain) { $1 }
  }

  private static func bytes(_ db: Database) throws -> Int64 {
    let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
  }

  // MARK: - Rows

  private var rowCount: Int {
    agencies.count + stopNumbers.count + feed.stops.count + routeNumbers.count
      + feed.routes.count
  }

  private func insertAgencies(_ db: Database, _ meter: inout RowMeter) throws {
    for (index, agency) in agencies.enumerated() {
      try db.execute(
        sql: """
          INSERT INTO agency (aid, agency_id, agency_name, agency_url, agency_timezone,
            agency_lang, agency_phone, agency_fare_url, agency_email)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          index + 1, agency.agencyID, agency.agencyName, agency.agencyURL, agency.agencyTimezone,
          agency.agencyLang, agency.agencyPhone, agency.agencyFareURL, agency.agencyEmail,
        ])
      try otherAgencies.insert(db, Int64(index + 1), record: agency.others)
      try meter.count()
    }
  }

  /// Returns the writer of the index by which stops are found, to which they are added by their
  /// numbers.
  private static func search(
    _ stops: [FeedStop], _ numbers: AssignedNumbers, _ places: StopPlaces
  ) -> SearchIndexWriter {
    SearchIndexWriter(stops.count) { position in
      let index = numbers.order[position]
      let stop = stops[index]
      let parent = places.parentIndex(of: stop)
      return SearchIndexWriter.Place(
        sid: numbers.numbers[index], stopID: stop.stopID, name: places.name(of: stop).text,
        stationName: parent.map { places.name(of: stops[$0]).text },
        parent: parent.map { numbers.numbers[$0] }, code: stop.stopCode,
        isStation: stop.locationType == 1)
    }
  }

  private func insertStops(
    _ db: Database, _ stopIDs: StopIDForm, _ meter: inout RowMeter
  ) throws {
    let stops = stopNumbers.order
    var writer = StopWriter(stopIDs: stopIDs)
    for index in stops {
      writer.count(places.name(of: feed.stops[index]).text)
      try meter.count()
    }
    try writer.insertParts(db)
    let statements = try StopWriter.Statements(db)
    for index in stops {
      let (sid, stop) = (stopNumbers.numbers[index], feed.stops[index])
      let (name, source) = places.name(of: stop)
      let coordinate = places.coordinate(of: stop)
      var place = StopWriter.Place(sid: sid, stopID: stop.stopID, stopName: name)
      (place.stopCode, place.platformCode) = (stop.stopCode, stop.platformCode)
      // A latitude or a longitude alone is no place, and an export gives it back.
      (place.stopLat, place.stopLon) = (
        coordinate?.latitude ?? stop.stopLat, coordinate?.longitude ?? stop.stopLon
      )
      (place.locationType, place.wheelchairBoarding) = (stop.locationType, stop.wheelchairBoarding)
      place.parent = places.parentIndex(of: stop).map { stopNumbers.numbers[$0] }
      (place.stopDesc, place.stopURL, place.zoneID) = (stop.stopDesc, stop.stopURL, stop.zoneID)
      place.stopTimezone = stop.stopTimezone
      try writer.insert(place, statements)
      try otherStops.insert(
        db, sid, record: stop.others,
        known: ["tts_stop_name": stop.ttsStopName, "level_id": stop.levelID],
        filled: (source == .itself ? 0 : TimetableSchema.FilledValue.name)
          | (coordinate?.source == .station ? TimetableSchema.FilledValue.coordinate : 0))
      try meter.count()
    }
    for (id, sid) in stopNumbers.retired {
      try writer.insertRetired(sid, stopID: id, statements)
      try meter.count()
    }
    try writer.insertIdentifiers(db)
  }

  private func insertRoutes(_ db: Database, _ meter: inout RowMeter) throws {
    let routes = routeNumbers.order
    let named = routes.map { (id: feed.routes[$0].routeID, number: routeNumbers.numbers[$0]) }
    for (id, number) in named + routeNumbers.retired {
      try db.execute(
        sql: "INSERT INTO dict_route (rid, route_id) VALUES (?, ?)", arguments: [number, id])
      try meter.count()
    }
    for index in routes {
      let (rid, route) = (routeNumbers.numbers[index], feed.routes[index])
      try db.execute(
        sql: """
          INSERT INTO routes (rid, route_short_name, route_long_name, route_type, route_color,
            route_text_color, aid, route_desc, route_url, route_sort_order)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          rid, route.routeShortName ?? "", route.routeLongName ?? "", route.routeType,
          route.routeColor, route.routeTextColor, agencyNumber(of: route), route.routeDesc,
          route.routeURL, route.routeSortOrder,
        ])
      try otherRoutes.insert(
        db, rid, record: route.others,
        known: [
          "continuous_pickup": route.continuousPickup.map(String.init),
          "continuous_drop_off": route.continuousDropOff.map(String.init),
          "network_id": route.networkID,
        ])
      try meter.count()
    }
  }

  /// Returns the number of a route's agency.
  ///
  /// "agency_id is required if multiple agencies are defined": a route without an agency, or with an
  /// unknown one, belongs to the only agency; with several it has none.
  private func agencyNumber(of route: FeedRoute) -> Int? {
    let number = route.agencyID.flatMap { agencyNumbers[ExactText($0)] }
    return number ?? (agencies.count == 1 ? 1 : nil)
  }

  private static func sortKey(
    of agency: FeedAgency, _ others: OtherColumns
  ) -> [ExactText] {
    [
      agency.agencyID, agency.agencyName, agency.agencyURL, agency.agencyTimezone,
      agency.agencyLang, agency.agencyPhone, agency.agencyFareURL, agency.agencyEmail,
      others.text(agency.others),
    ].map { ExactText($0 ?? "") }
  }

  private func insertMetadata(
    _ db: Database, _ content: TimetableIdentity
  ) throws -> SHA256Digest {
    var metadata = TimetableMetadata()
    metadata.feedVersion = feed.info?.feedVersion
    metadata.feedStartDate = feed.serviceDates?.lowerBound.isoText
    metadata.feedEndDate = feed.serviceDates?.upperBound.isoText
    metadata.feedPublisherName = feed.info?.feedPublisherName
    metadata.feedPublisherURL = feed.info?.feedPublisherURL
    metadata.feedLang = feed.info?.feedLang
    if schedule.stopsWithoutService > 0 {
      metadata.stopsWithoutService = String(schedule.stopsWithoutService)
    }
    if !schedule.servesAnyStop { metadata.isWithoutService = "1" }
    try metadata.insert(db)
    if shapeDetail != .full, reading.hasShapes {
      try db.execute(
        sql: "INSERT INTO metadata (key, value) VALUES ('shapes', ?)",
        arguments: [shapeDetail.rawValue])
    }
    let identity = try content.digest()
    var own = TimetableMetadata()
    own.feedIdentity = identity.description
    try own.insert(db)
    return identity
  }
}

/// A meter of the fraction of the rows that has been inserted.
private struct RowMeter {
  private let total: Int
  private let progress: (Double) throws -> Void
  private var inserted = 0

  init(_ total: Int, _ progress: @escaping (Double) throws -> Void) {
    (self.total, self.progress) = (total, progress)
  }

  mutating func count() throws {
    inserted += 1
    // Seldom enough to cost nothing, often enough that an interruption is noticed at once.
    guard inserted.isMultiple(of: 1000) else { return }
    try progress(Double(inserted) / Double(total))
  }
}
