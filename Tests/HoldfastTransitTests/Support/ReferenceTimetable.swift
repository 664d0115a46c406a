import Foundation

/// A timetable that answers straight from the text files of a feed: slow, and easy to check.
///
/// The answers of the library are compared with its answers. It shares no code with the library:
/// service days are computed by `Foundation.Calendar`, and each question looks at every trip that calls
/// at the stop, on every service day that could matter.
///
/// - Times are seconds since noon minus 12 hours of the service day, in the agency's time zone.
/// - A service runs on the days of its row in `calendar.txt`; exceptions in `calendar_dates.txt` win.
/// - A call with one time has it for arrival and departure. Calls without times between two timed ones
///   are spread evenly between the departure before and the arrival after them, rounded down to seconds.
///   Calls before the first and after the last timed one have no times, and are never an answer.
/// - A trip with rows in `frequencies.txt` has its first time at `start_time` and every `headway_secs` after
///   it before `end_time`, and does not run at its own times.
/// - A trip of a route that the feed does not have never runs. Of calls with one `stop_sequence` the one
///   with the earliest time counts, and one without a time only if all are so.
///
/// - SeeAlso: GTFS Schedule reference, https://gtfs.org/documentation/schedule/reference/
struct ReferenceTimetable {
  enum Kind {
    case departures, arrivals
  }

  struct Call {
    let stopID: String
    let sequence: Int
    var arrival: Int?
    var departure: Int?
    let pickupType: String
    let dropOffType: String
    let headsign: String
  }

  struct Frequency {
    let start: Int
    let end: Int
    let headway: Int
    let isExact: Bool
  }

  struct Trip {
    let tripID: String
    let routeID: String
    let serviceID: String
    /// The number of the service.
    let service: Int
    let headsign: String
    var calls: [Call] = []
    var frequencies: [Frequency] = []
  }

  private struct Service {
    let serviceID: String
    /// Whether it runs on Sunday, Monday and so on, in the order of `Calendar`.
    let weekdays: [Bool]
    let start: String
    let end: String
  }

  private struct Exception {
    let serviceID: String
    let isAdded: Bool
  }

  /// A call of a trip, by their indices.
  private struct Place {
    let trip: Int
    let call: Int
  }

  /// The services that run on days that were asked for before, by number.
  private final class RunningServices {
    var days: [String: [Bool]] = [:]
  }

  private(set) var trips: [Trip] = []
  /// The services that trips name, by number.
  private var serviceIDs: [String] = []
  private let runningServices = RunningServices()
  private var places: [String: [Place]] = [:]
  private let services: [Service]
  private var exceptions: [String: [Exception]] = [:]
  private(set) var parents: [String: String] = [:]
  private var children: [String: [String]] = [:]
  private var zones: [String: String] = [:]
  private let calendar: Calendar

  /// The greatest time of all calls, which tells how many service days back matter.
  private var latestTime = 0

  /// The stops of the feed, in the order of their file.
  let stopIDs: [String]

  /// The time zone of the agencies, which GTFS wants to be one.
  var timeZone: TimeZone { calendar.timeZone }

