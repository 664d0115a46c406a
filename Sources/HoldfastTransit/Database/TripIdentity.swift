import Holdfast
import HoldfastFiles

/// The part of a timetable's identity that trips, times and services are, under the feed's own names.
///
/// Neither the numbers in the database nor the split into patterns and timings matters: each trip is
/// digested with its calls and times, and the trips are taken in the order of their `trip_id`s.
struct TripIdentity {
  private let tables: TripTables
  private let names: Names

  init(_ db: Database) throws {
    tables = try TripTables(db)
    names = try Names(tables)
  }

  /// Adds the content to a digest.
  func update(_ hasher: inout SHA256) throws {
    let services = try tables.services()
    for service in services.sorted(by: { ExactText($0.serviceID) < ExactText($1.serviceID) }) {
      hasher.update(try digest(service).bytes)
    }
    let names = names
    var trips: [(tid: Int64, digest: SHA256Digest)] = []
    // Digests of many short texts, which is most of the work.
    try ConcurrentPatterns(db: tables.db).forEach({ try names.digests(of: $0) }) { trips += $0 }
    trips.sort { $0.tid < $1.tid }
    // Nearly in this order already: trips are numbered in the order of their identifiers.
    var sorted: [(tripID: ExactText, digest: SHA256Digest)] = []
    sorted.reserveCapacity(trips.count)
    for trip in trips { sorted.append((ExactText(try names.tripID(trip.tid)), trip.digest)) }
    sorted.sort { $0.tripID < $1.tripID }
    for trip in sorted { hasher.update(trip.digest.bytes) }
    try updateWithHeadways(&hasher)
  }

  private func updateWithHeadways(_ hasher: inout SHA256) throws {
    let headways = try tables.headways().map { headway in
      var writer = ByteWriter()
      writer.append(text: names.tripIDs[headway.tid] ?? "")
      for number in [headway.start, headway.end, headway.headway] {
        writer.append(signed: Int64(number))
      }
      writer.append(small: headway.exactTimes)
      writer.append(text: try names.text(headway.others))
      return writer.bytes
    }
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

/// The feed's own names of what a timetable database numbers.
private struct Names: Sendable {
  let path: String?
  let texts: [String]
  let stopIDs: [Int64: String]
  let routeIDs: [Int64: String]
  let tripIDs: [Int64: String]
  let serviceIDs: [Int32: String]

  init(_ tables: TripTables) throws {
    path = tables.db.path
    texts = try tables.allTexts()
    stopIDs = try Self.names(tables.db, "SELECT sid, stop_id FROM dict_stop")
    routeIDs = try Self.names(tables.db, "SELECT rid, route_id FROM dict_route")
    var tripIDs: [Int64: String] = [:]
    try tables.forEachTrip { tripIDs[$0.tid] = $0.tripID }
    self.tripIDs = tripIDs
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

  func tripID(_ tid: Int64) throws -> String {
    guard let tripID = tripIDs[tid] else {
      throw TransitError.missing(path: path, table: "dict_trip", row: tid)
    }
    return tripID
  }

  /// Returns the digests of the trips of a pattern.
  func digests(
    of pattern: TripTables.Pattern
  ) throws -> [(tid: Int64, digest: SHA256Digest)] {
    let calls = try digest(pattern)
    let timings = pattern.stored.timings.map(digest)
    return try pattern.stored.runs.map { run in
      guard let serviceID = serviceIDs[run.service] else {
        throw TransitError.missing(path: path, table: "services", row: Int64(run.service))
      }
      var writer = ByteWriter()
      writer.append(text: try tripID(run.tid))
      writer.append(text: serviceID)
      for number in [run.headsign, run.shortName, run.block, run.shape, run.others] {
        writer.append(text: try text(number))
      }
      writer.append(small: run.wheelchairAccessible)
      writer.append(small: run.bikesAllowed)
      writer.append(signed: Int64(run.start))
      writer.append(contentsOf: calls.bytes)
      writer.append(contentsOf: timings[Int(run.timing)].bytes)
      return (run.tid, writer.digest)
    }
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

  private func digest(_ timing: TimetableContent.Timing) -> SHA256Digest {
    var writer = ByteWriter()
    for time in timing.arrivals { writer.append(signed: Int64(time)) }
    for time in timing.departures { writer.append(signed: Int64(time)) }
    return writer.digest
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
