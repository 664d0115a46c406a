public import Foundation
public import Holdfast

/// The names and headsigns of a feed in the languages that a rider prefers.
///
/// ```swift
/// let names = try await timetable.reader.read { db in
///   let translations = Translations(Locale.preferredLanguages)
///   return try Stop.fetchAll(db).map { try translations.translating($0, db).stopName }
/// }
/// ```
///
/// The texts come from the feed's `translations.txt`. For each preferred language, in order, the
/// exact tag is sought, then the tag without its last parts, then any tag of the same language: for
/// `fr-CA`, a translation in `fr-CA`, then in `fr`, then in `fr-CH`. Where the feed itself is in a
/// preferred language, its own text is taken before translations into less preferred ones. The rows of
/// `feed_info.txt` say which language that is, or else the agencies; several languages count as none.
/// A text without a translation stays as it is.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#translationstxt>
public struct Translations: Hashable, Sendable {
  /// The preferred languages as BCP 47 tags, such as `fr-CA`, the most preferred one first.
  public var languages: [String]

  /// Creates translations into the languages of a rider.
  ///
  /// - Parameter languages: BCP 47 tags, the most preferred one first; by default the languages of the
  ///   system.
  public init(_ languages: [String] = Locale.preferredLanguages) {
    self.languages = languages
  }

  // MARK: - Texts

