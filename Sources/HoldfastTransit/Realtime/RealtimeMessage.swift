public import Foundation
public import Holdfast

/// A GTFS-Realtime feed message with all that it says: trip updates, alerts and vehicle positions.
///
/// ```swift
/// let message = try RealtimeMessage(feedMessage: response)
/// let alerts = try await timetable.reader.read { db in try message.alerts(for: departure, db) }
/// ```
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-feedmessage>
public struct RealtimeMessage: Sendable {
  /// The trip updates.
  public let tripUpdates: TripUpdates
  /// The alerts, in the order of the message.
  public let alerts: [Alert]
  /// The vehicle positions, in the order of the message.
  public let vehiclePositions: [VehiclePosition]

  /// The vehicle positions, those last that were measured last, which count of several for one trip.
  private let sortedVehicles: [VehiclePosition]
  /// These as updates, so that they are found as updates are.
  private let vehiclesByTrip: TripUpdates
  /// The last vehicle of each `trip_id`.
  private let vehiclesByTripID: [ExactText: Int]
  private let alertIndex: AlertIndex
  /// The identifiers of the alerts that describe modifications, by the modifications' numbers.
  private let describing: [Set<ExactText>]
  /// Whether an alert is about trips with a certain day or start, or may describe modifications of such trips.
  private let hasDatedAlerts: Bool

  /// Decodes a feed message.
  ///
  /// - Parameter feedMessage: The message in the binary format of protocol buffers, at most 64 MiB.
  /// - Throws: The errors of ``TripUpdates/init(feedMessage:)``, also for alerts and vehicle positions.
  public init(feedMessage: Data) throws(TransitError) {
    let updates = try TripUpdates(feedMessage: feedMessage)
    try self.init(updates, [UInt8](feedMessage), path: nil)
  }

  /// Reads and decodes a feed message that is stored in a file.
  ///
  /// - Parameter url: The file, which is read once.
  /// - Throws: The errors of ``TripUpdates/init(contentsOf:)``, also for alerts and vehicle positions.
  public init(contentsOf url: URL) throws(TransitError) {
    let (bytes, path) = (
      try TripUpdates.bytes(contentsOf: url), url.path(percentEncoded: false)
    )
    try self.init(try TripUpdates(feedMessage: bytes, path: path), bytes, path: path)
  }

  private init(_ updates: TripUpdates, _ bytes: [UInt8], path: String?) throws(TransitError) {
    let entities: EntityDecoder
    do {
      entities = try EntityDecoder(bytes)
    } catch {
      throw .malformedMessage(path: path, error)
    }
    guard !entities.isIncomplete else {
      throw .tooManyUpdates(path: path, FeedMessageDecoder.Limits())
    }
    let count = entities.millisecondCount
    self.init(
      updates.counting(count > 0 ? ["time": count] : [:]), entities.alerts, entities.vehicles)
  }

