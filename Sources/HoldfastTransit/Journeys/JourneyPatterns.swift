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

  /// Takes the patterns of a network.
  ///
  /// - Parameters:
  ///   - rows: Their rows.
  ///   - stopList: The stops.
  ///   - db: The connection of the current access.
  /// - Throws: ``TransitError`` with `.damaged`, `.unknownTimeZone`; `DatabaseError` when the database
  ///   cannot be read.
  init(_ rows: PatternRows, _ stopList: JourneyStops, _ db: Database) throws {
    let zonesOfRoutes: [Int64: UInt8]
    (timeZones, zonesOfRoutes) = try Self.zones(db)
    (pids, rids) = (rows.pids, rows.rids)
    zones = try rids.map { rid in
      guard let zone = zonesOfRoutes[rid] else {
        throw TransitError.missing(path: db.path, table: "routes", row: rid)
      }
      return zone
    }
    let parts = try rows.calls()
    let count = parts.reduce(0) { $0 + $1.sids.count }
    guard count <= StoredCalls.most else {
      throw TransitError.damaged(path: db.path, table: "patterns", row: pids.last ?? 0)
    }
    starts.reserveCapacity(pids.count + 1)
    stops.reserveCapacity(count)
    access.reserveCapacity(count)
    var start: Int32 = 0
    for part in parts {
      for count in part.counts {
        start += count
        starts.append(start)
      }
      stops += part.sids
      access += part.access
    }
    if let call = Self.find(&stops, stopList),
      let pattern = starts.firstIndex(where: { $0 > call }).map({ $0 - 1 })
    {
      throw TransitError.damaged(path: db.path, table: "patterns", row: pids[pattern])
    }
  }

  /// Replaces the numbers of stops by their indices, and returns the first call at a stop that is not
  /// there.
  private static func find(_ stops: inout [Int32], _ list: JourneyStops) -> Int? {
    var stops = stops.mutableSpan
    for call in stops.indices {
      guard stops[call] != 0 else {
        stops[call] = -1
        continue
      }
      guard let stop = list.index(of: Int64(stops[call])) else { return call }
      stops[call] = Int32(stop)
    }
    return nil
  }

  /// Appends the pattern of a trip that live data change or add.
  mutating func append(_ trip: LiveTrips.Trip) {
    // After all others, of which one is found by its number.
    pids.append(.max)
    rids.append(trip.rid)
    let name = trip.zone.zone.identifier
    var zone = timeZones.firstIndex { $0.zone.identifier == name } ?? timeZones.count
    if zone == timeZones.count {
      if zone < 255 { timeZones.append(trip.zone) } else { zone = 0 }
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
