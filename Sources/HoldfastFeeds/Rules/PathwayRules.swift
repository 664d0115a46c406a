/// Rules for the pathways of stations as a whole.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#pathwaystxt>: "If any pathways are
///   defined in a station, it is assumed that all pathways are represented throughout the station."
struct PathwayRules {
  static let file = "pathways.txt"

  private struct Columns {
    var from, to: Int
    var bothWays: Int?
  }

  private let columns: Columns?
  private let numbers: InternTable<UInt8>?
  /// The stops to which one leads, and those from which one is reached.
  private var onward: [Int: [Int]] = [:]
  private var back: [Int: [Int]] = [:]

  init(_ header: FeedHeader, _ known: KnownIdentifiers) {
    numbers = known[StopTable.file]
    if let from = header.firstIndex(of: "from_stop_id"),
      let to = header.firstIndex(of: "to_stop_id")
    {
      columns = Columns(from: from, to: to, bothWays: header.firstIndex(of: "is_bidirectional"))
    } else {
      columns = nil
    }
  }

  /// Adds the rows of a block.
  mutating func add(_ rows: CSVRows) {
    guard let columns, let numbers else { return }
    for row in 0..<rows.count {
      let record = rows[row]
      guard let from = numbers.number(of: record.bytes(columns.from)),
        let to = numbers.number(of: record.bytes(columns.to))
      else { continue }
      connect(from, to)
      if columns.bothWays.flatMap({ record.wholeNumber($0) }) == 1 { connect(to, from) }
    }
  }

  private mutating func connect(_ from: Int, _ to: Int) {
    onward[from, default: []].append(to)
    back[to, default: []].append(from)
  }

  /// Reports parts of stations that riders cannot reach from an entrance, or not leave, and pathways to
  /// the station itself.
  ///
  /// - Parameters:
  ///   - stops: The stops by their numbers.
  ///   - lines: Their lines in `stops.txt`.
  ///   - report: The report on the feed.
  func finish(_ stops: [FeedStop], lines: [Int], in report: ReportBuilder) {
    guard !onward.isEmpty, let numbers else { return }
    let parents = stops.map { $0.parentStation.flatMap { numbers.number(of: $0.utf8) } }
    func station(_ stop: Int) -> Int? {
      // A boarding area belongs to a platform.
      var place = stop
      for _ in 0..<3 {
        if stops[place].locationType == 1 { return place }
        guard let parent = parents[place] else { return nil }
        place = parent
      }
      return nil
    }
    let ends = Set(onward.keys).union(back.keys)
    let stations = Set(ends.compactMap(station))
    let entrances = stops.indices.filter { stops[$0].locationType == 2 }
    let entered = reached(from: entrances, along: onward)
    let left = reached(from: entrances, along: back)
    let withAreas = Set(
      stops.indices.filter { stops[$0].locationType == 4 }.compactMap { parents[$0] })
    for (number, stop) in stops.enumerated() {
      if stop.locationType == 1, ends.contains(number) {
        report.add(.stationInPathway(stop.stopID).at(Self.file, field: "from_stop_id"))
      }
      let isExamined =
        stop.locationType >= 3 || stop.locationType == 0 && !withAreas.contains(number)
      guard isExamined, let station = station(number), stations.contains(station) else { continue }
      if !entered.contains(number) || !left.contains(number) {
        report.add(
          .unreachablePlace(stop.stopID, canEnter: entered.contains(number))
            .at(StopTable.file, line: lines[number], field: "stop_id"))
      }
    }
  }

  private func reached(from starts: [Int], along ways: [Int: [Int]]) -> Set<Int> {
    var seen = Set(starts)
    var queue = starts
    while let place = queue.popLast() {
      for next in ways[place] ?? [] where seen.insert(next).inserted { queue.append(next) }
    }
    return seen
  }
}
