import Holdfast
import HoldfastFiles

/// The part of a timetable's identity that trips, times and services are, under the feed's own names.
///
/// Neither the numbers in the database nor the split into patterns and timings matters: each trip is
/// digested with its calls and times, and the trips are taken in the order of their `trip_id`s.
struct TripIdentity {
  private let tables: TripTables
  private var texts: [String] = []
  private var stopIDs: [Int64: String] = [:]
  private var routeIDs: [Int64: String] = [:]
  private var tripIDs: [Int64: String] = [:]

  init(_ db: Database) throws {
    tables = try TripTables(db)
    stopIDs = try Self.names(db, "SELECT sid, stop_id FROM dict_stop")
    routeIDs = try Self.names(db, "SELECT rid, route_id FROM dict_route")
    texts = try tables.allTexts()
    var tripIDs: [Int64: String] = [:]
    try tables.forEachTrip { tripIDs[$0.tid] = $0.tripID }
    self.tripIDs = tripIDs
  }

  private static func names(_ db: Database, _ sql: String) throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      names[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1)
    }
    return names
  }

  /// Adds the content to a digest.
  func update(_ hasher: inout SHA256) throws {
    let services = try tables.services()
    for service in services.sorted(by: { ExactText($0.serviceID) < ExactText($1.serviceID) }) {
      hasher.update(try digest(service).bytes)
    }
    let serviceIDs = Dictionary(uniqueKeysWithValues: services.map { ($0.number, $0.serviceID) })
    var trips: [(tripID: ExactText, digest: SHA256Digest)] = []
    try tables.forEachPattern { pattern in
      let calls = try digest(pattern)
      let timings = pattern.stored.timings.map(digest)
      for run in pattern.stored.runs {
        guard let tripID = tripIDs[run.tid] else {
          throw TransitError.missing(path: tables.db.path, table: "dict_trip", row: run.tid)
        }
        guard let serviceID = serviceIDs[run.service] else {
          throw TransitError.missing(
            path: tables.db.path, table: "services", row: Int64(run.service))
        }
        var writer = ByteWriter()
        writer.append(text: tripID)
        writer.append(text: serviceID)
        for number in [run.headsign, run.shortName, run.block, run.shape, run.others] {
          writer.append(text: try text(number))
        }
        writer.append(small: run.wheelchairAccessible)
        writer.append(small: run.bikesAllowed)
        writer.append(signed: Int64(run.start))
        writer.append(contentsOf: calls.bytes)
        writer.append(contentsOf: timings[Int(run.timing)].bytes)
        trips.append((ExactText(tripID), Self.digest(writer)))
      }
    }
    for trip in trips.sorted(by: { $0.tripID < $1.tripID }) { hasher.update(trip.digest.bytes) }
    try updateWithHeadways(&hasher)
  }

  private func updateWithHeadways(_ hasher: inout SHA256) throws {
    let headways = try tables.headways().map { headway in
      var writer = ByteWriter()
      writer.append(text: tripIDs[headway.tid] ?? "")
      for number in [headway.start, headway.end, headway.headway] {
        writer.append(signed: Int64(number))
      }
      writer.append(small: headway.exactTimes)
      writer.append(text: try text(headway.others))
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

  private func text(_ number: Int32) throws -> String {
    guard number > 0 else { return "" }
    guard number <= texts.count else {
      throw TransitError.missing(path: tables.db.path, table: "texts", row: Int64(number))
    }
    return texts[Int(number) - 1]
  }

  private static func digest(_ writer: ByteWriter) -> SHA256Digest {
    var hasher = SHA256()
    hasher.update(writer.bytes)
    return hasher.finalize()
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
    return Self.digest(writer)
  }

  private func digest(_ timing: TimetableContent.Timing) -> SHA256Digest {
    var writer = ByteWriter()
    for time in timing.arrivals { writer.append(signed: Int64(time)) }
    for time in timing.departures { writer.append(signed: Int64(time)) }
    return Self.digest(writer)
  }

  private func digest(_ service: TripTables.Service) throws -> SHA256Digest {
    var writer = ByteWriter()
    writer.append(text: service.serviceID)
    for number in [Int(service.stored.weekdays), service.startDate ?? 0, service.endDate ?? 0] {
      writer.append(signed: Int64(number))
    }
    writer.append(text: try text(service.others))
    writer.append(count: service.stored.exceptions.count)
    for exception in service.stored.exceptions {
      writer.append(signed: Int64(exception.day.daysSince1970))
      writer.append(exception.isAdded ? 1 : 0)
      writer.append(text: try text(exception.others))
    }
    return Self.digest(writer)
  }
}

extension ByteWriter {
  /// Appends a text with its length, so that different lists of texts have different bytes.
  fileprivate mutating func append(text: String) {
    append(count: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(small value: Int16?) {
    append(signed: value.map(Int64.init) ?? Int64.max)
  }
}
