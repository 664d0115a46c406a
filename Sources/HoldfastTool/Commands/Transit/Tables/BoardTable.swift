import Foundation
import HoldfastTransit

// Departures and arrivals as people read them: times, lines and places; JSON has GTFS's names.

extension Output {
  /// Prints departures or arrivals: with `--json` their records, otherwise a table.
  ///
  /// - Parameters:
  ///   - things: The name of the calls, in the plural.
  ///   - answer: The calls, the earliest first.
  ///   - record: Returns the record of a call.
  ///   - row: Returns the columns of a call that departures and arrivals do not share.
  /// - Throws: ``ToolError`` as ``Console/print(_:)`` does.
  func board<Call: BoardCall>(
    _ things: String, _ answer: BoardParameters.Answer<Call>,
    record: (Call) -> OutputRecord,
    row: (Call) -> BoardRow
  ) throws {
    guard format == .table else {
      let languages = answer.languages
      try records(
        of: things,
        answer.values.map { value in
          var whole = record(value.call)
          whole.fields += OutputRecord(liveOf: value, in: languages).fields
          return whole
        })
      return
    }
    let calls = answer.values.map(\.call)
    if let place = answer.place, !calls.isEmpty { try heading(place) }
    let rows = calls.map { OutputRecord(row: row($0), of: $0, at: answer.place) }
    try records(of: things, as: .board(of: calls, rows, isLive: answer.isLive), rows)
  }
}

/// The cells of a table in which a departure and an arrival differ.
struct BoardRow {
  /// The name of the column with the time.
  var timeTitle: String
  var time: Date
  var zone: TimeZone
  /// The name of the column with the other end of the way.
  var placeTitle: String
  /// Where the vehicle goes to or comes from.
  var place: String?
  /// The name of the column that says how riders board or alight.
  var accessTitle: String
  /// How they do, in the numbers of GTFS.
  var access: Int
}

extension OutputRecord {
  fileprivate init(row: BoardRow, of call: some BoardCall, at place: String?) {
    self.init(
      columns: [
        row.timeTitle, "status", "delay", "line", row.placeTitle, "stop", "platform",
        "timepoint", row.accessTitle, "headway", "trip_id",
      ],
      cells: [
        Cell(row.time, in: row.zone), .text(call.status.name),
        Cell(call.delay.map { DelayText($0).description }), .text(call.route.lineName),
        Cell(row.place), Cell(call.stop.name(at: place)), Cell(call.stop.platformCode),
        Cell(call.statedTimepoint), Cell(row.access == 0 ? nil : row.access),
        Cell(call.headway.map { HeadwayText($0).description }),
        .text(call.tripID),
      ])
  }
}

extension TextTable.Layout {
  /// The columns that say something about some calls.
  fileprivate static func board(
    of calls: [some BoardCall], _ rows: [OutputRecord], isLive: Bool
  ) -> TextTable.Layout {
    var keys: Set = ["departure", "arrival", "line", "to", "from", "trip_id"]
    // Riders board and alight as usual where nothing is said.
    for key in ["stop", "pickup_type", "drop_off_type"] {
      let isUsed = rows.contains { row in
        row.fields.contains { $0.key == key && $0.cell != .null }
      }
      if isUsed { keys.insert(key) }
    }
    if isLive { keys.formUnion(["status", "delay"]) }
    if calls.contains(where: { $0.stop.platformCode != nil }) { keys.insert("platform") }
    // Only approximate times have to be told from others.
    if calls.contains(where: { $0.statedTimepoint == 0 }) { keys.insert("timepoint") }
    if calls.contains(where: { $0.headway != nil }) { keys.insert("headway") }
    return TextTable.Layout(
      keys: keys, dispensable: ["trip_id", "platform"],
      styles: ["line": ["": .bold], "status": .liveStatus])
  }
}

extension BoardCall {
  /// The `timepoint`, 0 also for a time that the feed leaves blank.
  fileprivate var statedTimepoint: Int? { timepoint ?? (isInterpolated ? 0 : nil) }
}

extension [String: TextStyle] {
  /// The styles of what became of a call.
  static let liveStatus: Self = ["live": .green, "skipped": .red, "canceled": .red]
}

extension Stop {
  /// Returns the part of the name that the station's name in the heading lacks: `Platform 1`; `nil` for none.
  fileprivate func name(at station: String?) -> String? {
    guard let station, stopName.utf8.starts(with: station.utf8) else { return stopName }
    let rest = stopName.utf8.dropFirst(station.utf8.count)
    guard let first = rest.first else { return nil }
    // Not in the middle of a word.
    guard " ,-(".utf8.contains(first) else { return stopName }
    let name = String(Substring(rest)).trimmingPrefix { " ,-".contains($0) }
    return name.isEmpty ? nil : String(name)
  }
}

extension Route {
  /// The name by which riders know it: the short one, or else the long one or the identifier.
  var lineName: String {
    [routeShortName, routeLongName].first { !$0.isEmpty } ?? routeID
  }

  /// The long name, unless the line is known by it.
  var otherName: String? {
    routeShortName.isEmpty || routeLongName.isEmpty ? nil : routeLongName
  }
}