  private init(
    _ updates: TripUpdates, _ alerts: [Alert], _ vehiclePositions: [VehiclePosition]
  ) {
    (tripUpdates, self.alerts, self.vehiclePositions) = (updates, alerts, vehiclePositions)
    sortedVehicles = vehiclePositions.enumerated().map { number, vehicle in
      (vehicle.timestamp ?? updates.timestamp ?? .distantPast, number, vehicle)
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    vehiclesByTrip = TripUpdates(
      sortedVehicles.map { vehicle in
        // When the vehicle was where it is tells the day as a predicted time does.
        TripUpdate(
          id: vehicle.id, trip: vehicle.trip?.affected ?? TripDescriptor(),
          stopTimeUpdates: vehicle.timestamp.map {
            [StopTimeUpdate(arrival: StopTimeEvent(time: $0))]
          } ?? [],
          timestamp: vehicle.timestamp ?? updates.timestamp)
      }, timestamp: updates.timestamp)
    vehiclesByTripID = Dictionary(
      sortedVehicles.enumerated().compactMap { number, vehicle in
        vehicle.trip?.tripID.map { (ExactText($0), number) }
      }, uniquingKeysWith: { _, last in last })
    alertIndex = AlertIndex(alerts, asOf: updates.timestamp)
    describing = updates.tripModifications.map { entity in
      Set(entity.modifications.lazy.compactMap(\.serviceAlertID).map(ExactText.init))
    }
    hasDatedAlerts =
      updates.tripModifications.contains { !$0.startTimes.isEmpty }
      || alerts.contains { alert in
        alert.informedEntities.lazy.compactMap { $0.trip?.affected }
          .contains { $0.startTime != nil || $0.startDate != nil }
      }
  }

  /// Creates one message of several, such as one for each kind or each feed.
  ///
  /// - Parameter messages: The messages; see ``TripUpdates/init(merging:)``.
  public init(merging messages: [RealtimeMessage]) {
    let vehicles = messages.flatMap { message in
      message.vehiclePositions.map { vehicle in
        var vehicle = vehicle
        vehicle.timestamp = vehicle.timestamp ?? message.tripUpdates.timestamp
        return vehicle
      }
    }
    self.init(
      TripUpdates(merging: messages.map(\.tripUpdates)), messages.flatMap(\.alerts), vehicles)
  }

  /// Returns the message with a prefix before each identifier, to match a feed that was imported with it.
  ///
  /// - Parameter prefix: The prefix of the message's feed; an empty one changes nothing.
  /// - Returns: A message that is otherwise equal.
  public func prefixed(by prefix: String) -> RealtimeMessage {
    guard !prefix.isEmpty else { return self }
    let named = { (id: String?) in id.map { prefix + $0 } }
    let renamed = { (trip: TripDescriptor?) in
      trip.map { trip in
        var trip = trip
        trip.rename(named)
        return trip
      }
    }
    let alerts = alerts.map { alert in
      var alert = alert
      // Modifications name it, and another feed's alert may have the same identifier.
      alert.id = prefix + alert.id
      alert.informedEntities = alert.informedEntities.map { selector in
        var selector = selector
        (selector.agencyID, selector.routeID) = (named(selector.agencyID), named(selector.routeID))
        (selector.stopID, selector.trip) = (named(selector.stopID), renamed(selector.trip))
        return selector
      }
      return alert
    }
    let vehicles = vehiclePositions.map { vehicle in
      var vehicle = vehicle
      (vehicle.trip, vehicle.stopID) = (renamed(vehicle.trip), named(vehicle.stopID))
      return vehicle
    }
    return RealtimeMessage(tripUpdates.prefixed(by: prefix), alerts, vehicles)
  }

  // MARK: - The timetable

  /// Returns whether the message is about anything of a timetable.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: Whether one of the trips, routes and stops that its updates, vehicles and alerts name, of the
  ///   first 10,000 of each kind, is in the timetable; true for a message that names none, such as one of
  ///   alerts about all that an agency runs.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`; `DatabaseError` when the database cannot be read.
  public func matchesTimetable(_ db: Database) throws -> Bool {
    try db.deferringTemporaryObjects { try namesAny(db) }
  }

  private func namesAny(_ db: Database) throws -> Bool {
    let most = 10_000
    var named = try NamedEntities(db)
    if try named.haveAny(of: tripUpdates, upTo: most) { return true }
    for vehicle in vehiclePositions.prefix(most) {
      if let trip = vehicle.trip, try named.have(trip) { return true }
      if try named.haveStop(vehicle.stopID) { return true }
    }
    for entity in alerts.lazy.flatMap(\.informedEntities).prefix(most) {
      if let trip = entity.trip, try named.have(trip) { return true }
      if try named.haveRoute(entity.routeID) || named.haveStop(entity.stopID) { return true }
    }
    return named.isEmpty
  }

  // MARK: - Alerts

  /// Returns the alerts about a departure that are active then: about its stop or station, route, trip
  /// or agency.
  ///
  /// - Parameters:
  ///   - departure: The departure, with the texts that the feed has.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The alerts, in the order of the message.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func alerts(for departure: Departure, _ db: Database) throws -> [Alert] {
    guard !alerts.isEmpty else { return [] }
    var subject = try Self.subject([departure.stop], departure.route, db)
    (subject.directionID, subject.tripID) = (departure.directionID, departure.tripID)
    subject.startDate = departure.serviceDay.digits
    if hasDatedAlerts, departure.headway == nil {
      subject.take(try DatedRun(of: departure, db))
    }
    return active(subject, from: departure.departure, through: departure.departure)
  }

