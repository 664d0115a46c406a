import Holdfast
import HoldfastFiles

/// The part of a timetable's identity that trips, times and services are, under the feed's own names.
///
/// Neither the numbers in the database nor the split into patterns and timings matters: each trip is
/// digested with its times and the digest of its calls, in the order of the `trip_id`s.
struct TripIdentity {
  private let tables: TripTables
  private let names: Names
  private let patterns: ConcurrentPatterns<IdentifiedPattern>
  private let trips: ConcurrentTrips

  /// Reads the patterns and trips, which are decoded on other threads from then on.
  init(_ db: Database) throws {
    tables = try TripTables(db)
    let names = try Names(tables)
    self.names = names
    patterns = try ConcurrentPatterns(db) { try names.identified($0) }
    trips = try ConcurrentTrips(tables)
  }

  /// The identifiers of all stops.
  var stopIDs: NumberedTexts { names.stopIDs }

  /// Adds the content to a digest; called once.
  func update(_ hasher: inout SHA256) throws {
    // With their numbers, so that the end of one kind is not the beginning of the next.
    let services = try tables.services()
    hasher.update(Self.frame(services.count))
    for service in services.sorted(by: { ExactText($0.serviceID) < ExactText($1.serviceID) }) {
      hasher.update(try digest(service).bytes)
    }
    var patterns: [IdentifiedPattern] = []
    try self.patterns.forEach { patterns.append($0) }
    let trips = try sortedTrips(of: patterns)
    hasher.update(Self.frame(trips.count))
    let names = names
    let starts = Array(stride(from: 0, to: trips.count, by: Self.tripsAtOnce))
    let digests = ConcurrentMap(starts.count) { [patterns] number in
      let start = starts[number]
      return Result {
        try names.digest(of: trips[start..<min(start + Self.tripsAtOnce, trips.count)], patterns)
      }
    }
    try digests.forEach { hasher.update(try $0.get().bytes) }
    try updateWithHeadways(trips, &hasher)
  }

  private static func frame(_ count: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(count: count)
    return writer.bytes
  }

  /// The number of trips that are digested together.
  private static let tripsAtOnce = 1024

  /// Returns all trips in the order of their identifiers.
  private func sortedTrips(of patterns: [IdentifiedPattern]) throws -> [IdentifiedTrip] {
    var places: [IdentifiedTrip.Place] = []
    places.reserveCapacity(patterns.reduce(0) { $0 + $1.runs.count })
    for (number, pattern) in patterns.enumerated() {
      for (index, run) in pattern.runs.enumerated() {
        places.append(
          IdentifiedTrip.Place(tid: run.tid, pattern: Int32(number), run: Int32(index)))
      }
    }
    places.sort { $0.tid < $1.tid }
    var trips: [IdentifiedTrip] = []
    trips.reserveCapacity(places.count)
    try self.trips.forEach { trip in
      guard trips.count < places.count, places[trips.count].tid == trip.tid else { return }
      trips.append(IdentifiedTrip(tripID: ExactText(trip.tripID), place: places[trips.count]))
    }
    guard trips.count == places.count else {
      throw TransitError.missing(
        path: names.path, table: "dict_trip", row: places[trips.count].tid)
    }
    // Nearly in this order already: trips are numbered in the order of their identifiers.
    trips.sort { $0.tripID < $1.tripID }
    return trips
  }

  private func updateWithHeadways(
    _ trips: [IdentifiedTrip], _ hasher: inout SHA256
  ) throws {
    let rows = try tables.headways()
    let known = Set(rows.map(\.tid))
    var tripIDs: [Int64: String] = [:]
    for trip in trips where known.contains(trip.place.tid) {
      tripIDs[trip.place.tid] = trip.tripID.text
    }
    let headways = try rows.map { headway in
      guard let tripID = tripIDs[headway.tid] else {
        throw TransitError.missing(path: names.path, table: "dict_trip", row: headway.tid)
      }
      var writer = ByteWriter()
      writer.append(text: tripID)
      for number in [headway.start, headway.end, headway.headway] {
        writer.append(signed: Int64(number))
      }
      writer.append(small: headway.exactTimes)
      writer.append(text: try names.text(headway.others))
      return writer.bytes
    }
    hasher.update(Self.frame(headways.count))
    for bytes in headways.sorted(by: { $0.lexicographicallyPrecedes($1) }) { hasher.update(bytes) }
    for row in try tables.otherColumns() {
      var writer = ByteWriter()
      writer.append(text: row.file)
      writer.append(text: row.name)
      hasher.update(writer.bytes)
    }
  }