  /// Returns a stop with its name in the rider's language.
  ///
  /// - Parameters:
  ///   - stop: The stop, with the name that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The stop; its own name where the feed has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ stop: Stop, _ db: Database) throws -> Stop {
    var stop = stop
    stop.stopName =
      try text(
        TranslatedText("stops", "stop_name", stop.stopName, recordID: stop.stopID), db)
      ?? stop.stopName
    return stop
  }

  /// Returns a route with its names in the rider's language.
  ///
  /// - Parameters:
  ///   - route: The route, with the names that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The route; its own names where the feed has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ route: Route, _ db: Database) throws -> Route {
    var route = route
    let translated = { (field: String, text: String) in
      text.isEmpty
        ? text
        : try self.text(TranslatedText("routes", field, text, recordID: route.routeID), db) ?? text
    }
    let (short, long) = (
      try translated("route_short_name", route.routeShortName),
      try translated("route_long_name", route.routeLongName)
    )
    (route.routeShortName, route.routeLongName) = (short, long)
    return route
  }

  /// Returns a booking rule with its messages, number and addresses in the rider's language.
  private func translating(_ rule: BookingRule?, _ db: Database) throws -> BookingRule? {
    guard var rule else { return nil }
    let id = rule.id
    let translated = { (field: String, text: String?) in
      try text.map { text in
        try self.text(TranslatedText("booking_rules", field, text, recordID: id), db) ?? text
      }
    }
    rule.message = try translated("message", rule.message)
    rule.pickupMessage = try translated("pickup_message", rule.pickupMessage)
    rule.dropOffMessage = try translated("drop_off_message", rule.dropOffMessage)
    // "Fields of type URL, Email and Phone number may also be 'translated'".
    rule.phoneNumber = try translated("phone_number", rule.phoneNumber)
    rule.infoURL = try translated("info_url", rule.infoURL)
    rule.bookingURL = try translated("booking_url", rule.bookingURL)
    return rule
  }

  /// Returns a departure with its stop, route, headsign, trip's name and booking rule in the rider's language.
  ///
  /// - Parameters:
  ///   - departure: The departure, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The departure; the feed's texts where it has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ departure: Departure, _ db: Database) throws -> Departure {
    var departure = departure
    departure.stop = try translating(departure.stop, db)
    departure.route = try translating(departure.route, db)
    (departure.headsign, departure.tripShortName) = try tripTexts(
      departure.headsign, departure.tripShortName, departure.tripID, departure.stopSequence, db)
    departure.bookingRule = try translating(departure.bookingRule, db)
    return departure
  }

  /// Returns an arrival with its stop, the trip's first stop, its route, headsign, trip's name and
  /// booking rule in the rider's language.
  ///
  /// - Parameters:
  ///   - arrival: The arrival, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The arrival; the feed's texts where it has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ arrival: Arrival, _ db: Database) throws -> Arrival {
    var arrival = arrival
    arrival.stop = try translating(arrival.stop, db)
    arrival.origin = try arrival.origin.map { try translating($0, db) }
    arrival.route = try translating(arrival.route, db)
    (arrival.headsign, arrival.tripShortName) = try tripTexts(
      arrival.headsign, arrival.tripShortName, arrival.tripID, arrival.stopSequence, db)
    arrival.bookingRule = try translating(arrival.bookingRule, db)
    return arrival
  }

  /// Returns a trip with its route, headsigns, name, stops, groups of stops and booking rules in the rider's language.
  ///
  /// - Parameters:
  ///   - trip: The trip, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The trip; the feed's texts where it has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ trip: Trip, _ db: Database) throws -> Trip {
    var trip = trip
    trip.route = try translating(trip.route, db)
    (trip.tripHeadsign, trip.tripShortName) = try tripTexts(
      trip.tripHeadsign, trip.tripShortName, trip.tripID, nil, db)
    trip.calls = try trip.calls.map { call in
      var call = call
      call.stop = try call.stop.map { try translating($0, db) }
      call.stopHeadsign = try headsign(
        call.stopHeadsign, tripID: trip.tripID, call.stopSequence, db)
      if let group = call.locationGroupID, let name = call.areaName {
        // "Any file added to GTFS will have a table_name value equivalent to the file name".
        let text = TranslatedText(
          "location_groups", "location_group_name", name, recordID: group)
        call.areaName = try self.text(text, db) ?? name
      }
      call.pickupBookingRule = try translating(call.pickupBookingRule, db)
      call.dropOffBookingRule = try translating(call.dropOffBookingRule, db)
      return call
    }
    return trip
  }

  /// Returns a trip of a route with its headsign, name, first and last stop in the rider's language.
  ///
  /// - Parameters:
  ///   - trip: The trip, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The trip; the feed's texts where it has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ trip: RouteTrip, _ db: Database) throws -> RouteTrip {
    var trip = trip
    (trip.tripHeadsign, trip.tripShortName) = try tripTexts(
      trip.tripHeadsign, trip.tripShortName, trip.tripID, nil, db)
    trip.origin = try trip.origin.map { try translating($0, db) }
    trip.destination = try trip.destination.map { try translating($0, db) }
    return trip
  }

  /// Returns a journey with its stops, routes, headsigns, trips' names and booking rules in the rider's language.
  ///
  /// - Parameters:
  ///   - journey: The journey, with the texts that the feed has.
  ///   - db: The connection of the current access.
  /// - Returns: The journey; the feed's texts where it has no translation.
  /// - Throws: `DatabaseError` when the database cannot be read.
  public func translating(_ journey: Journey, _ db: Database) throws -> Journey {
    var journey = journey
    journey.legs = try journey.legs.map { leg in
      switch leg {
      case .walk(var walk):
        walk.from = try walk.from.map { try translating($0, db) }
        walk.to = try walk.to.map { try translating($0, db) }
        walk.entrance = try walk.entrance.map { try translating($0, db) }
        return .walk(walk)
      case .ride(let ride):
        return .ride(try translating(ride, db))
      }
    }
    return journey
  }

  private func translating(_ ride: Journey.Ride, _ db: Database) throws -> Journey.Ride {
    let translated = { (call: Journey.Call) in
      var call = call
      call.stop = try translating(call.stop, db)
      call.pickupBookingRule = try translating(call.pickupBookingRule, db)
      call.dropOffBookingRule = try translating(call.dropOffBookingRule, db)
      return call
    }
    var ride = ride
    ride.route = try translating(ride.route, db)
    (ride.headsign, ride.tripShortName) = try tripTexts(
      ride.headsign, ride.tripShortName, ride.tripID, ride.board.stopSequence, db)
    ride.board = try translated(ride.board)
    ride.alight = try translated(ride.alight)
    ride.intermediateCalls = try ride.intermediateCalls.map(translated)
    return ride
  }

  /// Returns the headsign and the name of a trip, as they are shown at a call.
  private func tripTexts(
    _ headsign: String?, _ shortName: String?, _ tripID: String, _ stopSequence: Int?,
    _ db: Database
  ) throws -> (headsign: String?, shortName: String?) {
    let name = try shortName.map { name in
      try text(TranslatedText("trips", "trip_short_name", name, recordID: tripID), db) ?? name
    }
    return (try self.headsign(headsign, tripID: tripID, stopSequence, db), name)
  }

  private func headsign(
    _ headsign: String?, tripID: String, _ stopSequence: Int?, _ db: Database
  ) throws -> String? {
    guard let headsign else { return nil }
    guard let stopSequence else {
      return try text(TranslatedText("trips", "trip_headsign", headsign, recordID: tripID), db)
        ?? headsign
    }
    let ofStop = TranslatedText(
      "stop_times", "stop_headsign", headsign, recordID: tripID, recordSubID: stopSequence)
    if let translation = try text(ofStop, db) { return translation }
    // A call does not tell whose headsign it has, and a row that names the trip is about the trip's.
    let isOfTrip = try hasTranslations(db) && Trip.headsign(ofTripID: tripID, db) == headsign
    let ofTrip = TranslatedText(
      "trips", "trip_headsign", headsign, recordID: isOfTrip ? tripID : nil)
    return try text(ofTrip, db) ?? headsign
  }

  /// Returns the translation of a text into the most preferred language that has one.
  ///
  /// - Returns: The translation; `nil` if the feed's own text is to be shown.
  private func text(_ text: TranslatedText, _ db: Database) throws -> String? {
    guard try hasTranslations(db) else { return nil }
    let (feed, found) = try db.deferringTemporaryObjects {
      (try db.cached { try FeedLanguage($0) }, try text.fetchAll(db))
    }
    for language in languages {
      let preference = LanguagePreference(language)
      if let translation = preference.best(among: found) { return translation }
      if let own = feed.language, preference.rank(of: own) != nil { return nil }
    }
    return nil
  }

  /// Returns whether any text may be translated.
  private func hasTranslations(_ db: Database) throws -> Bool {
    guard !languages.isEmpty else { return false }
    return try db.deferringTemporaryObjects { try db.cached { try FeedLanguage($0) } }
      .hasTranslations
  }
}
