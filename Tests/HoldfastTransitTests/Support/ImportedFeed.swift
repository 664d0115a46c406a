import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit

/// A feed of a few files, imported as every feed is, and asked for journeys.
struct ImportedFeed {
  let queue: DatabaseQueue
  private let zone: TimeZone

  /// The folder of a case in `../shared/cases/transit`.
  static func folder(ofCase name: String) -> URL {
    PackageFolder.shared.appending(path: "cases/transit/\(name)/feed")
  }

  /// Imports a folder.
  init(_ folder: URL, in directory: TemporaryDirectory) throws {
    let output = directory.file("\(UUID()).db")
    try FeedImporter(feed: folder, output: output).run()
    queue = try DatabaseQueue(path: output.path)
    let name = try queue.read { db in
      try String.fetchOne(db, sql: "SELECT agency_timezone FROM agency")
    }
    zone = name.flatMap(TimeZone.init(identifier:)) ?? .gmt
  }

  /// Imports texts; a feed has an agency and routes `r1` and `r2`, and trips of the first one with the
  /// daily service `D`, unless there are others.
  init(
    stops: String, calls: String, files: [String: String] = [:], in directory: TemporaryDirectory
  ) throws {
    let folder = directory.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let trips = Set(calls.split(separator: "\n").map { String($0.prefix { $0 != "," }) }).sorted()
    let own = [
      "agency.txt":
        "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Europe/Berlin\n",
      "routes.txt":
        "route_id,agency_id,route_short_name,route_type\nr1,A,1,2\nr2,A,2,2\n",
      "calendar.txt":
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + "D,1,1,1,1,1,1,1,20260101,20261231\n",
      "trips.txt": "route_id,service_id,trip_id\n" + trips.map { "r1,D,\($0)\n" }.joined(),
      "stops.txt": stops,
      "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls,
    ]
    for (name, text) in own.merging(files, uniquingKeysWith: { $1 }) {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try self.init(folder, in: directory)
  }

  /// The number of a stop.
  func sid(_ stopID: String) throws -> Int64 {
    let sid = try queue.read { db in try Stop.fetchOne(db, stopID: stopID)?.sid }
    guard let sid else { throw TextFeedError(message: "There is no stop \(stopID).") }
    return sid
  }

  /// The instant of a local time such as `2026-06-10T20:00`.
  func instant(_ text: String) throws -> Date {
    var style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
      .time(includingFractionalSeconds: false)
    style.timeZone = zone
    return try Date(text + ":00", strategy: style)
  }

  /// Returns journeys; a place is a stop_id or a position.
  func journeys(
    _ from: String, _ to: String, at start: String? = nil, by end: String? = nil,
    _ change: (inout Journeys) throws -> Void = { _ in }
  ) throws -> [Journey] {
    let time: Journeys.Time =
      try start.map { .departing(try instant($0)) } ?? .arriving(try instant(end ?? ""))
    var question = Journeys(from: try place(from), to: try place(to), time)
    try change(&question)
    return try queue.read { [question] db in try question.fetchAll(db) }
  }

  private func place(_ text: String) throws -> Journeys.Place {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 2 else { return .stop(try sid(text)) }
    return .position(try Position(latitude: numbers[0], longitude: numbers[1]))
  }

  /// A journey in words: its departure, its trips and its arrival, in local time.
  func summary(_ journeys: [Journey]) -> [String] {
    journeys.map { journey in
      let trips = journey.rides.map { ($0.isContinuation ? "=" : "") + $0.tripID }
      return "\(local(journey.departure)) \(trips.joined(separator: "+")) \(local(journey.arrival))"
    }
  }

  private func local(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?) -> String {
      (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)"
    }
    let seconds = parts.second == 0 ? "" : ":\(digits(parts.second))"
    return "\(digits(parts.day))T\(digits(parts.hour)):\(digits(parts.minute))\(seconds)"
  }
}