  /// Returns the alerts about an arrival that are active then.
  ///
  /// - Parameters:
  ///   - arrival: The arrival, with the texts that the feed has.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The alerts, in the order of the message.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func alerts(for arrival: Arrival, _ db: Database) throws -> [Alert] {
    guard !alerts.isEmpty else { return [] }
    var subject = try Self.subject([arrival.stop], arrival.route, db)
    (subject.directionID, subject.tripID) = (arrival.directionID, arrival.tripID)
    subject.startDate = arrival.serviceDay.digits
    if hasDatedAlerts, arrival.headway == nil {
      subject.take(try DatedRun(of: arrival, db))
    }
    return active(subject, from: arrival.arrival, through: arrival.arrival)
  }

  /// Returns the alerts about a ride of a journey: about its route, trip or agency, and the stops
  /// where riders board and alight, active at any time between.
  ///
  /// - Parameters:
  ///   - ride: The ride, with the texts that the feed has.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The alerts, in the order of the message.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func alerts(for ride: Journey.Ride, _ db: Database) throws -> [Alert] {
    guard !alerts.isEmpty else { return [] }
    var subject = try Self.subject([ride.board.stop, ride.alight.stop], ride.route, db)
    (subject.directionID, subject.tripID) = (ride.directionID, ride.tripID)
    subject.startDate = ride.serviceDay.digits
    if hasDatedAlerts { subject.take(try DatedRun(of: ride, db)) }
    let start = ride.board.departure ?? ride.board.arrival ?? .distantPast
    return active(subject, from: start, through: max(start, ride.alight.arrival ?? start))
  }

  /// Returns the alerts about a way on foot: about the entrance of a station through which it leads, active at any
  /// time between.
  ///
  /// - Parameters:
  ///   - walk: The way.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The alerts, in the order of the message.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func alerts(for walk: Journey.Walk, _ db: Database) throws -> [Alert] {
    guard let entrance = walk.entrance else { return [] }
    return try alerts(about: entrance, from: walk.departure, through: walk.arrival, db)
  }

  /// Returns the alerts about a stop or its station as such, active in a span of time.
  ///
  /// - Parameters:
  ///   - stop: The stop.
  ///   - start: The beginning.
  ///   - end: The end, which belongs to it.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The alerts, in the order of the message.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func alerts(
    about stop: Stop, from start: Date, through end: Date, _ db: Database
  ) throws -> [Alert] {
    guard !alerts.isEmpty else { return [] }
    return active(try Self.subject([stop], nil, db), from: start, through: end)
  }

  /// Returns the alerts about a subject that are active in a span of time, and those that describe how its trip
  /// is modified.
  private func active(_ subject: AlertSubject, from start: Date, through end: Date) -> [Alert] {
    let modified = subject.instance.flatMap(tripUpdates.numberOfModifications(of:))
    return alertIndex.alerts(
      about: subject, or: modified.map { describing[$0] } ?? [], from: start, through: end)
  }

  /// Returns what alerts about stops, with their stations, and a route are looked up for.
  private static func subject(
    _ stops: [Stop], _ route: Route?, _ db: Database
  ) throws -> AlertSubject {
    var subject = AlertSubject()
    subject.stopIDs = Set(stops.map { ExactText($0.stopID) })
    for stop in stops {
      // A boarding area belongs to a platform, and that to a station.
      var parent = stop.parentStation
      for _ in 0..<3 {
        guard let id = parent, subject.stopIDs.insert(ExactText(id)).inserted else { break }
        parent = try Stop.fetchOne(db, stopID: id)?.parentStation
      }
    }
    guard let route else { return subject }
    (subject.routeID, subject.routeType) = (route.routeID, route.routeType.rawValue)
    // "agency_id" of the feed's only agency may be blank in routes.txt.
    subject.agencyID = route.agencyID
    return subject
  }

  // MARK: - Vehicles

  /// Returns the position of the vehicle of a departure.
  ///
  /// - Parameters:
  ///   - departure: The departure.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The position, with the stop where the message names only its number in the trip; `nil`
  ///   if the message has none.
  /// - Throws: The errors of ``Departures/fetchAll(_:)``.
  public func vehiclePosition(
    for departure: Departure, _ db: Database
  ) throws -> VehiclePosition? {
    guard !vehiclePositions.isEmpty else { return nil }
    return try known(departure.tid, departure.tripID, departure.serviceDay, departure.start, db) {
      try vehicle(
        of: try DatedRun(of: departure, db), departure.tid, departure.tripID, departure.route,
        departure.directionID, db)
    }
  }

  /// Returns the position of the vehicle of an arrival.
  ///
  /// - Parameters:
  ///   - arrival: The arrival.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The position, with the stop where the message names only its number in the trip; `nil`
  ///   if the message has none.
  /// - Throws: The errors of ``Departures/fetchAll(_:)``.
  public func vehiclePosition(for arrival: Arrival, _ db: Database) throws -> VehiclePosition? {
    guard !vehiclePositions.isEmpty else { return nil }
    return try known(arrival.tid, arrival.tripID, arrival.serviceDay, arrival.start, db) {
      try vehicle(
        of: try DatedRun(of: arrival, db), arrival.tid, arrival.tripID, arrival.route,
        arrival.directionID, db)
    }
  }

  /// Returns the position of the vehicle of a ride of a journey.
  ///
  /// - Parameters:
  ///   - ride: The ride.
  ///   - db: The connection of the current access, to the timetable database.
  /// - Returns: The position, with the stop where the message names only its number in the trip; `nil`
  ///   if the message has none, or if only the headway of the ride is known.
  /// - Throws: The errors of ``Departures/fetchAll(_:)``.
  public func vehiclePosition(for ride: Journey.Ride, _ db: Database) throws -> VehiclePosition? {
    guard !vehiclePositions.isEmpty, ride.headway == nil else { return nil }
    return try known(ride.tid, ride.tripID, ride.serviceDay, ride.start, db) {
      try vehicle(
        of: try DatedRun(of: ride, db), ride.tid, ride.tripID, ride.route, ride.directionID, db)
    }
  }

  /// Returns the position of the vehicle of a trip that was asked for at another stop, or else finds it.
  private func known(
    _ tid: Int64?, _ tripID: String, _ day: ServiceDay, _ start: Int?, _ db: Database,
    _ find: () throws -> VehiclePosition?
  ) throws -> VehiclePosition? {
    let key = VehicleCache.Key(tid: tid, tripID: ExactText(tripID), day: day, start: start)
    // An observation depends on what is cached too, which no statement reads.
    try db.registerAccess(to: DatabaseRegion.fullDatabase)
    let cache = try db.cached { _ in VehicleCache() }
    return try cache.vehicle(key, of: vehiclesByTrip.identity, find)
  }

  private func vehicle(
    of run: DatedRun?, _ tid: Int64?, _ tripID: String, _ route: Route, _ directionID: Int?,
    _ db: Database
  ) throws -> VehiclePosition? {
    guard let run else {
      // Of a trip that only live data have, only the name is known.
      let position =
        tid == nil ? vehiclesByTripID[ExactText(tripID)].map { sortedVehicles[$0] } : nil
      return try position?.atStop {
        let update = tripUpdates.addition(named: tripID)
        return try update.flatMap { try LiveCalls.addition($0, TripCache.of(db), db)?.stopTimes }
      }
    }
    let (pattern, span) = (run.pattern, run.span)
    var instance = TripInstance(
      tripID: tripID, routeID: route.routeID, directionID: directionID,
      startDate: run.day.digits, startTime: .seconds(run.start),
      start: span.lowerBound, end: span.upperBound, isFrequencyBased: run.isFrequencyBased)
    instance.neighbors = run.neighbors
    guard let number = vehiclesByTrip.number(ofUpdateFor: instance, isOnItsDay: true),
      try isMeant(run, tid, by: number, db)
    else { return nil }
    return try sortedVehicles[number].atStop {
      let stops = try LiveCalls.stopTimes(
        pattern, run.timing, from: Int(span.lowerBound.timeIntervalSince1970), TripCache.of(db), db)
      let modified = tripUpdates.modifiedStops(of: instance) { stops }
      if let selector = sortedVehicles[number].trip?.modifiedTrip {
        // How many stops other modifications leave is not known.
        guard let modified, let id = modified.id, let own = selector.modificationsID,
          own.hasSameBytes(as: id)
        else { return nil }
        return modified.served.map { LiveStopTime($0) }
      }
      let update = tripUpdates.number(ofUpdateFor: instance, isModified: modified != nil)
      return try update.map {
        try LiveCalls.liveStopTimes(tripUpdates.updates[$0], stops, db, modified: modified)
      } ?? stops.map { LiveStopTime($0) }
    }
  }

  /// Returns whether a vehicle is the one of a run of its trip: without a service day it is on the day whose run is
  /// closest to the stop where it is, or is going, at its moment; without a `trip_id` it is that of the only trip
  /// which fits.
  private func isMeant(
    _ run: DatedRun, _ tid: Int64?, by number: Int, _ db: Database
  ) throws -> Bool {
    var update = vehiclesByTrip.updates[number]
    let cache = try TripCache.of(db)
    let trips: [(TimetablePattern, StoredPattern.Run)]
    if update.trip.tripID == nil {
      trips = try db.deferringTemporaryObjects {
        try LiveCalls.trips(ofRouteIn: update, cache, db)
      }
    } else {
      // A date in another form is none for the index.
      guard update.trip.startDate.flatMap(TripUpdateIndex.date) == nil,
        let stored = tid.flatMap(run.pattern.run)
      else { return true }
      trips = [(run.pattern, stored)]
      let vehicle = sortedVehicles[number]
      update.stopTimeUpdates = [
        StopTimeUpdate(
          // The stops of a modified trip have other numbers.
          stopSequence: vehicle.trip?.modifiedTrip == nil ? vehicle.currentStopSequence : nil,
          stopID: vehicle.stopID,
          arrival: StopTimeEvent(time: update.timestamp))
      ]
    }
    let span = run.span.lowerBound.timeIntervalSince1970...run.span.upperBound.timeIntervalSince1970
    let changes = try LiveCalls.changes(
      trips, update, by: 0, of: TripUpdates([update], timestamp: nil),
      within: Int(span.lowerBound)...Int(span.upperBound), cache, db)
    // The start of a replaced run is counted from its own times.
    return changes.contains {
      $0.instance.tid == tid && $0.instance.day == run.day
        && (!run.isFrequencyBased || $0.instance.start == run.start)
    }
  }
}
