import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit journey DB FROM TO [--at TIME | --by TIME] [--window MINUTES] […]`.
struct TransitJourney: Verb {
  private let database = Argument.timetable
  private let origin = Argument(
    "FROM", "The stop_id of a stop or station, or a position as LAT,LON.", .text)
  private let destination = Argument(
    "TO", "The stop_id of a stop or station, or a position as LAT,LON.", .text)
  private let departure = Option(
    "--at", "TIME",
    "The earliest departure, in ISO 8601, or a day, or a time of today; without an offset it is a local "
      + "time there. Otherwise now.", .instant)
  private let arrival = Option(
    "--by", "TIME", "The latest arrival, in the same form; journeys depart as late as possible.",
    .instant)
  private let window = Option(
    "--window", "MINUTES",
    "Prints all good journeys with departures in so many minutes from then on, or arrivals before it.",
    .integer(in: 0...1440), otherwise: 0)
  private let hours = Option(
    "--hours", "N",
    "Takes at most N hours from the departure to the arrival, a week at most: longer rides are on boards "
      + "alone. Waiting for the departure is not counted.",
    .integer(in: 1...168), otherwise: 168)
  private let changes = Option(
    "--changes", "N", "Changes at most N times.", .integer(in: 0...14), otherwise: 6)
  private let radius = Option(
    "--walk", "M", "Walks at most M meters at a time, as the crow flies.", .number(in: 0...2000),
    otherwise: 500)
  private let speed = Option(
    "--speed", "M", "Walks M meters per second.", .number(in: 0.1...10), otherwise: 1.3)
  private let access = Flag(
    "--wheelchair", "Only trips and stops of which the feed says that wheelchairs can board.")
  private let live = LiveParameters(
    "Applies a GTFS-Realtime feed message, and says which changes no longer work; once for each message."
  )
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "journey", "Finds the best journeys from one place to another.",
      parameters: [
        database, origin, destination, departure, arrival, window, hours, changes, radius, speed,
        access,
      ] + live.list + [language],
      example: "harbour.db CQ 2001 --at 2026-07-24T08:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let (from, to) = (arguments[origin], arguments[destination])
    let (start, end) = (arguments[departure], arguments[arrival])
    if start != nil, end != nil { throw ToolError.twoTimes }
    let walking = Journeys.Walking(
      radius: try Distance(meters: arguments[radius]), speed: arguments[speed])
    let messages = try live.messages(arguments)
    let message = messages.isEmpty ? nil : RealtimeMessage(merging: messages.map(\.content))
    let updates = message?.tripUpdates
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let path = arguments[database].relativePath
    let (limit, needsAccess) = (arguments[changes], arguments[access])
    let length = Duration.seconds(arguments[window] * 60)
    let longest = Duration.seconds(arguments[hours] * 3600)
    let languages = arguments[language]
    let (isJSON, translations) = (output.format == .json, Translations(languages))
    let (answers, zones, problems, reasons, remarks) = try await timetable.reader.read { db in
      let (one, other) = (try Self.place(from, path, db), try Self.place(to, path, db))
      let zone = try Self.timeZone(end == nil ? one : other, db) ?? .gmt
      let instant = end?.end(in: zone) ?? start?.date(in: zone) ?? Date()
      var question = Journeys(
        from: one, to: other, end == nil ? .departing(instant) : .arriving(instant))
      question.walking = walking
      question.maximumChanges = limit
      question.window = length
      question.maximumDuration = longest
      question.needsWheelchairAccess = needsAccess
      question.includesIntermediateCalls = isJSON
      // Promises of the timetable that live data break.
      let planned =
        try updates == nil ? [] : question.fetchAll(db).map { try translations.translating($0, db) }
      question.updates = updates
      let problems = try planned.flatMap { try question.status(of: $0, db).problems }
      let found = try question.fetchAll(db)
      let journeys = try found.map { try translations.translating($0, db) }
      let answers = try zip(journeys, found).map { journey, source in
        try JourneyAnswer(journey, of: source, message, db)
      }
      return (
        answers,
        try JourneyZones(of: journeys, at: zone, db), problems,
        try journeys.isEmpty
          ? (
            validity: FeedValidity(db, at: instant),
            obstacle: Self.obstacle(question, [from, to], db)
          ) : nil,
        try MessageRemark.all(messages, at: instant, in: zone, db)
      )
    }
    output.explainEmptyAnswer(reasons?.validity)
    if let obstacle = reasons?.obstacle { output.explain(obstacle, ["message": .text(obstacle)]) }
    output.explain(remarks)
    var known: Set<JourneyStatus.Problem> = []
    for problem in problems where known.insert(problem).inserted {
      output.explain(problem.description, OutputRecord(problem: problem))
    }
    let journeys = answers.map(\.journey)
    let rides = journeys.lazy.flatMap(\.rides)
    output.note(
      rides.flatMap {
        [
          Booking(.boarding, $0.board.pickupBookingRule, in: $0.board.timeZone),
          Booking(.alighting, $0.alight.dropOffBookingRule, in: $0.alight.timeZone),
        ].compactMap(\.self)
      })
    for line in AlertTexts(answers.flatMap { $0.alerts.joined() }, in: languages).lines {
      output.note(line)
    }
    output.note(answers.flatMap(\.vehicles).compactMap(\.self))
    if isJSON {
      try output.records(
        of: "journeys",
        answers.lazy.map { OutputRecord(answer: $0, in: zones, languages: languages) })
      return .success
    }
    try output.journeyTable(journeys, in: zones, isLive: message != nil)
    return .success
  }

  /// Returns the place that a word names: a stop_id, or else a position.
  static func place(
    _ word: String, _ path: String, _ db: Database
  ) throws -> Journeys.Place {
    if let stop = try Stop.fetchOne(db, stopID: word) { return .stop(stop.sid) }
    guard let numbers = Position.numbers(in: word) else { throw ToolError.noStop(word, path) }
    return .position(try Position(latitude: numbers.latitude, longitude: numbers.longitude))
  }

  /// Returns why there is no journey between two places at any time; `nil` if the places are not the reason.
  private static func obstacle(
    _ question: Journeys, _ words: [String], _ db: Database
  ) throws -> String? {
    if question.origin == question.destination { return "Both places are the same." }
    let (one, other) = (
      try lineage(of: question.origin, db), try lineage(of: question.destination, db)
    )
    if let whole = other.first, one.dropFirst().contains(whole) {
      return "'\(words[0])' is a part of '\(words[1])'."
    }
    if let whole = one.first, other.dropFirst().contains(whole) {
      return "'\(words[1])' is a part of '\(words[0])'."
    }
    if let here = try position(of: question.origin, db),
      let there = try position(of: question.destination, db), here.distance(to: there).meters < 1
    {
      return "Both places are at the same position."
    }
    for (place, word) in zip([question.origin, question.destination], words) {
      guard case .position(let position) = place,
        let nearest = try NearbyStops(to: position, limit: 1).fetchAll(db).first,
        nearest.distance > question.walking.radius
      else { continue }
      let meters = Int(nearest.distance.meters.rounded(.up))
      return
        "The nearest stop is \(meters) m from \(word), which is farther than a walk; see --walk."
    }
    return nil
  }

  /// Returns a stop and what it is a part of, from itself upward; nothing for a position.
  private static func lineage(of place: Journeys.Place, _ db: Database) throws -> [Stop] {
    guard case .stop(let sid) = place, let stop = try Stop.fetchOne(db, sid: sid) else { return [] }
    // A boarding area is on a platform, which is in a station; a feed may have a ring of parents.
    var stops = [stop]
    while stops.count < 3, let parent = stops.last?.parentStation,
      let stop = try Stop.fetchOne(db, stopID: parent)
    {
      stops.append(stop)
    }
    return stops
  }

  private static func position(of place: Journeys.Place, _ db: Database) throws -> Position? {
    switch place {
    case .position(let position): return position
    case .stop(let sid):
      guard let stop = try Stop.fetchOne(db, sid: sid), let latitude = stop.stopLat,
        let longitude = stop.stopLon
      else { return nil }
      let position = try Position(latitude: latitude, longitude: longitude)
      return position.isUnknownPlace ? nil : position
    }
  }

  /// Returns the zone of a place: the zone of the stop, or of the stop nearest to the position.
  static func timeZone(_ place: Journeys.Place, _ db: Database) throws -> TimeZone? {
    switch place {
    case .stop(let sid): try Stop.fetchOne(db, sid: sid)?.timeZone(db)
    case .position(let position):
      try NearbyStops(to: position, limit: 1).fetchAll(db).first?.stop.timeZone(db)
    }
  }
}

extension OutputRecord {
  /// Creates the record of a reason for which a planned journey does not work.
  fileprivate init(problem: JourneyStatus.Problem) {
    let (kind, ride): (String, Journey.Ride)
    var (next, stop, time): (Journey.Ride?, Stop?, Duration?)
    switch problem {
    case .canceled(let canceled): (kind, ride) = ("canceled", canceled)
    case .notServed(let other, let left): (kind, ride, stop) = ("not_served", other, left)
    case .noAccess(let other, let left): (kind, ride, stop) = ("no_access", other, left)
    case .noTime(let other, let left): (kind, ride, stop) = ("no_time", other, left)
    case .noWheelchairAccess(let other, let left):
      (kind, ride, stop) = ("no_wheelchair_access", other, left)
    case .leavesEarly(let early, let by): (kind, ride, time) = ("leaves_early", early, by)
    case .missedChange(let one, let other, let by):
      (kind, ride, next, time) = ("missed_change", one, other, by)
    case .noChange(let one, let other): (kind, ride, next) = ("no_change", one, other)
    }
    self = [
      "problem": .text(kind),
      "message": .text(problem.description),
      "trip_id": .text(ride.tripID),
      "next_trip_id": Cell(next?.tripID),
      "stop_id": Cell((stop ?? next.map { _ in ride.alight.stop })?.stopID),
      "seconds": Cell(time.map { Int($0.components.seconds) }),
    ]
  }
}
