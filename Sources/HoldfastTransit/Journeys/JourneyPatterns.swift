import Foundation
import Holdfast

/// The patterns of a network, by their index: which stops they call at, and how riders board there.
///
/// The calls of all patterns lie in a row; those of a pattern begin at its start.
struct JourneyPatterns {
  /// Whether riders may board or alight at a call; the bits of its flags.
  enum Access {
    static let boarding: UInt8 = 1
    static let alighting: UInt8 = 2

    /// The access with which a search in a direction enters vehicles.
    static func entry(isForward: Bool) -> UInt8 { isForward ? boarding : alighting }

    /// The access with which a search in a direction leaves vehicles.
    static func exit(isForward: Bool) -> UInt8 { isForward ? alighting : boarding }
  }

  /// The largest number of calls in all patterns, which bounds the memory that damage can claim.
  private static let mostCalls = 1 << 24

  private(set) var pids: [Int64] = []
  private(set) var rids: [Int64] = []
  /// The index of the first call of each pattern, and the number of all calls.
  private(set) var starts: [Int32] = [0]
  /// The index of the stop of each call; -1 if there is none.
  private(set) var stops: [Int32] = []
  private(set) var access: [UInt8] = []
  /// The index of each pattern's time zone.
  private(set) var zones: [UInt8] = []
  private(set) var timeZones: [TimetableZone]

  var count: Int { pids.count }

  func calls(of pattern: Int) -> Range<Int> {
    Int(starts[pattern])..<Int(starts[pattern + 1])
  }

  func index(ofPattern pid: Int64) -> Int? {
    var (low, high) = (0, pids.count)
    while low < high {
      let middle = (low + high) / 2
      if pids[middle] < pid { low = middle + 1 } else { high = middle }
    }
    return low < pids.count && pids[low] == pid ? low : nil
  }

  init(_ db: Database, _ stopList: JourneyStops) throws {
    let zonesOfRoutes: [Int64: UInt8]
    (timeZones, zonesOfRoutes) = try Self.zones(db)
    let rows = try Row.fetchCursor(db, sql: "SELECT pid, rid, calls FROM patterns ORDER BY pid")
    var (bytes, codes) = ([UInt8](), [Int64]())
    while let row = try rows.next() {
      let pid: Int64 = try row.decode(atIndex: 0)
      bytes.removeAll(keepingCapacity: true)
      do throws(DamagedBytes) {
        guard row.appendBlob(atIndex: 2, to: &bytes) else { throw DamagedBytes() }
        try append(ByteReader(bytes), stopList, using: &codes)
      } catch {
        throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
      }
      let rid: Int64 = try row.decode(atIndex: 1)
      guard let zone = zonesOfRoutes[rid] else {
        throw TransitError.missing(path: db.path, table: "routes", row: rid)
      }
      pids.append(pid)
      rids.append(rid)
      zones.append(zone)
    }
  }

  /// Decodes the first columns of a pattern's calls; the others do not matter for a search.
  private mutating func append(
    _ reader: ByteReader, _ stopList: JourneyStops, using codes: inout [Int64]
  ) throws(DamagedBytes) {
    var reader = reader
    let count = try reader.count(upTo: StoredPattern.Limit.calls)
    let start = stops.count
    guard start + count <= Self.mostCalls else { throw DamagedBytes() }
    let stored = try reader.unsigned()
    // The numbers of the stops, and then what is said of boarding and alighting, if anything is.
    codes.removeAll(keepingCapacity: true)
    try IntegerColumn.extend(&codes, by: count, from: &reader)
    try IntegerColumn.skip(count, in: &reader)
    let (hasPickups, hasDropOffs) = (stored & 1 != 0, stored & 2 != 0)
    if hasPickups { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    if hasDropOffs { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    stops.append(contentsOf: repeatElement(-1, count: count))
    access.append(contentsOf: repeatElement(0, count: count))
    try Self.find(
      codes.span, count, hasPickups: hasPickups, hasDropOffs: hasDropOffs, stopList, &stops, &access
    )
    starts.append(Int32(start + count))
  }

  /// Finds the stops of the last calls, and how riders board and alight there.
  private static func find(
    _ codes: Span<Int64>, _ count: Int, hasPickups: Bool, hasDropOffs: Bool, _ list: JourneyStops,
    _ stops: inout [Int32], _ access: inout [UInt8]
  ) throws(DamagedBytes) {
    let (start, lastColumn) = (stops.count - count, codes.count - count)
    var stops = stops.mutableSpan
    var access = access.mutableSpan
    for call in 0..<count where codes[call] != 0 {
      guard let stop = list.index(of: codes[call]) else { throw DamagedBytes() }
      stops[start + call] = Int32(stop)
      // A stored number is one more than the value, of which 1 means "not available".
      let isClosed = hasPickups && codes[count + call] == 2 || call == count - 1
      let isExitClosed = hasDropOffs && codes[lastColumn + call] == 2 || call == 0
      access[start + call] =
        (isClosed ? 0 : Access.boarding) | (isExitClosed ? 0 : Access.alighting)
    }
  }

  /// Appends the pattern of a trip that live data change or add.
  mutating func append(_ trip: LiveTrips.Trip) {
    // After all others, of which one is found by its number.
    pids.append(.max)
    rids.append(trip.rid)
    let name = trip.stops.trip.zone.zone.identifier
    var zone = timeZones.firstIndex { $0.zone.identifier == name } ?? timeZones.count
    if zone == timeZones.count {
      if zone < 255 { timeZones.append(trip.stops.trip.zone) } else { zone = 0 }
    }
    zones.append(UInt8(zone))
    for call in trip.calls {
      stops.append(call.stop)
      access.append(call.access)
    }
    starts.append(Int32(stops.count))
  }

  /// Returns the zones of the agencies, and the index of that of each route.
  private static func zones(_ db: Database) throws -> ([TimetableZone], [Int64: UInt8]) {
    // Of many routes few have an agency of their own.
    var (zones, indices) = ([TimetableZone](), [String: UInt8]())
    func index(ofZone name: String) throws -> UInt8 {
      if let known = indices[name] { return known }
      guard zones.count < 255, let zone = TimeZone(identifier: name) else {
        throw TransitError.unknownTimeZone(path: db.path, name)
      }
      indices[name] = UInt8(zones.count)
      zones.append(TimetableZone(zone))
      return UInt8(zones.count - 1)
    }
    var names: [Int64: String] = [:]
    var first = ""
    for row in try Row.fetchAll(
      db, sql: "SELECT aid, agency_timezone FROM main.agency ORDER BY aid")
    {
      let name: String = try row.decode(atIndex: 1)
      if names.isEmpty { first = name }
      names[try row.decode(atIndex: 0)] = name
    }
    var routes: [Int64: UInt8] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT rid, aid FROM main.routes ORDER BY rid")
    while let row = try rows.next() {
      let name = try row.decode(Int64?.self, atIndex: 1).flatMap { names[$0] } ?? first
      routes[try row.decode(Int64.self, atIndex: 0)] = try index(ofZone: name)
    }
    return (zones, routes)
  }
}
