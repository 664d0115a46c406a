import Holdfast

/// The stops of a network, by their index.
struct JourneyStops {
  /// The numbers of the stops in the database, sorted.
  let sids: [Int64]
  let positions: [Position?]
  /// The index of the station or platform that each belongs to; -1 if there is none.
  let parents: [Int32]
  /// The stops whose parent a stop is.
  private let children: [Int: [Int]]
  /// Whether the feed says that wheelchairs can board.
  let isAccessible: [Bool]

  var count: Int { sids.count }

  init(_ db: Database) throws {
    var (sids, positions) = ([Int64](), [Position?]())
    var (parents, boardings) = ([Int64](), [Int]())
    // The view `stops` looks up the kind of each stop, of which there are few.
    let isPacked = try db.tableExists("packed_stops")
    let kinds = isPacked ? try Self.boardings(db) : [:]
    let rows = try Row.fetchCursor(
      db,
      sql: isPacked
        ? """
        SELECT sid, lat, lon, parent_sid, kind FROM main.packed_stops
        WHERE kind IS NOT NULL ORDER BY sid
        """
        : """
        SELECT sid, stop_lat, stop_lon, parent_sid, wheelchair_boarding FROM main.stops ORDER BY sid
        """)
    while let row = try rows.next() {
      sids.append(try row.decode(atIndex: 0))
      func degrees(_ index: Int) throws -> Double? {
        try isPacked ? row.packedDegrees(atIndex: index) : row.decode(atIndex: index)
      }
      if let latitude = try degrees(1), let longitude = try degrees(2),
        (-90...90).contains(latitude), (-180...180).contains(longitude)
      {
        let position = Position(validLatitude: latitude, validLongitude: longitude)
        // Riders would walk between all of them.
        positions.append(position.isUnknownPlace ? nil : position)
      } else {
        positions.append(nil)
      }
      parents.append(try row.decode(Int64?.self, atIndex: 3) ?? 0)
      let last = try row.decode(Int?.self, atIndex: 4) ?? 0
      boardings.append(isPacked ? kinds[last] ?? 0 : last)
    }
    (self.sids, self.positions) = (sids, positions)
    self.parents = parents.map { sid in
      sid == 0 ? -1 : Self.index(of: sid, in: sids).map { Int32($0) } ?? -1
    }
    var children: [Int: [Int]] = [:]
    for (index, parent) in self.parents.enumerated() where parent >= 0 {
      children[Int(parent), default: []].append(index)
    }
    self.children = children
    // "If parent_station is not empty, 0 or empty: inherits its behavior from the parent station."
    isAccessible = zip(boardings, self.parents).map { boarding, parent in
      boarding == 1 || boarding == 0 && parent >= 0 && boardings[Int(parent)] == 1
    }
  }

  /// Returns the `wheelchair_boarding` of each kind of stops that has one.
  private static func boardings(_ db: Database) throws -> [Int: Int] {
    var boardings: [Int: Int] = [:]
    for row in try Row.fetchAll(
      db,
      sql: "SELECT kind, wheelchair_boarding FROM main.stop_kinds WHERE wheelchair_boarding <> 0")
    {
      let kind: Int = try row.decode(atIndex: 0)
      boardings[kind] = try row.decode(Int.self, atIndex: 1)
    }
    return boardings
  }

  /// Returns the index of a stop.
  func index(of sid: Int64) -> Int? { Self.index(of: sid, in: sids) }

  private static func index(of sid: Int64, in sids: [Int64]) -> Int? {
    // The numbers of a new database have no gaps.
    if sid > 0, sid <= sids.count, sids[Int(sid) - 1] == sid { return Int(sid) - 1 }
    var (low, high) = (0, sids.count)
    while low < high {
      let middle = (low + high) / 2
      if sids[middle] < sid { low = middle + 1 } else { high = middle }
    }
    return low < sids.count && sids[low] == sid ? low : nil
  }

  /// Returns a stop and everything that belongs to it, at any depth.
  func parts(of stop: Int) -> [Int] {
    var (found, seen) = ([stop], Set([stop]))
    var next = 0
    while next < found.count {
      for part in children[found[next]] ?? [] where seen.insert(part).inserted {
        found.append(part)
      }
      next += 1
    }
    return found
  }

  /// Whether a stop is a station: it has parts, and is none.
  func isStation(_ stop: Int) -> Bool { parents[stop] < 0 && children[stop] != nil }

  /// Returns a stop and all that it belongs to, its station last.
  func chain(from stop: Int) -> [Int] {
    var chain = [stop]
    // Damaged parents may form a circle.
    while chain.count <= 8, case let parent = parents[chain[chain.count - 1]], parent >= 0 {
      chain.append(Int(parent))
    }
    return chain
  }

  /// Returns the station that a stop belongs to at any depth; itself if there is none.
  func root(of stop: Int) -> Int {
    var root = stop
    // Damaged parents may form a circle.
    for _ in 0..<8 where parents[root] >= 0 { root = Int(parents[root]) }
    return root
  }

  /// Returns the distance between two stops as the crow flies, in meters; `nil` if a position is
  /// unknown.
  func meters(from: Int, to: Int) -> Double? {
    guard let start = positions[from], let end = positions[to] else { return nil }
    return start.distance(to: end).meters
  }
}
