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
    while let row = try rows.next() {
      let pid: Int64 = try row.decode(atIndex: 0)
      do {
        try append(Array(try row.decode(Data.self, atIndex: 2)), stopList)
      } catch is DamagedBytes {
        throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
      } catch is RowDecodingError {
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
  private mutating func append(_ bytes: [UInt8], _ stopList: JourneyStops) throws {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: StoredPattern.Limit.calls)
    guard stops.count + count <= Self.mostCalls else { throw DamagedBytes() }
    let stored = try reader.unsigned()
    let sids = try IntegerColumn.read(count, from: &reader)
    try IntegerColumn.skip(count, in: &reader)
    let pickups = stored & 1 == 0 ? [] : try IntegerColumn.read(count, from: &reader)
    let dropOffs = stored & 2 == 0 ? [] : try IntegerColumn.read(count, from: &reader)
    for call in 0..<count {
      guard sids[call] != 0 else {
        stops.append(-1)
        access.append(0)
        continue
      }
      guard let stop = stopList.index(of: sids[call]) else { throw DamagedBytes() }
      stops.append(Int32(stop))
      // A stored number is one more than the value, of which 1 means "not available".
      let isClosed = !pickups.isEmpty && pickups[call] == 2 || call == count - 1
      let isExitClosed = !dropOffs.isEmpty && dropOffs[call] == 2 || call == 0
      access.append(
        (isClosed ? 0 : Access.boarding) | (isExitClosed ? 0 : Access.alighting))
    }
    starts.append(Int32(stops.count))
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
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT rid, coalesce(
          (SELECT agency_timezone FROM main.agency WHERE agency.aid = routes.aid),
          (SELECT agency_timezone FROM main.agency ORDER BY aid LIMIT 1))
        FROM main.routes
        """)
    var (zones, indices, routes) = ([TimetableZone](), [String: UInt8](), [Int64: UInt8]())
    for row in rows {
      let name = try row.decode(String?.self, atIndex: 1) ?? ""
      if indices[name] == nil {
        guard zones.count < 255, let zone = TimeZone(identifier: name) else {
          throw TransitError.unknownTimeZone(path: db.path, name)
        }
        indices[name] = UInt8(zones.count)
        zones.append(TimetableZone(zone))
      }
      let rid: Int64 = try row.decode(atIndex: 0)
      routes[rid] = indices[name]
    }
    return (zones, routes)
  }
}