  /// - Throws: ``TextFeedError`` when the time zone of the first agency is unknown.
  init(_ feed: TextFeed) throws {
    let zoneName = feed.rows("agency.txt", "agency_timezone").first?[0] ?? ""
    guard let zone = TimeZone(identifier: zoneName) else {
      throw TextFeedError(message: "There is no time zone \(zoneName).")
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar

    services = feed.rows(
      "calendar.txt", "service_id", "sunday", "monday", "tuesday", "wednesday", "thursday",
      "friday", "saturday", "start_date", "end_date"
    ).map { row in
      Service(
        serviceID: row[0], weekdays: row[1...7].map { $0 == "1" }, start: row[8], end: row[9])
    }
    for row in feed.rows("calendar_dates.txt", "service_id", "date", "exception_type") {
      exceptions[row[1], default: []].append(Exception(serviceID: row[0], isAdded: row[2] == "1"))
    }

    let stops = feed.rows("stops.txt", "stop_id", "parent_station", "stop_timezone")
    stopIDs = stops.map { $0[0] }
    for row in stops {
      if !row[1].isEmpty {
        parents[row[0]] = row[1]
        children[row[1], default: []].append(row[0])
      }
      if !row[2].isEmpty { zones[row[0]] = row[2] }
    }
    readTrips(feed)
  }

  private mutating func readTrips(_ feed: TextFeed) {
    var (numbers, numbersOfServices) = ([String: Int](), [String: Int]())
    let routeIDs = Set(feed.rows("routes.txt", "route_id").map { $0[0] })
    for row in feed.rows("trips.txt", "trip_id", "route_id", "service_id", "trip_headsign")
    where numbers[row[0]] == nil && routeIDs.contains(row[1]) {
      numbers[row[0]] = trips.count
      let service = numbersOfServices[row[2]] ?? serviceIDs.count
      if numbersOfServices.updateValue(service, forKey: row[2]) == nil { serviceIDs.append(row[2]) }
      trips.append(
        Trip(
          tripID: row[0], routeID: row[1], serviceID: row[2], service: service, headsign: row[3]))
    }
    for row in feed.rows(
      "stop_times.txt", "trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time",
      "pickup_type", "drop_off_type", "stop_headsign")
    {
      guard let number = numbers[row[0]], let sequence = Int(row[2]) else { continue }
      let (arrival, departure) = (Self.seconds(row[3]), Self.seconds(row[4]))
      trips[number].calls.append(
        Call(
          stopID: row[1], sequence: sequence, arrival: arrival ?? departure,
          departure: departure ?? arrival, pickupType: row[5], dropOffType: row[6],
          headsign: row[7]))
    }
    for row in feed.rows(
      "frequencies.txt", "trip_id", "start_time", "end_time", "headway_secs", "exact_times")
    {
      guard let number = numbers[row[0]], let start = Self.seconds(row[1]),
        let end = Self.seconds(row[2]), let headway = Int(row[3]), headway > 0
      else { continue }
      trips[number].frequencies.append(
        Frequency(start: start, end: end, headway: headway, isExact: row[4] == "1"))
    }
    for trip in trips.indices {
      trips[trip].calls.sort {
        ($0.sequence, $0.departure ?? .max) < ($1.sequence, $1.departure ?? .max)
      }
      var last: Int?
      trips[trip].calls.removeAll { call in
        defer { last = call.sequence }
        return call.sequence == last
      }
      Self.interpolate(&trips[trip].calls)
      for call in trips[trip].calls.indices {
        let stopID = trips[trip].calls[call].stopID
        // A row of a flexible service has no stop, but its place among the calls.
        if !stopID.isEmpty { places[stopID, default: []].append(Place(trip: trip, call: call)) }
      }
      let duration = trips[trip].calls.compactMap(\.departure).max() ?? 0
      latestTime = max(latestTime, duration + (trips[trip].frequencies.map(\.end).max() ?? 0))
    }
  }

  private static func interpolate(_ calls: inout [Call]) {
    var before: Int?
    for index in calls.indices {
      guard let arrival = calls[index].arrival else { continue }
      // Between times that decrease nothing is known.
      if let before, let departure = calls[before].departure, departure <= arrival {
        for blank in before + 1..<index {
          let share = Double(blank - before) / Double(index - before)
          let time = departure + Int((Double(arrival - departure) * share + 1e-6).rounded(.down))
          calls[blank].arrival = time
          calls[blank].departure = time
        }
      }
      before = index
    }
  }

  /// The seconds of `H:MM:SS`; `nil` for anything else.
  static func seconds(_ text: String) -> Int? {
    let parts = text.components(separatedBy: ":")
    guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]),
      let seconds = Int(parts[2]), hours >= 0, 0..<60 ~= minutes, 0..<60 ~= seconds
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  // MARK: - Answers

  /// Returns what departs or arrives in an interval, in the order of the instants.
  ///
  /// - Parameters:
  ///   - kind: Departures or arrivals.
  ///   - stopID: A stop, or a station, which answers for everything below it.
  ///   - start: The beginning of the interval, which is part of it.
  ///   - seconds: The length of the interval, whose end is not part of it.
  ///   - includesEnds: Whether departures from a trip's last stop and arrivals at its first one count.
  ///   - includesClosed: Whether departures without pickup and arrivals without drop-off count.
  /// - Returns: The events; those of one instant by trip and sequence.
  func events(
    _ kind: Kind = .departures, at stopID: String, from start: Date, seconds: Double = 86400,
    includesEnds: Bool = false, includesClosed: Bool = false
  ) -> [ReferenceEvent] {
    let end = start + seconds
    let called = stops(below: stopID).flatMap { places[$0] ?? [] }
    var events: [ReferenceEvent] = []
    for day in days(from: start, to: end) {
      let running = runningServices.days[day.name] ?? numbers(ofServices: services(runningOn: day))
      runningServices.days[day.name] = running
      for place in called {
        guard running[trips[place.trip].service] else { continue }
        let trip = trips[place.trip]
        let call = trip.calls[place.call]
        guard let time = kind == .departures ? call.departure : call.arrival else { continue }
        let isEnd = place.call == (kind == .departures ? trip.calls.count - 1 : 0)
        let isClosed = (kind == .departures ? call.pickupType : call.dropOffType) == "1"
        if isEnd && !includesEnds || isClosed && !includesClosed { continue }
        for (shift, isExact) in shifts(of: trip) {
          // Noon minus 12 hours is midnight but on the days on which clocks change.
          let instant = day.noon - 12 * 3600 + Double(time + shift)
          guard start <= instant, instant < end else { continue }
          events.append(
            ReferenceEvent(
              stopID: call.stopID, tripID: trip.tripID, routeID: trip.routeID,
              serviceDate: day.name, time: time + shift, instant: instant,
              offset: zone(of: call.stopID).secondsFromGMT(for: instant),
              stopSequence: call.sequence,
              headsign: call.headsign.isEmpty ? trip.headsign : call.headsign, isExact: isExact))
        }
      }
    }
    return events.sorted {
      ($0.instant, $0.tripID, $0.stopSequence) < ($1.instant, $1.tripID, $1.stopSequence)
    }
  }

