import Holdfast

/// What a message names, looked up in a timetable.
struct NamedEntities {
  private let db: Database
  private let tables: TripTables
  private var routes: [ExactText: Bool] = [:]

  /// Whether nothing was named so far.
  private(set) var isEmpty = true

  /// Prepares for looking up.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and times,
  ///   `.damaged`; `DatabaseError` when the database cannot be read.
  init(_ db: Database) throws {
    (self.db, tables) = (db, try TripTables(db))
  }

  /// Returns whether the timetable has a trip, or for an added one or one without a `trip_id` its route.
  mutating func have(_ trip: TripDescriptor) throws -> Bool {
    let trip = trip.affected
    if let tripID = trip.tripID {
      isEmpty = false
      if try tables.trip(tripID) != nil { return true }
      guard trip.scheduleRelationship.addsTrip else { return false }
    }
    return try haveRoute(trip.routeID)
  }

  /// Returns whether the timetable has one of the trips of updates and modifications, of the first ones of each.
  mutating func haveAny(of updates: TripUpdates, upTo most: Int) throws -> Bool {
    for update in updates.applied.prefix(most) where try have(update.trip) { return true }
    for tripID in updates.tripModifications.lazy.flatMap(\.tripIDs).prefix(most)
    where try have(TripDescriptor(tripID: tripID)) {
      return true
    }
    return false
  }

  /// Returns whether the timetable has a route.
  mutating func haveRoute(_ routeID: String?) throws -> Bool {
    guard let routeID else { return false }
    isEmpty = false
    let key = ExactText(routeID)
    if let isKnown = routes[key] { return isKnown }
    let isKnown = try Route.fetchOne(db, routeID: routeID) != nil
    routes[key] = isKnown
    return isKnown
  }

  /// Returns whether the timetable has a stop.
  mutating func haveStop(_ stopID: String?) throws -> Bool {
    guard let stopID else { return false }
    isEmpty = false
    return try Stop.fetchOne(db, stopID: stopID) != nil
  }
}
