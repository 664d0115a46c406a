import Holdfast
import HoldfastFiles

/// The part of a timetable's identity that trips, times and services are, under the feed's own names.
///
/// Neither the numbers in the database nor the split into patterns and timings matters: each trip is
/// digested with its times and the digest of its calls, in the order of the `trip_id`s.
struct TripIdentity {
  private let tables: TripTables
  private let names: Names
  private let patterns: ConcurrentPatterns<[IdentifiedTrip]>

  /// Reads the patterns, which are decoded on other threads from then on.
  init(_ db: Database) throws {
    tables = try TripTables(db)
    let names = try Names(tables)
    self.names = names
    patterns = try ConcurrentPatterns(db) { try names.trips(of: $0) }
  }

  /// Adds the content to a digest; called once.
  func update(_ hasher: inout SHA256) throws {
    // With their numbers, so that the end of one kind is not the beginning of the next.
    let services = try tables.services()
    hasher.update(Self.frame(services.count))
    for service in services.sorted(by: { ExactText($0.serviceID) < ExactText($1.serviceID) }) {
      hasher.update(try digest(service).bytes)
    }
    let trips = try sortedTrips()
    hasher.update(Self.frame(trips.count))
    let names = names
    let starts = Array(stride(from: 0, to: trips.count, by: Self.tripsAtOnce))
    let digests = ConcurrentMap(starts.count) { number in
      let start = starts[number]
      return Result {
        try names.digest(of: trips[start..<min(start + Self.tripsAtOnce, trips.count)])
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
  private func sortedTrips() throws -> [IdentifiedTrip] {
    var trips: [IdentifiedTrip] = []
    try patterns.forEach { trips += $0 }
    trips.sort { $0.run.tid < $1.run.tid }
    var next = trips.startIndex
    try tables.forEachTrip { trip in
      guard next < trips.endIndex, trips[next].run.tid == trip.tid else { return }
      trips[next].tripID = ExactText(trip.tripID)
      next += 1
    }
    guard next == trips.endIndex else {
      throw TransitError.missing(path: names.path, table: "dict_trip", row: trips[next].run.tid)
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
    for trip in trips where known.contains(trip.run.tid) {
      tripIDs[trip.run.tid] = trip.tripID.text
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

/// A trip with what it shares with other trips.
private struct IdentifiedTrip: Sendable {
  /// Blank until all trips are known.
  var tripID = ExactText("")
  var run: StoredPattern.Run
  var calls: SHA256Digest
  var times: [UInt8]
}

/// The feed's own names of what a timetable database numbers.
private struct Names: Sendable {
  let path: String?
  let texts: [String]
  let stopIDs: [Int64: String]
  let routeIDs: [Int64: String]
  let serviceIDs: [Int32: String]

  init(_ tables: TripTables) throws {
    path = tables.db.path
    texts = try tables.allTexts()
    stopIDs = try Self.names(tables.db, "SELECT sid, stop_id FROM dict_stop")
    routeIDs = try Self.names(tables.db, "SELECT rid, route_id FROM dict_route")
    serviceIDs = Dictionary(
      uniqueKeysWithValues: try tables.services().map { ($0.number, $0.serviceID) })
  }

  private static func names(_ db: Database, _ sql: String) throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      names[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1)
    }
    return names
  }

  func text(_ number: Int32) throws -> String {
    guard number > 0 else { return "" }
    guard number <= texts.count else {
      throw TransitError.missing(path: path, table: "texts", row: Int64(number))
    }
    return texts[Int(number) - 1]
  }

  /// Returns the trips of a pattern.
  func trips(of pattern: TripTables.Pattern) throws -> [IdentifiedTrip] {
    let calls = try digest(pattern)
    let times = pattern.stored.timings.map(bytes)
    return pattern.stored.runs.map { run in
      IdentifiedTrip(run: run, calls: calls, times: times[Int(run.timing)])
    }
  }

  /// Returns the digest of trips in the order of their identifiers.
  func digest(of trips: ArraySlice<IdentifiedTrip>) throws -> SHA256Digest {
    var writer = ByteWriter()
    for trip in trips {
      let run = trip.run
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
      writer.append(contentsOf: trip.calls.bytes)
      writer.append(count: trip.times.count)
      writer.append(contentsOf: trip.times)
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