  /// The seconds by which each run of a trip differs from the trip's own times, and whether it is exact.
  func shifts(of trip: Trip) -> [(Int, Bool)] {
    guard !trip.frequencies.isEmpty else { return [(0, true)] }
    guard let first = trip.calls.first?.departure ?? trip.calls.lazy.compactMap(\.arrival).first
    else { return [] }
    return trip.frequencies.flatMap { frequency in
      stride(from: frequency.start, to: frequency.end, by: frequency.headway).map {
        ($0 - first, frequency.isExact)
      }
    }
  }

  /// Returns a stop and all that have it as their station, or its platforms.
  func stops(below stopID: String) -> [String] {
    var found = [stopID]
    var index = 0
    while index < found.count {
      for child in children[found[index]] ?? [] where !found.contains(child) { found.append(child) }
      index += 1
    }
    return found
  }

  /// The time zone of a stop: its own, or that of what it is a part of, or else the agency's.
  private func zone(of stopID: String) -> TimeZone {
    let parent = parents[stopID]
    // The zone of the station counts, and not that of a part of it.
    let station = parent.map { parents[$0] ?? $0 } ?? stopID
    let name = zones[station]
    return name.flatMap(TimeZone.init(identifier:)) ?? timeZone
  }

  // MARK: - Service days

  struct Day {
    let noon: Date
    /// The date as GTFS writes it.
    let name: String
    /// 0 for Sunday.
    let weekday: Int
  }

  /// The service days of which a time could be in an interval, and a few more.
  func days(from start: Date, to end: Date) -> [Day] {
    var parts = calendar.dateComponents([.year, .month, .day], from: start)
    parts.hour = 12
    let back = latestTime / 86400 + 2
    guard var noon = calendar.date(from: parts).flatMap({ moved($0, by: -back) }) else { return [] }
    var days: [Day] = []
    while noon < end + 2 * 86400 {
      let date = calendar.dateComponents([.year, .month, .day, .weekday], from: noon)
      guard let year = date.year, let month = date.month, let day = date.day,
        let weekday = date.weekday, let next = moved(noon, by: 1)
      else { return days }
      days.append(
        Day(noon: noon, name: "\(year * 10_000 + month * 100 + day)", weekday: weekday - 1))
      noon = next
    }
    return days
  }

  /// The service day of a date such as `20260329`.
  func day(named date: String) -> Day? {
    let noon = Date(timeIntervalSince1970: Double(midnight(of: date) + 43200))
    return days(from: noon, to: noon).first { $0.name == date }
  }

  /// The date of a noon, such as `20260329`.
  func name(of noon: Date) -> String {
    let date = calendar.dateComponents([.year, .month, .day], from: noon)
    return "\((date.year ?? 0) * 10_000 + (date.month ?? 0) * 100 + (date.day ?? 0))"
  }

  /// The noon of the day before another one.
  func noon(before noon: Date) -> Date { moved(noon, by: -1) ?? noon }

  /// The number of days from one noon to another one.
  func dayCount(from noon: Date, to other: Date) -> Int {
    calendar.dateComponents([.day], from: noon, to: other).day ?? 0
  }

  /// Noon minus 12 hours of a date such as `20260329`, in seconds since 1970.
  func midnight(of date: String) -> Int {
    let number = Int(date) ?? 0
    let parts = DateComponents(
      year: number / 10000, month: number / 100 % 100, day: number % 100, hour: 12)
    return calendar.date(from: parts).map { Int($0.timeIntervalSince1970) - 43200 } ?? 0
  }

  private func moved(_ noon: Date, by count: Int) -> Date? {
    calendar.date(byAdding: .day, value: count, to: noon)
  }

  private func numbers(ofServices running: Set<String>) -> [Bool] {
    serviceIDs.map(running.contains)
  }

  func services(runningOn day: Day) -> Set<String> {
    var running = Set(
      services.filter { $0.weekdays[day.weekday] && $0.start <= day.name && day.name <= $0.end }
        .map(\.serviceID))
    for exception in exceptions[day.name] ?? [] {
      if exception.isAdded {
        running.insert(exception.serviceID)
      } else {
        running.remove(exception.serviceID)
      }
    }
    return running
  }
}
