import Holdfast

/// The ways within stations that `pathways.txt` describes.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#pathwaystxt>
struct StationPathways {
  struct Pathway {
    let to: Int32
    let seconds: Double?
    let meters: Double?
    let isStepFree: Bool
  }

  private var pathways: [Int32: [Pathway]] = [:]

  /// The places from which pathways lead.
  var starts: [Int32] { pathways.keys.sorted() }

  var isEmpty: Bool { pathways.isEmpty }

  /// The same pathways from their ends.
  var reversed: StationPathways {
    var reversed = StationPathways()
    for start in starts {
      for pathway in pathways(from: start) {
        reversed.pathways[pathway.to, default: []].append(
          Pathway(
            to: start, seconds: pathway.seconds, meters: pathway.meters,
            isStepFree: pathway.isStepFree))
      }
    }
    return reversed
  }

  private init() {}

  /// The pathways that lead from a place.
  func pathways(from place: Int32) -> [Pathway] { pathways[place] ?? [] }

  init(_ db: Database, _ stops: JourneyStops) throws {
    guard let table = try FileTable("pathways", db) else { return }
    let columns = ["pathway_mode", "is_bidirectional", "length", "traversal_time"]
      .map(table.column).joined(separator: ", ")
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT start.sid, finish.sid, \(columns)
        FROM main.gtfs_pathways AS file
          JOIN dict_stop AS start ON start.stop_id = \(table.column("from_stop_id"))
          JOIN dict_stop AS finish ON finish.stop_id = \(table.column("to_stop_id"))
        ORDER BY file.rowid
        """)
    var joined: Set<Int32> = []
    for row in rows {
      guard let from = stops.index(of: try row.decode(atIndex: 0)),
        let to = stops.index(of: try row.decode(atIndex: 1))
      else { continue }
      let mode = try row.decode(String?.self, atIndex: 2).flatMap(\.wholeNumber)
      let pathway = { (end: Int) in
        Pathway(
          to: Int32(end), seconds: try Self.number(row, 5), meters: try Self.number(row, 4),
          // 2 are stairs, 4 is an escalator.
          isStepFree: mode != 2 && mode != 4)
      }
      pathways[Int32(from), default: []].append(try pathway(to))
      if try row.decode(String?.self, atIndex: 3).flatMap(\.wholeNumber) == 1 {
        pathways[Int32(to), default: []].append(try pathway(from))
      }
      joined.formUnion([Int32(from), Int32(to)])
    }
    try joinBoardingAreas(joined, db, stops)
  }

  /// Joins boarding areas with their platforms, on which they lie and to which no pathways may lead.
  private mutating func joinBoardingAreas(
    _ joined: Set<Int32>, _ db: Database, _ stops: JourneyStops
  ) throws {
    guard !joined.isEmpty else { return }
    for (area, kind) in try StationAccess.kinds(db, stops) where kind == 4 {
      let platform = stops.parents[Int(area)]
      guard platform >= 0, joined.contains(area) else { continue }
      for (one, other) in [(area, platform), (platform, area)] {
        pathways[one, default: []].append(
          Pathway(to: other, seconds: 0, meters: nil, isStepFree: true))
      }
    }
  }

  /// A number of at most a day or 100 kilometers.
  private static func number(_ row: Row, _ index: Int) throws -> Double? {
    try row.decode(String?.self, atIndex: index).flatMap { Double($0) }
      .flatMap { (0...100_000).contains($0) ? $0 : nil }
  }
}