  private func digest(_ service: TripTables.Service) throws -> SHA256Digest {
    var writer = ByteWriter()
    writer.append(text: service.serviceID)
    for number in [Int(service.stored.weekdays), service.startDate ?? 0, service.endDate ?? 0] {
      writer.append(signed: Int64(number))
    }
    writer.append(text: try names.text(service.others))
    writer.append(count: service.stored.exceptions.count)
    for exception in service.stored.exceptions {
      writer.append(signed: Int64(exception.day.daysSince1970))
      writer.append(exception.isAdded ? 1 : 0)
      writer.append(text: try names.text(exception.others))
    }
    return writer.digest
  }
}

/// The calls and times that the trips of a pattern share, and their runs.
private struct IdentifiedPattern: Sendable {
  let calls: SHA256Digest
  /// The bytes of each timing.
  let times: [[UInt8]]
  let runs: [StoredPattern.Run]
}

/// A trip, and where its run is.
private struct IdentifiedTrip: Sendable {
  struct Place: Sendable {
    let tid: Int64
    /// The indices of the pattern, and of the run in it.
    let pattern, run: Int32
  }

  let tripID: ExactText
  let place: Place
}

/// The feed's own names of what a timetable database numbers.
private struct Names: Sendable {
  let path: String?
  let texts: [String]
  let stopIDs: NumberedTexts
  let routeIDs: NumberedTexts
  let serviceIDs: [Int32: String]

  init(_ tables: TripTables) throws {
    path = tables.db.path
    texts = try tables.allTexts()
    stopIDs = try NumberedTexts(
      tables.db, "SELECT sid, stop_id FROM packed_stops ORDER BY sid")
    routeIDs = try NumberedTexts(
      tables.db, "SELECT rid, route_id FROM dict_route ORDER BY rid")
    serviceIDs = Dictionary(
      uniqueKeysWithValues: try tables.services().map { ($0.number, $0.serviceID) })
  }

  func text(_ number: Int32) throws -> String {
    guard number > 0 else { return "" }
    guard number <= texts.count else {
      throw TransitError.missing(path: path, table: "texts", row: Int64(number))
    }
    return texts[Int(number) - 1]
  }

  /// Returns what is digested of a pattern.
  func identified(_ pattern: TripTables.Pattern) throws -> IdentifiedPattern {
    IdentifiedPattern(
      calls: try digest(pattern), times: pattern.stored.timings.map(bytes),
      runs: pattern.stored.runs)
  }

  /// Returns the digest of trips in the order of their identifiers.
  func digest(
    of trips: ArraySlice<IdentifiedTrip>, _ patterns: [IdentifiedPattern]
  ) throws -> SHA256Digest {
    var writer = ByteWriter()
    for trip in trips {
      let pattern = patterns[Int(trip.place.pattern)]
      let run = pattern.runs[Int(trip.place.run)]
      guard let serviceID = serviceIDs[run.service] else {
        throw TransitError.missing(path: path, table: "services", row: Int64(run.service))
      }
      writer.append(text: trip.tripID.text)
      writer.append(text: serviceID)
      for number in [run.headsign, run.shortName, run.block, run.shape, run.others] {
        writer.append(text: try text(number))
      }
      writer.append(small: run.wheelchairAccessible)
      writer.append(small: run.bikesAllowed)
      writer.append(signed: Int64(run.start))
      writer.append(contentsOf: pattern.calls.bytes)
      let times = pattern.times[Int(run.timing)]
      writer.append(count: times.count)
      writer.append(contentsOf: times)
    }
    return writer.digest
  }

  private func digest(_ pattern: TripTables.Pattern) throws -> SHA256Digest {
    var writer = ByteWriter()
    writer.append(text: routeIDs[pattern.rid] ?? "")
    writer.append(small: pattern.directionID)
    writer.append(count: pattern.stored.calls.count)
    for call in pattern.stored.calls {
      writer.append(text: stopIDs[call.sid] ?? "")
      writer.append(signed: Int64(call.sequence))
      for value in [
        call.pickupType, call.dropOffType, call.timepoint, call.continuousPickup,
        call.continuousDropOff,
      ] { writer.append(small: value) }
      writer.append(text: try text(call.headsign))
      writer.append(text: try text(call.others))
      writer.append(unsigned: call.distance.map { $0.bitPattern } ?? UInt64.max)
    }
    return writer.digest
  }

  private func bytes(_ timing: TimetableContent.Timing) -> [UInt8] {
    var writer = ByteWriter()
    for time in timing.arrivals { writer.append(signed: Int64(time)) }
    for time in timing.departures { writer.append(signed: Int64(time)) }
    return writer.bytes
  }
}

extension ByteWriter {
  /// The SHA-256 of the bytes.
  fileprivate var digest: SHA256Digest {
    var hasher = SHA256()
    hasher.update(bytes)
    return hasher.finalize()
  }

  /// Appends a text with its length, so that different lists of texts have different bytes.
  fileprivate mutating func append(text: String) {
    append(count: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(small value: Int16?) {
    append(signed: value.map(Int64.init) ?? Int64.max)
  }
}
